/*
 * flight.h - the load generator: so many requests in flight over one connection.
 *
 * Each reply sends the next request from within its callback, so no thread of the
 * generator has to be woken for it. Of one thread, beside the library's own.
 */
#ifndef ERRATA_BENCH_FLIGHT_H
#define ERRATA_BENCH_FLIGHT_H

#include "base/slice.h"
#include "bench/link.h"

#include <stdint.h>

#define BENCH_MAX_FLIGHT   256u
#define BENCH_MAX_REQUESTS 60000u /* of one run */

typedef struct bench_flight bench_flight;

/* What is asked, and how much of it: a run ends at whichever bound comes first. */
typedef struct bench_order {
    const char *subject;
    er_slice request;
    size_t in_flight; /* 1 to BENCH_MAX_FLIGHT */
    size_t requests;  /* at most BENCH_MAX_REQUESTS */
    int64_t time_ns;
} bench_order;

typedef struct bench_result {
    double median_us;
    double p99_us;
    double per_second;
    size_t replies;
    size_t wrong; /* replies of another size than the first, or that nobody listens */
} bench_result;

/* Borrows the link. False, with a message, on failure. */
bool bench_flight_start(bench_flight **out, bench_link *link);
void bench_flight_free(bench_flight **flight);

/* False when replies stay out for five seconds. */
bool bench_flight_run(bench_flight *flight, const bench_order *order, bench_result *result);

#endif
