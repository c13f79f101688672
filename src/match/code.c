#include "match/engine.h"

#include <ctype.h>

#define CODE_LEAST 4u
#define CODE_LONGEST 6u
#define NAME_REACH 24u /* bytes between the end of a code's name and its digits */

uint32_t er_code_rules(const er_matcher *matcher, er_slice code, const uint32_t **rules)
{
    uint32_t low = 0, high = matcher->code_count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (er_slice_compare(matcher->rules[matcher->by_code[mid]].code, code) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    uint32_t end = low;
    while (end < matcher->code_count && er_slice_equal(matcher->rules[matcher->by_code[end]].code, code))
        end++;
    *rules = matcher->by_code + low;
    return end - low;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Whether `word` ends at `end`, without regard to case. */
static bool ends_with(er_slice text, uint32_t from, uint32_t end, const char *word)
{
    size_t length = strlen(word);
    if (end - from < length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)text.at[end - length + i]) != word[i])
            return false;
    return true;
}

/* err_code=10059, "err_code" => 10059, jerr=10059, code 10059: where the name begins, or UINT32_MAX. */
static uint32_t named_before(er_slice text, uint32_t from, uint32_t digits)
{
    static const char *const names[] = {"err_code", "errcode", "error_code", "errorcode", "jerr", "apierrorcode", "code"};
    uint32_t at = digits;
    while (at > from && digits - at < NAME_REACH && !isalnum((unsigned char)text.at[at - 1]) && text.at[at - 1] != '_' &&
           text.at[at - 1] != ',' && text.at[at - 1] != '{' && text.at[at - 1] != '}')
        at--;
    if (at == digits)
        return UINT32_MAX;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ends_with(text, from, at, names[i]))
            return at - (uint32_t)strlen(names[i]);
    return UINT32_MAX;
}

/* The value behind "description" near a code that has a name; empty where there is none. */
static er_span described(er_slice text, uint32_t from, uint32_t to)
{
    static const char name[] = "description";
    const char *found = memmem(text.at + from, to - from, name, sizeof name - 1);
    if (!found)
        return (er_span){0, 0};
    uint32_t at = (uint32_t)(found - text.at) + (uint32_t)sizeof name - 1;
    while (at < to && (blank(text.at[at]) || strchr("\"'\\=:>", text.at[at])))
        at++;
    char quote = at > from && strchr("\"'", text.at[at - 1]) ? text.at[at - 1] : '\n';
    uint32_t end = at;
    while (end < to && text.at[end] != '\n' && !(text.at[end] == quote && (end + 1 >= to || !isalnum((unsigned char)text.at[end + 1]))))
        end++;
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
    while (end > start && (blank(text.at[end - 1]) || strchr("\"'`", text.at[end - 1])))
        end--;
    return (er_span){start, end};
}

/* One number: is it set off as a code is, or named as one? */
static bool code_place(er_slice text, uint32_t from, uint32_t to, uint32_t digits, uint32_t end,
                       const er_framing *framing, er_code_place *place)
{
    place->code = er_slice_sub(text, digits, end);
    char before = digits > from ? text.at[digits - 1] : '\0', after = end < to ? text.at[end] : '\0';
    uint32_t name = named_before(text, from, digits);
    if (name != UINT32_MAX) {
        place->at = (er_span){name, end};
        place->belongs = described(text, from, to);
        if (place->belongs.start == place->belongs.end)
            place->belongs = standing_before(text, framing, name > framing->from ? name : framing->to);
        return true;
    }
    if ((before == '(' && after == ')') || (before == '[' && after == ']')) {
        place->at = (er_span){digits - 1, end + 1};
        place->belongs = standing_before(text, framing, digits - 1);
        return place->belongs.end > place->belongs.start;
    }
    return false;
}

uint32_t er_code_find(const er_matcher *matcher, er_slice text, uint32_t from, uint32_t to, const er_framing *framing,
                      er_code_place places[ER_CODES_MOST])
{
    uint32_t count = 0;
    if (matcher->code_count == 0)
        return 0;
    for (uint32_t at = from; at < to && count < ER_CODES_MOST;) {
        if (!isdigit((unsigned char)text.at[at])) {
            at++;
            continue;
        }
        uint32_t end = at;
        while (end < to && isdigit((unsigned char)text.at[end]))
            end++;
        const uint32_t *rules;
        bool edged = (at == from || !isalnum((unsigned char)text.at[at - 1])) &&
                     (end == to || !isalnum((unsigned char)text.at[end]));
        if (edged && end - at >= CODE_LEAST && end - at <= CODE_LONGEST &&
            code_place(text, from, to, at, end, framing, &places[count]) &&
            er_code_rules(matcher, places[count].code, &rules))
            count++;
        at = end;
    }
    return count;
}
