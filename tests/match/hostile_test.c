/*
 * Texts that were made to be slow: each is answered in bounded time.
 *
 * 2,000 rules, those of rules.tsv and variants with shared wording; texts of 64 KiB. The
 * bound is a hundred times what an optimised build takes, so that only work that grows out
 * of hand meets it; the slowest ones are printed. ERRATA_HOSTILE=NAME runs the texts whose
 * name holds NAME and prints each.
 */
#include "base/memory.h"
#include "match/engine.h"
#include "match/rule_set.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SIZE        (64u * 1024u)
#define RULES       2000u
#define SLOWEST     12u
#define BOUND_MS    2000.0
#define NAME_MOST   80u
#define ESCAPE_MOST 12

typedef struct timing {
    char name[NAME_MOST];
    double ms;
} timing;

typedef struct hostile {
    rule_set set;
    size_t base;    /* rules of rules.tsv; behind them the variants */
    char *messages; /* of the variants */
    er_matcher *matcher;
    er_scratch *scratch;
    timing slowest[SLOWEST];
    uint32_t count, slow, over; /* over: texts that took longer than the bound */
} hostile;

/* Rules to 2,000: each message again with something behind it, so that all share their beginnings. */
static void add_variants(hostile *h)
{
    static const char *const places[] = {"north", "south", "east", "west", "cellar",
                                         "attic", "yard",  "hall", "shed"};
    size_t base = h->base, used = 0;
    h->messages = er_alloc(RULES * 512u);
    assert_non_null(h->messages);
    for (size_t i = 0; h->set.count < RULES; i++) {
        er_rule rule = h->set.rules[i % base];
        const char *place = places[i / base];
        char *at = h->messages + used;
        int length = snprintf(at, 500, "%.*s, seen in the %s", (int)rule.pattern.len, rule.pattern.at, place);
        assert_true(length > 0 && length < 500);
        rule.pattern = er_slice_of(at, (size_t)length);
        used += (size_t)length;
        rule.code = (er_slice){"", 0};
        int more = snprintf(h->messages + used, 500, "%.*s-%s", (int)rule.id.len, rule.id.at, place);
        rule.id = er_slice_of(h->messages + used, (size_t)more);
        used += (size_t)more;
        assert_true(used < RULES * 512u - 1000u);
        h->set.rules[h->set.count++] = rule;
    }
}

static int start(void **state)
{
    static hostile h;
    rule_set_load(&h.set);
    h.base = h.set.count;
    add_variants(&h);
    h.matcher = rule_set_matcher(&h.set);
    *state = &h;
    return er_scratch_new(&h.scratch) == ER_OK ? 0 : 1;
}

static int end(void **state)
{
    hostile *h = *state;
    print_message("%u texts of up to %u KiB against %zu rules; the slowest:\n", h->count, SIZE / 1024u,
                  h->set.count);
    for (uint32_t i = 0; i < h->slow; i++) {
        print_message("%10.2f ms  %s\n", h->slowest[i].ms, h->slowest[i].name);
    }
    er_scratch_free(&h->scratch);
    er_matcher_free(&h->matcher);
    rule_set_free(&h->set);
    er_free(h->messages);
    return 0;
}

static void keep_slowest(hostile *h, const char *name, double ms)
{
    uint32_t at = h->slow < SLOWEST ? h->slow++ : SLOWEST - 1;
    if (h->slow == SLOWEST && at == SLOWEST - 1 && h->slowest[at].ms >= ms && h->slowest[at].name[0]) {
        return;
    }
    for (; at > 0 && h->slowest[at - 1].ms < ms; at--) {
        h->slowest[at] = h->slowest[at - 1];
    }
    h->slowest[at].ms = ms;
    (void)snprintf(h->slowest[at].name, NAME_MOST, "%s", name);
}

/* Two rounds: the first warms the scratch, and the second must take no memory. */
static void ask(hostile *h, const char *name, er_slice text)
{
    const char *only = getenv("ERRATA_HOSTILE");
    if (only && !strstr(name, only)) {
        return;
    }
    er_query query = {.text = text, .limit = 5};
    er_explanation x;
    assert_int_equal(er_explain(h->matcher, h->scratch, &query, &x), ER_OK);
    (void)er_memory_fail_after(-1);
    clock_t begin = clock();
    assert_int_equal(er_explain(h->matcher, h->scratch, &query, &x), ER_OK);
    double ms = 1000.0 * (double)(clock() - begin) / (double)CLOCKS_PER_SEC;
    assert_int_equal(er_memory_fail_after(-1), 0);
    if (ms > BOUND_MS || only) {
        print_message("%s: %.1f ms\n", name, ms);
    }
    h->over += ms > BOUND_MS;
    assert_true(!x.found || (x.match.start < x.match.end && x.match.end <= text.len));
    keep_slowest(h, name, ms);
    h->count++;
}

static void all_in_time(hostile *h)
{
    uint32_t over = h->over;
    h->over = 0;
    assert_int_equal(over, 0);
}

static char bytes[SIZE];

static er_slice repeated(er_slice unit, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = unit.at[i % unit.len];
    }
    return er_slice_of(bytes, size);
}

static void ask_repeated(hostile *h, const char *name, er_slice unit)
{
    ask(h, name, repeated(unit, SIZE));
}

static const char *const units[] = {
    "a",
    "A",
    " ",
    "\t",
    "\n",
    "\r\n",
    ".",
    "0",
    "1 ",
    "7:",
    "-",
    "=",
    "\"",
    "\" ",
    " \"",
    "'",
    " '",
    "`",
    "'a' ",
    " \"a\"",
    "\\",
    "\\\"",
    "\\\\\"",
    "\\n",
    "\\u003e",
    "\\u",
    "[",
    "]",
    "[ERR]",
    "[ERR] ",
    "[ERR] \n",
    "[1] 2026/09/02 10:11:12.131415 [ERR] ",
    "2026/09/02 10:11:12.131415 ",
    "10:11:12 ",
    "(",
    "(10059)",
    "[10059] ",
    "stream not found (10059) ",
    "stream not found (10059)\n",
    "err_code=10059 ",
    "\"err_code\":10059,",
    "err_code=10059 description='x' ",
    "description",
    "code",
    "code=",
    "{",
    "{\"",
    "{\"msg\":",
    "{\"msg\":\"",
    "{\"msg\":\"\\\"",
    "{\"a\":\"\\\"b\\\"\"}",
    "msg=\"\\\"\" ",
    "\x1b",
    "\x1b[",
    "\x1b[31m",
    "\xE2\x86\x90[31m",
    "\xE2\x86\x90[",
    "\xE2",
    "\xE2\x80",
    "\xE2\x80\x9C",
    "\xFF",
    "\xC2\xA0",
    "10.0.0.5:4222 - cid:12 - ",
    "cid:1 - ",
    "RAFT [",
    "Filestore [a] ",
    "RAFT [a - b] ",
    "nats: ",
    "nats: error: ",
    "-ERR '",
    "E0902 10:11:12.131415 1 ",
    "level=error ",
    "\"level\":\"error\",",
    "time=\"",
    "stdout F ",
    "> ",
    "| ",
    "` ",
    "```\n",
    "a: ",
    "a - ",
    "a|",
    "true",
    "stream closed",
    "stream closed ",
    "\"stream closed\" ",
    "'stream closed' ",
    "stream closed: ",
    "stream closed\n",
    "[ERR] stream closed\n",
    "stream closed (",
    "upgrade from a to b failed: ",
    "step \"x\" failed: ",
    "step \\\"x\\\" failed: ",
    "operation failed: ",
    "task 1 stopped: ",
    "healthcheck failed: \"",
    "restore for stream '",
    "restore for stream 'a > ",
    "restore for stream 'a > b' is stalled ",
    "RESTORE FOR STREAM 'A > B' IS STALLED ",
    "restore for stream 'a > b' is sta",
    "could not open block file \"",
    "no space left on volume ",
    "no space left on volume\n",
    "handover refused by ",
    "x refused the handover ",
    "lease a was ",
    "shelf code ",
    "parcels 1, 2, ",
    "syntax error at a:1:",
    "ledger is full",
    "seen in the ",
    ", seen in the north",
};

static void one_unit_over_and_over(void **state)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char name[NAME_MOST];
        (void)snprintf(name, sizeof name, "unit \"%s\"", units[i]);
        ask_repeated(*state, name, er_slice_string(units[i]));
    }
    ask_repeated(*state, "NUL bytes", (er_slice){"\0", 1});
    all_in_time(*state);
}

/* Every pattern's own beginning, its messages, and its messages without their last bytes. */
static void a_patterns_own_words_over_and_over(void **state)
{
    hostile *h = *state;
    for (uint32_t r = 0; r < h->base && r < h->set.count; r++) {
        char name[NAME_MOST], unit[1024];
        er_rule rule = h->set.rules[r];
        const er_pattern *pattern = &h->matcher->patterns[r];
        if (pattern->piece_count > 0) {
            er_slice first =
                er_piece_raw(&h->matcher->pieces, &h->matcher->pieces.pieces[pattern->first_piece]);
            (void)snprintf(name, sizeof name, "beginning of %.*s", (int)rule.id.len, rule.id.at);
            ask_repeated(h, name, first);
        }
        (void)snprintf(name, sizeof name, "message of %.*s", (int)rule.id.len, rule.id.at);
        ask_repeated(h, name, rule.message);
        if (rule.message.len > 4) {
            (void)snprintf(name, sizeof name, "cut message of %.*s", (int)rule.id.len, rule.id.at);
            int len = snprintf(unit, sizeof unit, "%.*s ", (int)rule.message.len - 3, rule.message.at);
            ask_repeated(h, name, er_slice_of(unit, (size_t)len));
        }
    }
    all_in_time(h);
}

/* All messages behind each other, on one line and on many, as they are and in capitals. */
static void all_messages_at_once(void **state)
{
    hostile *h = *state;
    static const char separators[] = " \n:\"";
    for (size_t s = 0; separators[s]; s++) {
        for (int capitals = 0; capitals < 2; capitals++) {
            size_t used = 0;
            for (size_t i = 0;; i++) {
                er_slice message = h->set.rules[i % h->base].message;
                if (used + message.len + 1 > SIZE) {
                    break;
                }
                memcpy(bytes + used, message.at, message.len);
                used += message.len;
                bytes[used++] = separators[s];
            }
            for (size_t i = 0; i < used && capitals; i++) {
                bytes[i] = (char)(bytes[i] >= 'a' && bytes[i] <= 'z' ? bytes[i] - 32 : bytes[i]);
            }
            char name[NAME_MOST];
            (void)snprintf(name, sizeof name, "all messages, 0x%02x between them%s", separators[s],
                           capitals ? ", in capitals" : "");
            ask(h, name, er_slice_of(bytes, used));
        }
    }
    all_in_time(h);
}

static void random_bytes(void **state)
{
    static const char *const alphabets[] = {
        "ab", "a \n", "\"'`\\", "[]ERR ", "{}\":,\\", "0123456789:-/. ", "\\u0\"n"};
    dice d = {7};
    for (size_t i = 0; i < SIZE; i++) {
        bytes[i] = (char)dice_throw(&d, 256);
    }
    ask(*state, "random bytes", er_slice_of(bytes, SIZE));
    for (size_t a = 0; a < sizeof alphabets / sizeof *alphabets; a++) {
        uint32_t count = (uint32_t)strlen(alphabets[a]);
        for (size_t i = 0; i < SIZE; i++) {
            bytes[i] = alphabets[a][dice_throw(&d, count)];
        }
        char name[NAME_MOST];
        (void)snprintf(name, sizeof name, "random bytes of \"%s\"", alphabets[a]);
        ask(*state, name, er_slice_of(bytes, SIZE));
    }
    all_in_time(*state);
}

/* A value in a value in a value: each level doubles what has to be undone. */
static void escapes_in_escapes(void **state)
{
    static char next[SIZE];
    size_t used = (size_t)snprintf(bytes, SIZE, "%s", "could not open block file \"a\": stream closed");
    for (int level = 0; level < ESCAPE_MOST; level++) {
        size_t n = (size_t)snprintf(next, SIZE, "%s", "{\"msg\":\"");
        for (size_t i = 0; i < used && n + 4 < SIZE; i++) {
            if (bytes[i] == '"' || bytes[i] == '\\') {
                next[n++] = '\\';
            }
            next[n++] = bytes[i];
        }
        n += (size_t)snprintf(next + n, SIZE - n, "\"}");
        used = n < SIZE ? n : SIZE - 1;
        memcpy(bytes, next, used);
        char name[NAME_MOST];
        (void)snprintf(name, sizeof name, "escapes %d deep, %zu bytes", level + 1, used);
        ask(*state, name, er_slice_of(bytes, used));
    }
    all_in_time(*state);
}

/* Causes in causes, until the text is full. */
static void causes_in_causes(void **state)
{
    static const char *const wrappers[] = {
        "step \"x\" failed: ", "upgrade from a to b failed: ", "task 1 stopped: ",
        "operation failed: ",  "tls handshake error: ",        "restore failed: "};
    for (size_t kinds = 1; kinds <= 6; kinds++) {
        size_t used = 0;
        for (size_t i = 0; used + 64 < SIZE; i++) {
            used += (size_t)snprintf(bytes + used, SIZE - used, "%s", wrappers[i % kinds]);
        }
        used += (size_t)snprintf(bytes + used, SIZE - used, "stream closed");
        char name[NAME_MOST];
        (void)snprintf(name, sizeof name, "causes in causes, %zu kinds", kinds);
        ask(*state, name, er_slice_of(bytes, used));
    }
    all_in_time(*state);
}

static void what_is_too_large_is_refused(void **state)
{
    hostile *h = *state;
    er_explanation x;
    char *text = er_alloc(ER_MATCH_MAX_TEXT + 1);
    assert_non_null(text);
    memset(text, 'a', ER_MATCH_MAX_TEXT + 1);
    er_query query = {.text = er_slice_of(text, ER_MATCH_MAX_TEXT + 1), .limit = 5};
    assert_int_equal(er_explain(h->matcher, h->scratch, &query, &x), ER_TOO_LARGE);
    query.text.len = ER_MATCH_MAX_TEXT;
    assert_int_equal(er_explain(h->matcher, h->scratch, &query, &x), ER_OK);
    assert_false(x.found);
    query = (er_query){.limit = 5};
    assert_int_equal(er_explain(h->matcher, h->scratch, &query, &x), ER_OK);
    assert_false(x.found);
    er_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unit_over_and_over),       cmocka_unit_test(a_patterns_own_words_over_and_over),
        cmocka_unit_test(all_messages_at_once),         cmocka_unit_test(random_bytes),
        cmocka_unit_test(escapes_in_escapes),           cmocka_unit_test(causes_in_causes),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, start, end);
}
