/*
 * options.h - what `errata extract` was asked for.
 */
#ifndef ERRATA_EXTRACT_OPTIONS_H
#define ERRATA_EXTRACT_OPTIONS_H

#include "base/status.h"

/* Texts point into argv. NULL: not given. */
typedef struct er_extract_options {
    const char *repo;
    const char *sha;
    const char *at;          /* a revision: the tree is read from git */
    const char *date;        /* analyzedAt of new records */
    const char *new_records; /* folders */
    const char *update;
    const char *cache;
    const char *unresolved; /* a file */
    const char *tags;
    bool releases;
    bool no_cache;
    bool json; /* of a comparison */
    bool help;
    unsigned jobs;        /* 0: as many as there are processors */
    const char *diff_old; /* both or none */
    const char *diff_new;
    const char *path; /* the checkout or repository; "." */
} er_extract_options;

/* ER_BAD_USAGE names the option that is wrong. */
er_status er_extract_options_read(er_extract_options *options, int argc, char **argv,
                                  er_fault *fault) ER_MUST_CHECK;

extern const char er_extract_usage[];

#endif
