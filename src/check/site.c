#include "check/site.h"

#include "base/file.h"

#include <limits.h>
#include <stdio.h>

/* The members of a line that are read, as they stand. */
typedef struct site_line {
    er_slice repo, path, line, severity, message, id;
} site_line;

static bool read_line(er_json *json, site_line *out)
{
    const struct {
        const char *name;
        er_slice *into;
    } members[] = {{"repo", &out->repo},         {"filePath", &out->path},        {"lineNumber", &out->line},
                   {"severity", &out->severity}, {"errorMessage", &out->message}, {"id", &out->id}};
    er_slice key, value;
    er_json_object_begin(json);
    while (er_json_object_next(json, &key) && er_json_skip(json, &value)) {
        for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
            if (er_json_equal(key, members[i].name)) {
                *members[i].into = value;
            }
        }
    }
    return er_json_finish(json) == ER_OK;
}

static bool is_string(er_slice value)
{
    return value.len >= 2 && value.at[0] == '"';
}

static er_slice keep(er_check *check, er_slice value)
{
    er_slice copy = er_arena_copy(&check->arena, value);
    if (copy.at == NULL) {
        check->status = ER_NO_MEMORY;
        return (er_slice){"", 0};
    }
    return er_entry_text(check, copy);
}

/* NULL, or what is wrong with the members. */
static const char *take_line(er_check *check, const site_line *line, er_place *out)
{
    er_json number;
    long long value = 0;
    if (!is_string(line->repo) || !is_string(line->path) || !is_string(line->message) ||
        !is_string(line->severity)) {
        return "must have the strings repo, filePath, severity and errorMessage";
    }
    er_json_start(&number, line->line, 1);
    if (!er_json_integer(&number, &value) || value < 1 || value > INT_MAX) {
        return "must have a lineNumber of 1 or more";
    }
    if (!er_severity_parse(er_document_inside(line->severity), &out->severity)) {
        return "has a severity that is none";
    }
    out->line = (unsigned)value;
    out->repo = keep(check, line->repo);
    out->path = keep(check, line->path);
    out->message = keep(check, line->message);
    out->id = keep(check, line->id);
    return NULL;
}

static er_status refuse(er_fault *fault, const char *file, size_t number, size_t offset, const char *reason)
{
    er_status status = er_fault_set(fault, ER_BAD_INPUT, "line %zu: %s", number, reason);
    er_fault_file(fault, file);
    er_fault_offset(fault, offset);
    return status;
}

static er_status read_lines(er_check *check, const char *file, er_slice text, er_place_list *out,
                            er_fault *fault)
{
    size_t number = 1;
    for (size_t at = 0; at < text.len && check->status == ER_OK; number++) {
        const char *feed = memchr(text.at + at, '\n', text.len - at);
        size_t end = feed != NULL ? (size_t)(feed - text.at) : text.len;
        er_slice whole = er_slice_sub(text, at, end);
        size_t offset = at;
        at = end + 1;
        if (er_slice_trim(whole).len == 0) {
            continue;
        }
        er_json json;
        site_line line = {.id = {NULL, 0}};
        er_json_start(&json, whole, 16);
        if (er_slice_utf8_prefix(whole) < whole.len || !read_line(&json, &line)) {
            const char *reason = json.reason != NULL ? json.reason : "is not valid UTF-8";
            return refuse(fault, file, number, offset + json.reason_at, reason);
        }
        if (!is_string(line.id)) {
            continue;
        }
        if (!er_check_grow(check, (void **)&out->at, &out->capacity, out->count, sizeof(*out->at))) {
            break;
        }
        const char *reason = take_line(check, &line, &out->at[out->count]);
        if (reason != NULL) {
            return refuse(fault, file, number, offset, reason);
        }
        out->count++;
    }
    return check->status == ER_OK ? ER_OK : er_fault_set(fault, check->status, "out of memory");
}

er_status er_places_read(er_check *check, const char *file, er_place_list *out, er_fault *fault)
{
    er_buffer text;
    er_buffer_start(&text, ER_CHECK_MAX_SITES);
    er_status status = er_file_read(file, &text, fault);
    if (status == ER_OK) {
        status = read_lines(check, file, er_buffer_slice(&text), out, fault);
    }
    er_buffer_free(&text);
    return status;
}

static int by_number(unsigned a, unsigned b)
{
    return (a > b) - (a < b);
}

int er_place_by_message(const void *a, const void *b)
{
    const er_place *left = a;
    const er_place *right = b;
    int by = er_slice_compare(left->repo, right->repo);
    by = by != 0 ? by : er_slice_compare(left->id, right->id);
    by = by != 0 ? by : er_slice_compare(left->path, right->path);
    return by != 0 ? by : by_number(left->line, right->line);
}

int er_place_by_line(const void *a, const void *b)
{
    const er_place *left = a;
    const er_place *right = b;
    int by = er_slice_compare(left->repo, right->repo);
    by = by != 0 ? by : er_slice_compare(left->path, right->path);
    by = by != 0 ? by : by_number(left->line, right->line);
    return by != 0 ? by : er_slice_compare(left->id, right->id);
}
