#include "check/entry.h"

#include "base/memory.h"

#include <stdlib.h>

void *er_check_take(er_check *check, size_t size)
{
    void *memory = er_arena_take(&check->arena, size > 0 ? size : 1);
    if (memory == NULL) {
        check->status = ER_NO_MEMORY;
        return NULL;
    }
    return memset(memory, 0, size);
}

bool er_check_scratch(er_check *check, er_slice *text)
{
    if (check->scratch.status != ER_OK) {
        check->status = check->scratch.status;
        return false;
    }
    *text = check->scratch.len > 0 ? er_buffer_slice(&check->scratch) : (er_slice){"", 0};
    return true;
}

bool er_check_grow(er_check *check, void **array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    size_t wanted = *capacity > 0 ? 2 * *capacity : 64;
    void *grown = er_realloc(*array, wanted * size);
    if (grown == NULL) {
        check->status = ER_NO_MEMORY;
        return false;
    }
    *array = grown;
    *capacity = wanted;
    return true;
}

er_slice er_entry_text(er_check *check, er_slice value)
{
    if (value.len < 2 || value.at[0] != '"') {
        return (er_slice){"", 0};
    }
    er_slice raw = er_document_inside(value);
    if (memchr(raw.at, '\\', raw.len) == NULL) {
        return raw;
    }
    char *text = er_check_take(check, raw.len);
    return text != NULL ? er_slice_of(text, er_json_decode(raw, text)) : (er_slice){"", 0};
}

er_texts er_entry_texts(er_check *check, er_slice list)
{
    er_json json;
    size_t count = 0;
    er_json_start(&json, list, ER_JSON_MAX_DEPTH);
    er_json_array_begin(&json);
    while (er_json_array_next(&json) && er_json_skip(&json, NULL)) {
        count++;
    }
    er_slice *texts = er_check_take(check, count * sizeof(*texts));
    if (texts == NULL) {
        return (er_texts){NULL, 0};
    }
    er_slice value;
    count = 0;
    er_json_start(&json, list, ER_JSON_MAX_DEPTH);
    er_json_array_begin(&json);
    while (er_json_array_next(&json) && er_json_skip(&json, &value)) {
        texts[count++] = er_entry_text(check, value);
    }
    return (er_texts){texts, count};
}

er_slice er_entry_member(er_slice object, const char *name)
{
    er_json json;
    er_slice key, value;
    er_json_start(&json, object, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key) && er_json_skip(&json, &value)) {
        if (er_json_equal(key, name)) {
            return value;
        }
    }
    return (er_slice){NULL, 0};
}

/* ---- From the catalog to entries ---- */

static void hear_fault(void *context, const er_fault *fault)
{
    er_finding_add_fault(context, "form", fault);
}

static er_status keep_guide(void *context, const er_record *record, er_slice guide)
{
    er_check *check = context;
    er_slice copy = er_arena_copy(&check->arena, guide);
    if (copy.at == NULL || !er_check_grow(check, (void **)&check->guides, &check->guide_capacity,
                                          check->guide_count, sizeof(*check->guides))) {
        return ER_NO_MEMORY;
    }
    check->guides[check->guide_count++] = (er_guide_place){record->json.at, copy};
    return ER_OK;
}

static int place_order(const void *a, const void *b)
{
    uintptr_t left = (uintptr_t)((const er_guide_place *)a)->record;
    uintptr_t right = (uintptr_t)((const er_guide_place *)b)->record;
    return (left > right) - (left < right);
}

static void read_record(er_entry *entry)
{
    er_json json;
    er_slice key, value;
    er_member member;
    er_json_start(&json, entry->record->json, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key) && er_json_skip(&json, &value)) {
        if (er_member_parse(key, &member)) {
            entry->member[member] = value;
        }
    }
}

static void read_guide(er_entry *entry)
{
    er_json json;
    er_slice key, value;
    er_json_start(&json, entry->guide_text, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key) && er_json_skip(&json, &value)) {
        for (size_t i = 0; i < ER_GUIDE_COUNT; i++) {
            if (er_json_equal(key, er_guide_member_name((er_guide_member)i))) {
                entry->guide[i] = value;
            }
        }
    }
}

static void fill_entry(const er_check *check, er_entry *entry, const er_record *record)
{
    entry->record = record;
    read_record(entry);
    if (record->has_guide) {
        const er_guide_place wanted = {record->json.at, {0}};
        const er_guide_place *found =
            bsearch(&wanted, check->guides, check->guide_count, sizeof(wanted), place_order);
        entry->guide_text = found->guide;
        read_guide(entry);
    }
}

void er_entries_load(er_check *check)
{
    const er_catalog_options options = {
        .faults = hear_fault, .context = check, .guides = keep_guide, .partial = true};
    er_status status = er_catalog_load(&check->catalog, check->path, &options, NULL);
    if (status != ER_OK) { /* any other fault than this one is a finding already */
        check->status = status == ER_NO_MEMORY ? status : check->status;
        return;
    }
    if (check->guide_count > 0) {
        qsort(check->guides, check->guide_count, sizeof(*check->guides), place_order);
    }
    check->count = er_catalog_count(check->catalog);
    check->entries = er_check_take(check, check->count * sizeof(*check->entries));
    for (size_t i = 0; check->entries != NULL && i < check->count; i++) {
        fill_entry(check, &check->entries[i], er_catalog_record(check->catalog, i));
    }
}
