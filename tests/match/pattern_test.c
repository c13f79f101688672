/*
 * Patterns that are finer than the rule: PCRE2 matches them, and the index finds them by the
 * literals that pattern.c took out of them. So each text that one matches must hold those.
 */
#include "match/engine.h"
#include "match/rule_set.h"
#include "support/test.h"

#include <time.h>

#define PATTERNS  20000
#define SECONDS   20 /* of processor time: what is not reached by then is left out */
#define TEXT_MOST 1024u

static void put_finer(dice *d, er_buffer *t)
{
    static const char *const parts[] = {
        "ab",        "a b",     "ba",     "\\d",    "\\w+",        "\\.",       "\\x61", "[ab]",
        "[^a]",      "[]a]",    "[^]b]",  "[a\\]]", "[[:alpha:]]", "(?:a|b)",   "(a)?",  "a?",
        "b*",        "a{2}",    "b{0,1}", "(ab)+",  "a+?",         "|",         "^",     "$",
        "\\b",       "(?i)",    "(?=a)",  "(?!b)",  "(?<n>a)",     "(a(b)a)",   ".",     ".*",
        "\\n",       "\\t",     "{",      "}",      "(.+?)",       "(-?\\d+)",  "a{,2}", "(?#x]a)",
        "\\Qa.b\\E", "(?|a|b)", "\\/",    "\\\\",   "(?>ab)",      "\\s",       "[(]a",  "[a)]b",
        "(?-i)",     "(?s:.)",  "a\\E",   "\\Ka",   "\\x{62}",     "\\N{U+61}", "\\141", "\\e",
        "\\cA",      "\\pL",    "\\1",    "\\G",    "(?x) a b",    "\\R",
    };
    er_buffer_clear(t);
    for (uint32_t n = 2 + dice_throw(d, 5); n > 0; n--) {
        er_buffer_add_string(t, parts[dice_throw(d, sizeof parts / sizeof *parts)]);
    }
}

static void put_near_text(dice *d, er_buffer *t)
{
    static const char *const parts[] = {"ab",  "a",  "b",  "a b", "1", ".",  "]",
                                        "a.b", "\n", "\t", "{",   "x", "aa", "AB"};
    er_buffer_clear(t);
    for (uint32_t n = 1 + dice_throw(d, 9); n > 0; n--) {
        er_buffer_add_string(t, parts[dice_throw(d, sizeof parts / sizeof *parts)]);
    }
}

/* Whether the pieces stand in what matched, in their order: the index relies on it. */
static bool pieces_stand(const er_piece_pool *pool, const er_pattern *pattern, er_slice whole)
{
    static char fold[TEXT_MOST + ER_FOLD_SLACK];
    assert_true(whole.len <= TEXT_MOST);
    size_t len = er_fold(whole, fold, NULL, NULL), at = 0;
    for (uint32_t i = 0; i < pattern->piece_count; i++) {
        er_slice piece = er_piece_fold(pool, &pool->pieces[pattern->first_piece + i]);
        const char *found = piece.len ? memmem(fold + at, len - at, piece.at, piece.len) : fold + at;
        if (!found) {
            return false;
        }
        at = (size_t)(found - fold) + piece.len;
    }
    return true;
}

/* Holds a pattern against random texts; returns how many it matched. */
static uint32_t check_finer(dice *d, const er_buffer *source, er_buffer *t, er_regex_room *room,
                            uint32_t *wrong)
{
    er_regex *regex = NULL;
    er_piece_pool pool;
    er_pattern pattern;
    uint32_t matched = 0;
    er_piece_pool_start(&pool);
    assert_int_equal(er_pattern_parse(er_buffer_slice(source), &pool, &pattern), ER_OK);
    er_status status = er_regex_compile(&regex, er_buffer_slice(source), false, pattern.any_end, NULL);
    for (int i = 0; i < 40 && status == ER_OK; i++) {
        size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
        put_near_text(d, t);
        /* A match that begins behind its end, as \K in an assertion makes it, spans nothing. */
        if (er_regex_match(regex, room, er_buffer_slice(t), 0, t->len, spans) != ER_REGEX_MATCH ||
            spans[0] > spans[1]) {
            continue;
        }
        matched++;
        if (!pieces_stand(&pool, &pattern, er_buffer_slice(t))) {
            print_error("%.*s matches %.*s, which lacks a piece of it\n", (int)source->len, source->at,
                        (int)t->len, t->at);
            ++*wrong;
            break;
        }
    }
    er_regex_free(&regex);
    er_piece_pool_free(&pool);
    return matched;
}

static void what_a_finer_pattern_matches_holds_its_pieces(void **state)
{
    (void)state;
    er_regex_room *room = NULL;
    uint32_t matched = 0, wrong = 0;
    clock_t until = clock() + SECONDS * CLOCKS_PER_SEC;
    er_buffer source, text;
    er_buffer_start(&source, TEXT_MOST);
    er_buffer_start(&text, TEXT_MOST);
    assert_int_equal(er_regex_room_new(&room), ER_OK);
    for (uint64_t round = 0; round < PATTERNS && clock() < until && wrong < 20; round++) {
        dice d = {round + 3000};
        put_finer(&d, &source);
        matched += check_finer(&d, &source, &text, room, &wrong);
    }
    er_regex_room_free(&room);
    er_buffer_free(&source);
    er_buffer_free(&text);
    print_message("%u matches\n", matched);
    assert_int_equal(wrong, 0);
    assert_true(matched > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_finer_pattern_matches_holds_its_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
