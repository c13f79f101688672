/*
 * cpu.h - processor time of the calling thread.
 *
 * What runs on one thread and never waits is measured by it: on a shared machine
 * the wall clock also counts the turns of others.
 */
#ifndef ERRATA_BENCH_CPU_H
#define ERRATA_BENCH_CPU_H

#include <stdint.h>
#include <time.h>

static inline int64_t bench_cpu_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
