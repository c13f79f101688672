/*
 * regex.h - PCRE2 behind one small opaque type.
 *
 * A pattern is compiled once and shared by all threads; each thread matches with
 * its own er_regex_room, which holds match data, JIT stack and the limits. The
 * limits are always on, and meeting one is an outcome of its own.
 */
#ifndef ERRATA_MATCH_REGEX_H
#define ERRATA_MATCH_REGEX_H

#include "base/slice.h"
#include "base/status.h"

#include <stdint.h>

#define ER_REGEX_MATCH_LIMIT 200000u
#define ER_REGEX_DEPTH_LIMIT 1000u
#define ER_REGEX_HEAP_LIMIT  4096u /* KiB */

typedef struct er_regex er_regex;
typedef struct er_regex_room er_regex_room;

/* `anchor_end` makes the match end where the text does. The fault's offset is the place in the source. */
er_status er_regex_compile(er_regex **out, er_slice source, bool caseless, bool anchor_end,
                           er_fault *fault) ER_MUST_CHECK;
void er_regex_free(er_regex **regex);
uint32_t er_regex_groups(const er_regex *regex);
size_t er_regex_memory(const er_regex *regex);

er_status er_regex_room_new(er_regex_room **out) ER_MUST_CHECK;
void er_regex_room_free(er_regex_room **room);

typedef enum er_regex_outcome { ER_REGEX_NO_MATCH, ER_REGEX_MATCH, ER_REGEX_LIMIT } er_regex_outcome;

/*
 * Searches text[from..to). `spans` gets 2 * (groups + 1) offsets into the text,
 * as PCRE2 orders them; SIZE_MAX for a group that took no part. At most
 * ER_MATCH_MAX_GROUPS groups are reported.
 */
er_regex_outcome er_regex_match(const er_regex *regex, er_regex_room *room, er_slice text, size_t from,
                                size_t to, size_t *spans);

#endif
