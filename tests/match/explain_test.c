/*
 * The cases of *.cases, each against the rules of rules.tsv.
 *
 *     # a comment
 *     < a line of the text; several are joined with line feeds
 *     ? release=v2.1.0 | repo=acme/depot | limit=3
 *     = ID STATUS | KEY=VALUE | ...
 *
 * ID is that of the answer, "-" for none; STATUS may be "*". In text and values `\e` is an escape byte and
 * `\xNN` any other; everything else stands for itself. What the answer must have:
 *
 *     1=VALUE, 2=VALUE ...   its captures: all of them, in their order
 *     cause=ID, other=ID ... its causes and the other messages: all of them, in their order
 *     lists=any              says that these do not matter
 *
 * and what it must have where the case says so:
 *
 *     text, span (from..to), line, level, time, kind, name: as in the reply
 *     alternative=ID ...     the first alternatives
 *     nearest=ID ...         the nearest records, all of them; nearest= for none
 *     confidence             "<0.3", ">0.9", a bound that it keeps
 *
 * ERRATA_CASES=N runs the N-th case alone (its first line's number in the file).
 */
#include "base/file.h"
#include "match/expectation.h"
#include "match/rule_set.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_ACTUAL 65536u
#define ORDERS      4u

typedef struct runner {
    rule_set set;
    er_matcher *matcher;
    er_scratch *scratch;
    const char *file;
    bool quiet; /* counts only */
    int cases, failed;
} runner;

static er_slice id_of(const runner *r, uint32_t rule)
{
    return r->set.rules[rule].id;
}

static void write_field(er_buffer *out, const char *key, er_slice value)
{
    er_buffer_format(out, " | %s=", key);
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.at[i];
        if (c < 0x20) {
            er_buffer_format(out, "\\x%02x", c);
        } else {
            er_buffer_add_char(out, (char)c);
        }
    }
}

/* The explanation as a case would have it. */
static void write_actual(const runner *r, const er_explanation *x, er_buffer *out)
{
    if (!x->found) {
        er_buffer_add_string(out, "-");
        for (uint32_t i = 0; i < x->nearest_count; i++) {
            write_field(out, "nearest", id_of(r, x->nearest[i].rule));
        }
        return;
    }
    const er_match *m = &x->match;
    er_buffer_add(out, id_of(r, m->rule));
    er_buffer_format(out, " %s", er_match_status_name(m->status));
    for (uint32_t i = 0; i < m->capture_count; i++) {
        char key[16];
        (void)snprintf(key, sizeof key, "%u", m->captures[i].group);
        write_field(out, key, m->captures[i].value);
    }
    for (uint32_t i = 0; i < x->cause_count; i++) {
        write_field(out, "cause", id_of(r, x->causes[i].rule));
    }
    for (uint32_t i = 0; i < x->other_count; i++) {
        write_field(out, "other", id_of(r, x->others[i].rule));
    }
    write_field(out, "text", m->text);
    er_buffer_format(out, " | span=%zu..%zu | line=%u", m->start, m->end, m->line);
    write_field(out, "level", m->frame.level);
    write_field(out, "time", m->frame.time);
    write_field(out, "kind", m->frame.kind);
    write_field(out, "name", m->frame.name);
    for (uint32_t i = 0; i < x->alternative_count; i++) {
        write_field(out, "alternative", id_of(r, x->alternatives[i].rule));
    }
    er_buffer_format(out, " | confidence=%.2f", m->confidence);
}

static bool plain(er_slice text)
{
    return !memchr(text.at, '\\', text.len) && !memchr(text.at, '\x1b', text.len) &&
           !memmem(text.at, text.len, "\xE2\x86\x90", 3);
}

/* What holds of every match. */
static const char *broken_match(const runner *r, er_slice text, const er_match *m)
{
    if (m->rule >= r->set.count || m->start >= m->end || m->end > text.len) {
        return "the span is not inside the text";
    }
    uint32_t line = 1;
    for (size_t i = 0; i < m->start; i++) {
        line += text.at[i] == '\n';
    }
    er_slice raw = er_slice_sub(text, m->start, m->end);
    if (m->line != line) {
        return "the line is not that of the span";
    }
    if (plain(raw) && !er_slice_equal(raw, m->text)) {
        return "the text is not that of the span";
    }
    if (!(m->confidence > 0 && m->confidence <= 1)) {
        return "the confidence is not between 0 and 1";
    }
    for (uint32_t i = 0; i < m->capture_count; i++) {
        er_slice value = m->captures[i].value;
        if (value.len && !memmem(m->text.at, m->text.len, value.at, value.len)) {
            return "a capture is not inside the text";
        }
    }
    return NULL;
}

/* A list of suggestions: each once, without the answer, the surest first. */
static const char *broken_list(const er_suggestion *list, uint32_t count, const er_explanation *x)
{
    for (uint32_t i = 0; i < count; i++) {
        if (x->found && list[i].rule == x->match.rule) {
            return "the answer is among its alternatives";
        }
        for (uint32_t k = 0; k < i; k++) {
            if (list[k].rule == list[i].rule) {
                return "a record is listed twice";
            }
        }
        if (x->found && list[i].confidence > x->match.confidence) {
            return "an alternative is surer than the answer";
        }
        if (!x->found && i > 0 && list[i].confidence > list[i - 1].confidence) {
            return "the nearest record is not the first";
        }
    }
    return NULL;
}

/* A cause lies inside the message, and what else was found stands in its order. */
static const char *broken_places(const er_explanation *x)
{
    for (uint32_t i = 0; i < x->cause_count; i++) {
        if (x->causes[i].start < x->match.start || x->causes[i].end > x->match.end) {
            return "a cause is outside the message";
        }
    }
    for (uint32_t i = 1; i < x->other_count; i++) {
        if (x->others[i].start < x->others[i - 1].start) {
            return "other messages are not in their order";
        }
    }
    return NULL;
}

static const char *broken_counts(const er_query *query, const er_explanation *x)
{
    if (x->match.status == ER_MATCH_AMBIGUOUS && x->found &&
        (x->alternative_count == 0 || x->alternatives[0].confidence < x->match.confidence)) {
        return "the second of two that are equal is not as sure as the first";
    }
    if (x->alternative_count > query->limit || x->other_count > query->limit ||
        x->nearest_count > query->limit) {
        return "a list is longer than the limit";
    }
    return NULL;
}

static const char *broken(const runner *r, const er_query *query, const er_explanation *x)
{
    const char *reason = x->found ? broken_match(r, query->text, &x->match) : NULL;
    for (uint32_t i = 0; i < x->cause_count && !reason; i++) {
        reason = broken_match(r, query->text, &x->causes[i]);
    }
    for (uint32_t i = 0; i < x->other_count && !reason; i++) {
        reason = broken_match(r, query->text, &x->others[i]);
    }
    reason = reason ? reason : broken_list(x->alternatives, x->alternative_count, x);
    reason = reason ? reason : broken_list(x->nearest, x->nearest_count, x);
    reason = reason ? reason : broken_places(x);
    return reason ? reason : broken_counts(query, x);
}

static void run_case(runner *r, expectation *c)
{
    er_explanation x;
    er_buffer actual;
    er_buffer_start(&actual, MOST_ACTUAL);
    c->query.text = er_slice_of(c->bytes + c->text, c->text_len);
    assert_int_equal(er_explain(r->matcher, r->scratch, &c->query, &x), ER_OK);
    write_actual(r, &x, &actual);
    const char *reason = broken(r, &c->query, &x);
    r->cases++;
    if (reason || !expectation_met(c, er_buffer_slice(&actual), x.match.confidence)) {
        r->failed++;
        if (!r->quiet) {
            print_error("tests/match/%s:%d: %s\n    text:     %.*s\n    actual:   %.*s\n", r->file, c->line,
                        reason ? reason : "another answer", (int)c->text_len, c->query.text.at,
                        (int)actual.len, actual.at);
        }
    }
    er_buffer_free(&actual);
}

static void take_line(runner *r, expectation *c, er_slice line, int number, long only)
{
    if (line.len < 2 || line.at[0] == '#') {
        return;
    }
    er_slice rest = er_slice_sub(line, 2, line.len);
    if (c->line == 0) {
        expectation_start(c, number);
    }
    if (line.at[0] == '<') {
        expectation_text(c, rest);
    } else if (line.at[0] == '?') {
        expectation_options(c, rest);
    } else if (line.at[0] == '=') {
        expectation_answer(c, rest);
        if (only == 0 || only == c->line) {
            run_case(r, c);
        }
        c->line = 0;
    } else {
        fail_msg("%s:%d: no case", r->file, number);
    }
}

static void run_file(runner *r)
{
    static expectation c;
    char path[1024];
    er_buffer file;
    const char *only = getenv("ERRATA_CASES");
    er_buffer_start(&file, (size_t)1 << 20);
    (void)snprintf(path, sizeof path, ERRATA_SOURCE_DIR "/tests/match/%s", r->file);
    assert_int_equal(er_file_read(path, &file, NULL), ER_OK);
    c.line = 0;
    int number = 0;
    for (size_t at = 0; at < file.len;) {
        const char *end = memchr(file.at + at, '\n', file.len - at);
        size_t length = end ? (size_t)(end - file.at) - at : file.len - at;
        take_line(r, &c, er_slice_of(file.at + at, length), ++number, only ? strtol(only, NULL, 10) : 0);
        at += length + 1;
    }
    er_buffer_free(&file);
}

/* Every case in the order of the file, then with the rules in other orders: nothing may change. */
static void run(const char *file)
{
    int first = 0;
    for (uint64_t order = 0; order < ORDERS; order++) {
        runner r = {.file = file};
        rule_set_load(&r.set);
        if (order > 0) {
            rule_set_shuffle(&r.set, order);
        }
        r.matcher = rule_set_matcher(&r.set);
        assert_int_equal(er_scratch_new(&r.scratch), ER_OK);
        r.quiet = order > 0 && first > 0;
        run_file(&r);
        if (order == 0) {
            first = r.failed;
            print_message("%s: %d cases, %d with another answer\n", file, r.cases, r.failed);
        } else if (r.failed != first) {
            print_error("%s: with the rules in order %d, %d have another answer\n", file, (int)order,
                        r.failed);
            first = first > r.failed ? first : r.failed;
        }
        er_scratch_free(&r.scratch);
        er_matcher_free(&r.matcher);
        rule_set_free(&r.set);
        assert_true(r.cases > 0);
    }
    assert_int_equal(first, 0);
}

static void framing_is_found(void **state)
{
    (void)state;
    run("framing.cases");
}

static void clients_are_read(void **state)
{
    (void)state;
    run("clients.cases");
}

static void damage_is_survived(void **state)
{
    (void)state;
    run("damage.cases");
}

static void the_best_account_answers(void **state)
{
    (void)state;
    run("ranking.cases");
}

static void what_is_nothing_gets_nothing(void **state)
{
    (void)state;
    run("nothing.cases");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framing_is_found),
        cmocka_unit_test(clients_are_read),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(the_best_account_answers),
        cmocka_unit_test(what_is_nothing_gets_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
