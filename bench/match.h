/*
 * match.h - what bench_match is asked for.
 */
#ifndef ERRATA_BENCH_MATCH_H
#define ERRATA_BENCH_MATCH_H

#include <stddef.h>
#include <stdint.h>

#define BENCH_MOST_RULES 2000000u

typedef struct bench_options {
    const char *messages; /* NULL for invented ones */
    size_t rounds;
    uint64_t seed;
    size_t most; /* of the sizes of a catalog, those up to this */
} bench_options;

/* errata alone, on catalogs of rising size. An exit status. */
int bench_grow(const bench_options *options);

#endif
