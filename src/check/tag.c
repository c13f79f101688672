/* tag.c - tags.json is found and read, and the tags of records are held to it. */
#include "base/file.h"
#include "check/entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PATH 4096

/* The folder with tags.json at or above the path, or NULL. */
static const char *find_root(er_check *check)
{
    char folder[MAX_PATH], tags[MAX_PATH + 16];
    er_slice found = {0};
    size_t len = strlen(check->path);
    if (len >= sizeof(folder)) {
        return NULL;
    }
    memcpy(folder, check->path, len + 1);
    while (found.at == NULL) {
        while (len > 1 && folder[len - 1] == '/') {
            folder[--len] = '\0';
        }
        (void)snprintf(tags, sizeof(tags), "%s/tags.json", len > 0 ? folder : ".");
        if (access(tags, F_OK) == 0) {
            found = er_arena_copy(&check->arena, len > 0 ? er_slice_of(folder, len) : ER_SLICE("."));
            check->status = found.at != NULL ? check->status : ER_NO_MEMORY;
            return found.at;
        }
        if (len == 0 || strcmp(folder, "/") == 0) {
            return NULL;
        }
        while (len > 0 && folder[len - 1] != '/') {
            len--;
        }
        folder[len] = '\0';
    }
    return NULL;
}

static int name_order(const void *a, const void *b)
{
    return er_slice_compare(*(const er_slice *)a, *(const er_slice *)b);
}

static bool list_has(const er_tag_list *list, er_slice name)
{
    return list->count > 0 && bsearch(&name, list->names, list->count, sizeof(name), name_order) != NULL;
}

/* {"name": "what it means", …}; false where it is not that. */
static bool read_list(er_check *check, er_slice object, er_tag_list *list)
{
    er_json json;
    er_slice key, meaning;
    size_t capacity = 0;
    er_json_start(&json, object, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key) && er_json_string(&json, &meaning)) {
        capacity++;
    }
    if (json.reason != NULL || capacity == 0) {
        return false;
    }
    list->names = er_check_take(check, capacity * sizeof(*list->names));
    if (list->names == NULL) {
        return true;
    }
    er_json_start(&json, object, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key) && er_json_string(&json, &meaning)) {
        list->names[list->count++] = er_arena_copy(&check->arena, key);
    }
    qsort(list->names, list->count, sizeof(*list->names), name_order);
    return true;
}

static bool read_tags(er_check *check, const char *file)
{
    er_buffer text;
    er_json json;
    er_fault fault = {0};
    er_buffer_start(&text, ER_CHECK_MAX_TAGS);
    bool good = false;
    if (er_file_read(file, &text, &fault) != ER_OK) {
        er_finding_add_fault(check, "tag", &fault);
        goto done;
    }
    er_json_start(&json, er_buffer_slice(&text), ER_JSON_MAX_DEPTH);
    bool is_object = er_json_peek(&json) == ER_JSON_OBJECT && er_json_skip(&json, NULL);
    if (!is_object || er_json_finish(&json) != ER_OK) {
        er_finding_add_file(check, "tag", file, "%s",
                            json.reason != NULL ? json.reason : "must be a JSON object");
        goto done;
    }
    er_slice whole = er_buffer_slice(&text);
    good = read_list(check, er_entry_member(whole, "tags"), &check->tags) &&
           read_list(check, er_entry_member(whole, "backgroundTags"), &check->background_tags);
    if (!good) {
        er_finding_add_file(
            check, "tag", file,
            "must have two objects, tags and backgroundTags, each of names and what they mean");
    }
done:
    er_buffer_free(&text);
    return good;
}

static void check_entry(er_check *check, const er_entry *entry)
{
    char member[64];
    er_texts tags = er_entry_texts(check, entry->member[ER_MEMBER_TAGS]);
    for (size_t i = 0; i < tags.count; i++) {
        (void)snprintf(member, sizeof(member), "record.tags[%zu]", i);
        if (!list_has(&check->tags, tags.at[i])) {
            er_finding_add(check, "tag", entry, member, "\"%.*s\" is not in tags.json", ER_SHOWN(tags.at[i]));
        }
        for (size_t j = 0; j < i; j++) {
            if (er_slice_equal(tags.at[i], tags.at[j])) {
                er_finding_add(check, "tag", entry, member, "\"%.*s\" stands there twice",
                               ER_SHOWN(tags.at[i]));
                break;
            }
        }
    }
    er_slice background = er_entry_text(check, entry->member[ER_MEMBER_BACKGROUND_TAG]);
    if (!list_has(&check->background_tags, background)) {
        er_finding_add(check, "tag", entry, "record.backgroundTag",
                       "\"%.*s\" is not among the backgroundTags of tags.json", ER_SHOWN(background));
    }
}

void er_check_tags(er_check *check)
{
    char file[MAX_PATH + 16];
    struct stat info;
    check->root = find_root(check);
    if (check->status != ER_OK || check->guide_count == 0) {
        return;
    }
    if (check->root == NULL) {
        bool folder = stat(check->path, &info) == 0 && S_ISDIR(info.st_mode);
        if (folder) {
            (void)snprintf(file, sizeof(file), "%.*s/tags.json", MAX_PATH, check->path);
            er_finding_add_file(check, "tag", file, "is missing: it lists the tags that records may have");
        }
        return;
    }
    (void)snprintf(file, sizeof(file), "%s/tags.json", check->root);
    if (!read_tags(check, file)) {
        return;
    }
    for (size_t i = 0; i < check->count; i++) {
        if (check->entries[i].record->has_guide) {
            check_entry(check, &check->entries[i]);
        }
    }
}
