#include "check/bench.h"

#include "base/file.h"
#include "catalog/rules.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_DOCUMENTS 16
#define MAX_EDIT      (1 << 15)

typedef struct making {
    bench *made;
    cJSON *documents[MAX_DOCUMENTS];
    char files[MAX_DOCUMENTS][512]; /* empty: by the rule */
    size_t count;
    unsigned words;
} making;

char *bench_read(const char *path)
{
    er_buffer text;
    er_buffer_start(&text, 1 << 24);
    assert_int_equal(er_file_read(path, &text, NULL), ER_OK);
    char *copy = strndup(text.at, text.len);
    assert_non_null(copy);
    er_buffer_free(&text);
    return copy;
}

/* ---- Paths ---- */

/* One step of a path: "tags[0]" is two. Returns what is behind it. */
static const char *read_step(const char *path, char *name, int *index)
{
    *index = -1;
    if (*path == '[') {
        *index = atoi(path + 1);
        path = strchr(path, ']') + 1;
    } else {
        size_t len = strcspn(path, ".[");
        memcpy(name, path, len);
        name[len] = '\0';
        path += len;
    }
    return *path == '.' ? path + 1 : path;
}

static cJSON *take_step(cJSON *from, const char *name, int index)
{
    return index >= 0 ? cJSON_GetArrayItem(from, index) : cJSON_GetObjectItemCaseSensitive(from, name);
}

cJSON *bench_find(cJSON *document, const char *path)
{
    char name[64];
    int index;
    while (*path != '\0' && document != NULL) {
        path = read_step(path, name, &index);
        document = take_step(document, name, index);
    }
    return document;
}

/* Sets the value at the path, or takes it out where `value` is NULL. */
static void put(cJSON *document, const char *path, cJSON *value)
{
    char name[64];
    int index;
    for (path = read_step(path, name, &index); *path != '\0'; path = read_step(path, name, &index)) {
        document = take_step(document, name, index);
        assert_non_null(document);
    }
    if (value == NULL) {
        index >= 0 ? cJSON_DeleteItemFromArray(document, index)
                   : cJSON_DeleteItemFromObjectCaseSensitive(document, name);
    } else if (index >= 0 && index < cJSON_GetArraySize(document)) {
        assert_true(cJSON_ReplaceItemInArray(document, index, value));
    } else if (index >= 0) {
        assert_true(cJSON_AddItemToArray(document, value));
    } else if (cJSON_HasObjectItem(document, name)) {
        assert_true(cJSON_ReplaceItemInObjectCaseSensitive(document, name, value));
    } else {
        assert_true(cJSON_AddItemToObject(document, name, value));
    }
}

static const char *text_at(cJSON *document, const char *path)
{
    const char *text = cJSON_GetStringValue(bench_find(document, path));
    return text != NULL ? text : "";
}

/* ---- Edits ---- */

static void put_text(cJSON *document, const char *path, er_buffer *text)
{
    er_buffer_add_char(text, '\0');
    assert_int_equal(text->status, ER_OK);
    put(document, path, cJSON_CreateString(text->at));
    er_buffer_clear(text);
}

static void renew(cJSON *document)
{
    er_buffer text;
    char id[ER_ID_LEN + 1];
    er_slice message = er_slice_string(text_at(document, "record.errorMessage"));
    er_buffer_start(&text, 1 << 16);
    assert_int_equal(er_rule_id(er_slice_string(text_at(document, "record.repo")), message,
                                er_slice_string(text_at(document, "record.errorCode")), id),
                     ER_OK);
    put(document, "record.id", cJSON_CreateString(id));
    er_rule_slug(message, er_slice_string(text_at(document, "record.errorClass")), &text);
    put_text(document, "record.slug", &text);
    er_rule_pattern(er_slice_string(text_at(document, "record.errorMessage")), &text);
    put_text(document, "record.messagePattern", &text);
    er_buffer_free(&text);
}

static void put_words(making *to, const char *path, int count)
{
    er_buffer text;
    er_buffer_start(&text, 1 << 16);
    for (int i = 0; i < count; i++) {
        er_buffer_format(&text, "%sword%u", i > 0 ? " " : "", to->words++);
    }
    put_text(to->documents[to->count - 1], path, &text);
    er_buffer_free(&text);
}

static void write_tags(const bench *made, const char *text)
{
    char path[FOLDER_PATH + 16];
    if (*text == '\0') {
        snprintf(path, sizeof(path), "%s/tags.json", made->folder);
        remove(path);
    } else {
        folder_write(made->folder, "tags.json", er_slice_string(text));
    }
}

static void edit(making *to, char *step)
{
    cJSON *document = to->documents[to->count - 1];
    char *sign = strchr(step, ' ');
    if (strcmp(step, "renew") == 0) {
        renew(document);
    } else if (strcmp(step, "draft") == 0) {
        to->made->draft = true;
    } else if (strcmp(step, "copy") == 0) {
        assert_true(to->count < MAX_DOCUMENTS);
        to->documents[to->count++] = cJSON_Duplicate(document, true);
    } else if (strncmp(step, "file ", 5) == 0) {
        snprintf(to->files[to->count - 1], sizeof(to->files[0]), "%s", step + 5);
    } else if (strncmp(step, "tags", 4) == 0) {
        write_tags(to->made, step[4] == ' ' ? step + 5 : "");
    } else {
        assert_non_null(sign);
        *sign = '\0';
        if (sign[1] == '=') {
            cJSON *value = cJSON_Parse(sign + 3);
            if (value == NULL) {
                fail_msg("not JSON: %s", sign + 3);
            }
            put(document, step, value);
        } else if (sign[1] == '*') {
            put_words(to, step, atoi(sign + 3));
        } else {
            assert_int_equal(sign[1], '-');
            put(document, step, NULL);
        }
    }
}

static void write_documents(const making *from)
{
    for (size_t i = 0; i < from->count; i++) {
        char file[1024];
        cJSON *document = from->documents[i];
        char *text = cJSON_PrintUnformatted(document);
        snprintf(file, sizeof(file), "%s/%s/%s.json", text_at(document, "record.repo"),
                 text_at(document, "record.filePath"), text_at(document, "record.slug"));
        folder_write(from->made->folder, from->files[i][0] != '\0' ? from->files[i] : file,
                     er_slice_string(text));
        cJSON_free(text);
    }
}

static void copy_file(const bench *made, const char *name)
{
    char path[FOLDER_PATH];
    snprintf(path, sizeof(path), BENCH_CATALOG "/%s", name);
    char *text = bench_read(path);
    folder_write(made->folder, name, er_slice_string(text));
    free(text);
}

void bench_make(bench *made, er_slice edits)
{
    making to = {.made = made, .count = 1};
    char *text = bench_read(BENCH_CATALOG "/" BENCH_MAIN);
    char steps[MAX_EDIT];
    made->draft = false;
    folder_make(made->folder);
    copy_file(made, "tags.json");
    copy_file(made, "acme/depot/store/shelf.go/no-shelf-is-free.json");
    to.documents[0] = cJSON_Parse(text);
    free(text);
    assert_non_null(to.documents[0]);
    assert_true(edits.len < sizeof(steps));
    memcpy(steps, edits.at != NULL ? edits.at : "", edits.len);
    steps[edits.len] = '\0';
    for (char *step = steps, *next; *step != '\0'; step = next) {
        char *end = strstr(step, " && ");
        next = end != NULL ? end + 4 : step + strlen(step);
        if (end != NULL) {
            *end = '\0';
        }
        edit(&to, step);
    }
    write_documents(&to);
    for (size_t i = 0; i < to.count; i++) {
        cJSON_Delete(to.documents[i]);
    }
}

void bench_remove(const bench *made)
{
    folder_remove(made->folder);
}

void bench_print(const er_check *check, const bench *made, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < er_check_finding_count(check) && used < size; i++) {
        const er_finding *one = er_check_finding(check, i);
        size_t folder = strlen(made->folder) + 1;
        assert_true(one->file.len > folder);
        used += (size_t)snprintf(out + used, size - used, "%s", i > 0 ? " | " : "");
        if (one->record.len == 0) {
            used += (size_t)snprintf(out + used, size - used, "[%.*s] ", (int)(one->file.len - folder),
                                     one->file.at + folder);
        } else if (!er_slice_is(one->record, BENCH_ID)) {
            used +=
                (size_t)snprintf(out + used, size - used, "[%.*s] ", (int)one->record.len, one->record.at);
        }
        used += (size_t)snprintf(out + used, size - used, "%s: ", one->rule);
        if (one->member.len > 0) {
            used += (size_t)snprintf(out + used, size - used, "%.*s: ", (int)one->member.len, one->member.at);
        }
        used += (size_t)snprintf(out + used, size - used, "%.*s", (int)one->what.len, one->what.at);
    }
}
