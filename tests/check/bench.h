/*
 * bench.h - a catalog that is made from a good one by edits, and checked.
 *
 * Edits stand in a line, " && " between them:
 *
 *     PATH = JSON        sets a member of the current document: record.tags[0] = "shelf"
 *     PATH -             takes it out
 *     PATH * N           sets it to a text of N words that are in no other text
 *     renew              id, slug and pattern by the rule, from errorMessage and errorCode
 *     copy               goes on with a copy of the current document
 *     file PATH          where the current document is written, not by the rule
 *     tags JSON          what tags.json holds; nothing: there is none
 *     draft              as --draft
 */
#ifndef ERRATA_TEST_BENCH_H
#define ERRATA_TEST_BENCH_H

#include "base/slice.h"
#include "check/check.h"
#include "support/folder.h"

#include <cJSON.h>

#define BENCH_CATALOG ERRATA_SOURCE_DIR "/tests/check/catalog"
#define BENCH_MAIN    "acme/depot/store/parcel.go/cannot-store-parcel-d-of-q-w.json"
#define BENCH_ID      "5049581f9fd1cf7b" /* of BENCH_MAIN */

typedef struct bench {
    char folder[FOLDER_PATH];
    bool draft;
} bench;

/* Makes the folder with the edited catalog in it. The other record of the good catalog is there as it is. */
void bench_make(bench *made, er_slice edits);
void bench_remove(const bench *made);

/* The findings, " | " between: "rule: member: what", and before it "[id] " where it is not the main record's,
   "[file] " where it is of no record. `out` ends in a NUL. */
void bench_print(const er_check *check, const bench *made, char *out, size_t size);

/* The text of a file below the checkout; the caller frees it. */
char *bench_read(const char *path);

/* The value at a path, NULL where there is none. */
cJSON *bench_find(cJSON *document, const char *path);

#endif
