#include "extract/history.h"

#include "base/memory.h"
#include "extract/list.h"
#include "extract/reading.h"
#include "extract/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- releases --------------------------------------------------------------------------- */

static bool take_number(er_slice *rest, unsigned *number)
{
    size_t len = 0;
    *number = 0;
    while (len < rest->len && len < 6 && rest->at[len] >= '0' && rest->at[len] <= '9') {
        *number = *number * 10 + (unsigned)(rest->at[len++] - '0');
    }
    *rest = er_slice_sub(*rest, len, rest->len);
    return len > 0;
}

/* "v1.2.3" or "1.2.3", and what follows. */
static bool read_version(er_slice tag, unsigned parts[3], er_slice *rest)
{
    *rest = tag.len > 0 && tag.at[0] == 'v' ? er_slice_sub(tag, 1, tag.len) : tag;
    for (size_t i = 0; i < 3; i++) {
        if (i > 0 && (rest->len == 0 || rest->at[0] != '.')) {
            return false;
        }
        *rest = er_slice_sub(*rest, i > 0 ? 1 : 0, rest->len);
        if (!take_number(rest, &parts[i])) {
            return false;
        }
    }
    return true;
}

bool er_release_is(er_slice tag)
{
    static const char *const candidates[] = {"rc",  "beta", "alpha",     "preview",
                                             "pre", "dev",  "candidate", NULL};
    unsigned parts[3];
    er_slice rest;
    if (!read_version(tag, parts, &rest)) {
        return false;
    }
    for (size_t i = 0; i < rest.len; i++) {
        for (size_t j = 0; candidates[j] != NULL; j++) {
            size_t len = strlen(candidates[j]);
            if (rest.len - i >= len && strncasecmp(rest.at + i, candidates[j], len) == 0) {
                return false;
            }
        }
    }
    return rest.len == 0 || rest.at[0] == '-' || rest.at[0] == '+';
}

int er_release_compare(er_slice a, er_slice b)
{
    unsigned left[3] = {0}, right[3] = {0};
    er_slice left_rest = a, right_rest = b;
    if (!read_version(a, left, &left_rest) || !read_version(b, right, &right_rest)) {
        return er_slice_compare(a, b);
    }
    for (size_t i = 0; i < 3; i++) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    /* "v2.10.27-binary" goes before "v2.10.27": the plain name is the one to be shown as last. */
    if ((left_rest.len == 0) != (right_rest.len == 0)) {
        return left_rest.len == 0 ? 1 : -1;
    }
    return er_slice_compare(left_rest, right_rest);
}

static int compare_releases(const void *a, const void *b)
{
    return er_release_compare(((const er_release *)a)->tag, ((const er_release *)b)->tag);
}

static bool in_list(const char *list, er_slice tag)
{
    while (*list != '\0') {
        size_t len = strcspn(list, ",");
        if (er_slice_equal(er_slice_trim(er_slice_of(list, len)), tag)) {
            return true;
        }
        list += len + (list[len] == ',');
    }
    return false;
}

static er_status add_release(er_history *history, er_slice line, const char *tags)
{
    char tag[256], object[ER_GIT_SHA + 1], peeled[ER_GIT_SHA + 1] = "";
    char text[512];
    snprintf(text, sizeof(text), "%.*s", (int)line.len, line.at);
    if (sscanf(text, "%255s %40[0-9a-f] %40[0-9a-f]", tag, object, peeled) < 2) {
        return ER_OK;
    }
    er_slice name = er_slice_string(tag);
    if (tags != NULL ? !in_list(tags, name) : !er_release_is(name)) {
        return ER_OK;
    }
    if (!er_list_room((void **)&history->releases, &history->release_capacity, history->release_count,
                      sizeof(er_release))) {
        return ER_NO_MEMORY;
    }
    er_release *made = &history->releases[history->release_count++];
    *made = (er_release){.tag = er_arena_copy(&history->arena, name)};
    memcpy(made->sha, peeled[0] != '\0' ? peeled : object, ER_GIT_SHA + 1);
    return made->tag.at != NULL ? ER_OK : ER_NO_MEMORY;
}

static er_status check_tags(const er_history *history, const char *tags, er_fault *fault)
{
    while (tags != NULL && *tags != '\0') {
        size_t len = strcspn(tags, ","), i = 0;
        er_slice tag = er_slice_trim(er_slice_of(tags, len));
        while (i < history->release_count && !er_slice_equal(history->releases[i].tag, tag)) {
            i++;
        }
        if (i == history->release_count) {
            return er_fault_set(fault, ER_NOT_FOUND, "there is no tag %.*s",
                                (int)(tag.len < 80 ? tag.len : 80), tag.at);
        }
        tags += len + (tags[len] == ',');
    }
    return ER_OK;
}

static er_status list_releases(er_history *history, const er_history_options *options, er_fault *fault)
{
    static const char *const words[] = {
        "for-each-ref", "--format=%(refname:strip=2) %(objectname) %(*objectname)", "refs/tags", NULL};
    er_buffer list;
    er_buffer_start(&list, ER_GIT_MAX_LIST);
    er_status status = er_git_run(options->folder, words, &list, fault);
    for (size_t at = 0; status == ER_OK && at < list.len;) {
        const char *end = memchr(list.at + at, '\n', list.len - at);
        size_t len = end != NULL ? (size_t)(end - list.at) - at : list.len - at;
        status = add_release(history, er_slice_of(list.at + at, len), options->tags);
        at += len + 1;
        if (status != ER_OK || history->release_count > ER_HISTORY_MAX_RELEASES) {
            status = er_fault_set(fault, status != ER_OK ? status : ER_TOO_LARGE,
                                  "more releases than can be held");
        }
    }
    er_buffer_free(&list);
    if (status == ER_OK) {
        status = check_tags(history, options->tags, fault);
    }
    if (status == ER_OK && history->release_count == 0) {
        status = er_fault_set(fault, ER_NOT_FOUND, "the repository has no tag of a release");
    }
    if (status == ER_OK) {
        qsort(history->releases, history->release_count, sizeof(er_release), compare_releases);
    }
    return status;
}

/* --- files of a release ------------------------------------------------------------------ */

static er_status list_files(er_history *history, const char *folder, er_release *release, er_fault *fault)
{
    er_reading_file *files = NULL;
    size_t count = 0;
    er_status status = er_reading_list(folder, release->sha, &history->arena, &files, &count, fault);
    if (status != ER_OK) {
        return status;
    }
    release->files = er_arena_take(&history->arena, (count + 1) * sizeof(er_release_file));
    if (release->files == NULL) {
        status = er_fault_set(fault, ER_NO_MEMORY, "no memory for the lists of files");
    }
    for (size_t i = 0; i < count && status == ER_OK; i++) {
        release->files[i] = (er_release_file){files[i].path, files[i].name, files[i].language};
    }
    release->file_count = status == ER_OK ? count : 0;
    er_free(files);
    return status;
}

er_input *er_history_inputs(const er_history *history, const er_store *store, size_t release)
{
    const er_release *one = &history->releases[release];
    er_input *inputs = er_calloc(one->file_count + 1, sizeof(er_input));
    for (size_t i = 0; i < one->file_count && inputs != NULL; i++) {
        er_slice kept = {0};
        er_store_get(store, one->files[i].name, &kept);
        inputs[i].path = one->files[i].path;
        inputs[i].language = one->files[i].language;
        *(inputs[i].language != NULL ? &inputs[i].facts : &inputs[i].content) = kept;
    }
    return inputs;
}

/* --- messages ------------------------------------------------------------------------------ */

static er_status note_message(er_history *history, const er_message *message, uint32_t release)
{
    uint32_t at = er_table_get(&history->by_text, (er_key){message->text, message->code});
    if (at != ER_TABLE_NONE) {
        history->seen[at].last = release;
        return ER_OK;
    }
    if (!er_list_room((void **)&history->seen, &history->seen_capacity, history->seen_count,
                      sizeof(er_seen))) {
        return ER_NO_MEMORY;
    }
    er_seen made = {er_arena_copy(&history->arena, message->text),
                    er_arena_copy(&history->arena, message->code), release, release};
    if (made.text.at == NULL || made.code.at == NULL) {
        return ER_NO_MEMORY;
    }
    history->seen[history->seen_count] = made;
    return er_table_put(&history->by_text, (er_key){made.text, made.code}, (uint32_t)history->seen_count++);
}

static er_status link_release(er_history *history, const er_store *store, size_t release, er_slice repo,
                              er_fault *fault)
{
    er_program program;
    er_input *inputs = er_history_inputs(history, store, release);
    if (inputs == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for a release");
    }
    er_status status = er_program_link(&program, repo, inputs, history->releases[release].file_count, fault);
    if (status == ER_OK) {
        for (size_t i = 0; i < program.message_count && status == ER_OK; i++) {
            status = note_message(history, &program.messages[i], (uint32_t)release);
        }
        er_program_free(&program);
        if (status != ER_OK) {
            er_fault_set(fault, status, "no memory for the messages");
        }
    }
    er_free(inputs);
    return status;
}

static er_status scan_all(er_history *history, er_store *store, const er_history_options *options,
                          er_fault *fault)
{
    er_reading_file *files = NULL;
    size_t count = 0, capacity = 0;
    er_status status = ER_OK;
    er_table wanted;
    er_table_start(&wanted);
    for (size_t i = 0; i < history->release_count && status == ER_OK; i++) {
        const er_release *release = &history->releases[i];
        for (size_t j = 0; j < release->file_count && status == ER_OK; j++) {
            const er_release_file *file = &release->files[j];
            er_slice kept;
            if (er_store_get(store, file->name, &kept) ||
                er_table_get(&wanted, (er_key){file->name, {0}}) != ER_TABLE_NONE) {
                continue;
            }
            status = er_table_put(&wanted, (er_key){file->name, {0}}, 0);
            if (status != ER_OK || !er_list_room((void **)&files, &capacity, count, sizeof(*files))) {
                status = er_fault_set(fault, ER_NO_MEMORY, "no memory for the lists of files");
            } else {
                files[count++] = (er_reading_file){file->path, file->name, file->language};
            }
        }
    }
    er_table_free(&wanted);
    if (status == ER_OK) {
        er_reading_options how = {options->folder, options->workers, options->progress};
        status = er_reading_scan(&how, files, count, store, fault);
    }
    er_free(files);
    return status;
}

er_status er_history_read(er_history *history, er_store *store, const er_history_options *options,
                          er_fault *fault)
{
    *history = (er_history){0};
    er_arena_start(&history->arena);
    er_status status = list_releases(history, options, fault);
    for (size_t i = 0; i < history->release_count && status == ER_OK; i++) {
        status = list_files(history, options->folder, &history->releases[i], fault);
    }
    if (status == ER_OK) {
        status = scan_all(history, store, options, fault);
    }
    for (size_t i = 0; i < history->release_count && status == ER_OK; i++) {
        if (options->progress) {
            fprintf(stderr, "\rlinking %zu of %zu releases\033[K", i + 1, history->release_count);
        }
        status = link_release(history, store, i, options->repo, fault);
    }
    if (options->progress) {
        fputs("\r\033[K", stderr);
    }
    if (status != ER_OK) {
        er_history_free(history);
    }
    return status;
}

void er_history_free(er_history *history)
{
    er_table_free(&history->by_text);
    er_free(history->seen);
    er_free(history->releases);
    er_arena_free(&history->arena);
    *history = (er_history){0};
}

er_versions er_history_versions(const er_history *history, er_slice text, er_slice code)
{
    er_versions versions = {{0}, {0}};
    uint32_t at = er_table_get(&history->by_text, (er_key){text, code});
    if (at != ER_TABLE_NONE) {
        versions.first = history->releases[history->seen[at].first].tag;
        if (history->seen[at].last + 1 < history->release_count) {
            versions.last = history->releases[history->seen[at].last].tag;
        }
    }
    return versions;
}
