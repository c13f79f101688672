/*
 * Patterns, as they stand in a catalog file, and a text. The input's lines up to an empty
 * one are patterns; what follows is the text.
 *
 * What er_pattern_check takes, er_matcher_build takes, and the other way round; a pattern
 * that was taken apart matches what PCRE2 matches; a match lies inside its text.
 */
#include "fuzz.h"

#include "match/engine.h"

#include <stdio.h>
#include <stdlib.h>

#define PATTERNS_MOST 8u
#define TEXT_MOST     4096u

static er_scratch *scratch;
static er_regex_room *room;

/* The next line; false at an empty one, and at the end. */
static bool next_line(er_slice *rest, er_slice *line)
{
    const char *end = rest->len ? memchr(rest->at, '\n', rest->len) : NULL;
    size_t length = end ? (size_t)(end - rest->at) : rest->len;
    *line = er_slice_sub(*rest, 0, length);
    *rest = er_slice_sub(*rest, end ? length + 1 : length, rest->len);
    return length > 0;
}

static void check_match(const er_query *query, const er_matcher *matcher, const er_match *match)
{
    FUZZ_PROMISE(match->rule < matcher->count);
    FUZZ_PROMISE(match->start < match->end && match->end <= query->text.len);
    FUZZ_PROMISE(match->capture_count <= ER_MATCH_MAX_GROUPS);
    FUZZ_PROMISE(match->confidence >= 0 && match->confidence <= 1);
    for (uint32_t i = 0; i < match->capture_count; i++) {
        er_slice value = match->captures[i].value;
        FUZZ_PROMISE(match->captures[i].group >= 1 && match->captures[i].group <= ER_MATCH_MAX_GROUPS);
        FUZZ_PROMISE(value.len <= query->text.len);
    }
}

/* The aligner and PCRE2, on the text as one range. */
static void compare(const er_matcher *matcher, uint32_t rule, er_slice text)
{
    const er_pattern *pattern = &matcher->patterns[rule];
    er_alignment found;
    er_regex *regex = NULL;
    size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
    uint32_t start = 0;
    er_range range = {0, (uint32_t)text.len, &start, 1};
    if (pattern->regex || pattern->piece_count == 0 || text.len > TEXT_MOST) {
        return;
    }
    FUZZ_PROMISE(er_regex_compile(&regex, matcher->rules[rule].pattern, false, pattern->any_end, NULL) ==
                 ER_OK);
    er_regex_outcome outcome = er_regex_match(regex, room, text, 0, text.len, spans);
    if (outcome != ER_REGEX_LIMIT) {
        bool got = er_align(&matcher->pieces, pattern, (er_aligned_text){text, false}, range, &found);
        FUZZ_PROMISE(got == (outcome == ER_REGEX_MATCH));
        FUZZ_PROMISE(!got || (found.whole.start == spans[0] && found.whole.end == spans[1]));
        for (uint32_t g = 0; got && g < er_regex_groups(regex); g++) {
            FUZZ_PROMISE(found.groups[g].start == spans[2 * g + 2] &&
                         found.groups[g].end == spans[2 * g + 3]);
        }
    }
    er_regex_free(&regex);
}

static void explain(const er_matcher *matcher, er_slice text)
{
    er_query query = {.text = text, .limit = 5};
    er_explanation x;
    FUZZ_PROMISE(er_explain(matcher, scratch, &query, &x) == ER_OK);
    if (x.found) {
        check_match(&query, matcher, &x.match);
    }
    for (uint32_t i = 0; i < x.cause_count; i++) {
        check_match(&query, matcher, &x.causes[i]);
    }
    for (uint32_t i = 0; i < x.other_count; i++) {
        check_match(&query, matcher, &x.others[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char ids[] = "abcdefgh";
    er_rule rules[PATTERNS_MOST];
    er_slice rest = {(const char *)data, size}, line;
    uint32_t count = 0;
    er_fault fault;
    if (!scratch) {
        FUZZ_PROMISE(er_scratch_new(&scratch) == ER_OK && er_regex_room_new(&room) == ER_OK);
    }
    while (next_line(&rest, &line)) {
        uint32_t groups = 0;
        er_rule rule = {.pattern = line, .message = line, .repo = ER_SLICE("r"), .severity = 2};
        er_matcher *alone = NULL;
        er_status status = er_pattern_check(line, &groups, &fault);
        FUZZ_PROMISE(status == ER_OK || (status == ER_BAD_INPUT && fault.reason[0] != '\0'));
        FUZZ_PROMISE(er_matcher_build(&alone, &rule, 1, NULL, &fault) == status);
        FUZZ_PROMISE(status != ER_OK || groups <= ER_MATCH_MAX_GROUPS);
        er_matcher_free(&alone);
        if (status == ER_OK && count < PATTERNS_MOST) {
            rule.id = er_slice_of(ids + count, 1);
            rule.code = count == 1 ? ER_SLICE("10059") : (er_slice){"", 0};
            rules[count++] = rule;
        }
    }
    er_matcher *matcher = NULL;
    FUZZ_PROMISE(er_matcher_build(&matcher, rules, count, NULL, &fault) == ER_OK);
    for (uint32_t r = 0; r < count; r++) {
        compare(matcher, r, rest);
    }
    explain(matcher, rest);
    er_matcher_free(&matcher);
    return 0;
}
