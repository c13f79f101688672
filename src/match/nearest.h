/*
 * nearest.h - records that share rare words with a text that nothing matches.
 *
 * Words are letters of three or more, without regard to case; a word weighs the
 * more, the fewer messages have it. A record is offered only when the words it
 * shares are a good part of its message and more than one.
 */
#ifndef ERRATA_MATCH_NEAREST_H
#define ERRATA_MATCH_NEAREST_H

#include "match/matcher.h"

typedef struct er_nearest er_nearest;

er_status er_nearest_build(er_nearest **out, const er_rule *rules, uint32_t count) ER_MUST_CHECK;
void er_nearest_free(er_nearest **nearest);
size_t er_nearest_memory(const er_nearest *nearest);

/*
 * Writes at most `most` suggestions, best first. `scores` has room for one float
 * and `touched` for one number a rule; both are zero before and after.
 */
typedef struct er_nearest_room {
    float *scores;
    uint32_t *touched;
} er_nearest_room;
uint32_t er_nearest_find(const er_nearest *nearest, const er_rule *rules, er_slice text, er_slice repo,
                         er_nearest_room room, er_suggestion *out, uint32_t most);

#endif
