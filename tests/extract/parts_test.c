/* Facts, versions of releases, comparison of trees; and a real tree where one is given. */
#include "base/buffer.h"
#include "base/memory.h"
#include "catalog/rules.h"
#include "extract/diff.h"
#include "extract/fact.h"
#include "extract/history.h"
#include "extract/tree.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- facts ---------------------------------------------------------------------------- */

static er_fact full_fact(void)
{
    er_fact fact = {
        .kind = ER_FACT_FIELD, .line = 70000, .argument = 3, .number = 404, .reason = true, .of_error = true};
    fact.function = ER_SLICE("open");
    fact.type = ER_SLICE("store");
    fact.define = ER_SLICE("ErrX");
    fact.qualifier = ER_SLICE("fmt");
    fact.name = ER_SLICE("Errorf");
    fact.field = ER_SLICE("reason");
    fact.pieces[0] = (er_piece){ER_PIECE_LITERAL, 0, {0}, ER_SLICE("a %s\n\0b")};
    fact.pieces[1] = (er_piece){ER_PIECE_PARAMETER, 2, ER_SLICE("q"), ER_SLICE("warn")};
    fact.piece_count = 2;
    fact.names[0] = ER_SLICE("stream");
    fact.name_count = 1;
    return fact;
}

static void facts_come_back(void **state)
{
    (void)state;
    er_buffer bytes;
    er_fact_reader reader;
    er_fact in = full_fact(), out;
    er_buffer_start(&bytes, 1 << 16);
    er_facts_begin(&bytes, ER_SLICE("server"));
    er_fact_write(&bytes, &in);
    assert_true(er_facts_open(&reader, er_buffer_slice(&bytes)));
    assert_true(er_slice_is(reader.package, "server"));
    assert_true(er_fact_next(&reader, &out));
    assert_int_equal(out.kind, in.kind);
    assert_int_equal(out.line, in.line);
    assert_int_equal(out.argument, in.argument);
    assert_int_equal(out.number, in.number);
    assert_true(out.reason && out.of_error && !out.spread);
    assert_true(er_slice_equal(out.function, in.function) && er_slice_equal(out.type, in.type));
    assert_true(er_slice_equal(out.define, in.define) && er_slice_equal(out.field, in.field));
    assert_int_equal(out.piece_count, 2);
    assert_true(er_slice_equal(out.pieces[0].text, in.pieces[0].text));
    assert_int_equal(out.pieces[1].kind, ER_PIECE_PARAMETER);
    assert_int_equal(out.pieces[1].number, 2);
    assert_true(er_slice_is(out.names[0], "stream"));
    assert_false(er_fact_next(&reader, &out));
    assert_false(reader.broken);
    er_buffer_free(&bytes);
}

/* Cut anywhere, or with any byte changed, facts are refused or read; nothing is read past the end. */
static void damaged_facts_are_survived(void **state)
{
    (void)state;
    er_buffer bytes;
    er_fact in = full_fact(), out;
    er_buffer_start(&bytes, 1 << 16);
    er_facts_begin(&bytes, ER_SLICE("server"));
    er_fact_write(&bytes, &in);
    for (size_t len = 0; len < bytes.len; len++) {
        char *exact = malloc(len + 1);
        assert_non_null(exact);
        memcpy(exact, bytes.at, len);
        er_fact_reader reader;
        unsigned read = 0;
        if (er_facts_open(&reader, er_slice_of(exact, len))) {
            while (er_fact_next(&reader, &out)) {
                read++;
            }
        }
        assert_int_equal(read, 0);
        free(exact);
    }
    for (size_t at = 0; at < bytes.len; at++) {
        er_fact_reader reader;
        char kept = bytes.at[at];
        bytes.at[at] = (char)(kept ^ 0x7f);
        if (er_facts_open(&reader, er_buffer_slice(&bytes))) {
            while (er_fact_next(&reader, &out)) {
                assert_true(out.piece_count <= ER_FACT_MAX_PIECES && out.name_count <= ER_FACT_MAX_NAMES);
            }
        }
        bytes.at[at] = kept;
    }
    er_buffer_free(&bytes);
}

/* --- releases --------------------------------------------------------------------------- */

static void knows_releases(void **state)
{
    (void)state;
    static const char *const releases[] = {"v2.10.27", "1.4.0", "v0.5.1", "v2.10.27-binary", "v1.2.3+build"};
    static const char *const others[] = {
        "v2.10.27-RC.1", "v2.11.0-preview.2", "v2.7.0-rc1", "v2.11.0-dev", "latest",
        "v2.10",         "v2.10.x",           "",           "v1.2.3beta"};
    for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
        assert_true(er_release_is(er_slice_string(releases[i])));
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        assert_false(er_release_is(er_slice_string(others[i])));
    }
}

static void orders_releases(void **state)
{
    (void)state;
    static const char *const order[] = {"v0.5.1",         "1.4.0",   "v2.2.0",   "v2.9.25", "v2.10.0",
                                        "v2.10.3-binary", "v2.10.3", "v2.10.29", "v2.11.0"};
    for (size_t i = 0; i + 1 < sizeof(order) / sizeof(order[0]); i++) {
        assert_true(er_release_compare(er_slice_string(order[i]), er_slice_string(order[i + 1])) < 0);
        assert_true(er_release_compare(er_slice_string(order[i + 1]), er_slice_string(order[i])) > 0);
    }
}

/* --- comparison ---------------------------------------------------------------------------- */

static void read_side(const char *folder, er_diff_side *side)
{
    er_tree tree;
    er_program program;
    assert_int_equal(er_tree_read_folder(&tree, folder, NULL, NULL, NULL), ER_OK);
    assert_int_equal(er_program_link(&program, ER_SLICE("own/code"), tree.inputs, tree.input_count, NULL),
                     ER_OK);
    assert_int_equal(er_diff_take(side, &program), ER_OK);
    er_program_free(&program);
    er_tree_free(&tree);
}

static void expect_change(const er_change *change, er_change_kind kind, const char *before, const char *after)
{
    assert_int_equal(change->kind, kind);
    assert_int_equal(change->before != NULL, before != NULL);
    assert_int_equal(change->after != NULL, after != NULL);
    if (before != NULL && !er_slice_is(change->before->text, before)) {
        fail_msg("before: %.*s, not %s", (int)change->before->text.len, change->before->text.at, before);
    }
    if (after != NULL && !er_slice_is(change->after->text, after)) {
        fail_msg("after: %.*s, not %s", (int)change->after->text.len, change->after->text.at, after);
    }
}

static void compares_trees(void **state)
{
    (void)state;
    er_diff_side before, after;
    er_change *changes = NULL;
    size_t count = 0;
    read_side(ERRATA_SOURCE_DIR "/tests/extract/diff/before", &before);
    read_side(ERRATA_SOURCE_DIR "/tests/extract/diff/after", &after);
    assert_int_equal(er_diff_compare(&before, &after, &changes, &count), ER_OK);
    assert_int_equal(count, 5);
    expect_change(&changes[0], ER_CHANGE_ADDED, NULL, "Memory is short");
    expect_change(&changes[1], ER_CHANGE_REMOVED, "Consumer %q is gone", NULL);
    expect_change(&changes[2], ER_CHANGE_REWORDED, "Stream %q can not be opened: %v",
                  "Stream %q could not be opened: %v");
    expect_change(&changes[3], ER_CHANGE_MOVED, "Nothing to close", "Nothing to close");
    expect_change(&changes[4], ER_CHANGE_LEVEL, "Queue is nearly full", "Queue is nearly full");
    assert_int_equal(changes[4].before->severity, ER_WARNING);
    assert_int_equal(changes[4].after->severity, ER_ERROR);
    er_free(changes);
    assert_int_equal(er_diff_compare(&before, &before, &changes, &count), ER_OK);
    assert_int_equal(count, 0);
    er_free(changes);
    er_diff_side_free(&before);
    er_diff_side_free(&after);
}

static void reads_sites(void **state)
{
    (void)state;
    er_diff_side side;
    er_fault fault = {0};
    static const char good[] =
        "{\"filePath\":\"a.go\",\"lineNumber\":3,\"function\":null,\"severity\":\"warning\","
        "\"errorMessage\":\"x y\",\"errorCode\":null,\"more\":[1]}\n"
        "{\"filePath\":\"b.go\",\"lineNumber\":9,\"severity\":\"error\",\"errorMessage\":\"x y\"}\n";
    assert_int_equal(er_diff_read(&side, er_slice_string(good), &fault), ER_OK);
    assert_int_equal(side.count, 1);
    assert_int_equal(side.items[0].line, 3);
    assert_int_equal(side.items[0].severity, ER_ERROR);
    er_diff_side_free(&side);
    assert_int_equal(er_diff_read(&side, ER_SLICE("\n{\"errorMessage\":\"x\"}\n"), &fault), ER_BAD_INPUT);
    assert_string_equal(fault.reason, "line 2 is no site");
}

/* --- a real tree ----------------------------------------------------------------------------- */

static bool matches(er_slice pattern, er_slice text, uint32_t groups)
{
    int error = 0;
    PCRE2_SIZE at = 0;
    char anchored[40000];
    int len = snprintf(anchored, sizeof(anchored), "\\A(?:%.*s)\\z", (int)pattern.len, pattern.at);
    assert_true(len > 0 && (size_t)len < sizeof(anchored));
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)anchored, (PCRE2_SIZE)len, PCRE2_DOTALL, &error, &at, NULL);
    if (code == NULL) {
        return false;
    }
    uint32_t count = 0;
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &count);
    pcre2_match_data *data = pcre2_match_data_create_from_pattern(code, NULL);
    int found = pcre2_match(code, (PCRE2_SPTR)text.at, text.len, 0, 0, data, NULL);
    pcre2_match_data_free(data);
    pcre2_code_free(code);
    return found > 0 && count == groups;
}

static void check_site(const er_program *program, const er_site *site, er_slice repo)
{
    const er_message *message = &program->messages[site->message];
    er_buffer pattern, sample, slug;
    char id[ER_ID_LEN + 1];
    er_buffer_start(&pattern, 1 << 16);
    er_buffer_start(&sample, 1 << 16);
    er_buffer_start(&slug, 1 << 10);
    er_rule_pattern(message->text, &pattern);
    er_rule_sample(message->text, &sample);
    er_rule_slug(message->text, message->error_class, &slug);
    assert_int_equal(er_rule_id(repo, message->text, message->code, id), ER_OK);
    er_slice place = program->inputs[site->input].path;
    if (!matches(er_buffer_slice(&pattern), er_buffer_slice(&sample), site->name_count) ||
        strcmp(id, message->id) != 0 || !er_slice_starts(message->slug, er_buffer_slice(&slug))) {
        fail_msg("%.*s:%u: \"%.*s\": pattern %.*s, sample %.*s, %u names, slug %.*s", (int)place.len,
                 place.at, site->line, (int)message->text.len, message->text.at, (int)pattern.len, pattern.at,
                 (int)sample.len, sample.at, site->name_count, (int)message->slug.len, message->slug.at);
    }
    er_buffer_free(&pattern);
    er_buffer_free(&sample);
    er_buffer_free(&slug);
}

/* Pattern, sample, names, id and slug agree at every site. */
static void check_tree(const char *folder, size_t least)
{
    er_tree tree;
    er_program program;
    er_slice repo = ER_SLICE("own/code");
    assert_int_equal(er_tree_read_folder(&tree, folder, NULL, NULL, NULL), ER_OK);
    assert_int_equal(er_program_link(&program, repo, tree.inputs, tree.input_count, NULL), ER_OK);
    assert_true(program.site_count >= least);
    for (size_t i = 0; i < program.site_count; i++) {
        check_site(&program, &program.sites[i], repo);
    }
    for (size_t i = 0; i + 1 < program.message_count; i++) {
        const er_message *message = &program.messages[i];
        assert_true(message->site_count > 0);
        assert_true(program.sites[message->first_site].first);
        assert_int_equal(message->first_site + message->site_count, program.messages[i + 1].first_site);
    }
    er_program_free(&program);
    er_tree_free(&tree);
}

static void rules_hold_for_own_tree(void **state)
{
    (void)state;
    check_tree(ERRATA_SOURCE_DIR "/tests/extract/forms", 60);
}

static void rules_hold_for_a_real_tree(void **state)
{
    (void)state;
    const char *folder = getenv("ERRATA_TREE");
    if (folder == NULL) {
        fputs("left out: ERRATA_TREE names no source tree\n", stderr);
        skip();
    }
    check_tree(folder, 1);
}

static int end(void **state)
{
    (void)state;
    er_languages_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_come_back),         cmocka_unit_test(damaged_facts_are_survived),
        cmocka_unit_test(knows_releases),          cmocka_unit_test(orders_releases),
        cmocka_unit_test(compares_trees),          cmocka_unit_test(reads_sites),
        cmocka_unit_test(rules_hold_for_own_tree), cmocka_unit_test(rules_hold_for_a_real_tree),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
