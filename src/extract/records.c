#include "extract/records.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "extract/list.h"

#include <stdio.h>

#define MOST_BYTES ((size_t)1 << 20)

typedef struct reading {
    er_records *records;
    size_t top;
} reading;

static er_slice take_text(er_records *records, er_json *json)
{
    er_slice raw = {0};
    if (er_json_peek(json) != ER_JSON_STRING) {
        er_json_skip(json, NULL);
        return raw;
    }
    er_json_string(json, &raw);
    char *out = er_arena_take(&records->arena, raw.len + 1);
    return out != NULL ? er_slice_of(out, er_json_decode(raw, out)) : (er_slice){0};
}

static er_span span_of(const er_json *json, er_slice raw)
{
    uint32_t from = (uint32_t)(raw.at - json->text.at);
    return (er_span){from, from + (uint32_t)raw.len};
}

/* The value's span, and its decoded text. */
static er_slice take_spanned(er_records *records, er_json *json, er_span *span)
{
    er_json ahead = *json;
    er_slice raw = {0};
    if (er_json_skip(&ahead, &raw)) {
        *span = span_of(&ahead, raw);
    }
    return take_text(records, json);
}

static void take_line(er_json *json, er_kept *kept)
{
    er_json ahead = *json;
    er_slice raw = {0};
    long long line = 0;
    if (er_json_skip(&ahead, &raw)) {
        kept->at_line = span_of(&ahead, raw);
    }
    if (er_json_integer(json, &line) && line > 0 && line < UINT32_MAX) {
        kept->line = (uint32_t)line;
    }
}

static void read_record(er_records *records, er_json *json, er_kept *kept)
{
    const struct {
        const char *name;
        er_slice *value;
        er_span *span;
    } wanted[] = {
        {"id", &kept->id, NULL},
        {"repo", &kept->repo, NULL},
        {"slug", &kept->slug, NULL},
        {"errorMessage", &kept->message, NULL},
        {"errorCode", &kept->code, NULL},
        {"filePath", &kept->file_path, &kept->at_file_path},
        {"githubUrl", &(er_slice){0}, &kept->at_url},
        {"analyzedSha", &kept->sha, &kept->at_sha},
    };
    er_slice key;
    er_json_object_begin(json);
    while (er_json_object_next(json, &key)) {
        size_t i = 0;
        while (i < sizeof(wanted) / sizeof(wanted[0]) && !er_json_equal(key, wanted[i].name)) {
            i++;
        }
        if (i < sizeof(wanted) / sizeof(wanted[0])) {
            er_span unused;
            *wanted[i].value = take_spanned(records, json, wanted[i].span != NULL ? wanted[i].span : &unused);
        } else if (er_json_equal(key, "lineNumber")) {
            take_line(json, kept);
        } else {
            er_json_skip(json, NULL);
        }
    }
}

static er_status add_place(er_records *records, er_slice sha, er_slice place, uint32_t index)
{
    return place.len > 0 ? er_table_put(&records->places, (er_key){sha, place}, index) : ER_OK;
}

static er_status read_guide(er_records *records, er_json *json, er_slice sha, er_span *also, uint32_t index)
{
    er_slice key;
    er_status status = ER_OK;
    er_json_object_begin(json);
    while (status == ER_OK && er_json_object_next(json, &key)) {
        if (!er_json_equal(key, "alsoAt") || er_json_peek(json) != ER_JSON_ARRAY) {
            er_json_skip(json, NULL);
            continue;
        }
        er_json ahead = *json;
        er_slice list = {0};
        if (er_json_skip(&ahead, &list)) {
            *also = span_of(&ahead, list);
        }
        er_json_array_begin(json);
        while (status == ER_OK && er_json_array_next(json)) {
            status = add_place(records, sha, take_text(records, json), index);
        }
    }
    return status;
}

static er_status index_record(er_records *records, const er_kept *kept, uint32_t index)
{
    char place[512];
    int len =
        snprintf(place, sizeof(place), "%.*s:%u", (int)kept->file_path.len, kept->file_path.at, kept->line);
    er_slice copy = er_arena_copy(
        &records->arena, er_slice_of(place, len > 0 && (size_t)len < sizeof(place) ? (size_t)len : 0));
    er_status status = copy.at != NULL ? ER_OK : ER_NO_MEMORY;
    if (status == ER_OK) {
        status = er_table_put(&records->by_id, (er_key){kept->id, {0}}, index);
    }
    if (status == ER_OK) {
        status = er_table_put(&records->slugs, (er_key){kept->repo, kept->slug}, index);
    }
    return status == ER_OK ? add_place(records, kept->sha, copy, index) : status;
}

static er_status read_document(er_records *records, er_kept *kept, uint32_t index, er_fault *fault)
{
    er_json json;
    er_slice key;
    er_status status = ER_OK;
    er_json_start(&json, er_buffer_slice(&kept->content), 32);
    er_json guide = json;
    bool has_guide = false;
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        if (er_json_equal(key, "record") && er_json_peek(&json) == ER_JSON_OBJECT) {
            read_record(records, &json, kept);
        } else {
            if (er_json_equal(key, "guide") && er_json_peek(&json) == ER_JSON_OBJECT) {
                guide = json;
                has_guide = true;
            }
            er_json_skip(&json, NULL);
        }
    }
    if (er_json_finish(&json) != ER_OK) {
        er_fault_set(fault, ER_BAD_INPUT, "%s", json.reason != NULL ? json.reason : "not JSON");
        er_fault_offset(fault, json.reason_at);
        return ER_BAD_INPUT;
    }
    if (kept->id.len == 0 || kept->repo.len == 0 || kept->slug.len == 0) {
        return er_fault_set(fault, ER_BAD_INPUT, "not a record: id, repo or slug is missing");
    }
    status = index_record(records, kept, index);
    return status == ER_OK && has_guide ? read_guide(records, &guide, kept->sha, &kept->at_also, index)
                                        : status;
}

static er_status read_file(void *context, const char *path, er_fault *fault)
{
    reading *to = context;
    er_slice inside = er_slice_string(path + to->top);
    if (er_slice_is(inside, "tags.json") || er_slice_starts(inside, ER_SLICE("schema/"))) {
        return ER_OK;
    }
    er_records *records = to->records;
    if (!er_list_room((void **)&records->items, &records->capacity, records->count, sizeof(er_kept))) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for the records");
    }
    er_kept *kept = &records->items[records->count++];
    *kept = (er_kept){0};
    er_buffer_start(&kept->content, MOST_BYTES);
    kept->path = er_arena_copy(&records->arena, er_slice_string(path)).at;
    er_status status = kept->path != NULL ? er_file_read(path, &kept->content, fault) : ER_NO_MEMORY;
    if (status == ER_OK) {
        status = read_document(records, kept, (uint32_t)records->count - 1, fault);
    }
    if (status != ER_OK) {
        if (fault != NULL && fault->status == ER_OK) {
            er_fault_set(fault, status, "no memory for the records");
        }
        er_fault_file(fault, path);
    }
    return status;
}

er_status er_records_read(er_records *records, const char *folder, er_fault *fault)
{
    static const char *const endings[] = {".json", NULL};
    *records = (er_records){0};
    er_arena_start(&records->arena);
    size_t len = strlen(folder);
    reading to = {records, len + (len > 0 && folder[len - 1] != '/')};
    er_status status = er_file_walk(folder, endings, ER_RECORDS_MAX, read_file, &to, fault);
    if (status == ER_NOT_FOUND) {
        return ER_OK;
    }
    if (status != ER_OK) {
        er_records_free(records);
    }
    return status;
}

void er_records_free(er_records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        er_buffer_free(&records->items[i].content);
    }
    er_free(records->items);
    er_table_free(&records->by_id);
    er_table_free(&records->slugs);
    er_table_free(&records->places);
    er_arena_free(&records->arena);
    *records = (er_records){0};
}

bool er_records_cover(const er_records *records, er_slice sha, const er_program *program,
                      const er_message *message)
{
    if (er_table_get(&records->by_id, (er_key){er_slice_string(message->id), {0}}) != ER_TABLE_NONE) {
        return true;
    }
    for (uint32_t i = 0; i < message->site_count; i++) {
        char place[512];
        const er_site *site = &program->sites[message->first_site + i];
        er_slice path = program->inputs[site->input].path;
        int len = snprintf(place, sizeof(place), "%.*s:%u", (int)path.len, path.at, site->line);
        if (len < 0 || (size_t)len >= sizeof(place) ||
            er_table_get(&records->places, (er_key){sha, er_slice_of(place, (size_t)len)}) == ER_TABLE_NONE) {
            return false;
        }
    }
    return message->site_count > 0;
}
