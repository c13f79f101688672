/*
 * places.h - where a place of an older commit is now.
 *
 * A line number alone says little once lines were added above it. The tree of the commit
 * that a record was pinned to is read again, so that it is known which message stood
 * there, and which of its places it was. Of one thread.
 */
#ifndef ERRATA_EXTRACT_PLACES_H
#define ERRATA_EXTRACT_PLACES_H

#include "extract/git.h"
#include "extract/tree.h"

#define ER_PLACES_MAX_TREES 8u /* commits that are held; records of others keep their places */

typedef struct er_old_tree {
    char sha[ER_GIT_SHA + 1];
    bool known; /* false: the repository has no such commit */
    er_tree tree;
    er_program program;
} er_old_tree;

typedef struct er_places {
    const char *folder; /* a git repository; NULL: nothing can be looked up */
    er_slice repo;
    const er_program *now; /* borrowed */
    er_old_tree *trees;
    size_t count, capacity;
} er_places;

void er_places_start(er_places *places, const char *folder, er_slice repo, const er_program *now);
void er_places_free(er_places *places);

/* The site that the place path:line of the commit `sha` is now; NULL where no message stood
   there, where it is gone, or where the commit can not be read. Only memory can fail. */
er_status er_places_find(er_places *places, er_slice sha, er_slice path, uint32_t line,
                         const er_site **site) ER_MUST_CHECK;

#endif
