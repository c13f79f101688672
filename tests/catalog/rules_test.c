/* Runs rules.cases; and what no table can say: full buffers, texts cut anywhere. */
#include "base/buffer.h"
#include "base/file.h"
#include "catalog/rules.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define SHA "1787eee035cf0253c201fa0f05afad92b6f296dc"

typedef struct fields {
    char message[1024], class[128], code[16], repo[64], lines[16];
    char slug[256], pattern[1024], sample[1024], placeholders[256], id[32], url[512];
} fields;

/* The marks for a blank and a line feed as they stand in the table. */
static size_t decode(const char *text, size_t len, char *out)
{
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        if (len - i >= 3 && memcmp(text + i, "\xe2\x90\xa0", 3) == 0) {
            out[used++] = ' ';
            i += 2;
        } else if (len - i >= 3 && memcmp(text + i, "\xe2\x90\xa4", 3) == 0) {
            out[used++] = '\n';
            i += 2;
        } else {
            out[used++] = text[i];
        }
    }
    out[used] = '\0';
    return used;
}

static void set_field(fields *one, er_slice line)
{
    const struct {
        const char *name;
        char *at;
        size_t size;
    } places[] = {
        {"message", one->message, sizeof(one->message)},
        {"class", one->class, sizeof(one->class)},
        {"code", one->code, sizeof(one->code)},
        {"repo", one->repo, sizeof(one->repo)},
        {"lines", one->lines, sizeof(one->lines)},
        {"slug", one->slug, sizeof(one->slug)},
        {"pattern", one->pattern, sizeof(one->pattern)},
        {"sample", one->sample, sizeof(one->sample)},
        {"id", one->id, sizeof(one->id)},
        {"url", one->url, sizeof(one->url)},
        {"placeholders", one->placeholders, sizeof(one->placeholders)},
    };
    const char *arrow = memmem(line.at, line.len, " => ", 4);
    assert_non_null(arrow);
    er_slice name = er_slice_of(line.at, (size_t)(arrow - line.at));
    size_t len = line.len - name.len - 4;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        if (er_slice_is(name, places[i].name)) {
            assert_true(len < places[i].size);
            decode(arrow + 4, len, places[i].at);
            return;
        }
    }
    fail_msg("unknown member in the table: %.*s", (int)name.len, name.at);
}

static void expect(er_buffer *got, const char *want, const fields *one, const char *what)
{
    assert_int_equal(got->status, ER_OK);
    er_buffer_add_char(got, '\0');
    if (strcmp(got->at, want) != 0) {
        fail_msg("%s of \"%s\":\n  %s\nnot\n  %s", what, one->message, got->at, want);
    }
    er_buffer_clear(got);
}

static void add_placeholder(void *context, er_slice placeholder)
{
    er_buffer *out = context;
    if (out->len > 0) {
        er_buffer_add_char(out, ' ');
    }
    er_buffer_add(out, placeholder);
}

static void check_url(const fields *one, er_buffer *out)
{
    char path[128], want[384];
    unsigned line = 0;
    assert_int_equal(sscanf(one->url, "%127s %u %383s", path, &line, want), 3);
    er_rule_url(er_slice_string(one->repo), ER_SLICE(SHA), er_slice_string(path), line,
                (unsigned)strtoul(one->lines, NULL, 10), out);
    expect(out, want, one, "URL");
}

static void check_case(const fields *one)
{
    er_buffer out;
    er_buffer_start(&out, 1 << 16);
    er_slice message = er_slice_string(one->message);
    er_rule_slug(message, er_slice_string(one->class), &out);
    if (one->slug[0] != '\0') {
        expect(&out, one->slug, one, "slug");
    }
    er_buffer_clear(&out);
    er_rule_pattern(message, &out);
    if (one->pattern[0] != '\0') {
        expect(&out, one->pattern, one, "pattern");
    }
    er_buffer_clear(&out);
    er_rule_sample(message, &out);
    if (one->sample[0] != '\0') {
        expect(&out, one->sample, one, "sample");
    }
    er_buffer_clear(&out);
    er_rule_placeholders(message, add_placeholder, &out);
    if (one->placeholders[0] != '\0') {
        expect(&out, one->placeholders, one, "placeholders");
    }
    er_buffer_clear(&out);
    if (one->id[0] != '\0') {
        char id[ER_ID_LEN + 1];
        assert_int_equal(er_rule_id(er_slice_string(one->repo), message, er_slice_string(one->code), id),
                         ER_OK);
        assert_string_equal(id, one->id);
    }
    if (one->url[0] != '\0') {
        check_url(one, &out);
    }
    er_buffer_free(&out);
}

static void runs_the_table(void **state)
{
    (void)state;
    er_buffer table;
    er_fault fault = {0};
    er_buffer_start(&table, 1 << 20);
    assert_int_equal(er_file_read(ERRATA_SOURCE_DIR "/tests/catalog/rules.cases", &table, &fault), ER_OK);
    er_buffer_add_string(&table, "\n\n");
    assert_int_equal(table.status, ER_OK);
    const fields empty = {.repo = "nats-io/nats-server"};
    fields one = empty;
    size_t cases = 0, at = 0;
    while (at < table.len) {
        const char *end = memchr(table.at + at, '\n', table.len - at);
        er_slice line = er_slice_of(table.at + at, (size_t)(end - (table.at + at)));
        at += line.len + 1;
        if (line.len > 0 && line.at[0] != '#') {
            set_field(&one, line);
        } else if (line.len == 0 && one.message[0] != '\0') {
            check_case(&one);
            one = empty;
            cases++;
        }
    }
    assert_true(cases > 20);
    er_buffer_free(&table);
}

static void reports_a_full_buffer(void **state)
{
    (void)state;
    er_buffer out;
    er_buffer_start(&out, 8);
    er_rule_pattern(ER_SLICE("longer than eight bytes"), &out);
    assert_int_equal(out.status, ER_TOO_LARGE);
    er_buffer_free(&out);
}

static void count_one(void *context, er_slice placeholder)
{
    (void)placeholder;
    ++*(size_t *)context;
}

/* Bytes of every kind, cut at every length: nothing is read past the end. */
static void survives_any_cut(void **state)
{
    (void)state;
    static const char text[] = "%% %[1] %+-# 0*.*llq {a_1}{%{b}%[9]v %\xff\x01{\xc3";
    for (size_t len = 0; len < sizeof(text); len++) {
        char *exact = malloc(len > 0 ? len : 1);
        assert_non_null(exact);
        memcpy(exact, text, len);
        er_buffer out;
        er_buffer_start(&out, 1 << 12);
        size_t count = 0;
        er_rule_pattern(er_slice_of(exact, len), &out);
        er_rule_sample(er_slice_of(exact, len), &out);
        er_rule_slug(er_slice_of(exact, len), ER_SLICE("x"), &out);
        er_rule_placeholders(er_slice_of(exact, len), count_one, &count);
        assert_int_equal(out.status, ER_OK);
        assert_true(count <= 5);
        er_buffer_free(&out);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_the_table),
        cmocka_unit_test(reports_a_full_buffer),
        cmocka_unit_test(survives_any_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
