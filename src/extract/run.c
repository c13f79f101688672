#include "extract/run.h"

#include "base/clock.h"
#include "base/memory.h"
#include "extract/catalog_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_OUTPUT ((size_t)1 << 30)

/* --- the tree ----------------------------------------------------------------------------- */

static void warn_parse(void *context, const char *path, uint32_t line)
{
    (void)context;
    fprintf(stderr, "errata: %s:%u: did not parse; the rest of the file was read\n", path, line);
}

static er_status find_commit(er_run *run, er_fault *fault)
{
    const er_extract_options *options = run->options;
    bool git = er_git_is(options->path);
    if (options->sha != NULL) {
        snprintf(run->commit.sha, sizeof(run->commit.sha), "%s", options->sha);
        if (git && er_git_commit(options->path, options->sha, &run->commit, NULL) == ER_OK) {
            return ER_OK;
        }
        char now[ER_CLOCK_TEXT_SIZE];
        er_clock_text(er_clock_now_ns(), now);
        memcpy(run->commit.date, now, sizeof(run->commit.date));
        return ER_OK;
    }
    if (!git) {
        er_fault_set(fault, ER_BAD_USAGE, "is no git repository; --sha says which commit it is");
        er_fault_file(fault, options->path);
        return ER_BAD_USAGE;
    }
    return er_git_commit(options->path, options->at != NULL ? options->at : "HEAD", &run->commit, fault);
}

static bool is_bare(const char *path)
{
    char git[4096];
    struct stat found;
    return snprintf(git, sizeof(git), "%s/.git", path) < (int)sizeof(git) && stat(git, &found) != 0 &&
           er_git_is(path);
}

er_status er_run_tree(er_run *run, er_fault *fault)
{
    const er_extract_options *options = run->options;
    run->repo = er_slice_string(options->repo != NULL ? options->repo : "tree/tree");
    er_status status = find_commit(run, fault);
    if (status != ER_OK) {
        return status;
    }
    if (options->at != NULL || is_bare(options->path)) {
        status = er_tree_read_commit(&run->tree, options->path, run->commit.sha, warn_parse, NULL, fault);
    } else {
        status = er_tree_read_folder(&run->tree, options->path, warn_parse, NULL, fault);
    }
    return status == ER_OK
               ? er_program_link(&run->program, run->repo, run->tree.inputs, run->tree.input_count, fault)
               : status;
}

/* --- releases ------------------------------------------------------------------------------ */

static bool make_folders(char *path)
{
    for (char *at = path + 1;; at++) {
        if (*at == '/' || *at == '\0') {
            char kept = *at;
            *at = '\0';
            bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
            *at = kept;
            if (!made || kept == '\0') {
                return made;
            }
        }
    }
}

/* The folder of this repository's cache; none where there is no home, or it can not be made. */
static void find_cache(er_run *run)
{
    const er_extract_options *options = run->options;
    const char *base = options->cache, *inside = "";
    if (options->no_cache) {
        return;
    }
    if (base == NULL && (base = getenv("XDG_CACHE_HOME")) != NULL && base[0] == '/') {
        inside = "/errata";
    } else if (options->cache == NULL) {
        base = getenv("HOME");
        inside = "/.cache/errata";
    }
    if (base == NULL || base[0] == '\0' ||
        snprintf(run->cache, sizeof(run->cache), "%s%s/%s", base, inside, options->repo) >=
            (int)sizeof(run->cache) ||
        !make_folders(run->cache)) {
        run->cache[0] = '\0';
    }
}

er_status er_run_history(er_run *run, er_fault *fault)
{
    const er_extract_options *options = run->options;
    if (!options->releases && options->tags == NULL) {
        return ER_OK;
    }
    if (!er_git_is(options->path)) {
        er_fault_set(fault, ER_BAD_USAGE, "is no git repository, so it has no releases");
        er_fault_file(fault, options->path);
        return ER_BAD_USAGE;
    }
    find_cache(run);
    const char *cache = run->cache[0] != '\0' ? run->cache : NULL;
    er_status status = er_store_open(&run->store, cache);
    if (status != ER_OK) {
        return er_fault_set(fault, status, "no memory for the cache");
    }
    er_history_options how = {options->path, run->repo, options->tags, isatty(2) == 1, options->jobs};
    status = er_history_read(&run->history, &run->store, &how, fault);
    run->has_history = status == ER_OK;
    er_fault why = {0};
    if (status == ER_OK && er_store_save(&run->store, cache, &why) != ER_OK) {
        char text[1024]; /* the next run is slower, that is all */
        fprintf(stderr, "errata: the cache was not kept: %s\n", er_fault_print(&why, text, sizeof(text)));
    }
    return status;
}

/* --- sites ---------------------------------------------------------------------------------- */

static er_status write_out(er_buffer *buffer, FILE *to, er_fault *fault)
{
    er_status status = buffer->status;
    if (status != ER_OK) {
        er_fault_set(fault, status, "the sites are more than can be held");
    } else if (buffer->len > 0 && fwrite(buffer->at, 1, buffer->len, to) != buffer->len) {
        status = er_fault_set(fault, ER_SYSTEM, "the sites could not be written: %s", strerror(errno));
    }
    er_buffer_clear(buffer);
    return status;
}

/* Sites of one message after the other; the lines of a file are found once. */
static er_status print_message(const er_run *run, const er_message *message, er_lines *lines, er_buffer *out)
{
    er_versions versions = {{0}, {0}};
    er_status status = ER_OK;
    if (run->has_history) {
        versions = er_history_versions(&run->history, message->text, message->code);
    }
    for (uint32_t i = 0; i < message->site_count && status == ER_OK; i++) {
        const er_site *site = &run->program.sites[message->first_site + i];
        er_lines *file = &lines[site->input];
        if (file->starts == NULL) {
            status = er_lines_make(file, run->tree.inputs[site->input].content);
        }
        er_site_write(out, &run->program, site, run->repo, er_slice_string(run->commit.sha), file,
                      run->has_history ? &versions : NULL);
    }
    return status;
}

static er_status print_tree(const er_run *run, FILE *to, er_fault *fault)
{
    er_buffer out;
    er_buffer_start(&out, MOST_OUTPUT);
    er_lines *lines = er_calloc(run->tree.input_count + 1, sizeof(er_lines));
    er_status status = lines != NULL ? ER_OK : ER_NO_MEMORY;
    for (size_t i = 0; i < run->program.message_count && status == ER_OK; i++) {
        status = print_message(run, &run->program.messages[i], lines, &out);
        if (status == ER_OK && out.len > (1u << 20)) {
            status = write_out(&out, to, fault);
        }
    }
    if (status == ER_OK) {
        status = write_out(&out, to, fault);
    } else if (status == ER_NO_MEMORY) {
        er_fault_set(fault, status, "no memory to print the sites");
    }
    for (size_t i = 0; i < run->tree.input_count && lines != NULL; i++) {
        er_lines_free(&lines[i]);
    }
    er_free(lines);
    er_buffer_free(&out);
    return status;
}

/* --- messages that only releases have --------------------------------------------------------- */

/* What is done with the messages of one release that no later one, nor the tree, has. */
typedef er_status gone_visit(er_run *run, const er_program *program, size_t release, const bool *gone,
                             const er_versions *versions, void *context, er_fault *fault);

static bool in_tree(const er_run *run, const er_message *message)
{
    return er_program_by_id(&run->program, message->id) != NULL;
}

static er_status visit_release(er_run *run, size_t release, gone_visit *visit, void *context, er_fault *fault)
{
    er_program program;
    er_input *inputs = er_history_inputs(&run->history, &run->store, release);
    if (inputs == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for a release");
    }
    er_status status =
        er_program_link(&program, run->repo, inputs, run->history.releases[release].file_count, fault);
    if (status == ER_OK) {
        bool *gone = er_calloc(program.message_count + 1, sizeof(bool));
        er_versions *versions = er_calloc(program.message_count + 1, sizeof(er_versions));
        for (size_t i = 0; i < program.message_count && gone != NULL && versions != NULL; i++) {
            const er_message *message = &program.messages[i];
            versions[i] = er_history_versions(&run->history, message->text, message->code);
            gone[i] = er_slice_equal(versions[i].last, run->history.releases[release].tag) ||
                      (versions[i].last.len == 0 && release + 1 == run->history.release_count);
            gone[i] = gone[i] && !in_tree(run, message);
        }
        status = gone != NULL && versions != NULL
                     ? visit(run, &program, release, gone, versions, context, fault)
                     : er_fault_set(fault, ER_NO_MEMORY, "no memory for a release");
        er_free(gone);
        er_free(versions);
        er_program_free(&program);
    }
    er_free(inputs);
    return status;
}

/* Newest first. A release in which no message ended is not linked again. */
static er_status visit_gone(er_run *run, gone_visit *visit, void *context, er_fault *fault)
{
    er_status status = ER_OK;
    for (size_t i = run->has_history ? run->history.release_count : 0; i > 0 && status == ER_OK; i--) {
        bool any = false;
        for (size_t j = 0; j < run->history.seen_count && !any; j++) {
            any = run->history.seen[j].last == i - 1;
        }
        if (any) {
            status = visit_release(run, i - 1, visit, context, fault);
        }
    }
    return status;
}

typedef struct printing {
    FILE *to;
    er_git_reader git;
} printing;

static er_status print_gone(er_run *run, const er_program *program, size_t release, const bool *gone,
                            const er_versions *versions, void *context, er_fault *fault)
{
    printing *how = context;
    er_buffer out, content;
    er_buffer_start(&out, MOST_OUTPUT);
    er_buffer_start(&content, ER_FACT_MAX_FILE);
    const er_release *from = &run->history.releases[release];
    er_status status = ER_OK;
    for (size_t i = 0; i < program->message_count && status == ER_OK; i++) {
        const er_message *message = &program->messages[i];
        for (uint32_t j = 0; gone[i] && j < message->site_count && status == ER_OK; j++) {
            const er_site *site = &program->sites[message->first_site + j];
            er_lines lines;
            er_buffer_clear(&content);
            status = er_git_blob(&how->git, from->files[site->input].name.at, &content, fault);
            if (status == ER_OK) {
                status = er_lines_make(&lines, er_buffer_slice(&content));
            }
            if (status == ER_OK) {
                er_site_write(&out, program, site, run->repo, er_slice_string(from->sha), &lines,
                              &versions[i]);
                er_lines_free(&lines);
            }
        }
    }
    status = status == ER_OK ? write_out(&out, how->to, fault) : status;
    er_buffer_free(&out);
    er_buffer_free(&content);
    return status;
}

er_status er_run_print(er_run *run, FILE *to, er_fault *fault)
{
    er_status status = print_tree(run, to, fault);
    if (status == ER_OK && run->has_history) {
        printing how = {.to = to};
        status = er_git_open(&how.git, run->options->path, fault);
        if (status == ER_OK) {
            status = visit_gone(run, print_gone, &how, fault);
            er_git_close(&how.git);
        }
    }
    if (status == ER_OK && fflush(to) != 0) {
        status = er_fault_set(fault, ER_SYSTEM, "the sites could not be written: %s", strerror(errno));
    }
    return status;
}

/* --- records -------------------------------------------------------------------------------- */

static er_slice analyzed_at(const er_run *run)
{
    return er_slice_string(run->options->date != NULL ? run->options->date : run->commit.date);
}

static er_status update_records(er_run *run, er_fault *fault)
{
    er_records records;
    size_t changed = 0, gone = 0;
    er_pin pin = {&run->program, run->repo, er_slice_string(run->commit.sha), analyzed_at(run), NULL, NULL};
    er_status status = er_records_read(&records, run->options->update, fault);
    if (status != ER_OK) {
        return status;
    }
    er_places places;
    er_places_start(&places, er_git_is(run->options->path) ? run->options->path : NULL, run->repo,
                    &run->program);
    status = er_catalog_update(&records, &pin, &places, &changed, &gone, fault);
    er_places_free(&places);
    if (status == ER_OK) {
        fprintf(stderr, "errata: %zu records pinned to %.12s, %zu whose message is gone\n", changed,
                run->commit.sha, gone);
    }
    er_records_free(&records);
    return status;
}

static er_status add_tree(er_run *run, er_fault *fault)
{
    er_records records;
    size_t written = 0, repeats = 0;
    er_versions *versions = NULL;
    er_status status = er_records_read(&records, run->options->new_records, fault);
    if (status != ER_OK) {
        return status;
    }
    if (run->has_history) {
        versions = er_calloc(run->program.message_count + 1, sizeof(er_versions));
        for (size_t i = 0; i < run->program.message_count && versions != NULL; i++) {
            const er_message *message = &run->program.messages[i];
            versions[i] = er_history_versions(&run->history, message->text, message->code);
        }
    }
    er_pin pin = {&run->program,    run->repo, er_slice_string(run->commit.sha),
                  analyzed_at(run), versions,  NULL};
    status = er_catalog_add(run->options->new_records, &records, &pin, &written, &repeats, fault);
    if (status == ER_OK) {
        fprintf(stderr,
                "errata: %zu new files; %zu messages repeat the text of another and stand in its alsoAt\n",
                written, repeats);
    }
    er_free(versions);
    er_records_free(&records);
    return status;
}

/* The catalog is read again for each release, since the files that were just added count. */
static er_status add_gone(er_run *run, const er_program *program, size_t release, const bool *gone,
                          const er_versions *versions, void *context, er_fault *fault)
{
    size_t *total = context, written = 0, repeats = 0;
    er_records records;
    er_commit commit;
    const er_release *from = &run->history.releases[release];
    er_status status = er_git_commit(run->options->path, from->sha, &commit, fault);
    if (status == ER_OK) {
        status = er_records_read(&records, run->options->new_records, fault);
    }
    if (status != ER_OK) {
        return status;
    }
    er_pin pin = {program, run->repo, er_slice_string(commit.sha), analyzed_at(run), versions, gone};
    status = er_catalog_add(run->options->new_records, &records, &pin, &written, &repeats, fault);
    *total += written;
    er_records_free(&records);
    return status;
}

er_status er_run_records(er_run *run, er_fault *fault)
{
    er_status status = ER_OK;
    size_t old = 0;
    if (run->options->update != NULL) {
        status = update_records(run, fault);
    }
    if (status == ER_OK && run->options->new_records != NULL) {
        status = add_tree(run, fault);
        if (status == ER_OK && run->has_history) {
            status = visit_gone(run, add_gone, &old, fault);
            fprintf(stderr, "errata: %zu new files for messages that only releases have\n", old);
        }
    }
    return status;
}

/* --- what could not be resolved ---------------------------------------------------------------- */

er_status er_run_unresolved(const er_run *run, er_fault *fault)
{
    const char *path = run->options->unresolved;
    FILE *to = path != NULL ? fopen(path, "we") : stderr;
    if (to == NULL) {
        er_fault_set(fault, ER_SYSTEM, "%s", strerror(errno));
        er_fault_file(fault, path);
        return ER_SYSTEM;
    }
    for (size_t i = 0; i < run->program.unresolved_count; i++) {
        const er_unresolved *one = &run->program.unresolved[i];
        er_slice file = run->tree.inputs[one->input].path;
        fprintf(to, "%.*s:%u: %.*s: %.*s: %s\n", (int)file.len, file.at, one->line, (int)one->function.len,
                one->function.at, (int)one->callee.len, one->callee.at, one->reason);
    }
    if (path != NULL && fclose(to) != 0) {
        er_fault_set(fault, ER_SYSTEM, "%s", strerror(errno));
        er_fault_file(fault, path);
        return ER_SYSTEM;
    }
    return ER_OK;
}

void er_run_free(er_run *run)
{
    er_program_free(&run->program);
    er_tree_free(&run->tree);
    er_history_free(&run->history);
    er_store_free(&run->store);
}
