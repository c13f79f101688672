/*
 * A message with random values in its places, framed at random, gives its record and
 * those values back.
 *
 * The rules are those of rules.tsv; with ERRATA_SITES=FILE in the environment, an NDJSON
 * file of what `errata extract` found, those too. A case depends on its number alone:
 * ERRATA_CASE=N runs that one, ERRATA_SHOWN=N prints so many failures.
 */
#include "match/engine.h"
#include "match/filled.h"
#include "match/rule_set.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CASES       100000u
#define SECONDS     20  /* of processor time: what is not reached by then is left out */
#define SHOWN       12u /* failures that are printed */
#define FRAMES_MOST 32u

typedef struct property {
    rule_set set;
    er_matcher *matcher;
    er_scratch *scratch;
    uint32_t *plain; /* places of rules that can be told apart */
    size_t plain_count;
    uint32_t *failed_by_frame;
} property;

/*
 * Another record may answer where it says as much: messages of a large source overlap. It
 * must account for the whole message too, with as much literal text.
 */
static bool as_good(const property *p, const filled *f, uint32_t rule)
{
    er_piece_pool pool;
    er_pattern wanted, got;
    er_regex *regex = NULL;
    er_regex_room *room = NULL;
    size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
    er_slice text = er_buffer_slice(&f->message);
    er_piece_pool_start(&pool);
    assert_int_equal(er_pattern_parse(p->set.rules[f->rule].pattern, &pool, &wanted), ER_OK);
    assert_int_equal(er_pattern_parse(p->set.rules[rule].pattern, &pool, &got), ER_OK);
    assert_int_equal(er_regex_compile(&regex, p->set.rules[rule].pattern, true, true, NULL), ER_OK);
    assert_int_equal(er_regex_room_new(&room), ER_OK);
    bool good = got.literal >= wanted.literal &&
                er_regex_match(regex, room, text, 0, text.len, spans) == ER_REGEX_MATCH && spans[0] == 0;
    er_regex_free(&regex);
    er_regex_room_free(&room);
    er_piece_pool_free(&pool);
    return good;
}

static const char *wrong(const property *p, const filled *f, const er_explanation *x, bool strict)
{
    if (!x->found) {
        return "nothing was found";
    }
    if (x->match.rule != f->rule) {
        return !strict && as_good(p, f, x->match.rule) ? NULL : "another record";
    }
    if (x->match.status == ER_MATCH_PARTIAL) {
        return "partial";
    }
    if (x->match.capture_count != f->value_count) {
        return "another number of captures";
    }
    for (uint32_t i = 0; i < f->value_count; i++) {
        if (x->match.captures[i].group != i + 1 ||
            !er_slice_equal(x->match.captures[i].value, er_slice_of(f->values[i].at, f->values[i].len))) {
            return "another capture";
        }
    }
    return NULL;
}

static void show(const property *p, const filled *f, const er_explanation *x, uint32_t number,
                 const char *reason)
{
    print_error("case %u, %s: %s\n    line:    %.*s\n    rule:    %.*s\n", number, f->frame, reason,
                (int)f->line.len, f->line.at, (int)p->set.rules[f->rule].pattern.len,
                p->set.rules[f->rule].pattern.at);
    if (!x->found) {
        return;
    }
    print_error("    answer:  %.*s\n", (int)p->set.rules[x->match.rule].pattern.len,
                p->set.rules[x->match.rule].pattern.at);
    for (uint32_t i = 0; i < x->match.capture_count; i++) {
        print_error("    %u = %.*s\n", x->match.captures[i].group, (int)x->match.captures[i].value.len,
                    x->match.captures[i].value.at);
    }
}

static bool run_case(property *p, filled *f, uint32_t number, bool strict, bool quiet)
{
    f->dice.state = number * UINT64_C(0x9E3779B97F4A7C15);
    f->rule = p->plain[dice_throw(&f->dice, (uint32_t)p->plain_count)];
    size_t frame = dice_throw(&f->dice, (uint32_t)filled_frame_count());
    er_explanation x;
    filled_make(f, &p->set.rules[f->rule]);
    filled_frame(f, frame);
    er_query query = {.text = er_buffer_slice(&f->line), .limit = 5};
    assert_int_equal(er_explain(p->matcher, p->scratch, &query, &x), ER_OK);
    const char *reason = wrong(p, f, &x, strict);
    if (reason && !quiet) {
        show(p, f, &x, number, reason);
    }
    p->failed_by_frame[frame] += reason != NULL;
    return reason == NULL;
}

static void run(property *p, bool strict)
{
    filled f = {0};
    uint32_t failed_by_frame[FRAMES_MOST] = {0}, failed = 0, number = 0;
    const char *only = getenv("ERRATA_CASE"), *most = getenv("ERRATA_SHOWN");
    uint32_t shown = most ? (uint32_t)strtoul(most, NULL, 10) : SHOWN;
    clock_t end = clock() + SECONDS * CLOCKS_PER_SEC;
    assert_true(filled_frame_count() <= FRAMES_MOST);
    p->failed_by_frame = failed_by_frame;
    p->plain = calloc(p->set.count + 1, sizeof *p->plain);
    assert_non_null(p->plain);
    p->plain_count = rule_set_plain(&p->set, p->plain);
    p->matcher = rule_set_matcher(&p->set);
    assert_int_equal(er_scratch_new(&p->scratch), ER_OK);
    er_buffer_start(&f.message, LINE_MOST);
    er_buffer_start(&f.line, LINE_MOST);
    for (; number < CASES && !only && (number % 64 || clock() < end); number++) {
        failed += !run_case(p, &f, number, strict, failed >= shown);
    }
    if (only) {
        failed += !run_case(p, &f, (uint32_t)strtoul(only, NULL, 10), strict, false);
    }
    print_message("%u cases of %zu rules, %u wrong\n", number, p->plain_count, failed);
    for (size_t i = 0; i < filled_frame_count(); i++) {
        if (failed_by_frame[i]) {
            print_message("    %s: %u\n", filled_frame_name(i), failed_by_frame[i]);
        }
    }
    er_buffer_free(&f.message);
    er_buffer_free(&f.line);
    er_scratch_free(&p->scratch);
    er_matcher_free(&p->matcher);
    free(p->plain);
    rule_set_free(&p->set);
    assert_int_equal(failed, 0);
}

static void filled_messages_come_back(void **state)
{
    (void)state;
    property p = {0};
    rule_set_load(&p.set);
    run(&p, true);
}

static void messages_of_a_source_come_back(void **state)
{
    (void)state;
    property p = {0};
    const char *path = getenv("ERRATA_SITES");
    if (!path) {
        print_message("ERRATA_SITES is not set: messages of a source were left out\n");
        skip();
        return;
    }
    rule_set_load_sites(&p.set, path);
    run(&p, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_messages_come_back),
        cmocka_unit_test(messages_of_a_source_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
