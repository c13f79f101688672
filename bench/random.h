/*
 * random.h - a seeded generator: the same texts in every run.
 */
#ifndef ERRATA_BENCH_RANDOM_H
#define ERRATA_BENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct bench_random {
    uint64_t state; /* any value */
} bench_random;

static inline uint64_t bench_random_next(bench_random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u); /* SplitMix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* From 0 to count - 1; count is not 0. */
static inline size_t bench_random_below(bench_random *random, size_t count)
{
    return (size_t)((bench_random_next(random) >> 32) * count >> 32);
}

/* The same, low numbers more often: as few words are in many messages. */
static inline size_t bench_random_skewed(bench_random *random, size_t count)
{
    size_t a = bench_random_below(random, count);
    size_t b = bench_random_below(random, count);
    return a < b ? a : b;
}

#endif
