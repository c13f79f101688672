/*
 * What the aligner and the index find is what PCRE2 finds, on random patterns and texts of
 * few letters, so that pieces meet and overlap all the time.
 */
#include "base/memory.h"
#include "match/engine.h"
#include "match/rule_set.h"
#include "support/test.h"

#include <stdio.h>
#include <time.h>

#define CATALOGS 400u
#define RULES    24u
#define TEXTS    40u
#define SECONDS  20 /* of processor time for one test: what is not reached by then is left out */
#define SHORT    96u
#define LONG     4096u

typedef struct text {
    char at[LONG];
    size_t len;
} text;

static void put(text *t, const char *bytes)
{
    size_t len = strlen(bytes);
    assert_true(t->len + len < LONG);
    memcpy(t->at + t->len, bytes, len);
    t->len += len;
}

static er_slice slice(const text *t)
{
    return er_slice_of(t->at, t->len);
}

static bool in_time(clock_t end)
{
    return clock() < end;
}

/* --- patterns that follow the rule --- */

static const char *const group_forms[] = {
    "(.+?)", "(.+?)", "(.+?)", "(-?\\d+)", "(true|false)", "(-?\\d+(?:\\.\\d+)?)", "([0-9a-fA-F]+)", "(.)"};
#define GROUP_FORMS (sizeof group_forms / sizeof *group_forms)

/* Bytes of literals: few, so that they are met by chance, and those that folding drops. */
static void put_literal(dice *d, text *t, uint32_t most)
{
    static const char *const bytes[] = {"a",  "a", "b", "b", "A", "g",   " ",
                                        "\"", "'", ":", "-", "1", "\\.", "\xFF"};
    for (uint32_t n = 1 + dice_throw(d, most); n > 0; n--) {
        put(t, bytes[dice_throw(d, sizeof bytes / sizeof *bytes)]);
    }
}

static void put_pattern(dice *d, text *t, uint32_t longest)
{
    t->len = 0;
    bool group = dice_throw(d, 3) == 0;
    for (uint32_t parts = 1 + dice_throw(d, 5); parts > 0; parts--, group = !group) {
        if (group) {
            put(t, group_forms[dice_throw(d, GROUP_FORMS)]);
        } else {
            put_literal(d, t, longest);
        }
    }
}

/* What a group of the form may stand for, or something near it. */
static void put_group_value(dice *d, text *t, const char *form)
{
    static const char *const values[] = {"a",    "b",     "1",  "-1", "1.5", "-11",
                                         "true", "false", "ab", "f0", " ",   "a:b"};
    (void)form;
    put(t, values[dice_throw(d, sizeof values / sizeof *values)]);
}

/* Random bytes, or one of the patterns filled in, with something before and behind. */
static void put_text(dice *d, text *t, const text *patterns, uint32_t count)
{
    t->len = 0;
    for (uint32_t n = dice_throw(d, 4); n > 0; n--) {
        put_group_value(d, t, "");
    }
    if (dice_throw(d, 4)) {
        const text *p = &patterns[dice_throw(d, count)];
        for (size_t i = 0; i < p->len; i++) {
            size_t form = 0;
            er_slice rest = er_slice_sub(slice(p), i, p->len);
            while (form < GROUP_FORMS && !er_slice_starts(rest, er_slice_string(group_forms[form]))) {
                form++;
            }
            if (form < GROUP_FORMS) {
                put_group_value(d, t, group_forms[form]);
                i += strlen(group_forms[form]) - 1;
            } else if (p->at[i] != '\\') {
                put(t, (char[]){p->at[i], '\0'});
            }
        }
    }
    for (uint32_t n = dice_throw(d, 4); n > 0; n--) {
        put_group_value(d, t, "");
    }
    while (t->len < SHORT && dice_throw(d, 4) == 0) {
        put_literal(d, t, 3);
    }
}

/* --- the catalog of a round --- */

typedef struct catalog {
    text sources[RULES];
    er_rule rules[RULES];
    er_regex *regexes[RULES];
    er_matcher *matcher;
    er_regex_room *room;
    uint32_t count;
} catalog;

static void build(catalog *c, dice *d, uint32_t longest)
{
    static const char ids[] = "abcdefghijklmnopqrstuvwx";
    er_piece_pool pool;
    er_piece_pool_start(&pool);
    for (c->count = 0; c->count < RULES;) {
        er_pattern parsed;
        text *source = &c->sources[c->count];
        put_pattern(d, source, longest);
        assert_int_equal(er_pattern_parse(slice(source), &pool, &parsed), ER_OK);
        if (parsed.regex || parsed.piece_count == 0) {
            continue; /* a pattern without literals is not laid along a text */
        }
        c->rules[c->count] = (er_rule){.pattern = slice(source),
                                       .message = ER_SLICE("m"),
                                       .repo = ER_SLICE("r"),
                                       .id = er_slice_of(ids + c->count, 1)};
        assert_int_equal(er_regex_compile(&c->regexes[c->count], slice(source), false, parsed.any_end, NULL),
                         ER_OK);
        assert_int_equal(er_regex_groups(c->regexes[c->count]), parsed.groups);
        c->count++;
    }
    er_piece_pool_free(&pool);
    assert_int_equal(er_matcher_build(&c->matcher, c->rules, c->count, NULL, NULL), ER_OK);
    assert_int_equal(er_regex_room_new(&c->room), ER_OK);
}

static void end(catalog *c)
{
    for (uint32_t r = 0; r < c->count; r++) {
        er_regex_free(&c->regexes[r]);
    }
    er_matcher_free(&c->matcher);
    er_regex_room_free(&c->room);
}

/* Whether two ways of matching agree; shows them where they do not. */
static bool same(er_slice pattern, er_slice in, bool wanted, const size_t *spans, bool got,
                 const er_alignment *found, uint32_t groups)
{
    bool equal = wanted == got;
    if (equal && got) {
        equal =
            spans[0] == found->whole.start && spans[1] == found->whole.end && found->group_count == groups;
        for (uint32_t g = 0; g < groups && equal; g++) {
            equal = spans[2 * g + 2] == found->groups[g].start && spans[2 * g + 3] == found->groups[g].end;
        }
    }
    if (!equal) {
        print_error("pattern: %.*s\ntext:    %.*s\n", (int)pattern.len, pattern.at, (int)in.len, in.at);
        print_error("PCRE2:   %s %zu..%zu, aligned: %s %u..%u\n", wanted ? "found" : "none",
                    wanted ? spans[0] : 0, wanted ? spans[1] : 0, got ? "found" : "none",
                    got ? found->whole.start : 0, got ? found->whole.end : 0);
        for (uint32_t g = 0; g < groups && wanted && got; g++) {
            print_error("    %u: %zu..%zu, %u..%u\n", g + 1, spans[2 * g + 2], spans[2 * g + 3],
                        found->groups[g].start, found->groups[g].end);
        }
    }
    return equal;
}

/* Holds every rule against a text both ways; returns how many matched. */
static uint32_t compare(const catalog *c, const text *t, uint32_t *different)
{
    uint32_t matched = 0, start = 0;
    er_range range = {0, (uint32_t)t->len, &start, 1};
    for (uint32_t r = 0; r < c->count; r++) {
        er_alignment found;
        size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
        bool wanted = er_regex_match(c->regexes[r], c->room, slice(t), 0, t->len, spans) == ER_REGEX_MATCH;
        bool got = er_align(&c->matcher->pieces, &c->matcher->patterns[r], (er_aligned_text){slice(t), false},
                            range, &found);
        matched += wanted;
        *different += !same(slice(&c->sources[r]), slice(t), wanted, spans, got, &found,
                            er_regex_groups(c->regexes[r]));
    }
    return matched;
}

static void the_aligner_finds_what_pcre2_finds(void **state)
{
    (void)state;
    uint32_t tried = 0, matched = 0, different = 0;
    clock_t until = clock() + SECONDS * CLOCKS_PER_SEC;
    for (uint64_t round = 0; round < CATALOGS && in_time(until) && different < 5; round++) {
        dice d = {round};
        static catalog c;
        static text t;
        build(&c, &d, 1 + (uint32_t)round % 8);
        for (uint32_t i = 0; i < TEXTS; i++) {
            put_text(&d, &t, c.sources, c.count);
            matched += compare(&c, &t, &different);
            tried += c.count;
        }
        end(&c);
    }
    print_message("%u pairs, %u of them match, %u differ\n", tried, matched, different);
    assert_int_equal(different, 0);
    assert_true(matched > tried / 100);
}

/* --- folded --- */

/* The pattern over folded text, written again as a regular expression. */
static void put_again(text *out, const er_piece_pool *pool, const er_pattern *pattern, bool folded)
{
    static const char *const forms[] = {
        [ER_GROUP_NONE] = "",
        [ER_GROUP_ANY] = "(.+?)",
        [ER_GROUP_INT] = "(-?\\d+)",
        [ER_GROUP_HEX] = "([0-9a-fA-F]+)",
        [ER_GROUP_NUMBER] = "(-?\\d+(?:\\.\\d+)?)",
        [ER_GROUP_BOOL] = "(true|false)",
        [ER_GROUP_CHAR] = "(.)",
    };
    out->len = 0;
    for (uint32_t i = 0; i < pattern->piece_count; i++) {
        const er_piece *piece = &pool->pieces[pattern->first_piece + i];
        er_slice bytes = folded ? er_piece_fold(pool, piece) : er_piece_raw(pool, piece);
        put(out, forms[piece->before]);
        for (size_t k = 0; k < bytes.len; k++) {
            bool word =
                (bytes.at[k] >= '0' && bytes.at[k] <= '9') || (bytes.at[k] | 32) >= 'a' || bytes.at[k] < 0;
            put(out, (const char[]){word && bytes.at[k] != '|' && bytes.at[k] != '{' && bytes.at[k] != '}'
                                        ? bytes.at[k]
                                        : '\\',
                                    '\0'});
            if (out->at[out->len - 1] == '\\') {
                put(out, (const char[]){bytes.at[k], '\0'});
            }
        }
    }
    put(out, forms[pattern->tail]);
}

/* One pattern as it was taken apart, against the same written again, over one form of the text. */
static uint32_t compare_again(const catalog *c, uint32_t rule, const text *t, bool folded)
{
    const er_pattern *pattern = &c->matcher->patterns[rule];
    static text again, view;
    er_alignment found;
    er_regex *regex = NULL;
    size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
    put_again(&again, &c->matcher->pieces, pattern, folded);
    view = *t;
    if (folded) {
        view.len = er_fold(slice(t), view.at, NULL, NULL);
    }
    /* A literal behind the last group may fold to nothing: then the group reaches the end. */
    bool any_end = again.len >= 5 && memcmp(again.at + again.len - 5, "(.+?)", 5) == 0;
    assert_int_equal(er_regex_compile(&regex, slice(&again), false, any_end, NULL), ER_OK);
    bool wanted = er_regex_match(regex, c->room, slice(&view), 0, view.len, spans) == ER_REGEX_MATCH;
    uint32_t start = 0;
    er_range range = {0, (uint32_t)view.len, &start, 1};
    bool got = er_align(&c->matcher->pieces, pattern, (er_aligned_text){slice(&view), folded}, range, &found);
    bool equal = same(slice(&again), slice(&view), wanted, spans, got, &found, er_regex_groups(regex));
    er_regex_free(&regex);
    return !equal;
}

static void what_was_taken_apart_matches_the_same(void **state)
{
    (void)state;
    uint32_t different = 0, tried = 0;
    clock_t until = clock() + SECONDS * CLOCKS_PER_SEC;
    for (uint64_t round = 0; round < CATALOGS && in_time(until) && different < 5; round++) {
        dice d = {round + 1000};
        static catalog c;
        static text t;
        build(&c, &d, 1 + (uint32_t)round % 8);
        for (uint32_t r = 0; r < c.count; r++) {
            put_text(&d, &t, c.sources, c.count);
            different += compare_again(&c, r, &t, false);
            if (c.matcher->patterns[r].foldable) {
                different += compare_again(&c, r, &t, true);
            }
            tried++;
        }
        end(&c);
    }
    print_message("%u patterns, %u differ\n", tried, different);
    assert_int_equal(different, 0);
}

/* --- the index --- */

typedef struct hits {
    const er_matcher *matcher;
    const char *fold;
    uint32_t len;
    unsigned whole[RULES]; /* bits of the picks whose piece stands there */
    unsigned picks[RULES];
} hits;

static void take_hit(void *context, uint32_t at, const er_posting *postings, uint32_t count)
{
    hits *h = context;
    for (uint32_t i = 0; i < count; i++) {
        const er_posting *p = &postings[i];
        er_slice piece = er_slice_of(h->matcher->pieces.bytes.at + p->fold, p->fold_len);
        if (at >= p->offset && h->len - (at - p->offset) >= piece.len &&
            memcmp(h->fold + at - p->offset, piece.at, piece.len) == 0) {
            h->whole[p->rule] |= 1u << p->pick;
        }
        h->picks[p->rule] = p->picks;
    }
}

/* Every rule that PCRE2 finds must have been hit in all of its places; those without any are loose. */
static uint32_t missed(const catalog *c, const text *t)
{
    static char fold[LONG + ER_FOLD_SLACK];
    hits h = {.matcher = c->matcher, .fold = fold};
    uint32_t count = 0, loose_count = 0, wrong = 0;
    const uint32_t *loose = er_index_loose(c->matcher->index, &loose_count);
    h.len = (uint32_t)er_fold(slice(t), fold, NULL, NULL);
    er_index_scan(c->matcher->index, fold, h.len, take_hit, &h);
    for (uint32_t r = 0; r < c->count; r++) {
        size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
        bool found = er_regex_match(c->regexes[r], c->room, slice(t), 0, t->len, spans) == ER_REGEX_MATCH;
        bool is_loose = false;
        for (uint32_t i = 0; i < loose_count; i++) {
            is_loose = is_loose || loose[i] == r;
        }
        const er_pattern *pattern = &c->matcher->patterns[r];
        for (uint32_t i = 0; i < pattern->piece_count && is_loose; i++) {
            wrong += c->matcher->pieces.pieces[pattern->first_piece + i].fold_len > ER_SHORT_GRAM;
        }
        if (found && !is_loose && (h.picks[r] == 0 || h.whole[r] != (1u << h.picks[r]) - 1)) {
            print_error("the index missed %.*s in %.*s\n", (int)c->sources[r].len, c->sources[r].at,
                        (int)t->len, t->at);
            wrong++;
        }
        count += found && !is_loose;
    }
    assert_true(wrong == 0);
    return count;
}

static void the_index_misses_nothing(void **state)
{
    (void)state;
    uint32_t found = 0;
    clock_t until = clock() + SECONDS * CLOCKS_PER_SEC;
    for (uint64_t round = 0; round < CATALOGS && in_time(until); round++) {
        dice d = {round + 2000};
        static catalog c;
        static text t;
        build(&c, &d, 6 + (uint32_t)round % 30);
        for (uint32_t i = 0; i < TEXTS; i++) {
            put_text(&d, &t, c.sources, c.count);
            found += missed(&c, &t);
        }
        end(&c);
    }
    print_message("%u messages stood in the texts and were found\n", found);
    assert_true(found > 1000);
}

/* The rules of rules.tsv: what follows the rule is taken apart, and PCRE2 agrees on their messages. */
static void real_patterns_match_the_same(void **state)
{
    (void)state;
    rule_set set;
    uint32_t apart = 0;
    er_regex_room *room = NULL;
    rule_set_load(&set);
    er_matcher *matcher = rule_set_matcher(&set);
    assert_int_equal(er_regex_room_new(&room), ER_OK);
    for (uint32_t r = 0; r < set.count; r++) {
        for (uint32_t k = 0; k < set.count && !matcher->patterns[r].regex; k++) {
            er_slice in = set.rules[k].message;
            er_regex *regex = NULL;
            er_alignment found;
            size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
            uint32_t start = 0;
            er_range range = {0, (uint32_t)in.len, &start, 1};
            er_slice source = set.rules[r].pattern;
            assert_int_equal(er_regex_compile(&regex, source, false, matcher->patterns[r].any_end, NULL),
                             ER_OK);
            bool wanted = er_regex_match(regex, room, in, 0, in.len, spans) == ER_REGEX_MATCH;
            bool got = er_align(&matcher->pieces, &matcher->patterns[r], (er_aligned_text){in, false}, range,
                                &found);
            assert_true(same(source, in, wanted, spans, got, &found, er_regex_groups(regex)));
            er_regex_free(&regex);
        }
        apart += !matcher->patterns[r].regex;
    }
    er_regex_room_free(&room);
    er_matcher_free(&matcher);
    rule_set_free(&set);
    assert_true(apart > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_aligner_finds_what_pcre2_finds),
        cmocka_unit_test(what_was_taken_apart_matches_the_same),
        cmocka_unit_test(the_index_misses_nothing),
        cmocka_unit_test(real_patterns_match_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
