/*
 * catalog.h - a loaded catalog: immutable, looked up by id, slug and code.
 *
 * It is built once from a folder or a bundle and never changes; any number of
 * threads may read it. Sharing and swapping is the business of
 * answer/snapshot.h, which holds a catalog and its matcher together.
 */
#ifndef ERRATA_CATALOG_CATALOG_H
#define ERRATA_CATALOG_CATALOG_H

#include "base/digest.h"
#include "base/status.h"
#include "catalog/record.h"

/* Limits on what a catalog may hold; over one of them loading fails with ER_TOO_LARGE. */
#define ER_CATALOG_MAX_FILE    (1u << 20)        /* bytes of one JSON document */
#define ER_CATALOG_MAX_BUNDLE  ((size_t)8 << 30) /* bytes of one NDJSON bundle */
#define ER_CATALOG_MAX_RECORDS 2000000u

typedef struct er_catalog er_catalog;

/*
 * Loads `path`: a folder (every *.json and *.ndjson below it; `tags.json` and
 * the folder `schema` at its top are not records and are passed over), one
 * JSON document, or an NDJSON bundle. Each document is a record file
 * ({"record": …, "guide": …}) or in the seed's form ({"record": …,
 * "datasetVersion": …}). Form is checked: JSON, members and their types,
 * ids that are unique, slugs unique within a repo, as many captureNames as the
 * guide may hold. The first fault refuses the whole catalog, with file, record,
 * member and offset. Whether patterns compile is for match to say; who joins
 * the two (answer/snapshot.h) reports it with the record's file.
 *
 * `faults` (NULL allowed) is told each fault instead, and loading goes on to
 * the next document, so that `errata check` can report all of them; the status
 * is then still that of the first, or with `partial` ER_OK, and the catalog holds
 * what is good (of two with the same id or slug, both).
 *
 * `guides` (NULL allowed) gets the guide of each document that is taken, as it
 * stands in the file: a record does not keep its examples, nor unknown ids. The
 * record may move until loading is done, what its slices point to does not.
 */
typedef void er_catalog_fault_sink(void *context, const er_fault *fault);
typedef er_status er_catalog_guide_sink(void *context, const er_record *record, er_slice guide);
typedef struct er_catalog_options {
    er_catalog_fault_sink *faults;
    void *context; /* of both sinks */
    er_catalog_guide_sink *guides;
    bool partial; /* only with `faults` */
} er_catalog_options;

er_status er_catalog_load(er_catalog **out, const char *path, const er_catalog_options *options,
                          er_fault *fault) ER_MUST_CHECK;
void er_catalog_free(er_catalog **catalog);

size_t er_catalog_count(const er_catalog *catalog);
/* Records are in the order of (repo, id), whatever order the files came in. */
const er_record *er_catalog_record(const er_catalog *catalog, size_t index);

/* NULL where there is none. */
const er_record *er_catalog_by_id(const er_catalog *catalog, er_slice id);
const er_record *er_catalog_by_repo_slug(const er_catalog *catalog, er_slice repo, er_slice slug);
/* All records with the slug, or the code, in catalog order: writes at most `most`, returns how many there
 * are. */
size_t er_catalog_by_slug(const er_catalog *catalog, er_slice slug, const er_record **out, size_t most);
size_t er_catalog_by_code(const er_catalog *catalog, er_slice code, const er_record **out, size_t most);

/* The newest analyzedAt or contentChangedAt; of a single document in the seed's form, its own. */
er_slice er_catalog_dataset_version(const er_catalog *catalog);
/* SHA-256 over the records and guides in catalog order, as they are sent, as hex: the same for
   the same content, wherever it was loaded and however it was laid out. */
const char *er_catalog_hash(const er_catalog *catalog);
size_t er_catalog_memory(const er_catalog *catalog); /* bytes held */

/* Distinct repos in byte order, with how many records each has. */
size_t er_catalog_repo_count(const er_catalog *catalog);
er_slice er_catalog_repo(const er_catalog *catalog, size_t index, size_t *records);

#endif
