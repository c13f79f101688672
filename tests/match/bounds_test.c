/*
 * Texts put together at random from what the matcher looks for, each in memory of exactly
 * its size: under AddressSanitizer one byte read behind it is seen. Whatever comes, spans
 * and captures stay inside the text.
 */
#include "base/memory.h"
#include "match/rule_set.h"
#include "support/test.h"

#include <stdio.h>

#define TEXTS     20000u
#define PARTS     9u
#define TEXT_MOST 2048u

static const char *const parts[] = {"'",
                                    "\"",
                                    "`",
                                    "\"\"",
                                    "\\\"",
                                    "\\\\",
                                    "\\u003e",
                                    "\\n",
                                    "\n",
                                    " ",
                                    ": ",
                                    " - ",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    "(",
                                    ")",
                                    ",",
                                    "err_code",
                                    "\"err_code\":10059",
                                    "err_code=10059",
                                    " (10059)",
                                    " [10014]",
                                    "jerr=10062",
                                    "code",
                                    "10059",
                                    "=",
                                    "description=",
                                    "\"description\":\"",
                                    "[ERR] ",
                                    "[7] 2026/09/02 10:11:12.131415 [WRN] ",
                                    "10.0.0.5:4222 - cid:12 - ",
                                    "\"v1:go:app\" - ",
                                    "RAFT [a - b] ",
                                    "Filestore [",
                                    "nats: error: ",
                                    "nats-server: ",
                                    "-ERR '",
                                    "level=error msg=\"",
                                    "E0902 10:11:12.131415       1 a.go:1] ",
                                    "<34>1 2026-09-02T10:11:12Z h a 1 i - ",
                                    "...",
                                    "\xE2\x80\xA6",
                                    "\xE2\x80",
                                    "\xE2",
                                    "\xC2\xA0",
                                    "\xC2",
                                    "\xE2\x86\x90[31m",
                                    "\x1b[31m",
                                    "\x1b[",
                                    "\x1b",
                                    "[REDACTED]",
                                    "- ",
                                    "**",
                                    "```"};
#define PART_COUNT ((uint32_t)(sizeof parts / sizeof *parts))

static size_t add(char *text, size_t length, er_slice part)
{
    size_t room = TEXT_MOST - length, n = part.len < room ? part.len : room;
    memcpy(text + length, part.at, n);
    return length + n;
}

/* A message, whole or a piece of it, or one of the parts above. */
static size_t add_one(char *text, size_t length, const rule_set *set, dice *d)
{
    if (dice_throw(d, 3)) {
        return add(text, length, er_slice_string(parts[dice_throw(d, PART_COUNT)]));
    }
    er_slice message = set->rules[dice_throw(d, (uint32_t)set->count)].message;
    size_t from = dice_throw(d, 2) ? 0 : dice_throw(d, (uint32_t)message.len);
    size_t to = dice_throw(d, 2) ? message.len : from + dice_throw(d, (uint32_t)(message.len - from) + 1);
    return add(text, length, er_slice_sub(message, from, to));
}

static void check(er_slice text, const er_match *match)
{
    assert_true(match->start <= match->end && match->end <= text.len);
    assert_true(match->line >= 1 && match->confidence >= 0 && match->confidence <= 1);
    size_t sum = 0; /* reads each byte that is handed out */
    for (uint32_t c = 0; c < match->capture_count; c++) {
        assert_true(match->captures[c].value.len <= text.len);
        for (size_t i = 0; i < match->captures[c].value.len; i++) {
            sum += (unsigned char)match->captures[c].value.at[i];
        }
    }
    for (size_t i = 0; i < match->text.len; i++) {
        sum += (unsigned char)match->text.at[i];
    }
    assert_true(sum < SIZE_MAX);
}

static void nothing_outside_is_read(void **state)
{
    rule_set set;
    er_scratch *scratch = NULL;
    char made[TEXT_MOST];
    uint32_t found = 0;
    dice d = {20261130};
    (void)state;
    rule_set_load(&set);
    er_matcher *matcher = rule_set_matcher(&set);
    assert_int_equal(er_scratch_new(&scratch), ER_OK);
    for (uint32_t n = 0; n < TEXTS; n++) {
        size_t length = 0;
        for (uint32_t i = 1 + dice_throw(&d, PARTS); i > 0; i--) {
            length = add_one(made, length, &set, &d);
        }
        char *exact = er_alloc(length ? length : 1);
        assert_non_null(exact);
        memcpy(exact, made, length);
        er_query query = {.text = er_slice_of(exact, length), .limit = 5};
        er_explanation answer;
        assert_int_equal(er_explain(matcher, scratch, &query, &answer), ER_OK);
        found += answer.found;
        for (uint32_t i = 0; answer.found && i <= answer.cause_count + answer.other_count; i++) {
            uint32_t other = i - 1 - answer.cause_count;
            check(query.text, i == 0                    ? &answer.match
                              : i <= answer.cause_count ? &answer.causes[i - 1]
                                                        : &answer.others[other]);
        }
        er_free(exact);
    }
    printf("%u of %u texts were answered\n", found, TEXTS);
    assert_true(found > TEXTS / 10);
    er_scratch_free(&scratch);
    er_matcher_free(&matcher);
    rule_set_free(&set);
}

/* A code whose name stands inside a quoted value and whose digits are the end of the text. */
static void a_code_that_ends_behind_its_value(void **state)
{
    static const char text[] = "x 'stream not found err_code' 10059";
    rule_set set;
    er_scratch *scratch = NULL;
    er_explanation answer;
    (void)state;
    rule_set_load(&set);
    er_matcher *matcher = rule_set_matcher(&set);
    assert_int_equal(er_scratch_new(&scratch), ER_OK);
    char *exact = er_alloc(sizeof text - 1);
    assert_non_null(exact);
    memcpy(exact, text, sizeof text - 1);
    er_query query = {.text = er_slice_of(exact, sizeof text - 1), .limit = 5};
    assert_int_equal(er_explain(matcher, scratch, &query, &answer), ER_OK);
    assert_true(answer.found);
    assert_true(er_slice_is(set.rules[answer.match.rule].code, "10059"));
    er_free(exact);
    er_scratch_free(&scratch);
    er_matcher_free(&matcher);
    rule_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_outside_is_read),
        cmocka_unit_test(a_code_that_ends_behind_its_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
