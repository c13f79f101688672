/*
 * diff.h - what changed between two trees.
 *
 * Messages are compared, not places: added, removed, reworded (the nearest wording in
 * the same function), moved (to another file or function), changed in level.
 */
#ifndef ERRATA_EXTRACT_DIFF_H
#define ERRATA_EXTRACT_DIFF_H

#include "base/arena.h"
#include "catalog/record.h"
#include "extract/options.h"
#include "extract/program.h"

#include <stdio.h>

#define ER_DIFF_MAX_FILE ((size_t)1 << 30) /* bytes of a file of sites */

typedef struct er_diff_item {
    er_slice text;
    er_slice code;
    er_slice path;
    er_slice function;
    uint32_t line;
    er_severity severity; /* the worst of its places */
} er_diff_item;

/* One tree's messages, by text and code. Slices live in the arena. */
typedef struct er_diff_side {
    er_arena arena;
    er_diff_item *items;
    size_t count, capacity;
} er_diff_side;

typedef enum er_change_kind {
    ER_CHANGE_ADDED,
    ER_CHANGE_REMOVED,
    ER_CHANGE_REWORDED,
    ER_CHANGE_MOVED,
    ER_CHANGE_LEVEL
} er_change_kind;

typedef struct er_change {
    er_change_kind kind;
    const er_diff_item *before; /* NULL: added */
    const er_diff_item *after;  /* NULL: removed */
} er_change;

/* From lines that `errata extract` printed; the fault names the line that is none. */
er_status er_diff_read(er_diff_side *side, er_slice sites, er_fault *fault) ER_MUST_CHECK;
er_status er_diff_take(er_diff_side *side, const er_program *program) ER_MUST_CHECK;
void er_diff_side_free(er_diff_side *side);

/* By kind, then place. The caller releases `*changes` with er_free; they point into the sides. */
er_status er_diff_compare(const er_diff_side *before, const er_diff_side *after, er_change **changes,
                          size_t *count) ER_MUST_CHECK;

/* `errata extract --diff`: `*found` is 1 when anything changed. */
er_status er_diff_run(const er_extract_options *options, FILE *to, int *found, er_fault *fault) ER_MUST_CHECK;

#endif
