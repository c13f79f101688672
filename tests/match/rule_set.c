#include "match/rule_set.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "catalog/rules.h"
#include "match/engine.h"
#include "support/test.h"

#include <stdlib.h>

#define MOST_TEXT  ((size_t)64 << 20)
#define MOST_RULES 20000u
#define FIELDS     8u

static const char *const severities[] = {"info", "warning", "error", "fatal"};

static void start(rule_set *set)
{
    er_buffer_start(&set->text, MOST_TEXT);
    er_buffer_start(&set->patterns, MOST_TEXT);
    set->rules = er_calloc(MOST_RULES, sizeof *set->rules);
    set->count = 0;
    assert_non_null(set->rules);
}

static int severity_of(er_slice name)
{
    for (int i = 0; i < 4; i++) {
        if (er_slice_is(name, severities[i])) {
            return i;
        }
    }
    fail_msg("no such severity: %.*s", (int)name.len, name.at);
    return 0;
}

/* Up to `most` fields between tabs; "-" is an empty one. */
static size_t split(er_slice line, er_slice *fields, size_t most)
{
    size_t count = 0;
    for (size_t at = 0; at <= line.len && count < most;) {
        const char *tab = memchr(line.at + at, '\t', line.len - at);
        size_t end = tab ? (size_t)(tab - line.at) : line.len;
        er_slice field = er_slice_sub(line, at, end);
        fields[count++] = er_slice_is(field, "-") ? (er_slice){"", 0} : field;
        at = end + 1;
    }
    return count;
}

static void add_line(rule_set *set, er_slice line)
{
    er_slice field[FIELDS];
    if (split(line, field, FIELDS) != FIELDS || set->count == MOST_RULES) {
        fail_msg("not a rule: %.*s", (int)line.len, line.at);
    }
    set->rules[set->count++] = (er_rule){.id = field[0],
                                         .severity = severity_of(field[1]),
                                         .code = field[2],
                                         .first_release = field[3],
                                         .last_release = field[4],
                                         .repo = field[5],
                                         .message = field[6],
                                         .pattern = field[7]};
}

/* Patterns that follow from their messages, once the buffer that holds them does not move any more. */
static void add_patterns(rule_set *set)
{
    er_buffer one;
    er_buffer_start(&one, ER_MATCH_MAX_PATTERN);
    assert_non_null(er_buffer_reserve(&set->patterns, MOST_RULES + 4 * set->text.len));
    for (size_t i = 0; i < set->count; i++) {
        er_rule *rule = &set->rules[i];
        if (rule->pattern.len > 0) {
            continue;
        }
        er_buffer_clear(&one);
        er_rule_pattern(rule->message, &one);
        assert_int_equal(one.status, ER_OK);
        assert_true(one.len <= set->patterns.capacity - set->patterns.len);
        rule->pattern = er_slice_of(set->patterns.at + set->patterns.len, one.len);
        er_buffer_add(&set->patterns, er_buffer_slice(&one));
    }
    er_buffer_free(&one);
}

static bool next_line(const er_buffer *text, size_t *at, er_slice *line)
{
    if (*at >= text->len) {
        return false;
    }
    const char *end = memchr(text->at + *at, '\n', text->len - *at);
    size_t length = end ? (size_t)(end - text->at) - *at : text->len - *at;
    *line = er_slice_of(text->at + *at, length);
    *at += length + 1;
    return true;
}

void rule_set_load(rule_set *set)
{
    start(set);
    er_slice line;
    assert_int_equal(er_file_read(ERRATA_SOURCE_DIR "/tests/match/rules.tsv", &set->text, NULL), ER_OK);
    for (size_t at = 0; next_line(&set->text, &at, &line);) {
        if (line.len > 0 && line.at[0] != '#') {
            add_line(set, line);
        }
    }
    add_patterns(set);
}

static bool strong(er_slice pattern)
{
    er_piece_pool pool;
    er_pattern parsed;
    er_piece_pool_start(&pool);
    assert_int_equal(er_pattern_parse(pattern, &pool, &parsed), ER_OK);
    er_piece_pool_free(&pool);
    return !parsed.regex && er_pattern_strength(&parsed) == ER_STRONG;
}

static int by_pattern(const void *a, const void *b, void *context)
{
    const rule_set *set = context;
    return er_slice_compare(set->rules[*(const uint32_t *)a].pattern,
                            set->rules[*(const uint32_t *)b].pattern);
}

size_t rule_set_plain(const rule_set *set, uint32_t *out)
{
    rule_set sorted = *set;
    size_t kept = 0, runs = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        out[i] = i;
    }
    qsort_r(out, set->count, sizeof *out, by_pattern, &sorted);
    for (size_t i = 0; i < set->count; i += runs) {
        const er_rule *rule = &set->rules[out[i]];
        for (runs = 1; i + runs < set->count; runs++) {
            if (!er_slice_equal(rule->pattern, set->rules[out[i + runs]].pattern)) {
                break;
            }
        }
        bool one_line = !memchr(rule->message.at, '\n', rule->message.len);
        if (runs == 1 && one_line && rule->code.len == 0 && strong(rule->pattern)) {
            out[kept++] = out[i];
        }
    }
    return kept;
}

/* The decoded string, kept in `patterns`. */
static er_slice take_string(rule_set *set, er_json *json)
{
    er_slice raw;
    if (er_json_peek(json) != ER_JSON_STRING) {
        er_json_skip(json, NULL);
        return (er_slice){"", 0};
    }
    er_json_string(json, &raw);
    assert_true(raw.len <= set->patterns.capacity - set->patterns.len);
    char *at = set->patterns.at + set->patterns.len;
    size_t length = er_json_decode(raw, at);
    set->patterns.len += length;
    return er_slice_of(at, length);
}

static void add_site(rule_set *set, er_slice line)
{
    er_json json;
    er_slice key;
    er_rule rule = {.severity = 2};
    er_json_start(&json, line, 16);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        er_slice value = take_string(set, &json);
        if (er_slice_is(key, "repo")) {
            rule.repo = value;
        } else if (er_slice_is(key, "errorMessage")) {
            rule.message = value;
        } else if (er_slice_is(key, "messagePattern")) {
            rule.pattern = value;
        } else if (er_slice_is(key, "errorCode")) {
            rule.code = value;
        } else if (er_slice_is(key, "id")) {
            rule.id = value;
        } else if (er_slice_is(key, "severity") && value.len > 0) {
            rule.severity = severity_of(value);
        }
    }
    if (rule.pattern.len > 0 && set->count < MOST_RULES) {
        set->rules[set->count++] = rule;
    }
}

void rule_set_load_sites(rule_set *set, const char *path)
{
    start(set);
    er_slice line;
    assert_int_equal(er_file_read(path, &set->text, NULL), ER_OK);
    assert_non_null(er_buffer_reserve(&set->patterns, set->text.len));
    for (size_t at = 0; next_line(&set->text, &at, &line);) {
        add_site(set, line);
    }
    assert_true(set->count > 0);
}

void rule_set_free(rule_set *set)
{
    er_free(set->rules);
    er_buffer_free(&set->text);
    er_buffer_free(&set->patterns);
}

void rule_set_shuffle(rule_set *set, uint64_t seed)
{
    dice d = {seed};
    for (size_t i = set->count; i > 1; i--) {
        size_t k = dice_throw(&d, (uint32_t)i);
        er_rule moved = set->rules[i - 1];
        set->rules[i - 1] = set->rules[k];
        set->rules[k] = moved;
    }
}

er_matcher *rule_set_matcher(const rule_set *set)
{
    er_matcher *matcher = NULL;
    er_fault fault;
    size_t bad = 0;
    if (er_matcher_build(&matcher, set->rules, set->count, &bad, &fault) != ER_OK) {
        fail_msg("rule %.*s: %s", (int)set->rules[bad].id.len, set->rules[bad].id.at, fault.reason);
    }
    return matcher;
}

uint32_t dice_throw(dice *d, uint32_t sides)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((d->state >> 33) * sides >> 31);
}
