#include "bench/race.h"

#include "bench/cpu.h"

#include <stdio.h>

#define TURN_NS 20000000 /* of one contender on one course; a slow one takes fewer lines */

bool bench_racer_start(bench_racer *racer, const bench_contender *kind, const bench_corpus *corpus,
                       const bench_lines *hits, const bench_lines *foreign)
{
    *racer = (bench_racer){.kind = kind};
    racer->courses[BENCH_HITS].lines = hits;
    racer->courses[BENCH_FOREIGN].lines = foreign;
    int64_t start = bench_cpu_ns();
    racer->state = kind->build(corpus->rules, corpus->rule_count, &racer->refused);
    racer->build_s = (double)(bench_cpu_ns() - start) / 1e9;
    if (!racer->state) {
        (void)fprintf(stderr, "bench: %s could not be built\n", kind->name);
    }
    return racer->state != NULL;
}

void bench_racer_end(bench_racer *racer)
{
    if (racer->state) {
        racer->kind->end(racer->state);
        racer->state = NULL;
    }
}

/* Every line once; tells what was found, and how fast, so that turns can be cut to a length. */
static void walk(bench_racer *racer, bench_course *course)
{
    const bench_lines *lines = course->lines;
    int64_t start = bench_cpu_ns();
    course->matched = 0;
    course->own = 0;
    for (size_t i = 0; i < lines->count; i++) {
        bool found;
        course->matched +=
            racer->kind->match(racer->state, lines->lines[i].text, lines->lines[i].rule, &found) > 0;
        course->own += found;
    }
    int64_t took = bench_cpu_ns() - start + 1;
    course->stride = took > TURN_NS ? (size_t)(took / TURN_NS) + 1 : 1;
    course->passes = took < TURN_NS ? (size_t)(TURN_NS / took) : 1;
}

static size_t pass(bench_racer *racer, const bench_course *course, size_t round)
{
    const bench_lines *lines = course->lines;
    size_t taken = 0;
    for (size_t i = round % course->stride; i < lines->count; i += course->stride) {
        bool found;
        (void)racer->kind->match(racer->state, lines->lines[i].text, lines->lines[i].rule, &found);
        taken++;
    }
    return taken;
}

static void turn(bench_racer *racer, bench_course *course, size_t round)
{
    size_t taken = 0;
    if (course->stride == 1) {
        (void)pass(racer, course, round); /* what the one before left in the caches is of no use */
    }
    int64_t start = bench_cpu_ns();
    for (size_t i = 0; i < course->passes; i++) {
        taken += pass(racer, course, round);
    }
    int64_t took = bench_cpu_ns() - start;
    if (taken > 0) {
        bench_sample_add(&course->us, (double)took / 1e3 / (double)taken);
    }
}

void bench_race(bench_racer *racers, size_t count, size_t rounds)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < BENCH_COURSES; j++) {
            walk(&racers[i], &racers[i].courses[j]); /* once cold: lazy parts are made here */
            if (racers[i].courses[j].stride == 1) {
                walk(&racers[i], &racers[i].courses[j]);
            }
        }
    }
    for (size_t round = 0; round < rounds; round++) {
        for (size_t j = 0; j < BENCH_COURSES; j++) {
            for (size_t i = 0; i < count; i++) {
                bench_racer *racer = &racers[(round + i) % count];
                turn(racer, &racer->courses[j], round);
            }
        }
    }
}
