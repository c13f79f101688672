/*
 * backoff.h - how long to wait before the next attempt, and random numbers for it.
 *
 * Thread safe. The randomness is the kernel's: nats.c's own jitter draws from
 * rand(), which replicas that start together may draw alike.
 */
#ifndef ERRATA_SERVICE_BACKOFF_H
#define ERRATA_SERVICE_BACKOFF_H

#include <stddef.h>
#include <stdint.h>

#define ER_BACKOFF_FIRST_MS 100
#define ER_BACKOFF_MOST_MS  5000

/* From 1: doubles with each attempt up to ER_BACKOFF_MOST_MS; between half of that and the whole. */
int64_t er_backoff_ms(int attempt);

#define ER_NAME_SIZE 23                       /* 22 letters and digits, and a NUL */
void er_backoff_name(char out[ER_NAME_SIZE]); /* a name that nobody else drew */

#endif
