/*
 * filled.h - a message with random values in its places, and a line that holds it.
 */
#ifndef ERRATA_TEST_MATCH_FILLED_H
#define ERRATA_TEST_MATCH_FILLED_H

#include "match/rule_set.h"

#define VALUE_MOST 128u
#define LINE_MOST  16384u

typedef struct value {
    char at[VALUE_MOST];
    size_t len;
} value;

typedef struct filled {
    dice dice;
    uint32_t rule;
    value values[ER_MATCH_MAX_GROUPS]; /* of the groups, in their order */
    uint32_t value_count;
    er_buffer message, line; /* the caller starts and frees them */
    const char *frame;
} filled;

/* Fills the places of a rule that follows from its message. */
void filled_make(filled *f, const er_rule *rule);

/* The ways of framing; each writes f->line round f->message. */
size_t filled_frame_count(void);
const char *filled_frame_name(size_t frame);
void filled_frame(filled *f, size_t frame);

#endif
