#include "match/engine.h"

#define LETTERS_OF_CATCH_ALL 4u /* fewer letters than this say nothing */
#define LETTERS_OF_WEAK      8u /* fewer than this, beside groups, say little */

er_strength er_pattern_strength(const er_pattern *pattern)
{
    if (pattern->letters < LETTERS_OF_CATCH_ALL)
        return ER_CATCH_ALL;
    if (pattern->groups > 0 && pattern->letters < LETTERS_OF_WEAK)
        return ER_WEAK;
    return pattern->groups == 0 && pattern->words < 2 ? ER_WEAK : ER_STRONG;
}

/* What a literal weighs against another: a damaged one was found with less certainty. */
static uint32_t weight(const er_candidate *c)
{
    return c->care == ER_CARE_DAMAGED ? c->literal * 3 / 4 : c->literal;
}

/* Everything that makes one account better than another, short of breaking ties. */
static int compare_account(const er_candidate *a, const er_candidate *b)
{
    if (a->strength != b->strength)
        return a->strength > b->strength ? -1 : 1;
    if (a->contradicted != b->contradicted)
        return a->contradicted ? 1 : -1;
    if (a->decided != b->decided)
        return a->decided ? -1 : 1;
    if (a->by_code_alone != b->by_code_alone)
        return a->by_code_alone ? 1 : -1;
    if (a->fit != b->fit)
        return a->fit > b->fit ? -1 : 1;
    if (weight(a) != weight(b))
        return weight(a) > weight(b) ? -1 : 1;
    if (a->care != b->care)
        return a->care > b->care ? -1 : 1;
    return 0;
}

static int compare_ties(const er_candidate *a, const er_candidate *b)
{
    if (a->release_agrees != b->release_agrees)
        return a->release_agrees ? -1 : 1;
    if (a->level_agrees != b->level_agrees)
        return a->level_agrees ? -1 : 1;
    return 0;
}

bool er_candidate_tied(const er_candidate *a, const er_candidate *b)
{
    return compare_account(a, b) == 0 && compare_ties(a, b) == 0 && a->span.start == b->span.start &&
           a->span.end == b->span.end;
}

int er_candidate_compare(const er_matcher *matcher, const er_candidate *a, const er_candidate *b)
{
    int order = compare_account(a, b);
    if (order == 0)
        order = compare_ties(a, b);
    if (order != 0)
        return order;
    if (a->span.start != b->span.start)
        return a->span.start < b->span.start ? -1 : 1;
    if (a->span.end != b->span.end)
        return a->span.end > b->span.end ? -1 : 1;
    order = er_slice_compare(matcher->rules[a->rule].repo, matcher->rules[b->rule].repo);
    return order ? order : er_slice_compare(matcher->rules[a->rule].id, matcher->rules[b->rule].id);
}
