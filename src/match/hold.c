/*
 * Patterns laid along parts of a range: as they stand, folded, damaged, inside quoted values.
 */
#include "match/solver.h"

#define DAMAGED_SHARE                                                                                        \
    45u /* per cent of a damaged message that must be left: where a literal was cut through, */
#define MISSING_SHARE 65u /* where whole ones are missing at an end, */
#define BROKEN_SHARE  75u /* where something is missing in the middle */

void er_hold_values(er_solver *s)
{
    if (s->quotes_known)
        return;
    s->quotes_known = true;
    er_quote found[ER_QUOTE_MOST];
    const er_view *view = s->view;
    uint32_t count = er_quote_find(view->text, s->framing->from, s->framing->to, found);
    s->values = count ? er_scratch_take(s->scratch, count * sizeof *s->values) : NULL;
    for (uint32_t i = 0; s->values && i < count; i++) {
        er_span inside = found[i].inside;
        er_span folded = {er_fold_place(view->text, view->blocks, inside.start),
                          er_fold_place(view->text, view->blocks, inside.end)};
        s->values[s->value_count++] = (er_value){found[i], folded, NULL, UINT32_MAX};
    }
}

/* The framing inside a value; NULL when out of memory. */
static const er_framing *framing_of(er_solver *s, er_value *value)
{
    if (!value->framing) {
        value->framing = er_scratch_take(s->scratch, sizeof *value->framing);
        if (!value->framing)
            return NULL;
        er_frame_read(s->view->text, value->quote.inside.start, value->quote.inside.end, value->framing);
        er_frame_inherit(value->framing, s->framing);
    }
    return value->framing;
}

/* The next value from *at on that a hit stands in. */
static er_value *value_with(er_solver *s, const er_hit *hit, uint32_t *at)
{
    er_hold_values(s);
    while (*at < s->value_count) {
        er_value *value = &s->values[(*at)++];
        if (hit->at >= value->folded.start && hit->at < value->folded.end && value->last_rule != hit->rule)
            return value;
    }
    return NULL;
}

/* Pays for one alignment over a part; false when the query has spent all that it may. */
bool er_hold_spend(er_solver *s, const er_framing *framing)
{
    uint32_t cost = ER_WORK_EACH + framing->to - framing->from;
    if (s->scratch->work < cost) {
        s->scratch->work = 0;
        return false;
    }
    s->scratch->work -= cost;
    return true;
}

static bool hold_regex(er_solver *s, uint32_t rule, const er_part *part)
{
    er_alignment found = {0};
    size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
    const er_framing *f = part->framing;
    er_regex *const tries[] = {s->matcher->regexes[rule], s->matcher->caseless[rule]};
    for (size_t i = 0; i < 2; i++) {
        if (er_regex_match(tries[i], s->scratch->room, s->view->text, f->from, f->to, spans) !=
                ER_REGEX_MATCH ||
            spans[0] >= spans[1]) /* nothing at all, or \K moved the start */
            continue;
        uint32_t captured = 0;
        found.whole = (er_span){(uint32_t)spans[0], (uint32_t)spans[1]};
        found.last_end = found.whole.end;
        found.group_count = er_regex_groups(tries[i]);
        for (uint32_t g = 0; g < found.group_count; g++) {
            bool set = spans[2 * g + 2] != SIZE_MAX;
            found.groups[g] = set ? (er_span){(uint32_t)spans[2 * g + 2], (uint32_t)spans[2 * g + 3]}
                                  : (er_span){UINT32_MAX, UINT32_MAX};
            captured += found.groups[g].end - found.groups[g].start;
        }
        uint32_t span = found.whole.end - found.whole.start;
        found.literal = span > captured ? span - captured : 0;
        return er_judge(s, rule, part, i == 0 ? ER_CARE_EXACT : ER_CARE_FOLDED, &found);
    }
    return false;
}

static uint32_t fold_offset(const er_view *view, uint32_t at)
{
    return at >= view->text.len ? view->fold_len : er_fold_place(view->text, view->blocks, at);
}

static er_span unfold(const er_view *view, er_span span)
{
    if (span.start == UINT32_MAX)
        return span;
    uint32_t start = er_fold_origin(view->text, view->blocks, span.start);
    if (span.start >= span.end)
        return (er_span){start, start};
    return (er_span){start, er_fold_origin(view->text, view->blocks, span.end - 1) + 1};
}

static bool enough_left(const er_alignment *found, uint32_t literal)
{
    if (found->skipped)
        return found->literal >= ER_BROKEN_LITERAL && found->literal * 100 >= literal * BROKEN_SHARE;
    return found->literal * 100 >= literal * (found->cut_through ? DAMAGED_SHARE : MISSING_SHARE);
}

/* Folded text without the dots that say that it was cut there. */
static uint32_t before_dots(const er_view *view, uint32_t from, uint32_t to)
{
    uint32_t at = to;
    while (at > from && (view->fold[at - 1] == '.' || view->fold[at - 1] == ']' || view->fold[at - 1] == '['))
        at--;
    if (at - from >= 3 && memcmp(view->fold + at - 3, "\xE2\x80\xA6", 3) == 0)
        return at - 3;
    return to - at >= 3 ? at : to;
}

static bool align_folded(er_solver *s, uint32_t rule, const er_part *part, bool damaged, er_alignment *found)
{
    const er_view *view = s->view;
    const er_pattern *pattern = &s->matcher->patterns[rule];
    const er_framing *f = part->framing;
    uint32_t starts[ER_FRAME_STARTS];
    er_range range = {fold_offset(view, f->from), fold_offset(view, f->to), starts, f->start_count};
    for (uint32_t i = 0; i < f->start_count; i++)
        starts[i] = fold_offset(view, f->starts[i]);
    if (damaged)
        range.to = before_dots(view, range.from, range.to);
    er_aligned_text in = {er_slice_of(view->fold, view->fold_len), true};
    uint32_t literal = 0;
    for (uint32_t i = 0; i < pattern->piece_count; i++)
        literal += s->matcher->pieces.pieces[pattern->first_piece + i].fold_len;
    if (!damaged && !er_align(&s->matcher->pieces, pattern, in, range, found))
        return false;
    if (damaged && !er_align_damaged(&s->matcher->pieces, pattern, in, range, ER_DAMAGED_LITERAL, found))
        return false;
    if (damaged && !enough_left(found, literal))
        return false;
    found->last_end = unfold(view, (er_span){found->whole.start, found->last_end}).end;
    found->whole = unfold(view, found->whole);
    if (pattern->open_end && found->whole.end < f->to && strchr("\"'`", view->text.at[found->whole.end]))
        found->whole.end++; /* the closing quote, which folding took */
    for (uint32_t g = 0; g < found->group_count; g++)
        found->groups[g] = unfold(view, found->groups[g]);
    return true;
}

static bool begins_with_quote(const er_solver *s, const er_pattern *pattern)
{
    if (pattern->piece_count == 0)
        return false;
    er_slice first = er_piece_raw(&s->matcher->pieces, &s->matcher->pieces.pieces[pattern->first_piece]);
    return first.at[0] == '"' || first.at[0] == '\'';
}

/*
 * Holds a rule against a part, strictly and then without regard to case, blanks and
 * quotes. True when it accounts for the whole of the range as it stands.
 */
bool er_hold(er_solver *s, uint32_t rule, const er_part *part)
{
    const er_pattern *pattern = &s->matcher->patterns[rule];
    const er_framing *f = part->framing;
    er_alignment found;
    if (!er_hold_spend(s, f))
        return false;
    if (pattern->regex)
        return hold_regex(s, rule, part);
    er_range range = {f->from, f->to, f->starts, f->start_count};
    er_aligned_text in = {s->view->text, false};
    /* A message that opens with a quote must not open with one of the framing's. */
    er_range bare = {f->starts[f->start_count - 1], f->to, &f->starts[f->start_count - 1], 1};
    if (begins_with_quote(s, pattern) && er_align(&s->matcher->pieces, pattern, in, bare, &found))
        return er_judge(s, rule, part, ER_CARE_EXACT, &found);
    if (er_align(&s->matcher->pieces, pattern, in, range, &found))
        return er_judge(s, rule, part, ER_CARE_EXACT, &found);
    if (pattern->foldable && align_folded(s, rule, part, false, &found))
        er_judge(s, rule, part, ER_CARE_FOLDED, &found);
    return false;
}

/*
 * Holds a rule against each quoted value that the hit stands in. One with escapes is
 * solved again without them, so what it holds as it stands counts for less.
 */
void er_hold_in_quotes(er_solver *s, const er_hit *hit)
{
    uint32_t at = 0;
    for (er_value *value; (value = value_with(s, hit, &at));) {
        const er_framing *framing = framing_of(s, value);
        if (!framing)
            return;
        bool again = value->quote.escaped && s->view->depth < ER_ESCAPES_MOST;
        er_part part = {framing, again ? ER_FIT_SET_OFF : ER_FIT_WHOLE_VALUE};
        value->last_rule = hit->rule;
        er_hold(s, hit->rule, &part);
    }
}

void er_hold_damaged(er_solver *s, uint32_t rule, const er_part *part)
{
    er_alignment found;
    if (align_folded(s, rule, part, true, &found))
        er_judge(s, rule, part, ER_CARE_DAMAGED, &found);
}

/* A structured line that was cut inside a value. */
void er_hold_damaged_value(er_solver *s, const er_hit *hit)
{
    uint32_t at = 0;
    for (er_value *value; (value = value_with(s, hit, &at));) {
        const er_framing *framing = framing_of(s, value);
        if (!framing || !er_hold_spend(s, framing))
            return;
        er_part part = {framing, ER_FIT_WHOLE_VALUE};
        value->last_rule = hit->rule;
        er_hold_damaged(s, hit->rule, &part);
    }
}
