/*
 * contender.h - one way of finding out which patterns a line holds.
 *
 * All are given the same patterns and lines and are used by one thread. A peer
 * only reports which patterns matched; errata frames, ranks and captures as well.
 */
#ifndef ERRATA_BENCH_CONTENDER_H
#define ERRATA_BENCH_CONTENDER_H

#include "bench/corpus.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_contender {
    const char *name;
    /* NULL when it could not be built. `refused` is how many patterns it does not take. */
    void *(*build)(const er_rule *rules, size_t count, size_t *refused);
    /* How many patterns matched. `rule`, unless it is BENCH_NO_RULE, is asked for: `found`
       says whether it was among them. */
    size_t (*match)(void *state, er_slice line, uint32_t rule, bool *found);
    void (*end)(void *state);
} bench_contender;

extern const bench_contender bench_errata;
extern const bench_contender bench_pcre2; /* a loop over all patterns, JIT */
extern const bench_contender bench_re2;   /* RE2::Set */
extern const bench_contender bench_hs;    /* Vectorscan, or Hyperscan, in block mode */

/* What is held of the matcher that `state` of bench_errata is. */
size_t bench_errata_memory(const void *state);

#ifdef __cplusplus
}
#endif

#endif
