/*
 * What an account of a range is worth: how it fits, whether it may count, with what confidence.
 */
#include "match/solver.h"

#include "base/ascii.h"

#define SET_OFF_WORDS  4u  /* a message of so few words without groups must be set off */
#define INSIDE_LETTERS 12u /* what stands amid other words must say at least so much */
#define FOLDED_LETTERS 16u /* fewer letters between groups must stand there as they are */

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
static bool nothing_follows(const er_solver *s, uint32_t at, const er_framing *framing)
{
    er_slice text = s->view->text;
    for (uint32_t i = at; i < framing->to; i++) {
        for (uint32_t k = 0; k < s->code_count; k++)
            if (s->codes[k].at.start == i) {
                i = s->codes[k].at.end;
                break;
            }
        if (i >= framing->to) /* a code may begin in a quoted value and end behind it */
            return true;
        if (framing->to - i >= 3 && memcmp(text.at + i, "\xE2\x80\xA6", 3) == 0)
            i += 2; /* three dots in one */
        else if (!trivial(text.at[i]))
            return false;
    }
    return true;
}

/* Whether a message begins at `at`, give or take an opening quote. */
static bool nothing_precedes(const er_solver *s, uint32_t at, const er_framing *framing)
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

er_fit er_judge_fit(const er_solver *s, er_span span, const er_part *part)
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
static bool acceptable(const er_solver *s, const er_candidate *c, const er_pattern *pattern)
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

double er_judge_confidence(const er_candidate *c)
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

bool er_judge_release(const er_rule *rule, er_slice release)
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

static bool same_code(const er_solver *s, uint32_t rule, bool *other)
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
static void give_back_quotes(const er_solver *s, const er_candidate *c, er_span *groups, bool lines)
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
static bool one_wrapper(const er_solver *s, const er_code_place *code)
{
    uint32_t start = s->framing->starts[s->framing->start_count - 1], colons = 0;
    for (uint32_t i = start; i < code->at.start; i++)
        colons += s->view->text.at[i] == ':';
    return colons <= 1 && nothing_between(s->view->text, code->belongs.end, s->framing->to);
}

static bool is_json_value(const er_solver *s, er_span span)
{
    er_slice text = s->view->text;
    return span.start > 0 && span.end < text.len && text.at[span.start - 1] == '"' &&
           text.at[span.end] == '"';
}

/* Whether the span is the text that a named code belongs to: a client's wrapper then accounts for the rest.
 */
bool er_judge_described(const er_solver *s, er_span span)
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
static void give_back_code(const er_solver *s, er_candidate *c, er_span *groups)
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

void er_judge_keep(er_solver *s, const er_candidate *c)
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

/*
 * Whether a group ran over what bounds it: the span takes one end of a quoted value and
 * not the other, or reaches out of a value that holds all that its literals found.
 */
static bool crosses_quotes(er_solver *s, er_span span, er_span literals)
{
    er_hold_values(s);
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
bool er_judge(er_solver *s, uint32_t rule, const er_part *part, er_care care, const er_alignment *found)
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
    c.fit = er_judge_fit(s, c.span, part);
    if (part->whole == ER_FIT_WHOLE && (s->view->marks & ER_MARK_QUOTE) && pattern->groups > 0 &&
        c.fit > ER_FIT_SET_OFF && crosses_quotes(s, c.span, c.literals))
        c.fit = ER_FIT_SET_OFF;
    if (c.decided && c.fit < ER_FIT_WHOLE_VALUE && er_judge_described(s, c.span))
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
    c.release_agrees = er_judge_release(&s->matcher->rules[rule], s->scratch->query->release);
    c.confidence = er_judge_confidence(&c);
    er_judge_keep(s, &c);
    return c.fit == ER_FIT_WHOLE && care == ER_CARE_EXACT;
}
