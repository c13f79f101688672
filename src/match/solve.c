/*
 * From the hits of one range to its candidates, best first.
 */
#include "match/engine.h"

#include "base/ascii.h"

#define SET_OFF_WORDS   4u  /* a message of so few words without groups must be set off */
#define INSIDE_LETTERS  12u /* what stands amid other words must say at least so much */
#define FOLDED_LETTERS  16u /* fewer letters between groups must stand there as they are */
#define DAMAGED_LITERAL 16u /* folded bytes that are left of a message that was cut, at least */
#define INTACT_LITERAL  12u /* of which one piece that is whole is worth a look */
#define BROKEN_LITERAL  24u /* and of one that lacks something in its middle */
#define DAMAGED_SHARE   45u /* and per cent of its literals, where one of them was cut through */
#define MISSING_SHARE   65u /* where whole literals are missing */
#define BROKEN_SHARE    75u /* where they are missing in the middle */

/* A quoted value of the range. */
typedef struct er_value {
    er_quote quote;
    er_span folded;      /* the same in folded text */
    er_framing *framing; /* NULL until something is held against it */
    uint32_t last_rule;  /* that was */
} er_value;

/* The state of one er_solve. */
typedef struct solver {
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
    uint32_t stamp;    /* of this range, in the evidence */
    uint32_t complete; /* rules with complete evidence */
    bool names_code;
    bool cut; /* the text says that something was left out */
    er_solution *out;
} solver;

/* A part of the range that a pattern is held against: the range itself or a quoted value. */
typedef struct er_part {
    const er_framing *framing;
    er_fit whole; /* what accounting for all of it amounts to */
} er_part;

static bool letter(int c)
{
    return er_is_alnum(c) || c >= 0x80;
}

static bool word_edge(er_slice text, uint32_t at, uint32_t from, uint32_t to)
{
    return at <= from || at >= to || !letter((unsigned char)text.at[at - 1]) ||
           !letter((unsigned char)text.at[at]);
}

/* Signs that may stand behind a message without being part of it. */
static bool trivial(char c)
{
    static const bool table[256] = {[' '] = 1, ['\t'] = 1, ['\r'] = 1, ['\n'] = 1, ['.'] = 1, [','] = 1,
                                    [':'] = 1, [';'] = 1,  ['!'] = 1,  [')'] = 1,  [']'] = 1, ['}'] = 1,
                                    ['>'] = 1, ['"'] = 1,  ['\''] = 1, ['`'] = 1,  ['*'] = 1, ['\\'] = 1};
    return table[(unsigned char)c];
}

static bool nothing_between(er_slice text, uint32_t from, uint32_t to)
{
    while (from < to && trivial(text.at[from]))
        from++;
    return from >= to;
}

/* Whether nothing but punctuation, or a code in brackets, stands between `at` and the end. */
static bool nothing_follows(const solver *s, uint32_t at, const er_framing *framing)
{
    er_slice text = s->view->text;
    for (uint32_t i = at; i < framing->to; i++) {
        for (uint32_t k = 0; k < s->code_count; k++)
            if (s->codes[k].at.start == i) {
                i = s->codes[k].at.end;
                break;
            }
        if (framing->to - i >= 3 && memcmp(text.at + i, "\xE2\x80\xA6", 3) == 0)
            i += 2; /* three dots in one */
        else if (i < framing->to && !trivial(text.at[i]))
            return false;
    }
    return true;
}

/* Whether a message begins at `at`, give or take an opening quote. */
static bool nothing_precedes(const solver *s, uint32_t at, const er_framing *framing)
{
    er_slice text = s->view->text;
    for (uint32_t i = framing->start_count; i > 0; i--) {
        uint32_t start = framing->starts[i - 1];
        if (start > at)
            continue;
        while (start < at && strchr(" \t\"'`([{*", text.at[start]) && text.at[start])
            start++;
        return start == at;
    }
    return false;
}

static bool set_off_before(er_slice text, uint32_t at, uint32_t from)
{
    while (at > from && (text.at[at - 1] == ' ' || text.at[at - 1] == '\t'))
        at--;
    return at == from || strchr(":;,.!?-=>|([{\"'`#*/\n\\", text.at[at - 1]) != NULL;
}

static bool set_off_behind(er_slice text, uint32_t at, uint32_t to)
{
    if (at < to && strchr(".,:;!?)]}\"'`\\\n|", text.at[at]))
        return true;
    while (at < to && (text.at[at] == ' ' || text.at[at] == '\t' || text.at[at] == '\r'))
        at++;
    return at >= to || strchr("([{-|\n\"'<>", text.at[at]) != NULL;
}

static er_fit fit_of(const solver *s, er_span span, const er_part *part)
{
    er_slice text = s->view->text;
    const er_framing *f = part->framing;
    bool before = nothing_precedes(s, span.start, f), behind = nothing_follows(s, span.end, f);
    if (before && behind)
        return part->whole;
    before = before || set_off_before(text, span.start, f->from);
    behind = behind || set_off_behind(text, span.end, f->to);
    return before && behind ? ER_FIT_SET_OFF : ER_FIT_INSIDE;
}

/* Whether so much of the text may be answered with this record at all. */
static bool acceptable(const solver *s, const er_candidate *c, const er_pattern *pattern)
{
    er_slice text = s->view->text;
    const er_framing *f = c->framing;
    if (c->decided)
        return true;
    if (c->strength == ER_WEAK)
        return c->fit >= ER_FIT_WHOLE_VALUE && (s->framing->own || s->problem->depth > 0);
    if (c->fit >= ER_FIT_SET_OFF)
        return c->strength == ER_STRONG;
    if (pattern->groups == 0 && pattern->words <= SET_OFF_WORDS)
        return false;
    return pattern->letters >= INSIDE_LETTERS && word_edge(text, c->span.start, f->from, f->to) &&
           word_edge(text, c->span.end, f->from, f->to);
}

static double confidence_of(const er_candidate *c)
{
    uint32_t message = 0, captured = 0, span = c->span.end - c->span.start;
    uint32_t start = c->framing->from;
    for (uint32_t i = 0; i < c->framing->start_count; i++)
        if (c->framing->starts[i] <= c->span.start)
            start = c->framing->starts[i];
    message = c->framing->to > start ? c->framing->to - start : 1;
    if (c->fit >= ER_FIT_WHOLE_VALUE)
        message = span;
    captured = span > c->literal ? span - c->literal : 0;
    uint32_t literal = span < c->literal ? span : c->literal;
    double share = (literal + 0.9 * captured) / (message > span ? message : span);
    if (c->care == ER_CARE_FOLDED)
        share *= 0.95;
    if (c->care == ER_CARE_DAMAGED)
        share *= 0.75;
    if (c->fit == ER_FIT_INSIDE)
        share *= 0.8;
    if (c->by_code_alone)
        share = 0.8;
    if (c->strength == ER_CATCH_ALL && !c->decided && share > 0.3)
        share = 0.3;
    return share > 1 ? 1 : share;
}

/* The release as a number that compares, v2.10.29 as 2010029; 0 where it is none. */
static uint32_t release_number(er_slice text)
{
    uint32_t parts[3] = {0}, index = 0;
    size_t i = text.len && (text.at[0] == 'v' || text.at[0] == 'V');
    for (; i < text.len && index < 3; i++) {
        if (er_is_digit((unsigned char)text.at[i]) && parts[index] < 1000)
            parts[index] = parts[index] * 10 + (uint32_t)(text.at[i] - '0');
        else if (text.at[i] == '.')
            index++;
        else
            break;
    }
    return parts[0] * 1000000 + parts[1] * 1000 + parts[2];
}

static bool release_holds(const er_rule *rule, er_slice release)
{
    uint32_t wanted = release_number(release);
    if (wanted == 0 || rule->first_release.len == 0)
        return false;
    return release_number(rule->first_release) <= wanted &&
           (rule->last_release.len == 0 || wanted <= release_number(rule->last_release));
}

/* The first letters of INF, WRN, ERR, FTL tell them apart. */
static bool level_holds(const er_rule *rule, const char *level)
{
    return rule->severity >= 0 && rule->severity < 4 && "IWEF"[rule->severity] == level[0];
}

static bool same_code(const solver *s, uint32_t rule, bool *other)
{
    er_slice code = s->matcher->rules[rule].code;
    *other = false;
    if (code.len == 0)
        return false;
    for (uint32_t i = 0; i < s->code_count; i++)
        if (er_slice_equal(s->codes[i].code, code))
            return true;
    *other = s->code_count > 0;
    return false;
}

/* A quote that a sink doubled ("\"a\"") is none of the value. */
static void give_back_quotes(const solver *s, const er_candidate *c, er_span *groups, bool lines)
{
    const char *text = s->view->text.at;
    for (uint32_t g = 0; g < c->group_count; g++) {
        er_span *group = &groups[g];
        if (group->start == UINT32_MAX || group->start <= c->span.start || group->end - group->start < 3)
            continue;
        char quote = text[group->start - 1];
        while (lines && memchr(text + group->start, '\n', group->end - group->start) &&
               group->end > group->start + 1 && strchr(" \t\r\n>", text[group->end - 1]))
            group->end--; /* the mark of a quoted mail behind a line's end */
        if ((quote == '"' || quote == '\'') && text[group->start] == quote && text[group->end - 1] == quote) {
            group->start++;
            group->end--;
        }
    }
}

/* Whether a named code stands in at most one wrapper of a client, "API error: ", and nothing follows its
 * text. */
static bool one_wrapper(const solver *s, const er_code_place *code)
{
    uint32_t start = s->framing->starts[s->framing->start_count - 1], colons = 0;
    for (uint32_t i = start; i < code->at.start; i++)
        colons += s->view->text.at[i] == ':';
    return colons <= 1 && nothing_between(s->view->text, code->belongs.end, s->framing->to);
}

static bool is_json_value(const solver *s, er_span span)
{
    er_slice text = s->view->text;
    return span.start > 0 && span.end < text.len && text.at[span.start - 1] == '"' &&
           text.at[span.end] == '"';
}

/* Whether the span is the text that a named code belongs to: a client's wrapper then accounts for the rest.
 */
static bool is_described(const solver *s, er_span span)
{
    for (uint32_t i = 0; i < s->code_count; i++)
        if (s->codes[i].named && s->codes[i].belongs.start == span.start &&
            span.end <= s->codes[i].belongs.end &&
            nothing_between(s->view->text, span.end, s->codes[i].belongs.end) &&
            (one_wrapper(s, &s->codes[i]) || is_json_value(s, s->codes[i].belongs)))
            return true;
    return false;
}

/* A trailing group that reached over the code, or over the end of what it belongs to, does not own that. */
static void give_back_code(const solver *s, er_candidate *c, er_span *groups)
{
    er_slice text = s->view->text;
    for (uint32_t i = 0; i < s->code_count; i++) {
        uint32_t end = s->codes[i].at.start;
        er_span belongs = s->codes[i].belongs;
        if (s->codes[i].named && belongs.start == c->span.start && c->span.end > belongs.end &&
            c->group_count && groups[c->group_count - 1].end == c->span.end &&
            groups[c->group_count - 1].start < belongs.end)
            groups[c->group_count - 1].end = c->span.end = belongs.end;
        if (s->codes[i].at.end > c->span.end || s->codes[i].at.start <= c->span.start ||
            c->group_count == 0 || groups[c->group_count - 1].end != c->span.end ||
            !nothing_follows(s, s->codes[i].at.end, c->framing))
            continue;
        while (end > c->span.start && er_is_blank(text.at[end - 1]))
            end--;
        if (end <= groups[c->group_count - 1].start)
            continue;
        groups[c->group_count - 1].end = end;
        c->span.end = end;
    }
}

static void keep(solver *s, const er_candidate *c)
{
    er_solution *out = s->out;
    for (uint32_t i = 0; i < out->count; i++) {
        if (out->candidates[i].rule != c->rule)
            continue;
        if (er_candidate_compare(s->matcher, c, &out->candidates[i]) < 0)
            out->candidates[i] = *c;
        return;
    }
    if (out->count < ER_SOLVE_MOST) {
        out->candidates[out->count++] = *c;
        return;
    }
    uint32_t worst = 0;
    for (uint32_t i = 1; i < out->count; i++)
        if (er_candidate_compare(s->matcher, &out->candidates[i], &out->candidates[worst]) > 0)
            worst = i;
    if (er_candidate_compare(s->matcher, c, &out->candidates[worst]) < 0)
        out->candidates[worst] = *c;
}

static void find_quotes(solver *s)
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
static const er_framing *framing_of(solver *s, er_value *value)
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
static er_value *value_with(solver *s, const er_hit *hit, uint32_t *at)
{
    find_quotes(s);
    while (*at < s->value_count) {
        er_value *value = &s->values[(*at)++];
        if (hit->at >= value->folded.start && hit->at < value->folded.end && value->last_rule != hit->rule)
            return value;
    }
    return NULL;
}

/*
 * Whether a group ran over what bounds it: the span takes one end of a quoted value and
 * not the other, or reaches out of a value that holds all that its literals found.
 */
static bool crosses_quotes(solver *s, er_span span, er_span literals)
{
    find_quotes(s);
    for (uint32_t i = 0; i < s->value_count; i++) {
        er_span inside = s->values[i].quote.inside;
        if (!s->values[i].quote.closed || span.end <= inside.start || span.start >= inside.end)
            continue;
        bool opening = span.start<inside.start, closing = span.end> inside.end;
        if (opening != closing || (opening && literals.start >= inside.start && literals.end <= inside.end))
            return true;
    }
    return false;
}

/* From the first literal to the last; of a regex, which tells only groups, everything. */
static er_span literals_of(const er_piece_pool *pool, const er_pattern *pattern, const er_alignment *found)
{
    bool lead =
        !pattern->regex && pattern->piece_count && pool->pieces[pattern->first_piece].before != ER_GROUP_NONE;
    uint32_t start = lead && found->groups[0].start != UINT32_MAX ? found->groups[0].end : found->whole.start;
    return (er_span){start, found->last_end};
}

/* Judges what was aligned and keeps it when it may count; true when nothing can account for more. */
static bool judge(solver *s, uint32_t rule, const er_part *part, er_care care, const er_alignment *found)
{
    const er_pattern *pattern = &s->matcher->patterns[rule];
    bool other;
    er_candidate c = {
        .rule = rule, .view = s->view, .span = found->whole, .care = care, .framing = part->framing};
    er_span *groups = er_scratch_take(s->scratch, (pattern->groups + 1u) * sizeof *groups);
    if (!groups)
        return false;
    c.group_count = found->group_count < pattern->groups ? found->group_count : pattern->groups;
    memcpy(groups, found->groups, c.group_count * sizeof *groups);
    c.groups = groups;
    c.literal = found->literal;
    c.literals = literals_of(&s->matcher->pieces, pattern, found);
    c.strength = er_pattern_strength(pattern);
    if (care == ER_CARE_FOLDED && pattern->groups && pattern->letters < FOLDED_LETTERS &&
        c.strength == ER_STRONG)
        c.strength = ER_WEAK;
    if (found->last_end <= part->framing->object_end) /* all that it says is framing */
        c.strength = ER_CATCH_ALL;
    c.decided = same_code(s, rule, &other);
    c.contradicted = other;
    if (c.decided)
        give_back_code(s, &c, groups);
    bool wrapped = s->view->marks & ER_MARK_LINES;
    if (wrapped || (s->view->marks & ER_MARK_QUOTE))
        give_back_quotes(s, &c, groups, wrapped);
    c.fit = fit_of(s, c.span, part);
    if (part->whole == ER_FIT_WHOLE && (s->view->marks & ER_MARK_QUOTE) && pattern->groups > 0 &&
        c.fit > ER_FIT_SET_OFF && crosses_quotes(s, c.span, c.literals))
        c.fit = ER_FIT_SET_OFF;
    if (c.decided && c.fit < ER_FIT_WHOLE_VALUE && is_described(s, c.span))
        c.fit = ER_FIT_WHOLE_VALUE;
    if (care == ER_CARE_DAMAGED && !s->framing->own && !found->cut_start &&
        !nothing_precedes(s, c.span.start, part->framing) &&
        !set_off_before(s->view->text, c.span.start, part->framing->from))
        return false; /* what is left of a message begins where one may begin */
    if (care == ER_CARE_DAMAGED && c.fit > ER_FIT_SET_OFF)
        c.fit = ER_FIT_SET_OFF;
    if (c.decided && c.strength < ER_STRONG)
        c.strength = ER_STRONG;
    if (!acceptable(s, &c, pattern))
        return false;
    c.level_agrees = level_holds(&s->matcher->rules[rule], s->framing->level_code);
    c.release_agrees = release_holds(&s->matcher->rules[rule], s->scratch->query->release);
    c.confidence = confidence_of(&c);
    keep(s, &c);
    return c.fit == ER_FIT_WHOLE && care == ER_CARE_EXACT;
}

/* Pays for one alignment over a part; false when the query has spent all that it may. */
static bool spend(solver *s, const er_framing *framing)
{
    uint32_t cost = ER_WORK_EACH + framing->to - framing->from;
    if (s->scratch->work < cost) {
        s->scratch->work = 0;
        return false;
    }
    s->scratch->work -= cost;
    return true;
}

static bool hold_regex(solver *s, uint32_t rule, const er_part *part)
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
        return judge(s, rule, part, i == 0 ? ER_CARE_EXACT : ER_CARE_FOLDED, &found);
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
        return found->literal >= BROKEN_LITERAL && found->literal * 100 >= literal * BROKEN_SHARE;
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

static bool align_folded(solver *s, uint32_t rule, const er_part *part, bool damaged, er_alignment *found)
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
    if (damaged && !er_align_damaged(&s->matcher->pieces, pattern, in, range, DAMAGED_LITERAL, found))
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

static bool begins_with_quote(const solver *s, const er_pattern *pattern)
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
static bool hold(solver *s, uint32_t rule, const er_part *part)
{
    const er_pattern *pattern = &s->matcher->patterns[rule];
    const er_framing *f = part->framing;
    er_alignment found;
    if (!spend(s, f))
        return false;
    if (pattern->regex)
        return hold_regex(s, rule, part);
    er_range range = {f->from, f->to, f->starts, f->start_count};
    er_aligned_text in = {s->view->text, false};
    /* A message that opens with a quote must not open with one of the framing's. */
    er_range bare = {f->starts[f->start_count - 1], f->to, &f->starts[f->start_count - 1], 1};
    if (begins_with_quote(s, pattern) && er_align(&s->matcher->pieces, pattern, in, bare, &found))
        return judge(s, rule, part, ER_CARE_EXACT, &found);
    if (er_align(&s->matcher->pieces, pattern, in, range, &found))
        return judge(s, rule, part, ER_CARE_EXACT, &found);
    if (pattern->foldable && align_folded(s, rule, part, false, &found))
        judge(s, rule, part, ER_CARE_FOLDED, &found);
    return false;
}

/*
 * Holds a rule against each quoted value that the hit stands in. One with escapes is
 * solved again without them, so what it holds as it stands counts for less.
 */
static void hold_in_quotes(solver *s, const er_hit *hit)
{
    uint32_t at = 0;
    for (er_value *value; (value = value_with(s, hit, &at));) {
        const er_framing *framing = framing_of(s, value);
        if (!framing)
            return;
        bool again = value->quote.escaped && s->view->depth < ER_ESCAPES_MOST;
        er_part part = {framing, again ? ER_FIT_SET_OFF : ER_FIT_WHOLE_VALUE};
        value->last_rule = hit->rule;
        hold(s, hit->rule, &part);
    }
}

static bool excluded(const solver *s, uint32_t rule)
{
    for (uint32_t i = 0; i < s->problem->depth; i++)
        if (s->problem->excluded[i] == rule)
            return true;
    return false;
}

static bool wanted_repo(const solver *s, uint32_t rule)
{
    return s->scratch->repo == UINT32_MAX || s->matcher->repo_of[rule] == s->scratch->repo;
}

static bool holds_quotes(const solver *s)
{
    const char *from = s->view->text.at + s->framing->from;
    size_t length = s->framing->to - s->framing->from;
    if (!(s->view->marks & ER_MARK_QUOTE))
        return false;
    return memchr(from, '"', length) || memchr(from, '\'', length) || memchr(from, '`', length);
}

static er_evidence *evidence_of(const solver *s, uint32_t rule)
{
    return &s->scratch->evidence[rule];
}

/* All of the pattern's places were hit: it may stand there. */
static bool complete(const er_hit *hit, const er_evidence *evidence)
{
    return evidence->intact == (1u << hit->picks) - 1;
}

/* Not all, but enough that a damaged message may stand there. */
static bool suspicious(const solver *s, const er_evidence *evidence)
{
    if (evidence->longest >= ER_GRAM && s->cut)
        return true;
    return evidence->longest >= DAMAGED_LITERAL || evidence->together >= BROKEN_LITERAL ||
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
static void weigh_hits(solver *s)
{
    const er_hit *hits = s->scratch->hits + s->problem->first_hit;
    s->stamp = er_scratch_stamp(s->scratch);
    for (uint32_t i = 0; i < s->problem->hit_count; i++) {
        if (hits[i].rule == ER_CODE_NAME) {
            s->names_code = true;
            continue;
        }
        er_evidence *e = evidence_of(s, hits[i].rule);
        if (e->stamp != s->stamp)
            *e = (er_evidence){.stamp = s->stamp};
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
static bool any_suspicious(solver *s)
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

static void hold_all(solver *s)
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
        if (!e->held && hold(s, rule, &range))
            settled = rule;
        e->held = true;
        if (quoted && settled != rule)
            hold_in_quotes(s, &hits[i]);
    }
    for (uint32_t i = 0; i < s->matcher->blind_count; i++)
        if (!excluded(s, s->matcher->blind[i]) && wanted_repo(s, s->matcher->blind[i]))
            hold(s, s->matcher->blind[i], &range);
}

/* A structured line that was cut inside a value. */
static void hold_damaged_value(solver *s, const er_hit *hit)
{
    uint32_t at = 0;
    for (er_value *value; (value = value_with(s, hit, &at));) {
        const er_framing *framing = framing_of(s, value);
        er_alignment found;
        if (!framing || !spend(s, framing))
            return;
        er_part part = {framing, ER_FIT_WHOLE_VALUE};
        value->last_rule = hit->rule;
        if (align_folded(s, hit->rule, &part, true, &found))
            judge(s, hit->rule, &part, ER_CARE_DAMAGED, &found);
    }
}

/* Lines that were cut short or reworded a little: only when nothing better was found. */
static void hold_damaged(solver *s)
{
    const er_hit *hits = s->scratch->hits + s->problem->first_hit;
    er_part range = {s->framing, ER_FIT_WHOLE};
    er_alignment found;
    for (uint32_t i = 0; i < s->problem->hit_count; i++) {
        uint32_t rule = hits[i].rule;
        if (rule == ER_CODE_NAME)
            continue;
        er_evidence *e = evidence_of(s, rule);
        const er_pattern *pattern = &s->matcher->patterns[rule];
        if (e->tried || !suspicious(s, e) || excluded(s, rule) || pattern->regex || !pattern->foldable ||
            !spend(s, s->framing))
            continue;
        e->tried = true;
        if (align_folded(s, rule, &range, true, &found))
            judge(s, rule, &range, ER_CARE_DAMAGED, &found);
        if (s->view->marks & ER_MARK_QUOTE)
            hold_damaged_value(s, &hits[i]);
    }
}

/* A code behind a message belongs to what the innermost wrapper found so far holds. */
static er_span belongings(const solver *s, const er_code_place *place)
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
static void hold_codes(solver *s)
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
            bool described = !c.by_code_alone && is_described(s, *group);
            c.fit = described ? ER_FIT_WHOLE_VALUE : ER_FIT_SET_OFF;
            c.care = c.by_code_alone ? ER_CARE_DAMAGED : ER_CARE_EXACT;
            c.release_agrees = release_holds(&s->matcher->rules[rule], s->scratch->query->release);
            c.confidence = confidence_of(&c);
            keep(s, &c);
        }
    }
}

/* Messages that say next to nothing answer only for what the server itself printed before it ended. */
static void hold_loose(solver *s)
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
    for (uint32_t i = 0; i < count && spend(s, framing); i++) {
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
        c.fit = fit_of(s, c.span, &range);
        c.confidence = confidence_of(&c);
        if (c.fit == ER_FIT_WHOLE)
            keep(s, &c);
    }
}

/* Insertion sort: few candidates, and the order is total. */
static void sort_candidates(solver *s)
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
static bool promising(solver *s)
{
    er_slice text = er_slice_sub(s->view->text, s->problem->from, s->problem->to);
    weigh_hits(s);
    return s->complete || s->names_code || s->matcher->blind_count || any_suspicious(s) ||
           er_code_ends(s->matcher, text) ||
           (s->problem->depth == 0 && er_slice_starts(text, ER_SLICE("nats-server: ")));
}

void er_solve(er_scratch *scratch, const er_problem *problem, er_solution *out)
{
    solver s = {.scratch = scratch,
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
    if (out->count == 0 && any_suspicious(&s))
        hold_damaged(&s);
    if (out->count == 0 && problem->depth == 0 && s.framing->program)
        hold_loose(&s);
    out->more = s.complete > 1 || s.code_count > 0;
    sort_candidates(&s);
    promote_wrapper(out);
    out->ambiguous = out->count > 1 && er_candidate_tied(&out->candidates[0], &out->candidates[1]);
}
