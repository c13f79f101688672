/*
 * corpus.h - what is measured on: rules, and lines that they answer.
 *
 * Everything that is printed as a measure of a matcher is taken on one of these.
 */
#ifndef ERRATA_BENCH_CORPUS_H
#define ERRATA_BENCH_CORPUS_H

#include "base/arena.h"
#include "base/status.h"
#include "bench/random.h"
#include "match/matcher.h"

#define BENCH_MAX_MESSAGES ((size_t)256 << 20) /* bytes of a file of messages */

typedef struct bench_line {
    er_slice text;
    uint32_t rule; /* whose message it is; BENCH_NO_RULE for none */
} bench_line;

#define BENCH_NO_RULE UINT32_MAX

typedef struct bench_corpus {
    er_arena arena; /* holds what the slices point to */
    er_rule *rules;
    size_t rule_count;
    size_t twice; /* lines of the file left out because their id stood there already */
} bench_corpus;

typedef struct bench_lines {
    er_arena arena;
    bench_line *lines;
    size_t count;
    size_t bytes;
} bench_lines;

/*
 * Reads NDJSON with the members errorMessage, messagePattern, severity, errorCode,
 * id and repo of a record; more members are passed over. A record file's `record`
 * is looked into. An id counts once. The caller frees `out` also on failure.
 */
er_status bench_corpus_read(bench_corpus *out, const char *path, er_fault *fault) ER_MUST_CHECK;
/* `count` invented ones that differ. */
er_status bench_corpus_invent(bench_corpus *out, bench_random *random, size_t count,
                              er_fault *fault) ER_MUST_CHECK;
void bench_corpus_free(bench_corpus *corpus);

/* `count` lines of nats-server's form, of rules evenly spread over the corpus. */
er_status bench_lines_fill(bench_lines *out, const bench_corpus *corpus, bench_random *random,
                           size_t count) ER_MUST_CHECK;
er_status bench_lines_foreign(bench_lines *out, bench_random *random, size_t count) ER_MUST_CHECK;
void bench_lines_free(bench_lines *lines);

#endif
