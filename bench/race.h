/*
 * race.h - contenders timed in turns.
 *
 * The machine is shared, so nobody is measured alone: in each of many short
 * rounds every contender takes one turn, and the medians are over the rounds.
 */
#ifndef ERRATA_BENCH_RACE_H
#define ERRATA_BENCH_RACE_H

#include "bench/contender.h"
#include "bench/sample.h"

typedef enum bench_course_kind { BENCH_HITS, BENCH_FOREIGN, BENCH_COURSES } bench_course_kind;

/* One contender on one set of lines. */
typedef struct bench_course {
    const bench_lines *lines; /* borrowed */
    size_t stride;            /* a turn takes each stride-th line, others from round to round */
    size_t passes;            /* how often in a turn */
    size_t matched;           /* lines in which something matched */
    size_t own;               /* lines of which their own rule was reported */
    bench_sample us;          /* microseconds a line, one value a round */
} bench_course;

typedef struct bench_racer {
    const bench_contender *kind;
    void *state;
    double build_s;
    size_t refused;
    bench_course courses[BENCH_COURSES];
} bench_racer;

/* Builds the contender. False when it could not be; then a message was printed. */
bool bench_racer_start(bench_racer *racer, const bench_contender *kind, const bench_corpus *corpus,
                       const bench_lines *hits, const bench_lines *foreign);
void bench_racer_end(bench_racer *racer);

/* Fills the courses of all. `rounds` is at most BENCH_MAX_ROUNDS. */
void bench_race(bench_racer *racers, size_t count, size_t rounds);

#endif
