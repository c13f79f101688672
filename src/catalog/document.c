#include "catalog/document.h"

#include "catalog/reader.h"

#include <limits.h>

static const char *const document_names[] = {"record", "guide", "datasetVersion"};
enum { DOCUMENT_RECORD, DOCUMENT_GUIDE, DOCUMENT_VERSION, DOCUMENT_COUNT };

static const char *const guide_names[ER_GUIDE_COUNT] = {"captureNames", "foreignId", "commands", "examples",
                                                        "versions",     "alsoAt",    "related",  "supersedes",
                                                        "rateLimited",  "verified"};

const char *er_guide_member_name(er_guide_member member)
{
    return guide_names[member];
}

/* ---- Values ---- */

static bool read_name(er_reader *reader)
{
    er_slice raw;
    return er_reader_text(reader, 1, ER_RECORD_MAX_NAME, &raw);
}

static bool read_text(er_reader *reader)
{
    er_slice raw;
    return er_reader_text(reader, 0, ER_RECORD_MAX_TEXT, &raw);
}

static bool read_filled_text(er_reader *reader)
{
    er_slice raw;
    return er_reader_text(reader, 1, ER_RECORD_MAX_TEXT, &raw);
}

static bool read_name_or_null(er_reader *reader)
{
    return er_reader_or_null(reader, read_name);
}

static bool read_text_or_null(er_reader *reader)
{
    return er_reader_or_null(reader, read_text);
}

static bool read_texts(er_reader *reader)
{
    return er_reader_list(reader, ER_RECORD_MAX_LIST, read_filled_text);
}

static bool read_names(er_reader *reader)
{
    return er_reader_list(reader, ER_RECORD_MAX_LIST, read_name);
}

static bool read_line(er_reader *reader)
{
    return er_reader_integer(reader, 1, INT_MAX);
}

static bool read_line_or_null(er_reader *reader)
{
    return er_reader_or_null(reader, read_line);
}

static bool read_http_status(er_reader *reader)
{
    return er_reader_integer(reader, 100, 599);
}

static bool read_http_status_or_null(er_reader *reader)
{
    return er_reader_or_null(reader, read_http_status);
}

static bool read_schema_version(er_reader *reader)
{
    return er_reader_integer(reader, 2, 2);
}

static bool read_id(er_reader *reader)
{
    er_slice raw;
    size_t offset = reader->json.at;
    if (!er_reader_text(reader, 1, ER_RECORD_MAX_NAME, &raw)) {
        return false;
    }
    bool good = raw.len == 16;
    for (size_t i = 0; good && i < raw.len; i++) {
        good = (raw.at[i] >= '0' && raw.at[i] <= '9') || (raw.at[i] >= 'a' && raw.at[i] <= 'f');
    }
    if (!good) {
        return er_reader_refuse(reader, ER_BAD_INPUT, offset, "must be 16 hexadecimal digits in lower case");
    }
    reader->subject = raw;
    return true;
}

static bool read_slug(er_reader *reader)
{
    er_slice raw;
    if (!er_reader_text(reader, 1, ER_RECORD_MAX_NAME, &raw)) {
        return false;
    }
    if (reader->subject.len == 0) {
        reader->subject = raw;
    }
    return true;
}

/* "2026-09-02T04:41:54.247Z", with a fraction of any length or none. */
static bool time_form(er_slice raw)
{
    static const char form[] = "0000-00-00T00:00:00";
    size_t length = sizeof(form) - 1;
    if (raw.len < length + 1 || raw.len == length + 2 || raw.at[raw.len - 1] != 'Z') {
        return false;
    }
    for (size_t i = 0; i < raw.len - 1; i++) {
        char wanted = i < length ? form[i] : i == length ? '.' : '0';
        bool digit = raw.at[i] >= '0' && raw.at[i] <= '9';
        if (wanted == '0' ? !digit : raw.at[i] != wanted) {
            return false;
        }
    }
    return true;
}

static bool read_time(er_reader *reader)
{
    er_slice raw;
    size_t offset = reader->json.at;
    if (!er_reader_text(reader, 1, ER_RECORD_MAX_TIME, &raw)) {
        return false;
    }
    return time_form(raw) || er_reader_refuse(reader, ER_BAD_INPUT, offset,
                                              "must be a time in UTC like 2026-09-02T04:41:54.247Z");
}

static bool read_time_or_null(er_reader *reader)
{
    return er_reader_or_null(reader, read_time);
}

static bool read_severity(er_reader *reader)
{
    er_slice raw;
    er_document *out = reader->context;
    size_t offset = reader->json.at;
    if (!er_reader_text(reader, 0, ER_RECORD_MAX_NAME, &raw)) {
        return false;
    }
    return er_severity_parse(raw, &out->severity) ||
           er_reader_refuse(reader, ER_BAD_INPUT, offset, "must be info, warning, error or fatal");
}

static bool read_error_type(er_reader *reader)
{
    er_slice raw;
    er_document *out = reader->context;
    size_t offset = reader->json.at;
    if (!er_reader_text(reader, 0, ER_RECORD_MAX_NAME, &raw)) {
        return false;
    }
    return er_error_type_parse(raw, &out->type) ||
           er_reader_refuse(reader, ER_BAD_INPUT, offset, "must be exception, log, api or protocol");
}

/* ---- The record ---- */

static er_reader_value *const record_readers[ER_MEMBER_COUNT] = {
    [ER_MEMBER_ID] = read_id,
    [ER_MEMBER_REPO] = read_name,
    [ER_MEMBER_SLUG] = read_slug,
    [ER_MEMBER_ERROR_CODE] = read_name_or_null,
    [ER_MEMBER_ERROR_MESSAGE] = read_filled_text,
    [ER_MEMBER_MESSAGE_PATTERN] = read_filled_text,
    [ER_MEMBER_ERROR_TYPE] = read_error_type,
    [ER_MEMBER_ERROR_CLASS] = read_name_or_null,
    [ER_MEMBER_HTTP_STATUS] = read_http_status_or_null,
    [ER_MEMBER_SEVERITY] = read_severity,
    [ER_MEMBER_FILE_PATH] = read_filled_text,
    [ER_MEMBER_LINE_NUMBER] = read_line,
    [ER_MEMBER_SOURCE_CODE] = read_text_or_null,
    [ER_MEMBER_SOURCE_CODE_START] = read_line_or_null,
    [ER_MEMBER_SOURCE_CODE_END] = read_line_or_null,
    [ER_MEMBER_GITHUB_URL] = read_text,
    [ER_MEMBER_DOCUMENTATION] = read_text,
    [ER_MEMBER_TRIGGER_SCENARIOS] = read_text,
    [ER_MEMBER_COMMON_SITUATIONS] = read_text,
    [ER_MEMBER_SOLUTIONS] = read_texts,
    [ER_MEMBER_EXAMPLE_FIX] = read_text_or_null,
    [ER_MEMBER_HANDLING_STRATEGY] = read_text,
    [ER_MEMBER_VALIDATION_CODE] = read_text_or_null,
    [ER_MEMBER_TYPE_GUARD] = read_text_or_null,
    [ER_MEMBER_TRY_CATCH_PATTERN] = read_text_or_null,
    [ER_MEMBER_PREVENTION_TIPS] = read_texts,
    [ER_MEMBER_TAGS] = read_names,
    [ER_MEMBER_BACKGROUND_TAG] = read_text,
    [ER_MEMBER_ANALYZED_SHA] = read_text,
    [ER_MEMBER_ANALYZED_AT] = read_time,
    [ER_MEMBER_CONTENT_CHANGED_AT] = read_time_or_null,
    [ER_MEMBER_SCHEMA_VERSION] = read_schema_version,
};

/* Members mostly come in the order of the schema: the one after the last is tried
   before all the others. */
static int record_member(er_reader *reader, er_slice key, const char *const *names, int next, uint64_t *seen)
{
    if (next < ER_MEMBER_COUNT && er_slice_is(key, names[next]) && !(*seen >> next & 1)) {
        *seen |= UINT64_C(1) << next;
        return next;
    }
    return er_reader_known(reader, key, names, ER_MEMBER_COUNT, seen);
}

static bool read_record(er_reader *reader)
{
    er_document *out = reader->context;
    const char *names[ER_MEMBER_COUNT];
    for (int i = 0; i < ER_MEMBER_COUNT; i++) {
        names[i] = er_member_name((er_member)i);
    }
    uint64_t seen = 0;
    er_slice key;
    size_t start = reader->json.at;
    size_t blanks = reader->json.blanks;
    int member = -1;
    er_reader_object(reader);
    while (er_reader_next(reader, &key)) {
        member = record_member(reader, key, names, member + 1, &seen);
        size_t from = reader->json.at;
        if (member < 0 || !record_readers[member](reader)) {
            return false;
        }
        out->member[member] = er_slice_sub(reader->json.text, from, reader->json.at);
    }
    out->record = er_slice_sub(reader->json.text, start, reader->json.at);
    out->compact = reader->json.blanks == blanks;
    return er_reader_all(reader, names, ER_MEMBER_COUNT, seen);
}

/* ---- The guide ---- */

/* An object whose members are all read by `readers`; the first `needed` must be there. */
static bool read_members(er_reader *reader, const char *const *names, er_reader_value *const *readers,
                         int count, int needed)
{
    uint64_t seen = 0;
    er_slice key;
    er_reader_object(reader);
    while (er_reader_next(reader, &key)) {
        int member = er_reader_known(reader, key, names, count, &seen);
        if (member < 0 || !readers[member](reader)) {
            return false;
        }
    }
    return er_reader_all(reader, names, needed, seen);
}

static bool read_command(er_reader *reader)
{
    static const char *const names[] = {"purpose", "command"};
    static er_reader_value *const readers[] = {read_filled_text, read_filled_text};
    return read_members(reader, names, readers, 2, 2);
}

static bool same_key(er_slice a, er_slice b)
{
    char left[ER_RECORD_MAX_NAME], right[ER_RECORD_MAX_NAME];
    size_t left_len = er_json_decode(a, left);
    return er_slice_equal(er_slice_of(left, left_len), er_slice_of(right, er_json_decode(b, right)));
}

/* Captures have the names of their groups: any name, but each once. */
static bool read_captures(er_reader *reader)
{
    er_slice keys[ER_RECORD_MAX_CAPTURES];
    er_slice key;
    size_t offset = reader->json.at;
    er_reader_object(reader);
    for (size_t count = 0; er_reader_next(reader, &key); count++) {
        if (count == ER_RECORD_MAX_CAPTURES || key.len > ER_RECORD_MAX_NAME) {
            return er_reader_refuse(reader, ER_TOO_LARGE, offset, "has too many captures or too long a name");
        }
        for (size_t i = 0; i < count; i++) {
            if (same_key(keys[i], key)) {
                return er_reader_refuse(reader, ER_BAD_INPUT, (size_t)(key.at - reader->json.text.at) - 1,
                                        "stands there twice");
            }
        }
        keys[count] = key;
        if (!read_text(reader)) {
            return false;
        }
    }
    return reader->status == ER_OK;
}

static bool read_as(er_reader *reader)
{
    er_slice raw;
    size_t offset = reader->json.at;
    if (!er_reader_text(reader, 0, ER_RECORD_MAX_NAME, &raw)) {
        return false;
    }
    return er_slice_is(raw, "cause") || er_reader_refuse(reader, ER_BAD_INPUT, offset, "must be cause");
}

static bool read_example(er_reader *reader)
{
    static const char *const names[] = {"line", "captures", "as"};
    static er_reader_value *const readers[] = {read_filled_text, read_captures, read_as};
    return read_members(reader, names, readers, 3, 1);
}

static bool read_versions(er_reader *reader)
{
    static const char *const names[] = {"first", "last"};
    static er_reader_value *const readers[] = {read_name_or_null, read_name_or_null};
    return read_members(reader, names, readers, 2, 2);
}

static bool read_how(er_reader *reader)
{
    er_slice raw;
    size_t offset = reader->json.at;
    if (!er_reader_text(reader, 0, ER_RECORD_MAX_NAME, &raw)) {
        return false;
    }
    return er_slice_is(raw, "run") || er_slice_is(raw, "read") ||
           er_reader_refuse(reader, ER_BAD_INPUT, offset, "must be run or read");
}

static bool read_verified(er_reader *reader)
{
    static const char *const names[] = {"how", "release"};
    static er_reader_value *const readers[] = {read_how, read_name_or_null};
    return read_members(reader, names, readers, 2, 2);
}

static bool read_capture_names(er_reader *reader)
{
    return er_reader_list(reader, ER_RECORD_MAX_CAPTURES, read_name);
}

static bool read_commands(er_reader *reader)
{
    return er_reader_list(reader, ER_RECORD_MAX_LIST, read_command);
}

static bool read_examples(er_reader *reader)
{
    return er_reader_list(reader, ER_RECORD_MAX_LIST, read_example);
}

static bool read_guide(er_reader *reader)
{
    static er_reader_value *const readers[ER_GUIDE_COUNT] = {
        [ER_GUIDE_CAPTURE_NAMES] = read_capture_names,
        [ER_GUIDE_FOREIGN_ID] = er_reader_bool,
        [ER_GUIDE_COMMANDS] = read_commands,
        [ER_GUIDE_EXAMPLES] = read_examples,
        [ER_GUIDE_VERSIONS] = read_versions,
        [ER_GUIDE_ALSO_AT] = read_names,
        [ER_GUIDE_RELATED] = read_names,
        [ER_GUIDE_SUPERSEDES] = read_name_or_null,
        [ER_GUIDE_RATE_LIMITED] = er_reader_bool,
        [ER_GUIDE_VERIFIED] = read_verified,
    };
    er_document *out = reader->context;
    size_t start = reader->json.at;
    bool good = read_members(reader, guide_names, readers, ER_GUIDE_COUNT, 0);
    out->guide = er_slice_sub(reader->json.text, start, reader->json.at);
    return good;
}

/* ---- The document ---- */

static bool read_version(er_reader *reader)
{
    er_document *out = reader->context;
    return er_reader_text(reader, 1, ER_RECORD_MAX_TIME, &out->dataset_version);
}

er_status er_document_read(er_document *out, er_slice text, er_fault *fault)
{
    static er_reader_value *const readers[DOCUMENT_COUNT] = {read_record, read_guide, read_version};
    *out = (er_document){0};
    if (er_slice_starts(text, ER_SLICE("\xEF\xBB\xBF"))) {
        er_fault_set(fault, ER_BAD_INPUT, "begins with a byte order mark, which JSON does not allow");
        er_fault_offset(fault, 0);
        return ER_BAD_INPUT;
    }
    size_t valid = er_slice_utf8_prefix(text);
    if (valid < text.len) {
        er_fault_set(fault, ER_BAD_INPUT, "is not valid UTF-8");
        er_fault_offset(fault, valid);
        return ER_BAD_INPUT;
    }
    er_reader reader;
    er_reader_start(&reader, text, out, fault);
    er_json_peek(&reader.json);
    read_members(&reader, document_names, readers, DOCUMENT_COUNT, DOCUMENT_RECORD + 1);
    return er_reader_finish(&reader);
}
