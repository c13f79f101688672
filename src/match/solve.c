/*
 * From the hits of one range to its candidates, best first.
 */
#include "match/solver.h"

#define INTACT_LITERAL 12u /* of which one piece that is whole is worth a look */

static bool excluded(const er_solver *s, uint32_t rule)
{
    for (uint32_t i = 0; i < s->problem->depth; i++)
        if (s->problem->excluded[i] == rule)
            return true;
    return false;
}

static bool wanted_repo(const er_solver *s, uint32_t rule)
{
    return s->scratch->repo == UINT32_MAX || s->matcher->repo_of[rule] == s->scratch->repo;
}

static bool holds_quotes(const er_solver *s)
{
    const char *from = s->view->text.at + s->framing->from;
    size_t length = s->framing->to - s->framing->from;
    if (!(s->view->marks & ER_MARK_QUOTE))
        return false;
    return memchr(from, '"', length) || memchr(from, '\'', length) || memchr(from, '`', length);
}

static er_evidence *evidence_of(const er_solver *s, uint32_t rule)
{
    return &s->scratch->evidence[rule];
}

/* All of the pattern's places were hit: it may stand there. */
static bool complete(const er_hit *hit, const er_evidence *evidence)
{
    return evidence->intact == (1u << hit->picks) - 1;
}

/* Not all, but enough that a damaged message may stand there. */
static bool suspicious(const er_solver *s, const er_evidence *evidence)
{
    if (evidence->longest >= ER_GRAM && s->cut)
        return true;
    return evidence->longest >= ER_DAMAGED_LITERAL || evidence->together >= ER_BROKEN_LITERAL ||
           (evidence->intact && evidence->longest >= INTACT_LITERAL);
}

/* Whether somebody left something out and said so. Found for a range that nothing stands in whole. */
static bool says_cut(er_slice text)
{
    for (size_t at = 0; at < text.len; at++) {
        const char *dot = memchr(text.at + at, '.', text.len - at);
        if (!dot)
            break;
        at = (size_t)(dot - text.at);
        if (er_slice_starts(er_slice_sub(text, at, text.len), ER_SLICE("...")))
            return true;
    }
    return memmem(text.at, text.len, "\xE2\x80\xA6", 3) || memmem(text.at, text.len, "[REDACTED]", 10);
}

/* Adds up what the hits say of each rule. */
static void weigh_hits(er_solver *s)
{
    const er_hit *hits = s->scratch->hits + s->problem->first_hit;
    uint32_t stamp = er_scratch_stamp(s->scratch);
    for (uint32_t i = 0; i < s->problem->hit_count; i++) {
        if (hits[i].rule == ER_CODE_NAME) {
            s->names_code = true;
            continue;
        }
        er_evidence *e = evidence_of(s, hits[i].rule);
        if (e->stamp != stamp)
            *e = (er_evidence){.stamp = stamp};
        bool before = complete(&hits[i], e);
        if (hits[i].intact)
            e->intact |= (uint8_t)(1u << hits[i].pick);
        s->complete += !before && complete(&hits[i], e);
        e->longest = e->longest > hits[i].run ? e->longest : hits[i].run;
        e->together =
            (uint16_t)(e->together + hits[i].run < UINT16_MAX ? e->together + hits[i].run : UINT16_MAX);
    }
}

/* Whether a damaged message may stand in the range. */
static bool any_suspicious(er_solver *s)
{
    const er_hit *hits = s->scratch->hits + s->problem->first_hit;
    if (s->problem->hit_count == 0)
        return false;
    s->cut = says_cut(er_slice_sub(s->view->text, s->problem->from, s->problem->to));
    for (uint32_t i = 0; i < s->problem->hit_count; i++)
        if (hits[i].rule != ER_CODE_NAME && suspicious(s, evidence_of(s, hits[i].rule)))
            return true;
    return false;
}

static void hold_all(er_solver *s)
{
    const er_hit *hits = s->scratch->hits + s->problem->first_hit;
    uint32_t settled = UINT32_MAX; /* the last rule that accounts for all: its values need no look */
    er_part range = {s->framing, ER_FIT_WHOLE};
    bool quoted = s->problem->hit_count && holds_quotes(s);
    for (uint32_t i = 0; i < s->problem->hit_count; i++) {
        uint32_t rule = hits[i].rule;
        if (!hits[i].intact || rule == ER_CODE_NAME || rule == settled)
            continue;
        er_evidence *e = evidence_of(s, rule);
        if (!complete(&hits[i], e) || excluded(s, rule))
            continue;
        if (!e->held && er_hold(s, rule, &range))
            settled = rule;
        e->held = true;
        if (quoted && settled != rule)
            er_hold_in_quotes(s, &hits[i]);
    }
    for (uint32_t i = 0; i < s->matcher->blind_count; i++)
        if (!excluded(s, s->matcher->blind[i]) && wanted_repo(s, s->matcher->blind[i]))
            er_hold(s, s->matcher->blind[i], &range);
}

/* Lines that were cut short or reworded a little: only when nothing better was found. */
static void hold_damaged(er_solver *s)
{
    s->cut = says_cut(er_slice_sub(s->view->text, s->problem->from, s->problem->to));
    const er_hit *hits = s->scratch->hits + s->problem->first_hit;
    er_part range = {s->framing, ER_FIT_WHOLE};
    for (uint32_t i = 0; i < s->problem->hit_count; i++) {
        uint32_t rule = hits[i].rule;
        if (rule == ER_CODE_NAME)
            continue;
        er_evidence *e = evidence_of(s, rule);
        const er_pattern *pattern = &s->matcher->patterns[rule];
        if (e->tried || !suspicious(s, e) || excluded(s, rule) || pattern->regex || !pattern->foldable ||
            !er_hold_spend(s, s->framing))
            continue;
        e->tried = true;
        er_hold_damaged(s, rule, &range);
        if (s->view->marks & ER_MARK_QUOTE)
            er_hold_damaged_value(s, &hits[i]);
    }
}

/* A code behind a message belongs to what the innermost wrapper found so far holds. */
static er_span belongings(const er_solver *s, const er_code_place *place)
{
    er_span span = place->belongs.start < place->belongs.end ? place->belongs : place->at;
    const char *text = s->view->text.at;
    for (uint32_t i = 0; i < s->out->count; i++) {
        const er_candidate *c = &s->out->candidates[i];
        if (c->group_count == 0 || c->strength != ER_STRONG || c->care != ER_CARE_EXACT || c->contradicted)
            continue;
        er_span tail = c->groups[c->group_count - 1];
        if (tail.start == UINT32_MAX || tail.start < 2 || text[tail.start - 2] != ':' || place->named)
            continue; /* a wrapper ends in a colon; "no space left on %s" is none */
        if (tail.start > span.start && tail.end >= span.end && tail.start < span.end)
            span.start = tail.start;
    }
    return span;
}

/* Records whose code the text names though their wording is not in it. */
static void hold_codes(er_solver *s)
{
    for (uint32_t i = 0; i < s->code_count; i++) {
        const uint32_t *rules;
        uint32_t count = er_code_rules(s->matcher, s->codes[i].code, &rules);
        bool have = false;
        for (uint32_t k = 0; k < s->out->count && !have; k++)
            have = er_slice_equal(s->matcher->rules[s->out->candidates[k].rule].code, s->codes[i].code);
        er_span *group = er_scratch_take(s->scratch, sizeof *group);
        if (have || !group)
            continue;
        *group = belongings(s, &s->codes[i]);
        for (uint32_t k = 0; k < count; k++) {
            uint32_t rule = rules[k];
            if (excluded(s, rule) || !wanted_repo(s, rule))
                continue;
            const er_pattern *pattern = &s->matcher->patterns[rule];
            er_candidate c = {
                .rule = rule, .view = s->view, .span = *group, .groups = group, .framing = s->framing};
            c.group_count = pattern->piece_count == 0 && pattern->groups == 1;
            c.literals = *group;
            c.decided = true;
            c.by_code_alone = c.group_count == 0;
            c.strength = ER_STRONG;
            bool described = !c.by_code_alone && er_judge_described(s, *group);
            c.fit = described ? ER_FIT_WHOLE_VALUE : ER_FIT_SET_OFF;
            c.care = c.by_code_alone ? ER_CARE_DAMAGED : ER_CARE_EXACT;
            c.release_agrees = er_judge_release(&s->matcher->rules[rule], s->scratch->query->release);
            c.confidence = er_judge_confidence(&c);
            er_judge_keep(s, &c);
        }
    }
}

/* Messages that say next to nothing answer only for what the server itself printed before it ended. */
static void hold_loose(er_solver *s)
{
    uint32_t count;
    const uint32_t *loose = er_index_loose(s->matcher->index, &count);
    er_part range = {s->framing, ER_FIT_WHOLE};
    er_framing bare = *s->framing; /* the program's name is part of such a message */
    bare.start_count = 1;
    er_framing *framing = er_scratch_take(s->scratch, sizeof *framing);
    if (!framing)
        return;
    *framing = bare;
    range.framing = framing;
    for (uint32_t i = 0; i < count && er_hold_spend(s, framing); i++) {
        uint32_t rule = loose[i];
        er_alignment found;
        const er_pattern *pattern = &s->matcher->patterns[rule];
        er_range at = {framing->from, framing->to, framing->starts, 1};
        if (pattern->regex || pattern->piece_count == 0 || s->matcher->rules[rule].code.len ||
            !wanted_repo(s, rule) ||
            !er_align(&s->matcher->pieces, pattern, (er_aligned_text){s->view->text, false}, at, &found))
            continue;
        er_candidate c = {.rule = rule, .view = s->view, .span = found.whole, .framing = framing};
        er_span *groups = er_scratch_take(s->scratch, (found.group_count + 1) * sizeof *groups);
        if (!groups)
            return;
        memcpy(groups, found.groups, found.group_count * sizeof *groups);
        c.groups = groups;
        c.group_count = found.group_count;
        c.literal = found.literal;
        c.strength = ER_CATCH_ALL;
        c.care = ER_CARE_EXACT;
        c.fit = er_judge_fit(s, c.span, &range);
        c.confidence = er_judge_confidence(&c);
        if (c.fit == ER_FIT_WHOLE)
            er_judge_keep(s, &c);
    }
}

/* Insertion sort: few candidates, and the order is total. */
static void sort_candidates(er_solver *s)
{
    er_candidate *list = s->out->candidates;
    for (uint32_t i = 1; i < s->out->count; i++) {
        er_candidate moved = list[i];
        uint32_t k = i;
        for (; k > 0 && er_candidate_compare(s->matcher, &moved, &list[k - 1]) < 0; k--)
            list[k] = list[k - 1];
        list[k] = moved;
    }
}

/*
 * Whether `inner` stands inside a capture of `outer`. One that begins with a capture may
 * have taken the words of `outer` into it: then what counts is where its literals stand.
 */
static bool wraps(const er_candidate *outer, const er_candidate *inner)
{
    if (outer->span.start > inner->span.start || outer->span.end < inner->span.end)
        return false;
    bool same = outer->span.end - outer->span.start == inner->span.end - inner->span.start;
    if (same && (outer->literals.start != outer->span.start || inner->literals.start == inner->span.start))
        return false;
    er_span held = same ? inner->literals : inner->span;
    for (uint32_t g = 0; g < outer->group_count; g++)
        if (outer->groups[g].start <= held.start && outer->groups[g].end >= held.end)
            return true;
    return false;
}

/* The outermost record that holds the best one in a capture is the answer. */
static void promote_wrapper(er_solution *out)
{
    for (uint32_t i = 1; i < out->count; i++) {
        const er_candidate *c = &out->candidates[i];
        if (c->strength != ER_STRONG || c->contradicted || c->by_code_alone || c->care != ER_CARE_EXACT ||
            c->fit < ER_FIT_SET_OFF || !wraps(c, &out->candidates[0]))
            continue;
        er_candidate outer = *c;
        for (uint32_t k = i; k > 0; k--)
            out->candidates[k] = out->candidates[k - 1];
        out->candidates[0] = outer;
        i = 0; /* it may be wrapped itself: each round widens the span, so this ends */
    }
}

/* Whether a look at the range can find anything; most lines of other programs end here. */
static bool promising(er_solver *s)
{
    er_slice text = er_slice_sub(s->view->text, s->problem->from, s->problem->to);
    weigh_hits(s);
    return s->complete || s->names_code || s->matcher->blind_count || any_suspicious(s) ||
           er_code_ends(s->matcher, text) ||
           (s->problem->depth == 0 && er_slice_starts(text, ER_SLICE("nats-server: ")));
}

void er_solve(er_scratch *scratch, const er_problem *problem, er_solution *out)
{
    er_solver s = {.scratch = scratch,
                   .matcher = scratch->matcher,
                   .problem = problem,
                   .view = problem->view,
                   .out = out};
    *out = (er_solution){0};
    if (!promising(&s))
        return;
    out->candidates = er_scratch_take(scratch, ER_SOLVE_MOST * sizeof *out->candidates);
    s.framing = er_scratch_take(scratch, sizeof *s.framing);
    if (!out->candidates || !s.framing)
        return;
    er_frame_read(s.view->text, problem->from, problem->to, s.framing);
    s.code_count = er_code_find(scratch, problem, s.framing, s.codes);
    hold_all(&s);
    hold_codes(&s);
    if (out->count == 0 && problem->hit_count)
        hold_damaged(&s);
    if (out->count == 0 && problem->depth == 0 && s.framing->program)
        hold_loose(&s);
    out->more = s.complete > 1 || s.code_count > 0;
    sort_candidates(&s);
    promote_wrapper(out);
    out->ambiguous = out->count > 1 && er_candidate_tied(&out->candidates[0], &out->candidates[1]);
}
