/*
 * bench_match: errata's matcher beside what one would use instead.
 */
#include "bench/match.h"

#include "bench/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INVENTED      2000u
#define FOREIGN_LINES 1000u

static const bench_contender *const contenders[] = {
    &bench_errata,
    &bench_pcre2,
#ifdef BENCH_HAS_RE2
    &bench_re2,
#endif
#ifdef BENCH_HAS_HS
    &bench_hs,
#endif
};

typedef struct aim {
    const bench_contender *peer;
    double hits; /* at most this share of the peer's time; 0 for no aim */
    double foreign;
} aim;

static const aim aims[] = {
    {&bench_pcre2, 1.0 / 300, 0},
#ifdef BENCH_HAS_HS
    {&bench_hs, 0.8, 0.5},
#endif
};

static void print_racer(const bench_racer *racer)
{
    const bench_course *hits = &racer->courses[BENCH_HITS];
    const bench_course *foreign = &racer->courses[BENCH_FOREIGN];
    printf("%-18s %9.3f %8zu %10zu %12.3f %12.3f %15zu\n", racer->kind->name, racer->build_s, racer->refused,
           hits->own, bench_sample_median(&hits->us), bench_sample_median(&foreign->us), foreign->matched);
}

static void print_ratio(double ratio, double most)
{
    if (ratio < 0.1) {
        printf("     1/%-6.0f", 1 / ratio);
    } else {
        printf("     %-8.2f", ratio);
    }
    if (most == 0) {
        printf("%-14s", "-");
    } else if (most < 0.1) {
        printf("1/%-5.0f %-6s", 1 / most, ratio <= most ? "met" : "missed");
    } else {
        printf("%-7.2f %-6s", most, ratio <= most ? "met" : "missed");
    }
}

static void print_ratios(const bench_racer *errata, const bench_racer *peer)
{
    aim wanted = {peer->kind, 0, 0};
    for (size_t i = 0; i < sizeof aims / sizeof aims[0]; i++) {
        if (aims[i].peer == peer->kind) {
            wanted = aims[i];
        }
    }
    printf("%-18s", peer->kind->name);
    print_ratio(bench_sample_ratio(&errata->courses[BENCH_HITS].us, &peer->courses[BENCH_HITS].us),
                wanted.hits);
    print_ratio(bench_sample_ratio(&errata->courses[BENCH_FOREIGN].us, &peer->courses[BENCH_FOREIGN].us),
                wanted.foreign);
    printf("\n");
}

static void print_race(const bench_racer *racers, size_t count)
{
    printf("\n%-18s %9s %8s %10s %12s %12s %15s\n", "", "build, s", "refused", "own found", "hits, us",
           "foreign, us", "foreign matched");
    for (size_t i = 0; i < count; i++) {
        print_racer(&racers[i]);
    }
    printf("\n%-18s     %-22s     %-22s\n", "errata's time to", "hits    aim", "foreign aim");
    for (size_t i = 1; i < count; i++) {
        print_ratios(&racers[0], &racers[i]);
    }
    printf("\n");
}

static bool race(const bench_corpus *corpus, const bench_lines *hits, const bench_lines *foreign,
                 size_t rounds)
{
    enum { COUNT = sizeof contenders / sizeof contenders[0] };
    static bench_racer racers[COUNT];
    bool good = true;
    for (size_t i = 0; good && i < COUNT; i++) {
        good = bench_racer_start(&racers[i], contenders[i], corpus, hits, foreign);
    }
    if (good) {
        bench_race(racers, COUNT, rounds);
        print_race(racers, COUNT);
    }
    for (size_t i = 0; i < COUNT; i++) {
        bench_racer_end(&racers[i]);
    }
    return good;
}

static bool run(const bench_options *options, const bench_corpus *corpus, bench_random *random)
{
    bench_lines hits = {0};
    bench_lines foreign = {0};
    bool good = bench_lines_fill(&hits, corpus, random, corpus->rule_count) == ER_OK &&
                bench_lines_foreign(&foreign, random, FOREIGN_LINES) == ER_OK;
    if (good) {
        printf("%zu patterns (%s), a line of each (%zu bytes on average), %zu foreign lines (%zu bytes), "
               "%zu rounds\n",
               corpus->rule_count, options->messages ? options->messages : "generated",
               hits.bytes / hits.count, foreign.count, foreign.bytes / foreign.count, options->rounds);
        good = race(corpus, &hits, &foreign, options->rounds);
    }
    bench_lines_free(&hits);
    bench_lines_free(&foreign);
    return good;
}

static int match(const bench_options *options)
{
    bench_corpus corpus;
    er_fault fault;
    bench_random random = {options->seed};
    er_status status = options->messages ? bench_corpus_read(&corpus, options->messages, &fault)
                                         : bench_corpus_invent(&corpus, &random, INVENTED, &fault);
    bool good = false;
    if (status == ER_OK) {
        good = run(options, &corpus, &random);
    } else {
        char text[1024];
        (void)fprintf(stderr, "bench_match: %s\n", er_fault_print(&fault, text, sizeof text));
    }
    bench_corpus_free(&corpus);
    return good ? 0 : 1;
}

static int usage(void)
{
    (void)fprintf(stderr, "usage: bench_match [--messages FILE] [--rounds N] [--seed N]\n"
                          "       bench_match --grow [--most N] [--rounds N] [--seed N]\n");
    return 2;
}

static bool take_number(const char *text, size_t most, size_t *out)
{
    char *end = NULL;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text || *end != '\0' || value < 1 || value > most) {
        return false;
    }
    *out = (size_t)value;
    return true;
}

int main(int argc, char **argv)
{
    bench_options options = {.rounds = 41, .seed = 1, .most = 1000000};
    bool grow = false;
    bool good = true;
    for (int i = 1; good && i < argc; i++) {
        size_t seed = 0;
        if (strcmp(argv[i], "--grow") == 0) {
            grow = true;
        } else if (strcmp(argv[i], "--messages") == 0 && i + 1 < argc) {
            options.messages = argv[++i];
        } else if (strcmp(argv[i], "--rounds") == 0) {
            good = take_number(argv[++i], BENCH_MAX_ROUNDS, &options.rounds);
        } else if (strcmp(argv[i], "--most") == 0) {
            good = take_number(argv[++i], BENCH_MOST_RULES, &options.most);
        } else if (strcmp(argv[i], "--seed") == 0) {
            good = take_number(argv[++i], SIZE_MAX, &seed);
            options.seed = seed;
        } else {
            good = false;
        }
    }
    if (!good || (grow && options.messages)) {
        return usage();
    }
    return grow ? bench_grow(&options) : match(&options);
}
