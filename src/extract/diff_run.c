/*
 * diff_run.c - `errata extract --diff`: finds the two sides, prints what changed.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "extract/diff.h"
#include "extract/run.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static er_status read_sites(er_diff_side *side, const char *path, er_fault *fault)
{
    er_buffer content;
    er_buffer_start(&content, ER_DIFF_MAX_FILE);
    er_status status = er_file_read(path, &content, fault);
    if (status == ER_OK) {
        status = er_diff_read(side, er_buffer_slice(&content), fault);
    }
    if (status != ER_OK) {
        er_fault_file(fault, path);
    }
    er_buffer_free(&content);
    return status;
}

static er_status read_tree(er_diff_side *side, const er_extract_options *options, er_fault *fault)
{
    er_run *run = er_calloc(1, sizeof(*run));
    if (run == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for a tree");
    }
    run->options = options;
    er_status status = er_run_tree(run, fault);
    if (status == ER_OK) {
        status = er_diff_take(side, &run->program);
        if (status != ER_OK) {
            er_fault_set(fault, status, "no memory for the messages");
        }
    }
    er_run_free(run);
    er_free(run);
    return status;
}

/* A file of sites, a folder, or a revision of the repository. */
static er_status read_side(er_diff_side *side, const er_extract_options *options, const char *name,
                           er_fault *fault)
{
    struct stat found;
    er_extract_options tree = {.repo = options->repo, .path = options->path, .at = name};
    if (stat(name, &found) == 0) {
        if (!S_ISDIR(found.st_mode)) {
            return read_sites(side, name, fault);
        }
        tree.path = name;
        tree.at = NULL;
        tree.sha = "0000000000000000000000000000000000000000";
        return read_tree(side, &tree, fault);
    }
    if (!er_git_is(options->path)) {
        er_fault_set(fault, ER_NOT_FOUND,
                     "there is no such file or folder, and no git repository to look it up in");
        er_fault_file(fault, name);
        return ER_NOT_FOUND;
    }
    return read_tree(side, &tree, fault);
}

static const char *const change_names[] = {"added", "removed", "reworded", "moved", "level"};

static void text_line(er_buffer *out, const er_change *change)
{
    const er_diff_item *before = change->before, *after = change->after;
    const er_diff_item *shown = after != NULL ? after : before;
    er_buffer_format(out, "%-9s", change_names[change->kind]);
    er_buffer_add(out, shown->path);
    er_buffer_format(out, ":%u: ", shown->line);
    switch (change->kind) {
    case ER_CHANGE_ADDED:
    case ER_CHANGE_REMOVED:
        er_buffer_format(out, "%s ", er_severity_name(shown->severity));
        er_json_write(out, shown->text);
        break;
    case ER_CHANGE_REWORDED:
        er_json_write(out, before->text);
        er_buffer_add_string(out, " is now ");
        er_json_write(out, after->text);
        break;
    case ER_CHANGE_MOVED:
        er_json_write(out, shown->text);
        er_buffer_add_string(out, " was at ");
        er_buffer_add(out, before->path);
        er_buffer_format(out, ":%u", before->line);
        break;
    case ER_CHANGE_LEVEL:
        er_json_write(out, shown->text);
        er_buffer_format(out, " was %s, is %s", er_severity_name(before->severity),
                         er_severity_name(after->severity));
        break;
    }
    er_buffer_add_char(out, '\n');
}

static void json_item(er_buffer *out, const char *name, const er_diff_item *item)
{
    er_buffer_format(out, ",\"%s\":", name);
    if (item == NULL) {
        er_buffer_add_string(out, "null");
        return;
    }
    er_buffer_add_string(out, "{\"errorMessage\":");
    er_json_write(out, item->text);
    er_buffer_add_string(out, ",\"errorCode\":");
    if (item->code.len > 0) {
        er_json_write(out, item->code);
    } else {
        er_buffer_add_string(out, "null");
    }
    er_buffer_add_string(out, ",\"filePath\":");
    er_json_write(out, item->path);
    er_buffer_format(out, ",\"lineNumber\":%u,\"function\":", item->line);
    er_json_write(out, item->function);
    er_buffer_format(out, ",\"severity\":\"%s\"}", er_severity_name(item->severity));
}

static void json_line(er_buffer *out, const er_change *change)
{
    er_buffer_format(out, "{\"change\":\"%s\"", change_names[change->kind]);
    json_item(out, "before", change->before);
    json_item(out, "after", change->after);
    er_buffer_add_string(out, "}\n");
}

static er_status print_changes(const er_change *changes, size_t count, bool json, FILE *to, er_fault *fault)
{
    er_buffer out;
    er_buffer_start(&out, ER_DIFF_MAX_FILE);
    for (size_t i = 0; i < count; i++) {
        if (json) {
            json_line(&out, &changes[i]);
        } else {
            text_line(&out, &changes[i]);
        }
    }
    er_status status = out.status;
    if (status != ER_OK) {
        er_fault_set(fault, status, "the changes are more than can be held");
    } else if ((out.len > 0 && fwrite(out.at, 1, out.len, to) != out.len) || fflush(to) != 0) {
        status = er_fault_set(fault, ER_SYSTEM, "the changes could not be written: %s", strerror(errno));
    }
    er_buffer_free(&out);
    return status;
}

er_status er_diff_run(const er_extract_options *options, FILE *to, int *found, er_fault *fault)
{
    er_diff_side before = {0}, after = {0};
    er_change *changes = NULL;
    size_t count = 0;
    er_status status = read_side(&before, options, options->diff_old, fault);
    if (status == ER_OK) {
        status = read_side(&after, options, options->diff_new, fault);
    }
    if (status == ER_OK) {
        status = er_diff_compare(&before, &after, &changes, &count);
        if (status != ER_OK) {
            er_fault_set(fault, status, "no memory for the changes");
        }
    }
    if (status == ER_OK) {
        status = print_changes(changes, count, options->json, to, fault);
    }
    *found = count > 0;
    er_free(changes);
    er_diff_side_free(&before);
    er_diff_side_free(&after);
    return status;
}
