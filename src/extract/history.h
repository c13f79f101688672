/*
 * history.h - in which releases a message stands.
 *
 * The trees of all releases share most of their files: each distinct content is parsed
 * once, its facts are kept, and every release is linked from facts.
 */
#ifndef ERRATA_EXTRACT_HISTORY_H
#define ERRATA_EXTRACT_HISTORY_H

#include "base/arena.h"
#include "extract/git.h"
#include "extract/program.h"
#include "extract/site.h"
#include "extract/store.h"

#define ER_HISTORY_MAX_RELEASES 4096u

typedef struct er_release_file {
    er_slice path;
    er_slice name;               /* in the store */
    const er_language *language; /* NULL: definitions of codes */
} er_release_file;

typedef struct er_release {
    er_slice tag;
    char sha[ER_GIT_SHA + 1];
    er_release_file *files; /* in the arena, by path */
    size_t file_count;
} er_release;

/* A message that a release had. */
typedef struct er_seen {
    er_slice text;
    er_slice code;
    uint32_t first, last; /* releases */
} er_seen;

typedef struct er_history {
    er_arena arena;
    er_release *releases; /* oldest first */
    size_t release_count, release_capacity;
    er_table by_text; /* (text, code) to its place in seen */
    er_seen *seen;
    size_t seen_count, seen_capacity;
} er_history;

/* Whether a tag names a release, not a candidate: "v2.10.27", "1.4.0", "v2.10.27-binary". */
bool er_release_is(er_slice tag);
/* By version, then name. */
int er_release_compare(er_slice a, er_slice b);

typedef struct er_history_options {
    const char *folder; /* the repository */
    er_slice repo;
    const char *tags; /* comma-separated; NULL: all releases */
    bool progress;    /* on standard error */
    unsigned workers; /* 0: as many as there are processors */
} er_history_options;

er_status er_history_read(er_history *history, er_store *store, const er_history_options *options,
                          er_fault *fault) ER_MUST_CHECK;
void er_history_free(er_history *history);

/* The files of one release, as inputs for er_program_link: an array of file_count, which the
   caller releases with er_free. Facts are those of the store. NULL without memory. */
er_input *er_history_inputs(const er_history *history, const er_store *store, size_t release);

/* Of a message of the tree; empty slices where no release has it. */
er_versions er_history_versions(const er_history *history, er_slice text, er_slice code);

#endif
