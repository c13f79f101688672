/*
 * quantity.h - durations, sizes and counts as people write them.
 */
#ifndef ERRATA_CLI_QUANTITY_H
#define ERRATA_CLI_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ER_DURATION_MAX_NS (INT64_C(366) * 24 * 3600 * 1000 * 1000 * 1000) /* a year */
#define ER_SIZE_MAX        ((size_t)64 << 20)

/* As for the `nats` command: numbers with ns, us, µs, ms, s, m, h, d, w, one after the other: "5s",
   "1m30s", "1.5s". More than 0, at most ER_DURATION_MAX_NS; false for anything else. */
bool er_duration_parse(const char *text, int64_t *ns);

/* "65536", "64K", "64KiB", "1M", "1MiB", "512B", in either case. 1 to ER_SIZE_MAX. */
bool er_size_parse(const char *text, size_t *bytes);

/* Digits only, at most `most`. */
bool er_count_parse(const char *text, unsigned most, unsigned *count);

#endif
