/*
 * sample.h - measured values and what is printed of them.
 */
#ifndef ERRATA_BENCH_SAMPLE_H
#define ERRATA_BENCH_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#define BENCH_MAX_ROUNDS 1024u

/* One value a round. */
typedef struct bench_sample {
    double values[BENCH_MAX_ROUNDS];
    size_t count;
} bench_sample;

void bench_sample_add(bench_sample *sample, double value); /* over BENCH_MAX_ROUNDS nothing is added */
double bench_sample_median(const bench_sample *sample);    /* 0 of nothing */

/*
 * The median of a/b taken round by round. What disturbs the machine disturbs both
 * in the same round, so this is steadier than the ratio of the medians.
 */
double bench_sample_ratio(const bench_sample *a, const bench_sample *b);

/* The value that `share` (0 to 1) of the values don't pass; sorts them. 0 of nothing. */
uint32_t bench_percentile(uint32_t *values, size_t count, double share);

#endif
