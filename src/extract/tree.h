/*
 * tree.h - the source files of a checkout, or of a commit in a git repository.
 */
#ifndef ERRATA_EXTRACT_TREE_H
#define ERRATA_EXTRACT_TREE_H

#include "extract/program.h"

/* Folders that hold no source of the program itself, passed over wherever they stand. */
bool er_tree_skips(er_slice path);

/* A tree that was read whole, with the facts of each file. */
typedef struct er_tree {
    er_arena arena;
    er_buffer *buffers; /* contents and facts */
    size_t buffer_count, buffer_capacity;
    er_input *inputs; /* by path */
    size_t input_count, input_capacity;
} er_tree;

/* Told for each file that did not parse as a whole: `line` is where the first fault is. */
typedef void er_tree_warn(void *context, const char *path, uint32_t line);

er_status er_tree_read_folder(er_tree *tree, const char *folder, er_tree_warn *warn, void *context,
                              er_fault *fault) ER_MUST_CHECK;
/* The same from a commit of the git repository `folder`, without a checkout. */
er_status er_tree_read_commit(er_tree *tree, const char *folder, const char *sha, er_tree_warn *warn,
                              void *context, er_fault *fault) ER_MUST_CHECK;
void er_tree_free(er_tree *tree);

#endif
