/*
 * Memory and threads: each allocation may fail; a warm scratch takes none; one matcher
 * serves any number of threads, and one scratch any number of matchers.
 */
#include "base/memory.h"
#include "match/rule_set.h"
#include "support/test.h"

#include <stdio.h>

#define MOST_FAILURES 20000
#define MOST_RULES    SIZE_MAX

static const char *const samples[] = {
    "stream closed",
    "[1] 2026/09/02 10:11:12.131415 [ERR] restore for stream 'ACME > ORDERS' is stalled",
    "[1] 2026/09/02 10:11:12.131415 [\x1b[31mERR\x1b[0m] could not open block file \"a.blk\": too many open "
    "files",
    "step \"copy\" failed: upgrade from v1 to v2 failed: operation failed: no space left on volume /data",
    "{\"log\":\"{\\\"msg\\\":\\\"publish to subject \\\\\\\"bill.paid\\\\\\\" was "
    "denied\\\"}\\n\",\"stream\":\"stderr\"}",
    "nats: error: stream not found (10059)",
    "{\"error\":{\"code\":500,\"err_code\":10062,\"description\":\"restore failed: volume /data was mounted "
    "read-only\"}}",
    "[INF] server is ready\n[ERR] cluster has no metadata leader\n[WRN] loading block 7 failed: bad magic "
    "number",
    "slow consumer found: write deadline\nof 10s exceeded with 3 chunks of 12 total bytes",
    "SLOW CONSUMER FOUND: write deadline of 10s exceeded with 3 chunks",
    "lease L-7 was revoked by warden",
    "ledger \"A\" was closed twice",
    "websocket said: origin not allowed",
    "nothing of this is known to anybody here",
};
#define WRITTEN (sizeof samples / sizeof *samples)
#define SAMPLES (WRITTEN + 1) /* the last one is made: all the others, until no first room holds them */
#define REPEATS 24u

static er_slice sample_text(size_t sample)
{
    static char all[REPEATS * 2048u];
    static size_t length;
    if (sample < WRITTEN) {
        return er_slice_string(samples[sample]);
    }
    if (length > 0) {
        return er_slice_of(all, length);
    }
    for (size_t i = 0; i < REPEATS * WRITTEN && length + 256 < sizeof all; i++) {
        length += (size_t)snprintf(all + length, sizeof all - length, "%s\n", samples[i % WRITTEN]);
    }
    /* What comes last is told of nowhere else, and is the worst. */
    length += (size_t)snprintf(all + length, sizeof all - length, "%s\n",
                               "block file \"a\" is corrupt beyond repair, remove it to go on");
    return er_slice_of(all, length);
}

static er_status explain(const er_matcher *matcher, er_scratch *scratch, size_t sample, er_explanation *x)
{
    er_query query = {.text = sample_text(sample), .limit = 5};
    return er_explain(matcher, scratch, &query, x);
}

/* What an explanation says, as a text that can be compared. */
static void write(er_buffer *out, const er_explanation *x)
{
    er_buffer_clear(out);
    er_buffer_format(out, "%d %u %u %u %u", x->found, x->cause_count, x->other_count, x->alternative_count,
                     x->nearest_count);
    for (uint32_t i = 0; i < x->nearest_count; i++) {
        er_buffer_format(out, " ~%u", x->nearest[i].rule);
    }
    if (!x->found) {
        return;
    }
    er_buffer_format(out, " %u %s %.4f %zu..%zu ", x->match.rule, er_match_status_name(x->match.status),
                     x->match.confidence, x->match.start, x->match.end);
    er_buffer_add(out, x->match.text);
    for (uint32_t i = 0; i < x->match.capture_count; i++) {
        er_buffer_format(out, " %u=", x->match.captures[i].group);
        er_buffer_add(out, x->match.captures[i].value);
    }
    for (uint32_t i = 0; i < x->cause_count; i++) {
        er_buffer_format(out, " <%u", x->causes[i].rule);
    }
    for (uint32_t i = 0; i < x->alternative_count; i++) {
        er_buffer_format(out, " |%u %.4f", x->alternatives[i].rule, x->alternatives[i].confidence);
    }
}

static void building_may_fail_anywhere(void **state)
{
    (void)state;
    rule_set set;
    rule_set_load(&set);
    for (long n = 0;; n++) {
        er_matcher *matcher = NULL;
        er_fault fault;
        (void)er_memory_fail_after(n);
        er_status status = er_matcher_build(&matcher, set.rules, set.count, NULL, &fault);
        bool failed = er_memory_fail_after(-1) > n;
        if (!failed) {
            assert_int_equal(status, ER_OK);
            er_matcher_free(&matcher);
            break;
        }
        /* One whose failure costs nothing but a little room is forgiven. */
        assert_true(status == ER_NO_MEMORY || status == ER_OK);
        if (status == ER_OK) {
            er_matcher_free(&matcher);
        } else {
            assert_int_equal(fault.status, ER_NO_MEMORY);
        }
        assert_null(matcher);
        assert_true(n < MOST_FAILURES);
    }
    rule_set_free(&set);
}

static void checking_a_pattern_may_fail_anywhere(void **state)
{
    (void)state;
    static const char *const patterns[] = {"could not open \"(.+?)\": (.+?)",
                                           "lease (\\S+) was (?:lost|revoked)"};
    for (size_t i = 0; i < 2; i++) {
        uint32_t groups = 0;
        er_slice pattern = er_slice_string(patterns[i]);
        for (long n = 0;; n++) {
            (void)er_memory_fail_after(n);
            er_status status = er_pattern_check(pattern, &groups, NULL);
            if (er_memory_fail_after(-1) <= n) {
                assert_int_equal(status, ER_OK);
                break;
            }
            assert_true(status == ER_NO_MEMORY || status == ER_OK);
        }
        assert_int_equal(groups, 2 - i);
    }
}

/* One sample with the n-th allocation failing; false when none was left to fail. */
static bool fails_cleanly(const er_matcher *matcher, size_t sample, long n, const er_buffer *wanted)
{
    er_scratch *scratch = NULL;
    er_explanation x;
    er_buffer got;
    er_buffer_start(&got, 1 << 16);
    (void)er_memory_fail_after(n);
    er_status status = er_scratch_new(&scratch);
    if (status == ER_OK) {
        status = explain(matcher, scratch, sample, &x);
    } else {
        assert_null(scratch);
    }
    bool failed = er_memory_fail_after(-1) > n;
    if (status == ER_OK) { /* whatever failed, the answer is whole */
        write(&got, &x);
        assert_true(er_slice_equal(er_buffer_slice(&got), er_buffer_slice(wanted)));
    } else {
        assert_true(failed && status == ER_NO_MEMORY);
    }
    if (scratch) { /* is as good as before */
        assert_int_equal(explain(matcher, scratch, sample, &x), ER_OK);
        write(&got, &x);
        assert_true(er_slice_equal(er_buffer_slice(&got), er_buffer_slice(wanted)));
        er_scratch_free(&scratch);
    }
    er_buffer_free(&got);
    return failed;
}

static void explaining_may_fail_anywhere(void **state)
{
    (void)state;
    rule_set set;
    rule_set_load(&set);
    er_matcher *matcher = rule_set_matcher(&set);
    for (size_t i = 0; i < SAMPLES; i++) {
        er_scratch *scratch = NULL;
        er_explanation x;
        er_buffer wanted;
        er_buffer_start(&wanted, 1 << 16);
        assert_int_equal(er_scratch_new(&scratch), ER_OK);
        assert_int_equal(explain(matcher, scratch, i, &x), ER_OK);
        write(&wanted, &x);
        long n = 0;
        while (fails_cleanly(matcher, i, n, &wanted)) {
            assert_true(++n < MOST_FAILURES);
        }
        assert_true(n > 4);
        er_scratch_free(&scratch);
        er_buffer_free(&wanted);
    }
    er_matcher_free(&matcher);
    rule_set_free(&set);
}

static void a_warm_scratch_takes_no_memory(void **state)
{
    (void)state;
    rule_set set;
    er_scratch *scratch = NULL;
    er_explanation x;
    rule_set_load(&set);
    er_matcher *matcher = rule_set_matcher(&set);
    assert_int_equal(er_scratch_new(&scratch), ER_OK);
    for (int round = 0; round < 2; round++) {
        (void)er_memory_fail_after(-1);
        for (size_t i = 0; i < SAMPLES; i++) {
            assert_int_equal(explain(matcher, scratch, i, &x), ER_OK);
        }
    }
    assert_int_equal(er_memory_fail_after(-1), 0);
    er_scratch_free(&scratch);
    er_matcher_free(&matcher);
    rule_set_free(&set);
}

/* A catalog that grows and shrinks under a scratch, as a reload does. */
static void a_scratch_serves_several_matchers(void **state)
{
    (void)state;
    rule_set set;
    er_scratch *scratch = NULL;
    er_explanation x;
    rule_set_load(&set);
    assert_int_equal(er_scratch_new(&scratch), ER_OK);
    static const size_t counts[] = {3, MOST_RULES, 0, 40, MOST_RULES};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        er_matcher *matcher = NULL;
        er_scratch *fresh = NULL;
        size_t count = counts[k] < set.count ? counts[k] : set.count;
        er_buffer wanted, got;
        er_buffer_start(&wanted, 1 << 16);
        er_buffer_start(&got, 1 << 16);
        assert_int_equal(er_matcher_build(&matcher, set.rules, count, NULL, NULL), ER_OK);
        assert_int_equal(er_scratch_new(&fresh), ER_OK);
        for (size_t i = 0; i < SAMPLES; i++) {
            assert_int_equal(explain(matcher, fresh, i, &x), ER_OK);
            write(&wanted, &x);
            assert_int_equal(explain(matcher, scratch, i, &x), ER_OK);
            write(&got, &x);
            assert_true(er_slice_equal(er_buffer_slice(&got), er_buffer_slice(&wanted)));
            assert_true(count > 0 || !x.found);
        }
        er_scratch_free(&fresh);
        er_matcher_free(&matcher);
        er_buffer_free(&wanted);
        er_buffer_free(&got);
    }
    er_scratch_free(&scratch);
    rule_set_free(&set);
}

static void what_is_freed_twice_is_freed_once(void **state)
{
    (void)state;
    er_scratch *scratch = NULL;
    er_matcher *matcher = NULL;
    er_scratch_free(&scratch);
    er_matcher_free(&matcher);
    assert_int_equal(er_scratch_new(&scratch), ER_OK);
    er_scratch_free(&scratch);
    assert_null(scratch);
    er_scratch_free(&scratch);
}

/* A bad pattern is named, with its place, and its reason. */
static void a_bad_pattern_is_refused(void **state)
{
    (void)state;
    static char long_pattern[ER_MATCH_MAX_PATTERN + 2], many_groups[4 * (ER_MATCH_MAX_GROUPS + 2)];
    memset(long_pattern, 'a', sizeof long_pattern - 1);
    for (size_t i = 0; i <= ER_MATCH_MAX_GROUPS; i++) {
        memcpy(many_groups + 4 * i, "a(b)", 4);
    }
    const struct {
        er_slice pattern;
        size_t offset; /* ER_FAULT_NOWHERE: does not matter */
        const char *reason;
    } bad[] = {
        {ER_SLICE("volume (.+?"), 11, "the pattern does not compile"},
        {ER_SLICE("a[b"), 3, "the pattern does not compile"},
        {ER_SLICE("(?<n>a"), 6, "the pattern does not compile"},
        {ER_SLICE("*a"), 0, "the pattern does not compile"},
        {ER_SLICE("\\C"), ER_FAULT_NOWHERE, "the pattern does not compile"},
        {ER_SLICE(""), ER_FAULT_NOWHERE, "the pattern is empty"},
        {ER_SLICE("a\0b"), 1, "NUL"},
        {{long_pattern, sizeof long_pattern - 1}, ER_FAULT_NOWHERE, "at most 8192"},
        {{many_groups, 4 * (ER_MATCH_MAX_GROUPS + 1)}, ER_FAULT_NOWHERE, "at most 32"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        er_rule rules[3] = {
            {.pattern = ER_SLICE("good (.+?)")}, {.pattern = bad[i].pattern}, {.pattern = ER_SLICE("x")}};
        er_matcher *matcher = NULL;
        er_fault fault;
        size_t at = 99;
        assert_int_equal(er_matcher_build(&matcher, rules, 3, &at, &fault), ER_BAD_INPUT);
        assert_null(matcher);
        assert_int_equal(at, 1);
        assert_non_null(strstr(fault.reason, bad[i].reason));
        if (bad[i].offset != ER_FAULT_NOWHERE) {
            assert_int_equal(fault.offset, bad[i].offset);
        }
        assert_int_equal(er_pattern_check(bad[i].pattern, NULL, &fault), ER_BAD_INPUT);
        assert_non_null(strstr(fault.reason, bad[i].reason));
    }
    assert_int_equal(er_pattern_check(er_slice_of(long_pattern, ER_MATCH_MAX_PATTERN), NULL, NULL), ER_OK);
    assert_int_equal(er_pattern_check(er_slice_of(many_groups, 4 * ER_MATCH_MAX_GROUPS), NULL, NULL), ER_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(building_may_fail_anywhere),
        cmocka_unit_test(checking_a_pattern_may_fail_anywhere),
        cmocka_unit_test(explaining_may_fail_anywhere),
        cmocka_unit_test(a_warm_scratch_takes_no_memory),
        cmocka_unit_test(a_scratch_serves_several_matchers),
        cmocka_unit_test(what_is_freed_twice_is_freed_once),
        cmocka_unit_test(a_bad_pattern_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
