/*
 * snapshot.h - a catalog and its matcher, loaded together, shared and swapped whole.
 *
 * A snapshot is immutable and reference-counted. A cell holds the one in
 * service: er_cell_get takes a reference that keeps it alive for one request,
 * er_cell_put swaps in another, and the old one goes when its last request does.
 */
#ifndef ERRATA_ANSWER_SNAPSHOT_H
#define ERRATA_ANSWER_SNAPSHOT_H

#include "catalog/catalog.h"
#include "match/matcher.h"

#include <stdint.h>

typedef struct er_snapshot {
    er_catalog *catalog;
    er_matcher *matcher;  /* rule i is record i */
    char *source;         /* the path, as given */
    int64_t loaded_at_ns; /* wall clock */
    /* private */
    void *rules;
    _Atomic long references;
} er_snapshot;

/* What the matcher needs to know of a record; the slices are the record's. */
er_rule er_snapshot_rule(const er_record *record);

/* The caller owns one reference. Faults as in er_catalog_load. */
er_status er_snapshot_load(er_snapshot **out, const char *path, const er_catalog_options *options,
                           er_fault *fault) ER_MUST_CHECK;
er_snapshot *er_snapshot_hold(er_snapshot *snapshot);
void er_snapshot_release(er_snapshot **snapshot); /* NULL inside is allowed */

typedef struct er_cell er_cell; /* thread safe */
er_status er_cell_new(er_cell **out) ER_MUST_CHECK;
void er_cell_free(er_cell **cell);
er_snapshot *er_cell_get(er_cell *cell); /* a reference of the caller's; NULL when none was put */
void er_cell_put(er_cell *cell, er_snapshot *snapshot); /* takes over the caller's reference */

#endif
