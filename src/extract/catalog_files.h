/*
 * catalog_files.h - writing to a catalog folder: new record files, and records that
 * are pinned to another commit.
 */
#ifndef ERRATA_EXTRACT_CATALOG_FILES_H
#define ERRATA_EXTRACT_CATALOG_FILES_H

#include "extract/places.h"
#include "extract/records.h"
#include "extract/site.h"

typedef struct er_pin {
    const er_program *program;
    er_slice repo;
    er_slice sha;
    er_slice analyzed_at;        /* of new files */
    const er_versions *versions; /* by message; NULL: unknown */
    const bool *only;            /* by message: those that are looked at; NULL: all */
} er_pin;

/*
 * A file folder/OWNER/REPO/SOURCE PATH/SLUG.json for each message that `records` do
 * not cover. Nothing that is there is overwritten. `*written` counts the files.
 *
 * Messages that reach the reader as the same text (they differ in letter case or outer
 * blanks, or a literal repeats the text of a code) are one record: that of the code, else
 * of the form with the most places. The places of the others go into its alsoAt, or, where
 * that record was there before, nowhere. `*repeats` counts them.
 */
er_status er_catalog_add(const char *folder, const er_records *records, const er_pin *pin, size_t *written,
                         size_t *repeats, er_fault *fault) ER_MUST_CHECK;

/*
 * Pins each record of the repo whose message is still raised to the commit: lineNumber,
 * githubUrl, analyzedSha, filePath where the message stands in that file no more, and the
 * places in alsoAt. Every other byte of the file stays. Which place a place is now is told by
 * `places`; where that does not know, lineNumber takes the nearest place in the same file,
 * and an entry of alsoAt stays. `*gone` counts records of the repo whose message is raised
 * no more; they are left alone.
 */
er_status er_catalog_update(const er_records *records, const er_pin *pin, er_places *places, size_t *changed,
                            size_t *gone, er_fault *fault) ER_MUST_CHECK;

#endif
