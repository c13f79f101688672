#include "base/json.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define HIGH_BITS UINT64_C(0x8080808080808080)

void er_json_start(er_json *json, er_slice text, unsigned max_depth)
{
    assert(max_depth <= ER_JSON_MAX_DEPTH);
    json->text = text;
    json->at = 0;
    json->blanks = 0;
    json->depth = 0;
    json->max_depth = max_depth;
    json->reason = NULL;
    json->reason_at = 0;
}

static bool fail(er_json *json, size_t at, const char *reason)
{
    if (json->reason == NULL) {
        json->reason = reason;
        json->reason_at = at;
    }
    return false;
}

static bool fail_here(er_json *json, const char *reason)
{
    return fail(json, json->at, json->at < json->text.len ? reason : "the text ends too early");
}

static int look_past_blanks(er_json *json)
{
    size_t from = json->at;
    size_t at = from;
    int found = -1;
    while (at < json->text.len) {
        char c = json->text.at[at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            found = (unsigned char)c;
            break;
        }
        at++;
    }
    json->at = at;
    json->blanks += at - from;
    return found;
}

/* The next byte that is not a blank, or -1. Mostly there are no blanks. */
static inline int look(er_json *json)
{
    if (json->at < json->text.len) {
        unsigned char c = (unsigned char)json->text.at[json->at];
        if (c > ' ') {
            return c;
        }
    }
    return look_past_blanks(json);
}

er_json_kind er_json_peek(er_json *json)
{
    if (json->reason != NULL) {
        return ER_JSON_NONE;
    }
    int c = look(json);
    switch (c) {
    case -1:
        return ER_JSON_NONE;
    case '{':
        return ER_JSON_OBJECT;
    case '[':
        return ER_JSON_ARRAY;
    case '"':
        return ER_JSON_STRING;
    case 't':
        return ER_JSON_TRUE;
    case 'f':
        return ER_JSON_FALSE;
    case 'n':
        return ER_JSON_NULL;
    default:
        if (c == '-' || (c >= '0' && c <= '9')) {
            return ER_JSON_NUMBER;
        }
        fail(json, json->at, "expected a value");
        return ER_JSON_NONE;
    }
}

const char *er_json_kind_name(er_json_kind kind)
{
    static const char *const names[] = {"nothing",  "an object", "an array", "a string",
                                        "a number", "true",      "false",    "null"};
    return names[kind];
}

static bool begin(er_json *json, char open, const char *reason)
{
    if (json->reason != NULL) {
        return false;
    }
    if (look(json) != open) {
        return fail_here(json, reason);
    }
    if (json->depth >= json->max_depth) {
        return fail_here(json, "nested too deeply");
    }
    json->at++;
    json->first[json->depth++] = true;
    return true;
}

bool er_json_object_begin(er_json *json)
{
    return begin(json, '{', "expected an object");
}

bool er_json_array_begin(er_json *json)
{
    return begin(json, '[', "expected an array");
}

/* Up to the next member or element: false at the end of the container. */
static bool next(er_json *json, char close, const char *reason)
{
    if (json->reason != NULL) {
        return false;
    }
    assert(json->depth > 0);
    int c = look(json);
    if (c == close) {
        json->at++;
        json->depth--;
        return false;
    }
    if (json->first[json->depth - 1]) {
        json->first[json->depth - 1] = false;
        return c >= 0 || fail_here(json, reason);
    }
    if (c != ',') {
        return fail_here(json, reason);
    }
    json->at++;
    return true;
}

bool er_json_array_next(er_json *json)
{
    return next(json, ']', "expected ',' or ']'");
}

bool er_json_object_next(er_json *json, er_slice *key)
{
    if (!next(json, '}', "expected ',' or '}'")) {
        return false;
    }
    if (look(json) != '"') {
        return fail_here(json, "expected a member's name in quotes");
    }
    if (!er_json_string(json, key)) {
        return false;
    }
    if (look(json) != ':') {
        return fail_here(json, "expected ':'");
    }
    json->at++;
    return true;
}

/* The offset, from `at`, of the first byte that may not stand as it is inside a
   string: a quote, a backslash, a control character; or text.len. Eight bytes at
   a time: most of what a catalog holds is the inside of strings. */
static size_t plain_end(er_slice text, size_t at)
{
    uint64_t word;
    while (text.len - at >= sizeof(word)) {
        memcpy(&word, text.at + at, sizeof(word));
        uint64_t quote = word ^ (EACH_BYTE * '"');
        uint64_t backslash = word ^ (EACH_BYTE * '\\');
        uint64_t stop = ((quote - EACH_BYTE) & ~quote) | ((backslash - EACH_BYTE) & ~backslash) |
                        ((word - EACH_BYTE * 0x20) & ~word);
        if (stop & HIGH_BITS) {
            break;
        }
        at += sizeof(word);
    }
    while (at < text.len) {
        unsigned char c = (unsigned char)text.at[at];
        if (c == '"' || c == '\\' || c < 0x20) {
            break;
        }
        at++;
    }
    return at;
}

static bool hex_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool four_hex_digits(er_slice text, size_t at)
{
    return text.len - at >= 4 && hex_digit(text.at[at]) && hex_digit(text.at[at + 1]) &&
           hex_digit(text.at[at + 2]) && hex_digit(text.at[at + 3]);
}

/* Checks the escape whose backslash is at `at`; 0 if it is none, else its length. */
static size_t escape_length(er_slice text, size_t at)
{
    char c = at + 1 < text.len ? text.at[at + 1] : '\0';
    switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
        return 2;
    case 'u':
        return four_hex_digits(text, at + 2) ? 6 : 0;
    default:
        return 0;
    }
}

bool er_json_string(er_json *json, er_slice *raw)
{
    if (json->reason != NULL) {
        return false;
    }
    if (look(json) != '"') {
        return fail_here(json, "expected a string");
    }
    size_t from = json->at + 1;
    size_t at = from;
    for (;;) {
        at = plain_end(json->text, at);
        if (at >= json->text.len) {
            return fail(json, json->at, "the string has no end");
        }
        char c = json->text.at[at];
        if (c == '"') {
            break;
        }
        if (c != '\\') {
            return fail(json, at, "a control character in a string must be escaped");
        }
        size_t length = escape_length(json->text, at);
        if (length == 0) {
            return fail(json, at, "not an escape of JSON");
        }
        at += length;
    }
    *raw = er_slice_of(json->text.at + from, at - from);
    json->at = at + 1;
    return true;
}

static bool digit_at(const er_json *json, size_t at)
{
    return at < json->text.len && json->text.at[at] >= '0' && json->text.at[at] <= '9';
}

static bool char_at(const er_json *json, size_t at, char a, char b)
{
    return at < json->text.len && (json->text.at[at] == a || json->text.at[at] == b);
}

static size_t digits_end(const er_json *json, size_t at)
{
    while (digit_at(json, at)) {
        at++;
    }
    return at;
}

/* Reads a number; `whole` says whether it has neither fraction nor exponent. */
static bool number(er_json *json, er_slice *raw, bool *whole)
{
    size_t from = json->at;
    size_t at = from + char_at(json, from, '-', '-');
    *whole = true;
    if (!digit_at(json, at)) {
        return fail(json, at, "expected a digit");
    }
    at = json->text.at[at] == '0' ? at + 1 : digits_end(json, at);
    if (digit_at(json, at)) {
        return fail(json, from, "a number may not begin with 0");
    }
    if (char_at(json, at, '.', '.')) {
        *whole = false;
        if (!digit_at(json, ++at)) {
            return fail(json, at, "expected a digit");
        }
        at = digits_end(json, at);
    }
    if (char_at(json, at, 'e', 'E')) {
        *whole = false;
        at++;
        at += char_at(json, at, '+', '-');
        if (!digit_at(json, at)) {
            return fail(json, at, "expected a digit");
        }
        at = digits_end(json, at);
    }
    *raw = er_slice_of(json->text.at + from, at - from);
    json->at = at;
    return true;
}

bool er_json_integer(er_json *json, long long *value)
{
    er_slice raw;
    bool whole;
    if (json->reason != NULL) {
        return false;
    }
    if (er_json_peek(json) != ER_JSON_NUMBER) {
        return fail_here(json, "expected an integer");
    }
    size_t from = json->at;
    if (!number(json, &raw, &whole)) {
        return false;
    }
    if (!whole) {
        return fail(json, from, "expected an integer");
    }
    bool negative = raw.at[0] == '-';
    long long sum = 0; /* negative all along: LLONG_MIN has no positive twin */
    for (size_t i = negative; i < raw.len; i++) {
        int digit = raw.at[i] - '0';
        if (sum < (LLONG_MIN + digit) / 10) {
            return fail(json, from, "the integer is out of range");
        }
        sum = sum * 10 - digit;
    }
    if (!negative && sum == LLONG_MIN) {
        return fail(json, from, "the integer is out of range");
    }
    *value = negative ? sum : -sum;
    return true;
}

static bool literal(er_json *json, er_slice word, const char *reason)
{
    if (json->reason != NULL) {
        return false;
    }
    look(json);
    er_slice rest = er_slice_of(json->text.at + json->at, json->text.len - json->at);
    if (!er_slice_starts(rest, word)) {
        return fail_here(json, reason);
    }
    json->at += word.len;
    return true;
}

bool er_json_bool(er_json *json, bool *value)
{
    bool is_true = er_json_peek(json) == ER_JSON_TRUE;
    if (!literal(json, is_true ? ER_SLICE("true") : ER_SLICE("false"), "expected true or false")) {
        return false;
    }
    *value = is_true;
    return true;
}

bool er_json_null(er_json *json)
{
    return literal(json, ER_SLICE("null"), "expected null");
}

static bool skip_scalar(er_json *json, er_json_kind kind)
{
    er_slice raw;
    bool flag;
    switch (kind) {
    case ER_JSON_STRING:
        return er_json_string(json, &raw);
    case ER_JSON_NUMBER:
        return number(json, &raw, &flag);
    case ER_JSON_TRUE:
    case ER_JSON_FALSE:
        return er_json_bool(json, &flag);
    case ER_JSON_NULL:
        return er_json_null(json);
    default:
        return fail_here(json, "expected a value");
    }
}

/* Reads a scalar, or only the opening of a container. */
static bool enter(er_json *json, uint64_t *objects)
{
    er_json_kind kind = er_json_peek(json);
    if (kind != ER_JSON_OBJECT && kind != ER_JSON_ARRAY) {
        return skip_scalar(json, kind);
    }
    uint64_t bit = UINT64_C(1) << (json->depth % ER_JSON_MAX_DEPTH);
    *objects = kind == ER_JSON_OBJECT ? *objects | bit : *objects & ~bit;
    return kind == ER_JSON_OBJECT ? er_json_object_begin(json) : er_json_array_begin(json);
}

static bool advance(er_json *json, uint64_t objects)
{
    er_slice key;
    bool object = objects >> (json->depth - 1) & 1;
    return object ? er_json_object_next(json, &key) : er_json_array_next(json);
}

/* Without recursion: what kind of container each depth is, is one bit of `objects`. */
bool er_json_skip(er_json *json, er_slice *raw)
{
    unsigned base = json->depth;
    uint64_t objects = 0;
    er_json_peek(json);
    size_t from = json->at;
    do {
        if (!enter(json, &objects)) {
            return false;
        }
        while (json->depth > base && !advance(json, objects)) {
            if (json->reason != NULL) {
                return false;
            }
        }
    } while (json->depth > base);
    if (raw != NULL) {
        *raw = er_slice_of(json->text.at + from, json->at - from);
    }
    return true;
}

er_status er_json_finish(er_json *json)
{
    if (json->reason == NULL && json->depth > 0) {
        fail(json, json->at, "the value was not read to its end");
    }
    if (json->reason == NULL && look(json) >= 0) {
        fail(json, json->at, "something follows the value");
    }
    return json->reason ? ER_BAD_INPUT : ER_OK;
}
