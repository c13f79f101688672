/*
 * clock.h - times.
 */
#ifndef ERRATA_BASE_CLOCK_H
#define ERRATA_BASE_CLOCK_H

#include <stdint.h>

#define ER_CLOCK_TEXT_SIZE 25 /* "2026-09-08T15:18:49.778Z" and its NUL */

int64_t er_clock_now_ns(void);       /* wall clock, since 1970 in UTC */
int64_t er_clock_monotonic_ns(void); /* for durations */
void er_clock_text(int64_t wall_ns, char out[ER_CLOCK_TEXT_SIZE]);

#endif
