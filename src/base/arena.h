/*
 * arena.h - memory that is given out piece by piece and released at once.
 *
 * Blocks never move, so pointers stay valid until er_arena_free. Not thread
 * safe; once nothing is added any more, any number of threads may read.
 */
#ifndef ERRATA_BASE_ARENA_H
#define ERRATA_BASE_ARENA_H

#include "base/slice.h"
#include "base/status.h"

typedef struct er_arena_block er_arena_block;

typedef struct er_arena {
    er_arena_block *blocks; /* newest first */
    size_t used;            /* bytes given out */
    size_t held;            /* bytes taken from the heap */
} er_arena;

void er_arena_start(er_arena *arena); /* allocates nothing */
void er_arena_free(er_arena *arena);  /* usable again after er_arena_start */

void *er_arena_take(er_arena *arena, size_t size); /* aligned for any type; NULL on failure */
/* A copy with a NUL behind it. On failure a slice whose `at` is NULL; an empty
   input gives a non-NULL empty slice. */
er_slice er_arena_copy(er_arena *arena, er_slice bytes);

#endif
