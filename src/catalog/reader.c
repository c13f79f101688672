#include "catalog/reader.h"

#include <stdarg.h>
#include <stdio.h>

#define MAX_STEP 64 /* bytes of a member's name that a path shows */

void er_reader_start(er_reader *reader, er_slice text, void *context, er_fault *fault)
{
    *reader = (er_reader){.fault = fault, .context = context};
    er_json_start(&reader->json, text, ER_READER_MAX_DEPTH);
}

static void print_path(const er_reader *reader, const char *last, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < reader->json.depth && used < size; i++) {
        const er_reader_step *step = &reader->path[i];
        if (step->name.at == NULL) {
            used += (size_t)snprintf(out + used, size - used, "[%u]", step->index);
        } else if (step->name.len > 0) {
            int length = step->name.len > MAX_STEP ? MAX_STEP : (int)step->name.len;
            used +=
                (size_t)snprintf(out + used, size - used, "%s%.*s", used ? "." : "", length, step->name.at);
        }
    }
    if (last != NULL && used < size) {
        snprintf(out + used, size - used, "%s%s", used ? "." : "", last);
    }
}

/* `last` (NULL allowed) is a member that the path does not hold yet. */
static bool refuse(er_reader *reader, er_status status, size_t offset, const char *last, const char *reason)
{
    if (reader->status == ER_OK) {
        char path[256];
        print_path(reader, last, path, sizeof(path));
        reader->status = er_fault_set(reader->fault, status, "%s", reason);
        er_fault_offset(reader->fault, offset);
        er_fault_member(reader->fault, path);
        er_fault_record(reader->fault, reader->subject.at, reader->subject.len);
    }
    return false;
}

bool er_reader_refuse(er_reader *reader, er_status status, size_t offset, const char *format, ...)
{
    char reason[sizeof(reader->fault->reason)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof(reason), format, arguments);
    va_end(arguments);
    return refuse(reader, status, offset, NULL, reason);
}

static bool refuse_json(er_reader *reader)
{
    return refuse(reader, ER_BAD_INPUT, reader->json.reason_at, NULL, reader->json.reason);
}

/* What comes next, ER_JSON_NONE after a fault: where there is no value, that is one. */
static er_json_kind look(er_reader *reader)
{
    if (reader->status != ER_OK) {
        return ER_JSON_NONE;
    }
    er_json_kind found = er_json_peek(&reader->json);
    if (found == ER_JSON_NONE) {
        er_json_skip(&reader->json, NULL); /* says why */
        refuse_json(reader);
    }
    return found;
}

static bool expect(er_reader *reader, er_json_kind kind)
{
    er_json_kind found = look(reader);
    if (found == kind || found == ER_JSON_NONE) {
        return found == kind;
    }
    return er_reader_refuse(reader, ER_BAD_INPUT, reader->json.at, "expected %s, found %s",
                            er_json_kind_name(kind), er_json_kind_name(found));
}

bool er_reader_object(er_reader *reader)
{
    if (!expect(reader, ER_JSON_OBJECT)) {
        return false;
    }
    if (!er_json_object_begin(&reader->json)) {
        return refuse_json(reader);
    }
    reader->path[reader->json.depth - 1] = (er_reader_step){ER_SLICE(""), 0};
    return true;
}

bool er_reader_next(er_reader *reader, er_slice *key)
{
    if (reader->status != ER_OK) {
        return false;
    }
    unsigned depth = reader->json.depth;
    reader->path[depth - 1].name = ER_SLICE("");
    if (!er_json_object_next(&reader->json, key)) {
        return reader->json.reason != NULL && refuse_json(reader);
    }
    reader->path[depth - 1].name = *key;
    er_json_peek(&reader->json); /* onto the value, past the blanks */
    return true;
}

int er_reader_known(er_reader *reader, er_slice key, const char *const *names, int count, uint64_t *seen)
{
    size_t offset = (size_t)(key.at - reader->json.text.at) - 1;
    int index = 0;
    while (index < count && !er_json_equal(key, names[index])) {
        index++;
    }
    if (index == count) {
        er_reader_refuse(reader, ER_BAD_INPUT, offset, "is not a known member");
        return -1;
    }
    if (*seen >> index & 1) {
        er_reader_refuse(reader, ER_BAD_INPUT, offset, "stands there twice");
        return -1;
    }
    *seen |= UINT64_C(1) << index;
    return index;
}

bool er_reader_all(er_reader *reader, const char *const *names, int count, uint64_t seen)
{
    for (int i = 0; i < count && reader->status == ER_OK; i++) {
        if (!(seen >> i & 1)) {
            return refuse(reader, ER_BAD_INPUT, reader->json.at - 1, names[i], "is missing");
        }
    }
    return reader->status == ER_OK;
}

/* A NUL would end the text early for whoever takes it as a C string. */
static bool holds_nul(er_slice raw)
{
    for (size_t at = 0; at < raw.len; at += 2) {
        const char *escape = memchr(raw.at + at, '\\', raw.len - at);
        if (escape == NULL) {
            return false;
        }
        at = (size_t)(escape - raw.at);
        if (er_slice_starts(er_slice_sub(raw, at, raw.len), ER_SLICE("\\u0000"))) {
            return true;
        }
    }
    return false;
}

bool er_reader_text(er_reader *reader, size_t least, size_t most, er_slice *raw)
{
    if (!expect(reader, ER_JSON_STRING)) {
        return false;
    }
    size_t offset = reader->json.at;
    if (!er_json_string(&reader->json, raw)) {
        return refuse_json(reader);
    }
    if (raw->len < least) {
        return er_reader_refuse(reader, ER_BAD_INPUT, offset, "is empty");
    }
    if (raw->len > most) {
        return er_reader_refuse(reader, ER_TOO_LARGE, offset, "has %zu bytes, at most %zu are allowed",
                                raw->len, most);
    }
    if (holds_nul(*raw)) {
        return er_reader_refuse(reader, ER_BAD_INPUT, offset, "holds a NUL character");
    }
    return true;
}

bool er_reader_integer(er_reader *reader, long long least, long long most)
{
    long long value;
    if (!expect(reader, ER_JSON_NUMBER)) {
        return false;
    }
    size_t offset = reader->json.at;
    if (!er_json_integer(&reader->json, &value)) {
        return refuse_json(reader);
    }
    if (value >= least && value <= most) {
        return true;
    }
    if (least == most) {
        return er_reader_refuse(reader, ER_BAD_INPUT, offset, "is %lld, must be %lld", value, least);
    }
    return er_reader_refuse(reader, ER_BAD_INPUT, offset, "is %lld, must be from %lld to %lld", value, least,
                            most);
}

bool er_reader_bool(er_reader *reader)
{
    bool value;
    er_json_kind found = look(reader);
    if (found == ER_JSON_TRUE || found == ER_JSON_FALSE) {
        return er_json_bool(&reader->json, &value) || refuse_json(reader);
    }
    return er_reader_refuse(reader, ER_BAD_INPUT, reader->json.at, "expected true or false, found %s",
                            er_json_kind_name(found));
}

bool er_reader_or_null(er_reader *reader, er_reader_value *read)
{
    if (look(reader) != ER_JSON_NULL) {
        return read(reader);
    }
    return er_json_null(&reader->json) || refuse_json(reader);
}

bool er_reader_list(er_reader *reader, unsigned most, er_reader_value *read)
{
    if (!expect(reader, ER_JSON_ARRAY)) {
        return false;
    }
    size_t offset = reader->json.at;
    if (!er_json_array_begin(&reader->json)) {
        return refuse_json(reader);
    }
    er_reader_step *step = &reader->path[reader->json.depth - 1];
    *step = (er_reader_step){{0}, 0};
    for (; er_json_array_next(&reader->json); step->index++) {
        if (step->index == most) {
            reader->json.depth--; /* the list is at fault, not its entry */
            return er_reader_refuse(reader, ER_TOO_LARGE, offset, "has more than %u entries", most);
        }
        er_json_peek(&reader->json);
        if (!read(reader)) {
            return false;
        }
    }
    return reader->json.reason == NULL || refuse_json(reader);
}

er_status er_reader_finish(er_reader *reader)
{
    if (reader->status == ER_OK && er_json_finish(&reader->json) != ER_OK) {
        refuse_json(reader);
    }
    return reader->status;
}
