/*
 * wording.h - invented texts: messages, the values of their placeholders, lines of other programs.
 *
 * What comes out depends on the seed alone.
 */
#ifndef ERRATA_BENCH_WORDING_H
#define ERRATA_BENCH_WORDING_H

#include "base/arena.h"
#include "base/buffer.h"
#include "bench/random.h"

/*
 * The words of a growing set of messages. As in the messages of real programs, few
 * forms of sentence and few verbs are shared by all, and the other words follow
 * the laws of Zipf and Heaps: a word is mostly one that was written before, the
 * more often the likelier, and now and then a new one, so that n words of text
 * hold about 35 times the root of n different ones.
 */
typedef struct bench_wording {
    bench_random *random; /* borrowed */
    er_arena arena;
    er_slice *written; /* every word so far, in order */
    size_t count;
    size_t capacity;
} bench_wording;

er_status bench_wording_start(bench_wording *wording, bench_random *random) ER_MUST_CHECK;
void bench_wording_free(bench_wording *wording);

/* A format string with Go's verbs, as it stands in a source; it may have come before.
   ER_NO_MEMORY. */
er_status bench_wording_message(bench_wording *wording, er_buffer *out) ER_MUST_CHECK;

/*
 * The message as a program would print it: each placeholder filled with a value
 * that its group takes, short ones and long ones. Outer blanks are left out.
 */
void bench_wording_filled(bench_random *random, er_slice message, er_buffer *out);

/* A line of a log that no message belongs to: web servers, kernels, databases, containers. */
void bench_wording_foreign(bench_random *random, er_buffer *out);

#endif
