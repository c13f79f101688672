/*
 * expectation.h - one case of a *.cases file: a text, and what its answer must have.
 *
 * explain_test.c says how a case is written.
 */
#ifndef ERRATA_TEST_MATCH_EXPECTATION_H
#define ERRATA_TEST_MATCH_EXPECTATION_H

#include "match/matcher.h"

#define EXPECTATION_BYTES  65536u /* most bytes of a case */
#define EXPECTATION_FIELDS 64u

typedef struct field {
    er_slice key, value;
} field;

/* The slices point into `bytes`, keys into the line that was read. */
typedef struct expectation {
    int line; /* of the file, where the case begins; 0 between two cases */
    char bytes[EXPECTATION_BYTES];
    size_t used;
    size_t text, text_len; /* the text is bytes[text..text + text_len) */
    er_query query;
    er_slice id, status;
    field fields[EXPECTATION_FIELDS];
    size_t field_count;
} expectation;

void expectation_start(expectation *c, int line);
/* What stands behind "< ", "? " and "= ". Each fails the cmocka test where it is no such thing. */
void expectation_text(expectation *c, er_slice line);
void expectation_options(expectation *c, er_slice rest);
void expectation_answer(expectation *c, er_slice rest);

/* Whether an answer, written as a case would have it, is what was expected. */
bool expectation_met(const expectation *c, er_slice actual, double confidence);

#endif
