/*
 * site.h - what `errata extract` found in a checkout, read back. Internal to check.
 */
#ifndef ERRATA_CHECK_SITE_H
#define ERRATA_CHECK_SITE_H

#include "check/entry.h"

/* A place that raises a message. The texts are in the check's arena. */
typedef struct er_place {
    er_slice repo, path, id, message;
    unsigned line;
    er_severity severity;
} er_place;

typedef struct er_place_list {
    er_place *at; /* by er_alloc */
    size_t count, capacity;
} er_place_list;

/* Appends what the NDJSON file holds. A line that is an object without an id is passed over (what
   extract could not resolve has none); any other form is ER_BAD_INPUT and names the line. */
er_status er_places_read(er_check *check, const char *file, er_place_list *out,
                         er_fault *fault) ER_MUST_CHECK;

/* Order by repo, id, path, line; and by repo, path, line, id. */
int er_place_by_message(const void *a, const void *b);
int er_place_by_line(const void *a, const void *b);

#endif
