/* Coverage: messages of a source beside the records, and records beside the source. */
#include "check/bench.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define REPO  "\"repo\":\"acme/depot\","
#define MAIN  "\"id\":\"" BENCH_ID "\",\"errorMessage\":\"cannot store parcel %d of %q: %w\","
#define SHELF "\"id\":\"fd1ce9d0fa3ea716\",\"errorMessage\":\"no shelf is free\","
#define AT(file, line, severity)                                                                             \
    "\"filePath\":\"" file "\",\"lineNumber\":" #line ",\"severity\":\"" severity "\",\"sourceCode\":null"
#define SITE(what, place) "{" REPO what place "}\n"

/* Both messages of the catalog where their records say, and the other place of the first. */
#define AS_RECORDED                                                                                          \
    SITE(MAIN, AT("store/parcel.go", 120, "error"))                                                          \
    SITE(SHELF, AT("store/shelf.go", 9, "error")) SITE(MAIN, AT("store/return.go", 44, "warning"))

typedef struct run {
    bench made;
    er_check *check;
    char found[8192];
    char text[8192];
} run;

static er_status try_sites(run *one, const char *edits, const char *sites, er_fault *fault)
{
    char path[FOLDER_PATH + 32];
    one->check = NULL;
    bench_make(&one->made, er_slice_string(edits));
    folder_write(one->made.folder, "sites.txt", er_slice_string(sites));
    snprintf(path, sizeof(path), "%s/sites.txt", one->made.folder);
    const er_check_options options = {.sites = path, .draft = true};
    return er_check_run(&one->check, one->made.folder, &options, fault);
}

static void run_sites(run *one, const char *edits, const char *sites)
{
    er_buffer text;
    assert_int_equal(try_sites(one, edits, sites, NULL), ER_OK);
    assert_non_null(er_check_coverage(one->check));
    bench_print(one->check, &one->made, one->found, sizeof(one->found));
    er_buffer_start(&text, sizeof(one->text) - 1);
    er_check_write_text(one->check, &text);
    assert_int_equal(text.status, ER_OK);
    memcpy(one->text, text.at, text.len);
    one->text[text.len] = '\0';
    er_buffer_free(&text);
}

static void end(run *one)
{
    er_check_free(&one->check);
    bench_remove(&one->made);
}

static void counts_what_has_a_record(void **state)
{
    (void)state;
    run one;
    run_sites(&one, "", AS_RECORDED);
    assert_string_equal(one.found, "");
    assert_string_equal(one.text,
                        "coverage: 2 of 2 (100.0 %) messages have a record\nby severity:\n"
                        "  fatal: 0 of 0\n  error: 2 of 2 (100.0 %)\n  warning: 0 of 0\n  info: 0 of 0\n"
                        "by file:\n"
                        "  acme/depot store/parcel.go: 1 of 1 (100.0 %)\n"
                        "  acme/depot store/shelf.go: 1 of 1 (100.0 %)\n");
    end(&one);
}

/* A message without a record is covered when all its places stand in alsoAt, and not when one does not. */
static void counts_places_of_others(void **state)
{
    (void)state;
#define OTHER "\"id\":\"00000000000000aa\",\"errorMessage\":\"inner\\nthing\","
    static const char both[] =
        AS_RECORDED SITE(OTHER, AT("store/in.go", 7, "fatal")) SITE(OTHER, AT("store/in.go", 5, "info"));
    run one;
    run_sites(&one, "guide.alsoAt = [\"store/return.go:44\", \"store/in.go:5\", \"store/in.go:7\"]", both);
    assert_string_equal(one.found, "");
    assert_int_equal(er_check_coverage(one.check)->all.covered, 3);
    assert_int_equal(er_check_coverage(one.check)->severities[ER_FATAL].covered, 1);
    end(&one);

    run_sites(&one, "guide.alsoAt = [\"store/return.go:44\", \"store/in.go:5\"]", both);
    const er_coverage *coverage = er_check_coverage(one.check);
    assert_string_equal(one.found, "");
    assert_int_equal(coverage->all.messages, 3);
    assert_int_equal(coverage->all.covered, 2);
    assert_int_equal(coverage->uncovered_count, 1);
    assert_int_equal(coverage->uncovered[0].line, 5);
    assert_int_equal(coverage->uncovered[0].severity, ER_FATAL);
    assert_non_null(strstr(one.text, "  acme/depot store/in.go: 0 of 1 (0.0 %)\n"));
    assert_non_null(strstr(one.text, "without a record:\n  acme/depot store/in.go:5: fatal: inner thing\n"));
    end(&one);
}

static void names_what_moved(void **state)
{
    (void)state;
    run one;
    run_sites(&one, "",
              SITE(MAIN, AT("store/a.go", 3, "error")) SITE(MAIN, AT("store/parcel.go", 131, "error"))
                  SITE(SHELF, AT("store/shelf.go", 9, "error")));
    assert_string_equal(
        one.found, "moved: record.lineNumber: names store/parcel.go:120, and the message stands at "
                   "store/parcel.go:131 | moved: guide.alsoAt[0]: no message stands at store/return.go:44");
    end(&one);
}

static void names_what_is_gone(void **state)
{
    (void)state;
#define NEW "\"id\":\"00000000000000ab\",\"errorMessage\":\"can not store %d\","
    run one;
    run_sites(&one, "",
              SITE(NEW, AT("store/parcel.go", 120, "error")) SITE(NEW, AT("store/return.go", 44, "error")));
    assert_string_equal(one.found, "gone: record.errorMessage: is not in the source any more; at "
                                   "store/parcel.go:120 stands: can not store %d");
    end(&one); /* the other record says itself that a release was its last */
    run_sites(&one, "guide.alsoAt = []", SITE(NEW, AT("store/new.go", 1, "error")));
    assert_string_equal(one.found, "gone: record.errorMessage: is not in the source any more");
    end(&one);
    run_sites(&one, "guide.versions.last = \"v1.9.0\" && guide.alsoAt = []",
              SITE(NEW, AT("store/new.go", 1, "error")));
    assert_string_equal(one.found, "");
    end(&one);
}

/* Nothing is said of a repo that was not extracted; a foreign id is known by its message. */
static void keeps_to_the_repos_of_the_sites(void **state)
{
    (void)state;
    run one;
    run_sites(&one, "", "{\"repo\":\"acme/yard\"," MAIN AT("store/parcel.go", 1, "error") "}\n");
    assert_string_equal(one.found, "");
    assert_int_equal(er_check_coverage(one.check)->all.covered, 0);
    end(&one);
    run_sites(&one, "record.id = \"0123456789abcdef\" && guide.foreignId = true", AS_RECORDED);
    assert_string_equal(one.found, "");
    assert_int_equal(er_check_coverage(one.check)->all.covered, 2);
    end(&one);
}

static void writes_json(void **state)
{
    (void)state;
    run one;
    er_buffer text;
    run_sites(&one, "", AS_RECORDED SITE(NEW, AT("store/new.go", 1, "warning")));
    er_buffer_start(&text, 1 << 16);
    er_check_write_json(one.check, &text);
    er_buffer_add_char(&text, '\0');
    cJSON *json = cJSON_Parse(text.at);
    assert_non_null(json);
    assert_int_equal(bench_find(json, "coverage.messages")->valueint, 3);
    assert_int_equal(bench_find(json, "coverage.covered")->valueint, 2);
    assert_int_equal(bench_find(json, "coverage.severities.warning.messages")->valueint, 1);
    assert_string_equal(cJSON_GetStringValue(bench_find(json, "coverage.files[0].filePath")), "store/new.go");
    assert_string_equal(cJSON_GetStringValue(bench_find(json, "coverage.uncovered[0].errorMessage")),
                        "can not store %d");
    assert_int_equal(bench_find(json, "coverage.uncovered[0].lineNumber")->valueint, 1);
    cJSON_Delete(json);
    er_buffer_free(&text);
    end(&one);
}

/* What extract could not resolve has no id; anything else that is no site is refused with its line. */
static void refuses_what_is_no_site(void **state)
{
    (void)state;
    static const struct {
        const char *line, *reason;
    } cases[] = {
        {"{\"repo\":\"acme/depot\",\"id\":null}", NULL},
        {"", NULL},
        {"no JSON", "line 4: "},
        {"[]", "line 4: "},
        {"{\"id\":\"a\"}", "line 4: must have the strings repo, filePath, severity and errorMessage"},
        {SITE(NEW, AT("a.go", 0, "error")), "line 4: must have a lineNumber of 1 or more"},
        {SITE(NEW, AT("a.go", 4, "bad")), "line 4: has a severity that is none"},
        {"{\"id\":\"\xff\"}", "line 4: is not valid UTF-8"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        run one;
        er_fault fault = {0};
        char sites[2048];
        snprintf(sites, sizeof(sites), "%s%s", AS_RECORDED, cases[i].line);
        er_status status = try_sites(&one, "", sites, &fault);
        assert_int_equal(status, cases[i].reason != NULL ? ER_BAD_INPUT : ER_OK);
        if (cases[i].reason != NULL) {
            assert_null(one.check);
            assert_memory_equal(fault.reason, cases[i].reason, strlen(cases[i].reason));
            assert_non_null(strstr(fault.file, "sites.txt"));
        }
        end(&one);
    }
    run one;
    er_fault fault;
    bench_make(&one.made, ER_SLICE(""));
    const er_check_options options = {.sites = "/nonexistent/sites"};
    one.check = NULL;
    assert_int_equal(er_check_run(&one.check, one.made.folder, &options, &fault), ER_NOT_FOUND);
    assert_string_equal(fault.file, "/nonexistent/sites");
    end(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_what_has_a_record),
        cmocka_unit_test(counts_places_of_others),
        cmocka_unit_test(names_what_moved),
        cmocka_unit_test(names_what_is_gone),
        cmocka_unit_test(keeps_to_the_repos_of_the_sites),
        cmocka_unit_test(writes_json),
        cmocka_unit_test(refuses_what_is_no_site),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
