/*
 * reading.h - the source files of a commit, and their facts by way of the store.
 */
#ifndef ERRATA_EXTRACT_READING_H
#define ERRATA_EXTRACT_READING_H

#include "extract/git.h"
#include "extract/language.h"
#include "extract/store.h"

typedef struct er_reading_file {
    er_slice path;
    er_slice name;               /* in the store: the content's hash and the language */
    const er_language *language; /* NULL: definitions of codes, whose content is kept as it is */
} er_reading_file;

/* The source files of a commit, by path. Texts go into the arena; the caller releases
   `*files` with er_free. */
er_status er_reading_list(const char *folder, const char *sha, er_arena *arena, er_reading_file **files,
                          size_t *count, er_fault *fault) ER_MUST_CHECK;

typedef struct er_reading_options {
    const char *folder;
    unsigned workers; /* 0: as many as there are processors */
    bool progress;    /* on standard error */
} er_reading_options;

/* Reads and scans what the store does not hold, in several threads. */
er_status er_reading_scan(const er_reading_options *options, const er_reading_file *files, size_t count,
                          er_store *store, er_fault *fault) ER_MUST_CHECK;

#endif
