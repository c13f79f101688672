/* Runs rules.cases; and what no table can say. */
#include "check/bench.h"
#include "support/table.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

static void run_case(er_slice input, char actual[TABLE_ACTUAL])
{
    bench made;
    er_check *check = NULL;
    er_fault fault;
    bench_make(&made, er_slice_is(input, "nothing") ? ER_SLICE("") : input);
    const er_check_options options = {.draft = made.draft};
    assert_int_equal(er_check_run(&check, made.folder, &options, &fault), ER_OK);
    bench_print(check, &made, actual, TABLE_ACTUAL);
    er_check_free(&check);
    bench_remove(&made);
}

static void runs_the_table(void **state)
{
    (void)state;
    table_run("check/rules.cases", run_case);
}

static void counts_unknown_ids(void **state)
{
    (void)state;
    bench made;
    er_check *check = NULL;
    bench_make(&made, ER_SLICE("guide.related[1] = \"0123456789abcdef\""));
    for (int draft = 0; draft < 2; draft++) {
        const er_check_options options = {.draft = draft == 1};
        assert_int_equal(er_check_run(&check, made.folder, &options, NULL), ER_OK);
        assert_int_equal(er_check_unknown_count(check), 1);
        assert_int_equal(er_check_finding_count(check), draft == 1 ? 0 : 1);
        assert_int_equal(er_check_record_count(check), 2);
        er_check_free(&check);
    }
    bench_remove(&made);
}

/* A document without a guide is held to form only, and one that does not load does not hide others. */
static void holds_to_form_only_without_guide(void **state)
{
    (void)state;
    static const char *const edits[] = {"guide -", "guide - && record.slug = \"any\" && record.tags = []",
                                        "guide - && record.documentation = \"\" && file any.json"};
    for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
        bench made;
        er_check *check = NULL;
        char found[TABLE_ACTUAL];
        bench_make(&made, er_slice_string(edits[i]));
        const er_check_options options = {.draft = true};
        assert_int_equal(er_check_run(&check, made.folder, &options, NULL), ER_OK);
        bench_print(check, &made, found, sizeof(found));
        assert_string_equal(found, "");
        er_check_free(&check);
        bench_remove(&made);
    }
}

static void checks_one_file_and_a_part(void **state)
{
    (void)state;
    static const char main_file[] = "/" BENCH_MAIN;
    const char *const parts[] = {main_file, "/acme/depot/store/parcel.go", "/acme/"};
    bench made;
    bench_make(&made, ER_SLICE("record.tags[0] = \"none\""));
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        char path[FOLDER_PATH + 256], found[TABLE_ACTUAL];
        er_check *check = NULL;
        const er_check_options options = {.draft = true};
        snprintf(path, sizeof(path), "%s%s", made.folder, parts[i]);
        assert_int_equal(er_check_run(&check, path, &options, NULL), ER_OK);
        bench_print(check, &made, found, sizeof(found));
        assert_string_equal(found, "tag: record.tags[0]: \"none\" is not in tags.json");
        er_check_free(&check);
    }
    bench_remove(&made);
}

static void says_what_can_not_be_read(void **state)
{
    (void)state;
    er_check *check = NULL;
    er_fault fault;
    const er_check_options options = {.draft = true};
    assert_int_equal(er_check_run(&check, "/nonexistent/catalog", &options, &fault), ER_NOT_FOUND);
    assert_string_equal(fault.file, "/nonexistent/catalog");
    assert_null(check);
}

/* Findings come in the order of their files, whatever order the records are in. */
static void sorts_by_file(void **state)
{
    (void)state;
    bench made;
    er_check *check = NULL;
    er_buffer text;
    char expected[5 * FOLDER_PATH];
    bench_make(&made, ER_SLICE("record.tags[0] = \"none\" && file z.json && copy && file b/cut.json && "
                               "record.id = \"zz\" && copy && file a.json && record.id = \"x\""));
    const er_check_options options = {.draft = true};
    assert_int_equal(er_check_run(&check, made.folder, &options, NULL), ER_OK);
    er_buffer_start(&text, 1 << 16);
    er_check_write_text(check, &text);
    er_buffer_add_char(&text, '\0');
    assert_int_equal(text.status, ER_OK);
    snprintf(expected, sizeof(expected),
             "%s/a.json: record.id: must be 16 hexadecimal digits in lower case (at byte 16)\n"
             "%s/b/cut.json: record.id: must be 16 hexadecimal digits in lower case (at byte 16)\n"
             "%s/z.json: " BENCH_ID ": record.tags[0]: \"none\" is not in tags.json\n"
             "%s/z.json: " BENCH_ID ": the file's place in the catalog must be " BENCH_MAIN "\n",
             made.folder, made.folder, made.folder, made.folder);
    assert_string_equal(text.at, expected);
    er_buffer_free(&text);
    er_check_free(&check);
    bench_remove(&made);
}

static void writes_json(void **state)
{
    (void)state;
    bench made;
    er_check *check = NULL;
    er_buffer text;
    bench_make(&made,
               ER_SLICE("record.handlingStrategy = \"pray \\\"hard\\\"\" && record.analyzedSha = \"0\""));
    const er_check_options options = {.draft = true};
    assert_int_equal(er_check_run(&check, made.folder, &options, NULL), ER_OK);
    er_buffer_start(&text, 1 << 16);
    er_check_write_json(check, &text);
    er_buffer_add_char(&text, '\0');
    cJSON *json = cJSON_Parse(text.at);
    assert_non_null(json);
    assert_int_equal(cJSON_GetArraySize(bench_find(json, "findings")), 3);
    assert_string_equal(cJSON_GetStringValue(bench_find(json, "findings[0].rule")), "form");
    assert_string_equal(cJSON_GetStringValue(bench_find(json, "findings[0].record")), BENCH_ID);
    assert_string_equal(cJSON_GetStringValue(bench_find(json, "findings[0].member")),
                        "record.handlingStrategy");
    assert_true(cJSON_IsNull(bench_find(json, "findings[0].offset")));
    assert_string_equal(cJSON_GetStringValue(bench_find(json, "findings[2].rule")), "url");
    assert_true(cJSON_IsNull(bench_find(json, "coverage")));
    assert_int_equal(bench_find(json, "records")->valueint, 2);
    cJSON_Delete(json);
    er_buffer_free(&text);
    er_check_free(&check);
    bench_remove(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_the_table),
        cmocka_unit_test(counts_unknown_ids),
        cmocka_unit_test(holds_to_form_only_without_guide),
        cmocka_unit_test(checks_one_file_and_a_part),
        cmocka_unit_test(says_what_can_not_be_read),
        cmocka_unit_test(sorts_by_file),
        cmocka_unit_test(writes_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
