/*
 * solver.h - one range being solved: what solve.c, hold.c and judge.c share.
 *
 * solve.c decides what is held against what, hold.c lays patterns along parts of
 * the range, judge.c says what an account of a part is worth.
 */
#ifndef ERRATA_MATCH_SOLVER_H
#define ERRATA_MATCH_SOLVER_H

#include "match/engine.h"

#define ER_DAMAGED_LITERAL 16u /* folded bytes that are left of a message that was cut, at least */
#define ER_BROKEN_LITERAL  24u /* and of one that lacks something in its middle */

/* A quoted value of the range. */
typedef struct er_value {
    er_quote quote;
    er_span folded;      /* the same in folded text */
    er_framing *framing; /* NULL until something is held against it */
    uint32_t last_rule;  /* that was */
} er_value;

/* The state of one er_solve. */
typedef struct er_solver {
    er_scratch *scratch;
    const er_matcher *matcher;
    const er_problem *problem;
    const er_view *view;
    er_framing *framing; /* of the range */
    er_value *values;    /* quoted ones */
    uint32_t value_count;
    bool quotes_known;
    er_code_place codes[ER_CODES_MOST];
    uint32_t code_count;
    uint32_t complete; /* rules with complete evidence */
    bool names_code;
    bool cut; /* the text says that something was left out */
    er_solution *out;
} er_solver;

/* A part of the range that a pattern is held against: the range itself or a quoted value. */
typedef struct er_part {
    const er_framing *framing;
    er_fit whole; /* what accounting for all of it amounts to */
} er_part;

/* judge.c */

/* Judges what was aligned and keeps it when it may count; true when nothing can account for more. */
bool er_judge(er_solver *s, uint32_t rule, const er_part *part, er_care care, const er_alignment *found);
/* Adds a candidate, or lets it replace a worse one of the same rule. */
void er_judge_keep(er_solver *s, const er_candidate *c);
er_fit er_judge_fit(const er_solver *s, er_span span, const er_part *part);
double er_judge_confidence(const er_candidate *c);
/* Whether the message stands in that release. */
bool er_judge_release(const er_rule *rule, er_slice release);
/* Whether the span is the text that a named code belongs to: a client's wrapper then accounts for the rest.
 */
bool er_judge_described(const er_solver *s, er_span span);

/* hold.c */

/* Finds the quoted values of the range, once. */
void er_hold_values(er_solver *s);
/* Pays for one alignment over a part; false when the query has spent all that it may. */
bool er_hold_spend(er_solver *s, const er_framing *framing);
/* Holds a rule against a part; true when it accounts for the whole of the range as it stands. */
bool er_hold(er_solver *s, uint32_t rule, const er_part *part);
/* Against each quoted value that the hit stands in. */
void er_hold_in_quotes(er_solver *s, const er_hit *hit);
/* The same for what is damaged: of a part, and of the values that a hit stands in. */
void er_hold_damaged(er_solver *s, uint32_t rule, const er_part *part);
void er_hold_damaged_value(er_solver *s, const er_hit *hit);

#endif
