/* guide.c - the guide of a record: compacted, reduced to what is known, decoded. The
   JSON was checked when its document was read; so nothing here can be malformed. */
#include "base/json.h"
#include "catalog/build.h"

#include <assert.h>

er_slice er_text_decode(er_slice raw, er_arena *arena)
{
    if (raw.len == 0 || memchr(raw.at, '\\', raw.len) == NULL) {
        return raw;
    }
    char *text = er_arena_take(arena, raw.len);
    return text ? er_slice_of(text, er_json_decode(raw, text)) : (er_slice){0};
}

/* The member's place among the names, of which it is one. */
static size_t member_index(er_slice key)
{
    size_t i = 0;
    while (i < ER_GUIDE_COUNT - 1 && !er_json_equal(key, er_guide_member_name((er_guide_member)i))) {
        i++;
    }
    return i;
}

void er_guide_compact(er_slice guide, er_buffer *out, er_guide_places *places)
{
    er_json json;
    er_slice key, value;
    const char *before = "{\"";
    size_t start = out->len;
    *places = (er_guide_places){0};
    er_json_start(&json, guide, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        er_json_peek(&json);
        size_t blanks = json.blanks;
        er_json_skip(&json, &value);
        size_t member = member_index(key);
        if (member == ER_GUIDE_EXAMPLES) {
            continue;
        }
        er_buffer_add_string(out, before);
        er_buffer_add_string(out, er_guide_member_name((er_guide_member)member));
        er_buffer_add_string(out, "\":");
        places->at[member] = out->len - start;
        if (json.blanks == blanks) {
            er_buffer_add(out, value);
        } else {
            er_json_write_compact(out, value);
        }
        places->len[member] = out->len - start - places->at[member];
        before = ",\"";
    }
    er_buffer_add_string(out, out->len == start ? "{}" : "}");
}

static uint32_t count_entries(er_slice list)
{
    er_json json;
    uint32_t count = 0;
    er_json_start(&json, list, ER_JSON_MAX_DEPTH);
    er_json_array_begin(&json);
    while (er_json_array_next(&json) && er_json_skip(&json, NULL)) {
        count++;
    }
    return count;
}

static er_status decode_names(er_record *record, er_slice list, er_arena *arena)
{
    uint32_t count = list.at ? count_entries(list) : 0;
    if (count == 0) {
        return ER_OK;
    }
    er_slice *names = er_arena_take(arena, count * sizeof(*names));
    if (names == NULL) {
        return ER_NO_MEMORY;
    }
    er_json json;
    er_slice raw;
    uint32_t used = 0;
    er_json_start(&json, list, ER_JSON_MAX_DEPTH);
    er_json_array_begin(&json);
    while (er_json_array_next(&json) && er_json_string(&json, &raw)) {
        names[used] = er_text_decode(raw, arena);
        if (names[used++].at == NULL) {
            return ER_NO_MEMORY;
        }
    }
    assert(used == count);
    record->capture_names = names;
    record->capture_count = count;
    return ER_OK;
}

static er_status decode_command(er_json *json, er_command *command, er_arena *arena)
{
    er_slice key, raw;
    er_json_object_begin(json);
    while (er_json_object_next(json, &key) && er_json_string(json, &raw)) {
        er_slice text = er_text_decode(raw, arena);
        if (text.at == NULL) {
            return ER_NO_MEMORY;
        }
        *(er_json_equal(key, "purpose") ? &command->purpose : &command->command) = text;
    }
    return ER_OK;
}

static er_status decode_commands(er_record *record, er_slice list, er_arena *arena)
{
    uint32_t count = list.at ? count_entries(list) : 0;
    if (count == 0) {
        return ER_OK;
    }
    er_command *commands = er_arena_take(arena, count * sizeof(*commands));
    if (commands == NULL) {
        return ER_NO_MEMORY;
    }
    er_json json;
    uint32_t used = 0;
    er_json_start(&json, list, ER_JSON_MAX_DEPTH);
    er_json_array_begin(&json);
    while (er_json_array_next(&json)) {
        if (decode_command(&json, &commands[used++], arena) != ER_OK) {
            return ER_NO_MEMORY;
        }
    }
    assert(used == count);
    record->commands = commands;
    record->command_count = count;
    return ER_OK;
}

static er_status decode_versions(er_record *record, er_slice versions, er_arena *arena)
{
    er_json json;
    er_slice key, raw;
    er_json_start(&json, versions, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (versions.at != NULL && er_json_object_next(&json, &key)) {
        if (er_json_peek(&json) == ER_JSON_NULL) {
            er_json_null(&json);
            continue;
        }
        er_json_string(&json, &raw);
        er_slice text = er_text_decode(raw, arena);
        if (text.at == NULL) {
            return ER_NO_MEMORY;
        }
        *(er_json_equal(key, "first") ? &record->first_release : &record->last_release) = text;
    }
    return ER_OK;
}

static er_slice value_of(const er_record *record, const er_guide_places *places, er_guide_member member)
{
    size_t at = places->at[member];
    size_t len = places->len[member];
    return len > 0 ? er_slice_sub(record->guide_json, at, at + len) : (er_slice){0};
}

er_status er_guide_decode(er_record *record, const er_guide_places *places, er_arena *arena)
{
    er_status status = decode_names(record, value_of(record, places, ER_GUIDE_CAPTURE_NAMES), arena);
    if (status == ER_OK) {
        status = decode_commands(record, value_of(record, places, ER_GUIDE_COMMANDS), arena);
    }
    if (status == ER_OK) {
        status = decode_versions(record, value_of(record, places, ER_GUIDE_VERSIONS), arena);
    }
    return status;
}

/* An id has no escapes, so the raw string is looked up as it stands. */
static void write_known(er_slice related, const er_catalog *catalog, er_buffer *out)
{
    er_json json;
    er_slice raw;
    bool first = true;
    er_json_start(&json, related, ER_JSON_MAX_DEPTH);
    er_json_array_begin(&json);
    er_buffer_add_char(out, '[');
    while (er_json_array_next(&json) && er_json_string(&json, &raw)) {
        if (er_catalog_by_id(catalog, raw) != NULL) {
            er_buffer_add_string(out, first ? "\"" : ",\"");
            er_buffer_add(out, raw);
            er_buffer_add_char(out, '"');
            first = false;
        }
    }
    er_buffer_add_char(out, ']');
}

/* Follows bytes of guide_json that stood between `from` and `end` and moved down. */
static void follow(er_slice *text, const char *from, const char *end, size_t by)
{
    if (text->at >= from && text->at < end) {
        text->at -= by;
    }
}

/* The names and commands are the catalog's own and nobody else reads them yet; they
   are const only for those who get the record. */
static void follow_all(er_record *record, const char *from, const char *end, size_t by)
{
    er_slice *names = (er_slice *)(uintptr_t)record->capture_names;
    er_command *commands = (er_command *)(uintptr_t)record->commands;
    for (uint32_t i = 0; i < record->capture_count; i++) {
        follow(&names[i], from, end, by);
    }
    for (uint32_t i = 0; i < record->command_count; i++) {
        follow(&commands[i].purpose, from, end, by);
        follow(&commands[i].command, from, end, by);
    }
    follow(&record->commands_json, from, end, by);
    follow(&record->first_release, from, end, by);
    follow(&record->last_release, from, end, by);
}

er_status er_guide_reduce(er_record *record, er_slice related, const er_catalog *catalog, er_buffer *scratch)
{
    er_buffer_clear(scratch);
    write_known(related, catalog, scratch);
    if (scratch->status != ER_OK || scratch->len == related.len) {
        return scratch->status;
    }
    size_t by = related.len - scratch->len;
    char *at = (char *)(uintptr_t)related.at;
    const char *rest = related.at + related.len;
    const char *end = record->guide_json.at + record->guide_json.len;
    memcpy(at, scratch->at, scratch->len);
    memmove(at + scratch->len, rest, (size_t)(end - rest));
    record->guide_json.len -= by;
    follow_all(record, rest, end, by);
    return ER_OK;
}
