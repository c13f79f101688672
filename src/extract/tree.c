#include "extract/tree.h"

#include "base/file.h"
#include "base/memory.h"
#include "extract/codes.h"
#include "extract/git.h"
#include "extract/list.h"
#include "extract/reading.h"
#include "extract/scan.h"

#include <stdlib.h>

#define MOST_FILE ((size_t)8 << 20)

bool er_tree_skips(er_slice path)
{
    static const char *const folders[] = {"vendor",     "testdata",   "node_modules", "third_party", "Godeps",
                                          "examples",   "doc",        "docs",         "test",        "tests",
                                          "testhelper", "antithesis", "build",        "dist",        NULL};
    size_t start = 0;
    for (size_t i = 0; i < path.len; i++) {
        if (path.at[i] != '/') {
            continue;
        }
        er_slice part = er_slice_sub(path, start, i);
        if (part.len > 0 && (part.at[0] == '.' || part.at[0] == '_')) {
            return true;
        }
        for (size_t j = 0; folders[j] != NULL; j++) {
            if (er_slice_is(part, folders[j])) {
                return true;
            }
        }
        start = i + 1;
    }
    return false;
}

typedef struct reading {
    er_tree *tree;
    er_scanner *scanner;
    size_t top; /* length of the folder's path and its '/' */
    er_tree_warn *warn;
    void *context;
} reading;

/* A buffer that stays where it is read from: only its bytes are pointed to. */
static er_buffer *new_buffer(er_tree *tree, size_t ceiling)
{
    if (!er_list_room((void **)&tree->buffers, &tree->buffer_capacity, tree->buffer_count,
                      sizeof(er_buffer))) {
        return NULL;
    }
    er_buffer *made = &tree->buffers[tree->buffer_count++];
    er_buffer_start(made, ceiling);
    return made;
}

static bool is_codes_file(er_slice path)
{
    er_slice name = ER_SLICE(ER_CODES_FILE);
    return path.len >= name.len && er_slice_equal(er_slice_sub(path, path.len - name.len, path.len), name) &&
           (path.len == name.len || path.at[path.len - name.len - 1] == '/');
}

static er_status add_input(er_tree *tree, er_input input)
{
    if (!er_list_room((void **)&tree->inputs, &tree->input_capacity, tree->input_count, sizeof(input))) {
        return ER_NO_MEMORY;
    }
    tree->inputs[tree->input_count++] = input;
    return ER_OK;
}

static er_status scan_input(reading *to, er_input *input, er_fault *fault)
{
    uint32_t line = 0;
    er_buffer *facts = new_buffer(to->tree, ER_FACT_MAX_BYTES);
    if (facts == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for the facts");
    }
    er_status status = er_scan_file(to->scanner, input->language, input->content, facts, &line, fault);
    input->facts = er_buffer_slice(facts);
    if (status == ER_OK && line > 0 && to->warn != NULL) {
        to->warn(to->context, input->path.at, line);
    }
    return status;
}

static er_status read_file(void *context, const char *path, er_fault *fault)
{
    reading *to = context;
    er_slice inside = er_slice_string(path + to->top);
    const er_language *language = er_language_of(path);
    if (er_tree_skips(inside) || (language == NULL && !is_codes_file(inside))) {
        return ER_OK;
    }
    er_buffer *content = new_buffer(to->tree, MOST_FILE);
    er_input input = {.path = er_arena_copy(&to->tree->arena, inside), .language = language};
    if (content == NULL || input.path.at == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for the tree");
    }
    er_status status = er_file_read(path, content, fault);
    input.content = er_buffer_slice(content);
    if (status == ER_OK && language != NULL) {
        status = scan_input(to, &input, fault);
    }
    if (status != ER_OK) {
        er_fault_file(fault, path);
        return status;
    }
    return add_input(to->tree, input);
}

static int compare_inputs(const void *a, const void *b)
{
    return er_slice_compare(((const er_input *)a)->path, ((const er_input *)b)->path);
}

er_status er_tree_read_folder(er_tree *tree, const char *folder, er_tree_warn *warn, void *context,
                              er_fault *fault)
{
    static const char *const endings[] = {".go",  ".c",  ".h",   ".py",  ".js",   ".mjs", ".cjs",
                                          ".jsx", ".ts", ".mts", ".cts", ".json", NULL};
    *tree = (er_tree){0};
    er_arena_start(&tree->arena);
    size_t len = strlen(folder);
    reading to = {tree, NULL, len + (len > 0 && folder[len - 1] != '/'), warn, context};
    er_status status = er_languages(fault) == NULL ? ER_BAD_INPUT : er_scanner_make(&to.scanner, fault);
    if (status == ER_OK) {
        status = er_file_walk(folder, endings, ER_PROGRAM_MAX_FILES, read_file, &to, fault);
    }
    er_scanner_free(&to.scanner);
    if (status != ER_OK) {
        er_tree_free(tree);
        return status;
    }
    if (tree->input_count > 0) {
        qsort(tree->inputs, tree->input_count, sizeof(er_input), compare_inputs);
    }
    return ER_OK;
}

static er_status read_blob(reading *to, er_git_reader *git, const er_reading_file *file, er_fault *fault)
{
    er_buffer *content = new_buffer(to->tree, MOST_FILE);
    if (content == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for the tree");
    }
    er_status status = er_git_blob(git, file->name.at, content, fault);
    er_input input = {.path = file->path, .language = file->language, .content = er_buffer_slice(content)};
    if (status == ER_OK && input.language != NULL) {
        status = scan_input(to, &input, fault);
    }
    if (status != ER_OK) {
        er_fault_file(fault, file->path.at);
        return status;
    }
    return add_input(to->tree, input);
}

er_status er_tree_read_commit(er_tree *tree, const char *folder, const char *sha, er_tree_warn *warn,
                              void *context, er_fault *fault)
{
    *tree = (er_tree){0};
    er_arena_start(&tree->arena);
    reading to = {tree, NULL, 0, warn, context};
    er_reading_file *files = NULL;
    size_t count = 0;
    er_git_reader git = {.process = -1};
    er_status status = er_reading_list(folder, sha, &tree->arena, &files, &count, fault);
    if (status == ER_OK) {
        status = er_git_open(&git, folder, fault);
    }
    if (status == ER_OK) {
        status = er_scanner_make(&to.scanner, fault);
    }
    for (size_t i = 0; i < count && status == ER_OK; i++) {
        status = read_blob(&to, &git, &files[i], fault);
    }
    er_git_close(&git);
    er_scanner_free(&to.scanner);
    er_free(files);
    if (status != ER_OK) {
        er_tree_free(tree);
    }
    return status;
}

void er_tree_free(er_tree *tree)
{
    for (size_t i = 0; i < tree->buffer_count; i++) {
        er_buffer_free(&tree->buffers[i]);
    }
    er_free(tree->buffers);
    er_free(tree->inputs);
    er_arena_free(&tree->arena);
    *tree = (er_tree){0};
}
