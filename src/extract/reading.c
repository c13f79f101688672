#include "extract/reading.h"

#include "base/memory.h"
#include "extract/codes.h"
#include "extract/fact.h"
#include "extract/list.h"
#include "extract/scan.h"
#include "extract/tree.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_WORKERS 16

/* --- the files of a commit ---------------------------------------------------------------- */

static bool is_codes_file(er_slice path)
{
    er_slice name = ER_SLICE("/" ER_CODES_FILE);
    return er_slice_is(path, ER_CODES_FILE) ||
           (path.len > name.len && er_slice_equal(er_slice_sub(path, path.len - name.len, path.len), name));
}

/* "100644 blob SHA\tPATH" */
static er_status take_entry(er_slice entry, er_arena *arena, er_reading_file *file, bool *taken)
{
    const char *tab = memchr(entry.at, '\t', entry.len);
    *taken = false;
    if (tab == NULL || (size_t)(tab - entry.at) < ER_GIT_SHA + 5 || entry.at[0] != '1' ||
        entry.at[1] != '0') {
        return ER_OK; /* a link or a submodule */
    }
    er_slice sha = er_slice_of(tab - ER_GIT_SHA, ER_GIT_SHA);
    file->path = er_arena_copy(arena, er_slice_sub(entry, (size_t)(tab - entry.at) + 1, entry.len));
    if (file->path.at == NULL) {
        return ER_NO_MEMORY;
    }
    file->language = er_language_of(file->path.at);
    if (er_tree_skips(file->path) || (file->language == NULL && !is_codes_file(file->path))) {
        return ER_OK;
    }
    char name[96];
    int len = snprintf(name, sizeof(name), "%.*s %s", (int)sha.len, sha.at,
                       file->language != NULL ? er_language_name(file->language) : "codes");
    file->name = er_arena_copy(arena, er_slice_of(name, (size_t)len));
    *taken = true;
    return file->name.at != NULL ? ER_OK : ER_NO_MEMORY;
}

static int compare_files(const void *a, const void *b)
{
    return er_slice_compare(((const er_reading_file *)a)->path, ((const er_reading_file *)b)->path);
}

er_status er_reading_list(const char *folder, const char *sha, er_arena *arena, er_reading_file **files,
                          size_t *count, er_fault *fault)
{
    const char *const words[] = {"ls-tree", "-r", "-z", "--full-tree", sha, NULL};
    er_buffer list;
    size_t capacity = 0;
    *files = NULL;
    *count = 0;
    er_buffer_start(&list, ER_GIT_MAX_LIST);
    er_status status = er_languages(fault) != NULL ? er_git_run(folder, words, &list, fault) : ER_BAD_INPUT;
    for (size_t at = 0; status == ER_OK && at < list.len;) {
        size_t len = strnlen(list.at + at, list.len - at);
        er_reading_file file;
        bool taken = false;
        status = take_entry(er_slice_of(list.at + at, len), arena, &file, &taken);
        if (status == ER_OK && taken && !er_list_room((void **)files, &capacity, *count, sizeof(file))) {
            status = ER_NO_MEMORY;
        }
        if (status != ER_OK) {
            er_fault_set(fault, status, "no memory for the list of files");
        } else if (taken) {
            (*files)[(*count)++] = file;
        }
        at += len + 1;
    }
    er_buffer_free(&list);
    if (status != ER_OK) {
        er_free(*files);
        *files = NULL;
        *count = 0;
    } else if (*count > 0) {
        qsort(*files, *count, sizeof(er_reading_file), compare_files);
    }
    return status;
}

/* --- workers ------------------------------------------------------------------------------- */

/* What the workers share; everything below `lock` is guarded by it. */
typedef struct work {
    const er_reading_options *options;
    const er_reading_file *files;
    size_t count;
    er_store *store;
    pthread_mutex_t lock;
    size_t next;
    er_status status; /* the first that failed */
    er_fault fault;
} work;

typedef struct worker {
    work *shared;
    er_git_reader git;
    er_scanner *scanner;
    er_buffer content, facts;
} worker;

static er_status scan_one(worker *own, const er_reading_file *file, er_fault *fault)
{
    er_buffer_clear(&own->content);
    er_buffer_clear(&own->facts);
    er_status status = er_git_blob(&own->git, file->name.at, &own->content, fault);
    if (status == ER_TOO_LARGE) { /* made by a program; what it says is not for people */
        return ER_OK;
    }
    if (status == ER_OK && file->language != NULL) {
        status = er_scan_file(own->scanner, file->language, er_buffer_slice(&own->content), &own->facts, NULL,
                              fault);
    }
    if (status != ER_OK) {
        er_fault_file(fault, file->path.at);
    }
    return status;
}

static bool take_next(work *shared, size_t *index)
{
    pthread_mutex_lock(&shared->lock);
    bool more = shared->status == ER_OK && shared->next < shared->count;
    *index = shared->next;
    shared->next += more;
    if (more && shared->options->progress && *index % 16 == 0) {
        fprintf(stderr, "\rreading %zu of %zu files\033[K", *index, shared->count);
    }
    pthread_mutex_unlock(&shared->lock);
    return more;
}

static void give_result(worker *own, size_t index, er_status status, const er_fault *fault)
{
    work *shared = own->shared;
    const er_reading_file *file = &shared->files[index];
    pthread_mutex_lock(&shared->lock);
    if (status == ER_OK) {
        const er_buffer *result = file->language != NULL ? &own->facts : &own->content;
        status = er_store_put(shared->store, file->name, er_buffer_slice(result));
    }
    if (status != ER_OK && shared->status == ER_OK) {
        shared->status = status;
        shared->fault = *fault;
    }
    pthread_mutex_unlock(&shared->lock);
}

static void *work_on(void *context)
{
    worker *own = context;
    size_t index = 0;
    er_fault fault = {0};
    er_status status = er_git_open(&own->git, own->shared->options->folder, &fault);
    if (status == ER_OK) {
        status = er_scanner_make(&own->scanner, &fault);
    }
    while (take_next(own->shared, &index)) {
        if (status == ER_OK) {
            status = scan_one(own, &own->shared->files[index], &fault);
        }
        give_result(own, index, status, &fault);
    }
    er_git_close(&own->git);
    er_scanner_free(&own->scanner);
    er_buffer_free(&own->content);
    er_buffer_free(&own->facts);
    return NULL;
}

static unsigned worker_count(const er_reading_options *options, size_t count)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned wanted = options->workers > 0 ? options->workers : processors > 0 ? (unsigned)processors : 1;
    wanted = wanted > MOST_WORKERS ? MOST_WORKERS : wanted;
    return count < wanted ? (unsigned)count : wanted;
}

er_status er_reading_scan(const er_reading_options *options, const er_reading_file *files, size_t count,
                          er_store *store, er_fault *fault)
{
    work shared = {.options = options, .files = files, .count = count, .store = store};
    worker workers[MOST_WORKERS] = {0};
    pthread_t threads[MOST_WORKERS];
    unsigned wanted = worker_count(options, count), started = 0;
    if (pthread_mutex_init(&shared.lock, NULL) != 0) {
        return er_fault_set(fault, ER_SYSTEM, "no lock for the workers");
    }
    for (unsigned i = 0; i < wanted; i++) {
        workers[i].shared = &shared;
        er_buffer_start(&workers[i].content, ER_FACT_MAX_FILE);
        er_buffer_start(&workers[i].facts, ER_FACT_MAX_BYTES);
    }
    while (started + 1 < wanted &&
           pthread_create(&threads[started], NULL, work_on, &workers[started + 1]) == 0) {
        started++;
    }
    if (wanted > 0) {
        work_on(&workers[0]); /* this thread works too, also when no other could be started */
    }
    for (unsigned i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&shared.lock);
    if (options->progress) {
        fputs("\r\033[K", stderr);
    }
    if (shared.status != ER_OK && fault != NULL) {
        *fault = shared.fault;
        if (fault->status == ER_OK) {
            er_fault_set(fault, shared.status, "no memory for the facts");
        }
    }
    return shared.status;
}
