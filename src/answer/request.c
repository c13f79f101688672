#include "answer/request.h"

#include "answer/answer.h"
#include "base/json.h"

#include <stdio.h>

typedef enum request_member {
    MEMBER_MESSAGE,
    MEMBER_REPO,
    MEMBER_RELEASE,
    MEMBER_LIMIT,
    MEMBER_FIELDS,
    MEMBER_COUNT
} request_member;

static const char *const member_names[MEMBER_COUNT] = {"message", "repo", "release", "limit", "fields"};

/* An object on its way to being a request. The first thing wrong with a member is
   kept, not reported, until the whole object is known to be a request. */
typedef struct object_reading {
    er_json json;
    bool seen[MEMBER_COUNT];
    bool foreign;                   /* a member that no request has */
    er_slice strings[MEMBER_LIMIT]; /* message, repo, release: escapes as they stand */
    unsigned limit;
    er_fields fields;
    er_fault problem;
} object_reading;

static void report(object_reading *reading, const char *member, const char *reason)
{
    if (reading->problem.status == ER_OK) {
        (void)er_fault_set(&reading->problem, ER_BAD_INPUT, "%s", reason);
        er_fault_member(&reading->problem, member);
    }
}

/* Reads over a value of another kind than was wanted. */
static void report_kind(object_reading *reading, const char *member, const char *wanted)
{
    char reason[96];
    (void)snprintf(reason, sizeof reason, "must be %s, not %s", wanted,
                   er_json_kind_name(er_json_peek(&reading->json)));
    report(reading, member, reason);
    (void)er_json_skip(&reading->json, NULL);
}

static void read_string(object_reading *reading, request_member member)
{
    if (er_json_peek(&reading->json) == ER_JSON_STRING) {
        (void)er_json_string(&reading->json, &reading->strings[member]);
    } else {
        report_kind(reading, member_names[member], "a string");
    }
}

/* Whether the bytes of a number are an integer of a length that can be one of ours. */
static bool small_integer(er_slice raw, long *value)
{
    *value = 0;
    for (size_t i = 0; i < raw.len; i++) {
        if (raw.at[i] < '0' || raw.at[i] > '9' || i == 6) {
            return false;
        }
        *value = *value * 10 + (raw.at[i] - '0');
    }
    return raw.len > 0;
}

static void read_limit(object_reading *reading)
{
    if (er_json_peek(&reading->json) != ER_JSON_NUMBER) {
        report_kind(reading, "limit", "a number");
        return;
    }
    er_slice raw = {0};
    long value = 0;
    if (!er_json_skip(&reading->json, &raw)) {
        return;
    }
    if (small_integer(raw, &value) && value <= (long)ER_MAX_LIMIT) {
        reading->limit = (unsigned)value;
    } else {
        char reason[64];
        (void)snprintf(reason, sizeof reason, "must be a whole number from 0 to %u", ER_MAX_LIMIT);
        report(reading, "limit", reason);
    }
}

static void read_field(object_reading *reading, unsigned index)
{
    char place[32];
    (void)snprintf(place, sizeof place, "fields[%u]", index);
    if (er_json_peek(&reading->json) != ER_JSON_STRING) {
        report_kind(reading, place, "a string");
        return;
    }
    er_slice raw = {0};
    er_member member;
    if (!er_json_string(&reading->json, &raw)) {
        return;
    }
    if (er_member_parse(raw, &member)) {
        reading->fields |= (er_fields)1 << member;
    } else {
        char reason[128];
        (void)snprintf(reason, sizeof reason, "\"%.*s\" is no member of a record",
                       (int)(raw.len < 64 ? raw.len : 64), raw.at);
        report(reading, place, reason);
    }
}

static void read_fields(object_reading *reading)
{
    reading->fields = 0;
    if (er_json_peek(&reading->json) != ER_JSON_ARRAY) {
        report_kind(reading, "fields", "an array of strings");
        return;
    }
    (void)er_json_array_begin(&reading->json);
    for (unsigned i = 0; er_json_array_next(&reading->json); i++) {
        read_field(reading, i);
    }
}

static request_member member_of(er_slice key)
{
    request_member member = MEMBER_MESSAGE;
    while (member < MEMBER_COUNT && !er_json_equal(key, member_names[member])) {
        member++;
    }
    return member;
}

static void read_member(object_reading *reading, er_slice key)
{
    request_member member = member_of(key);
    if (member == MEMBER_COUNT) {
        reading->foreign = true;
        (void)er_json_skip(&reading->json, NULL);
        return;
    }
    if (reading->seen[member]) {
        report(reading, member_names[member], "stands more than once");
    }
    reading->seen[member] = true;
    if (member == MEMBER_LIMIT) {
        read_limit(reading);
    } else if (member == MEMBER_FIELDS) {
        read_fields(reading);
    } else {
        read_string(reading, member);
    }
}

/* Whether the bytes are a request object. */
static bool read_object(object_reading *reading, er_slice bytes)
{
    er_slice key;
    er_json_start(&reading->json, bytes, ER_REQUEST_MAX_DEPTH);
    if (er_json_peek(&reading->json) != ER_JSON_OBJECT) {
        return false;
    }
    (void)er_json_object_begin(&reading->json);
    while (!reading->foreign && er_json_object_next(&reading->json, &key)) {
        read_member(reading, key);
    }
    return !reading->foreign && er_json_finish(&reading->json) == ER_OK && reading->seen[MEMBER_MESSAGE];
}

/* Decodes one string behind what `decoded` holds; room was reserved for all. */
static er_slice decode(er_slice raw, er_buffer *decoded)
{
    char *at = decoded->at + decoded->len;
    size_t length = raw.len ? er_json_decode(raw, at) : 0;
    decoded->len += length;
    return er_slice_of(at, length);
}

static er_status decode_strings(const object_reading *reading, er_buffer *decoded, er_request *out)
{
    size_t room = 1; /* so that there is memory to point at */
    for (int i = 0; i < MEMBER_LIMIT; i++) {
        room += reading->strings[i].len;
    }
    if (!er_buffer_reserve(decoded, room)) {
        return decoded->status;
    }
    out->query.text = decode(reading->strings[MEMBER_MESSAGE], decoded);
    out->query.repo = decode(reading->strings[MEMBER_REPO], decoded);
    out->query.release = decode(reading->strings[MEMBER_RELEASE], decoded);
    out->query.limit = reading->limit;
    out->fields = reading->fields;
    return ER_OK;
}

er_status er_request_parse(er_slice bytes, er_buffer *decoded, er_request *out, er_fault *fault)
{
    er_buffer_clear(decoded);
    *out = (er_request){.query = {.text = bytes, .limit = ER_DEFAULT_LIMIT}, .fields = ER_ALL_FIELDS};
    object_reading reading = {.limit = ER_DEFAULT_LIMIT, .fields = ER_ALL_FIELDS};
    if (!read_object(&reading, bytes)) {
        return ER_OK;
    }
    if (reading.problem.status != ER_OK) {
        if (fault) {
            *fault = reading.problem;
        }
        return reading.problem.status;
    }
    return decode_strings(&reading, decoded, out);
}

er_status er_request_key(er_slice bytes, er_buffer *decoded, er_slice *key)
{
    er_json json;
    er_slice raw;
    *key = er_slice_trim(bytes);
    er_buffer_clear(decoded);
    er_json_start(&json, *key, 1);
    if (er_json_peek(&json) != ER_JSON_STRING || !er_json_string(&json, &raw) ||
        er_json_finish(&json) != ER_OK) {
        return ER_OK;
    }
    if (!er_buffer_reserve(decoded, raw.len + 1)) {
        return decoded->status;
    }
    *key = er_slice_trim(decode(raw, decoded));
    return ER_OK;
}
