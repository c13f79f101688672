/*
 * engine.h - what the files of the matcher share and nobody else sees.
 */
#ifndef ERRATA_MATCH_ENGINE_H
#define ERRATA_MATCH_ENGINE_H

#include "match/align.h"
#include "match/frame.h"
#include "match/index.h"
#include "match/matcher.h"
#include "match/nearest.h"
#include "match/quote.h"
#include "match/regex.h"

/* Immutable after er_matcher_build. */
struct er_matcher {
    const er_rule *rules; /* the caller's */
    uint32_t count;
    er_piece_pool pieces;
    er_pattern *patterns; /* one a rule */
    er_regex *
        *regexes; /* one a rule, NULL where the pattern follows the rule; whole array NULL without any */
    er_regex **caseless; /* the same without regard to case */
    uint32_t *repo_of;   /* a number for each repo, equal repos have equal ones */
    er_index *index;
    er_nearest *nearest;
    uint32_t *by_code; /* rules with a code, in the order of (code, id) */
    uint32_t code_count;
    uint32_t *by_class; /* rules with an error class, in the order of (class, repo, id) */
    uint32_t class_count;
    uint32_t *blind; /* regexes without a literal that every match holds: tried on every line */
    uint32_t blind_count;
    size_t memory;
};

/* A place of the text where a rule's literal may stand. */
typedef struct er_hit {
    uint32_t rule;
    uint32_t at;         /* offset in the view's folded text of the gram's first byte */
    uint8_t run;         /* folded bytes of the piece that stand around it, at most 255 */
    bool intact;         /* they are the whole piece */
    uint8_t pick, picks; /* as in er_posting */
} er_hit;

/* What the hits of one range say of a rule, before anything is aligned. */
typedef struct er_evidence {
    uint32_t stamp;    /* of the range that it is about */
    uint8_t intact;    /* bits of the picks whose piece stands whole */
    uint8_t longest;   /* run */
    uint16_t together; /* sum of runs */
    bool held, tried;  /* was aligned already, strictly and as damaged */
} er_evidence;

/* One form of the text: as it came without colours, or a value with its escapes undone. */
typedef struct er_view {
    er_slice text;
    const uint32_t *origin; /* offset in the query's text of each byte, and of the end; NULL: base + offset */
    uint32_t base;
    char *fold;       /* folded text */
    uint32_t *blocks; /* of the folding: where folded bytes come from */
    uint32_t fold_len;
    unsigned marks;                /* ER_MARK_… of the text */
    uint32_t first_hit, hit_count; /* in the scratch's list, in rising order of `at` */
    unsigned depth;                /* how many levels of escapes were undone */
} er_view;

/* How a candidate accounts for its range, in rising order. */
typedef enum er_fit { ER_FIT_INSIDE, ER_FIT_SET_OFF, ER_FIT_WHOLE_VALUE, ER_FIT_WHOLE } er_fit;
/* How well its text agrees with the pattern, in rising order. */
typedef enum er_care { ER_CARE_DAMAGED, ER_CARE_FOLDED, ER_CARE_EXACT } er_care;
/* How much a pattern says, in rising order. */
typedef enum er_strength { ER_CATCH_ALL, ER_WEAK, ER_STRONG } er_strength;

typedef struct er_candidate {
    uint32_t rule;
    const er_view *view;
    er_span span;
    er_span literals;      /* from the first literal to the last */
    const er_span *groups; /* in scratch memory; a group that took no part is empty at UINT32_MAX */
    uint32_t group_count;
    uint32_t literal;          /* bytes that literals account for */
    const er_framing *framing; /* of the range that it was found in; in scratch memory */
    er_strength strength;
    er_fit fit;
    er_care care;
    bool decided;       /* the text names this record's code */
    bool contradicted;  /* the text names another code */
    bool by_code_alone; /* its wording is not in the text */
    bool level_agrees, release_agrees;
    double confidence;
} er_candidate;

/* A block of the per-query memory; blocks are kept from query to query. */
typedef struct er_scratch_block er_scratch_block;

struct er_scratch {
    const er_query *query;
    const er_matcher *matcher;
    uint32_t repo; /* the number of the wanted repo; UINT32_MAX for all */
    er_regex_room *room;
    er_scratch_block *blocks, *current;
    er_hit *hits;
    uint32_t hit_count, hit_capacity;
    er_evidence *evidence; /* by rule */
    uint32_t rule_count, stamp;
    er_nearest_room nearest;
    uint32_t work; /* of ER_WORK_MOST, what is left in this query */
    bool lines;    /* the text has more than one */
    bool failed;   /* out of memory */
};

/* Memory until the next query; NULL when there is none (scratch->failed is set). */
void *er_scratch_take(er_scratch *scratch, size_t size);
void er_scratch_rewind(er_scratch *scratch);    /* gives all of it back */
uint32_t er_scratch_stamp(er_scratch *scratch); /* a number that no rule was seen with */

/* Folds and scans `text`; the view's hits are added to the scratch. NULL when out of memory. */
er_view *er_view_make(er_scratch *scratch, er_slice text, const uint32_t *origin, uint32_t base,
                      unsigned depth);
uint32_t er_view_origin(const er_view *view, uint32_t at);

/* A range of a view that is taken for one message. */
typedef struct er_problem {
    const er_view *view;
    uint32_t from, to;
    uint32_t first_hit, hit_count; /* in the scratch's list */
    unsigned depth;                /* of causes: 0 for the message itself */
    const uint32_t *excluded;      /* rules that are further out already: `depth` of them */
} er_problem;

#define ER_ESCAPES_MOST 4u /* levels of escaping that are undone */
#define ER_SOLVE_MOST   64 /* candidates kept for one range */
#define ER_WORK_MOST                                                                                         \
    (6u << 20)           /* bytes that one query may align over: a bound that only hostile text meets */
#define ER_WORK_EACH 64u /* what an alignment costs beside its bytes */

typedef struct er_solution {
    er_candidate *candidates; /* best first; in scratch memory */
    uint32_t count;
    bool ambiguous; /* the second is as good as the first */
    bool more;      /* the range holds evidence of a second record, or a code: causes are worth a look */
} er_solution;

void er_solve(er_scratch *scratch, const er_problem *problem, er_solution *out);

/* <0: a is better. Ends in the id, so that no two rules are equal. */
int er_candidate_compare(const er_matcher *matcher, const er_candidate *a, const er_candidate *b);
/* Whether nothing but the id tells them apart. */
bool er_candidate_tied(const er_candidate *a, const er_candidate *b);
er_strength er_pattern_strength(const er_pattern *pattern);

/* Codes that a range names: those behind a name that the index found, and those in brackets. */
#define ER_CODES_MOST 8
typedef struct er_code_place {
    er_slice code;
    er_span at;      /* the code with what sets it off: "(10059)" */
    er_span belongs; /* the text it belongs to */
    bool named;      /* "err_code", not brackets */
} er_code_place;
uint32_t er_code_find(const er_scratch *scratch, const er_problem *problem, const er_framing *framing,
                      er_code_place places[ER_CODES_MOST]);
/* Whether a text ends in what may be a code in brackets. */
bool er_code_ends(const er_matcher *matcher, er_slice text);
/* The rules that have the code: a run of matcher->by_code. */
uint32_t er_code_rules(const er_matcher *matcher, er_slice code, const uint32_t **rules);
/* The rules that have the error class: a run of matcher->by_class. */
uint32_t er_class_rules(const er_matcher *matcher, er_slice name, const uint32_t **rules);

#endif
