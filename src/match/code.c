#include "match/engine.h"

#include "base/ascii.h"

#define CODE_LEAST   4u
#define CODE_LONGEST 6u
#define NAME_REACH   24u /* bytes between the end of a code's name and its digits */

/* The run of `sorted` whose rules hold `key` in the member at `offset` of er_rule. */
static uint32_t run_of(const er_matcher *matcher, const uint32_t *sorted, uint32_t count, size_t offset,
                       er_slice key, const uint32_t **rules)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        const er_slice *held = (const void *)((const char *)&matcher->rules[sorted[mid]] + offset);
        if (er_slice_compare(*held, key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    uint32_t end = low;
    while (end < count &&
           er_slice_equal(
               *(const er_slice *)(const void *)((const char *)&matcher->rules[sorted[end]] + offset), key))
        end++;
    *rules = sorted + low;
    return end - low;
}

uint32_t er_code_rules(const er_matcher *matcher, er_slice code, const uint32_t **rules)
{
    return run_of(matcher, matcher->by_code, matcher->code_count, offsetof(er_rule, code), code, rules);
}

uint32_t er_class_rules(const er_matcher *matcher, er_slice name, const uint32_t **rules)
{
    return run_of(matcher, matcher->by_class, matcher->class_count, offsetof(er_rule, error_class), name,
                  rules);
}

/* Whether `word` ends at `end`, without regard to case. */
static bool ends_with(er_slice text, uint32_t from, uint32_t end, const char *word)
{
    size_t length = strlen(word);
    if (end - from < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (er_to_lower((unsigned char)text.at[end - length + i]) != word[i])
            return false;
    return true;
}

/* Where "code" at `at` begins when it is the end of "err_code" or "errorCode". */
static uint32_t name_start(er_slice text, uint32_t from, uint32_t at)
{
    static const char *const before[] = {"err_", "error_", "apierror", "error", "err"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (ends_with(text, from, at, before[i]))
            return at - (uint32_t)strlen(before[i]);
    return at;
}

/* The digits behind a name: err_code=10059, "err_code" => 10059, jerr=10059. */
static bool digits_behind(er_slice text, uint32_t name, uint32_t to, er_span *digits)
{
    uint32_t at = name + 4;
    while (at < to && at - name < NAME_REACH && !er_is_alnum((unsigned char)text.at[at]) &&
           !strchr(",{}\n", text.at[at]))
        at++;
    uint32_t end = at;
    while (end < to && er_is_digit((unsigned char)text.at[end]))
        end++;
    *digits = (er_span){at, end};
    return at > name + 4 && end - at >= CODE_LEAST && end - at <= CODE_LONGEST &&
           (end == to || !er_is_alnum((unsigned char)text.at[end]));
}

static bool closes_value(er_slice text, uint32_t at, uint32_t to, char quote)
{
    return text.at[at] == quote && (at + 1 >= to || !er_is_alnum((unsigned char)text.at[at + 1]));
}

/* The value behind "description" near a code that has a name; empty where there is none. */
static er_span described(er_slice text, uint32_t from, uint32_t to)
{
    static const char name[] = "description";
    const char *found = memmem(text.at + from, to - from, name, sizeof name - 1);
    if (!found)
        return (er_span){0, 0};
    uint32_t at = (uint32_t)(found - text.at) + (uint32_t)sizeof name - 1;
    while (at < to && (er_is_blank(text.at[at]) || strchr("\"'\\=:>", text.at[at])))
        at++;
    char quote = at > from && strchr("\"'", text.at[at - 1]) ? text.at[at - 1] : '\n';
    bool escapes =
        quote == '"' && text.at[at - 2] != '\\'; /* a JSON string, whose quotes inside are escaped */
    uint32_t end = at;
    while (end < to && text.at[end] != '\n' && !closes_value(text, end, to, quote))
        end += escapes && text.at[end] == '\\' && end + 1 < to ? 2 : 1;
    if (escapes && end < to && text.at[end] == quote)
        return (er_span){at, end};
    while (end > at && strchr("\"'\\,} \r", text.at[end - 1]))
        end--;
    return (er_span){at, end};
}

/* What stands before "(10059)": back to where the message begins. */
static er_span standing_before(er_slice text, const er_framing *framing, uint32_t end)
{
    uint32_t start = framing->from;
    for (uint32_t i = 0; i < framing->start_count; i++)
        if (framing->starts[i] < end)
            start = framing->starts[i];
    while (end > start && (er_is_blank(text.at[end - 1]) || strchr("\"'`", text.at[end - 1])))
        end--;
    return (er_span){start, end};
}

/* What is known of a code before its place is: whether any record has it. */
static void add_place(const er_matcher *matcher, er_code_place place, uint32_t *count,
                      er_code_place places[ER_CODES_MOST])
{
    const uint32_t *rules;
    if (*count < ER_CODES_MOST && er_code_rules(matcher, place.code, &rules) > 0)
        places[(*count)++] = place;
}

static void find_named(const er_scratch *scratch, const er_problem *problem, const er_framing *framing,
                       uint32_t *count, er_code_place places[ER_CODES_MOST])
{
    er_slice text = problem->view->text;
    const er_hit *hits = scratch->hits + problem->first_hit;
    er_span value = {0, 0};
    bool looked = false; /* for `value`, once for all codes of the range */
    for (uint32_t i = 0; i < problem->hit_count && *count < ER_CODES_MOST; i++) {
        er_span digits;
        if (hits[i].rule != ER_CODE_NAME)
            continue;
        uint32_t at = er_fold_origin(text, problem->view->blocks, hits[i].at);
        if (at < framing->from || at >= framing->to || !digits_behind(text, at, framing->to, &digits))
            continue;
        uint32_t name = name_start(text, framing->from, at);
        value = looked ? value : described(text, framing->from, framing->to);
        looked = true;
        er_span belongs = value;
        if (belongs.start == belongs.end)
            belongs = standing_before(text, framing, name > framing->from ? name : framing->to);
        er_slice code = er_slice_sub(text, digits.start, digits.end);
        add_place(scratch->matcher, (er_code_place){code, {name, digits.end}, belongs, true}, count, places);
    }
}

/* "(10059)" and "[10059]", or a text that is nothing but the code. */
static void find_bracketed(const er_matcher *matcher, er_slice text, const er_framing *framing,
                           uint32_t *count, er_code_place places[ER_CODES_MOST])
{
    static const char open[] = "([", close[] = ")]";
    uint32_t from = framing->starts[framing->start_count > 1]; /* what stands before a header is no code */
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t at = from; at < framing->to; at++) {
            const char *found = memchr(text.at + at, open[kind], framing->to - at);
            if (!found)
                break;
            at = (uint32_t)(found - text.at);
            uint32_t end = at + 1;
            while (end < framing->to && er_is_digit((unsigned char)text.at[end]))
                end++;
            uint32_t length = end - at - 1;
            if (length < CODE_LEAST || length > CODE_LONGEST || end == framing->to ||
                text.at[end] != close[kind])
                continue;
            er_span belongs = standing_before(text, framing, at);
            er_slice code = er_slice_sub(text, at + 1, end);
            if (belongs.end > belongs.start)
                add_place(matcher, (er_code_place){code, {at, end + 1}, belongs, false}, count, places);
        }
    }
}

bool er_code_ends(const er_matcher *matcher, er_slice text)
{
    if (matcher->code_count == 0)
        return false;
    while (text.len && strchr(" \t\r\"'`.,", text.at[text.len - 1]))
        text.len--;
    if (text.len < CODE_LEAST + 2)
        return false;
    char last = text.at[text.len - 1];
    return (last == ')' || last == ']') && er_is_digit((unsigned char)text.at[text.len - 2]);
}

uint32_t er_code_find(const er_scratch *scratch, const er_problem *problem, const er_framing *framing,
                      er_code_place places[ER_CODES_MOST])
{
    uint32_t count = 0;
    if (scratch->matcher->code_count == 0)
        return 0;
    find_named(scratch, problem, framing, &count, places);
    find_bracketed(scratch->matcher, problem->view->text, framing, &count, places);
    return count;
}
