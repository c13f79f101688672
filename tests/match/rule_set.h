/*
 * rule_set.h - the rules that the tests of the matcher share: rules.tsv, in any order.
 */
#ifndef ERRATA_TEST_MATCH_RULE_SET_H
#define ERRATA_TEST_MATCH_RULE_SET_H

#include "base/buffer.h"
#include "match/matcher.h"

typedef struct rule_set {
    er_rule *rules; /* owned */
    size_t count;
    er_buffer text;     /* the file; the rules point into it */
    er_buffer patterns; /* those that follow from a message */
} rule_set;

/* Each fails the cmocka test where it can not. */
void rule_set_load(rule_set *set);
/* What `errata extract` wrote: an NDJSON file with repo, errorMessage, messagePattern, ... */
void rule_set_load_sites(rule_set *set, const char *path);
void rule_set_free(rule_set *set);

/* Rules that follow the catalog's rule, take one line, say enough to be answered anywhere, name no code and
   share their pattern with no other: writes their places into `out` (room for set->count), returns how many.
 */
size_t rule_set_plain(const rule_set *set, uint32_t *out);

void rule_set_shuffle(rule_set *set, uint64_t seed);
er_matcher *rule_set_matcher(const rule_set *set);

/* A small generator for repeatable tests. */
typedef struct dice {
    uint64_t state;
} dice;

uint32_t dice_throw(dice *d, uint32_t sides); /* 0 .. sides - 1 */

#endif
