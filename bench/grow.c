#include "bench/match.h"
#include "bench/race.h"

#include <stdio.h>

#define LINES 10000u /* for every size as many, so that the caches meet as much text */

typedef struct size {
    size_t rules;
    double aim; /* at most this many times the time of the first size */
} size;

static const size sizes[] = {{2000, 1}, {100000, 3}, {1000000, 8}};

#define SIZES (sizeof sizes / sizeof sizes[0])

typedef struct field {
    bench_corpus corpora[SIZES];
    bench_lines hits[SIZES];
    bench_lines foreign;
    bench_racer racers[SIZES];
    size_t count;
} field;

static bool field_start(field *all, const bench_options *options)
{
    bench_random random = {options->seed};
    er_fault fault;
    if (bench_lines_foreign(&all->foreign, &random, LINES) != ER_OK) {
        return false;
    }
    for (size_t i = 0; i < SIZES && sizes[i].rules <= options->most; i++) {
        if (bench_corpus_invent(&all->corpora[i], &random, sizes[i].rules, &fault) != ER_OK ||
            bench_lines_fill(&all->hits[i], &all->corpora[i], &random, LINES) != ER_OK ||
            !bench_racer_start(&all->racers[i], &bench_errata, &all->corpora[i], &all->hits[i],
                               &all->foreign)) {
            return false;
        }
        all->count = i + 1;
    }
    return all->count > 0;
}

static void field_end(field *all)
{
    for (size_t i = 0; i < SIZES; i++) {
        bench_racer_end(&all->racers[i]);
        bench_lines_free(&all->hits[i]);
        bench_corpus_free(&all->corpora[i]);
    }
    bench_lines_free(&all->foreign);
}

static void print_size(const field *all, size_t at)
{
    const bench_racer *racer = &all->racers[at];
    const bench_course *course = racer->courses;
    double hits = bench_sample_ratio(&course[BENCH_HITS].us, &all->racers[0].courses[BENCH_HITS].us);
    double foreign = bench_sample_ratio(&course[BENCH_FOREIGN].us, &all->racers[0].courses[BENCH_FOREIGN].us);
    printf("%8zu %9.3f %10.1f %10zu %10.3f %12.3f %8.2f %8.2f   %4.0f %s\n", sizes[at].rules, racer->build_s,
           (double)bench_errata_memory(racer->state) / 1048576.0, course[BENCH_HITS].own,
           bench_sample_median(&course[BENCH_HITS].us), bench_sample_median(&course[BENCH_FOREIGN].us), hits,
           foreign, sizes[at].aim, hits <= sizes[at].aim && foreign <= sizes[at].aim ? "met" : "missed");
}

int bench_grow(const bench_options *options)
{
    static field all;
    bool good = field_start(&all, options);
    if (good) {
        bench_race(all.racers, all.count, options->rounds);
        printf("errata alone, generated messages, %u lines and as many foreign ones, %zu rounds\n\n", LINES,
               options->rounds);
        printf("%8s %9s %10s %10s %10s %12s %8s %8s   %s\n", "rules", "build, s", "held, MiB", "own found",
               "hits, us", "foreign, us", "x hits", "x foreign", " aim");
        for (size_t i = 0; i < all.count; i++) {
            print_size(&all, i);
        }
    }
    field_end(&all);
    return good ? 0 : 1;
}
