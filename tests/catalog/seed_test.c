/* A document in the seed's form is kept as it came: the same members, in the same
   order, with the same values. cJSON is the judge, since it is not our reader. */
#include "base/buffer.h"
#include "base/file.h"
#include "catalog/catalog.h"
#include "support/test.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static cJSON *parse(er_slice text)
{
    cJSON *json = cJSON_ParseWithLength(text.at, text.len);
    assert_non_null(json);
    return json;
}

static void assert_same(const cJSON *kept, const cJSON *origin)
{
    int count = 0;
    const cJSON *left = kept->child;
    for (const cJSON *right = origin->child; right != NULL; right = right->next, left = left->next) {
        assert_non_null(left);
        assert_string_equal(left->string, right->string);
        if (!cJSON_Compare(left, right, 1)) {
            fail_msg("%s differs", left->string);
        }
        count++;
    }
    assert_null(left);
    assert_int_equal(count, ER_MEMBER_COUNT);
}

static void check_document(const char *path)
{
    er_buffer text;
    er_buffer_start(&text, ER_CATALOG_MAX_FILE);
    assert_int_equal(er_file_read(path, &text, NULL), ER_OK);
    er_catalog *catalog = NULL;
    er_fault fault;
    char printed[1024];
    if (er_catalog_load(&catalog, path, NULL, &fault) != ER_OK) {
        fail_msg("%s", er_fault_print(&fault, printed, sizeof(printed)));
    }
    assert_int_equal(er_catalog_count(catalog), 1);
    const er_record *record = er_catalog_record(catalog, 0);
    cJSON *origin = parse(er_buffer_slice(&text));
    cJSON *kept = parse(record->json);
    assert_same(kept, cJSON_GetObjectItemCaseSensitive(origin, "record"));
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(origin, "datasetVersion");
    if (version != NULL) {
        assert_true(er_slice_is(er_catalog_dataset_version(catalog), version->valuestring));
    }
    for (int i = 0; i < ER_MEMBER_COUNT; i++) {
        cJSON *member = parse(er_record_member(record, (er_member)i));
        assert_true(
            cJSON_Compare(member, cJSON_GetObjectItemCaseSensitive(kept, er_member_name((er_member)i)), 1));
        cJSON_Delete(member);
    }
    cJSON_Delete(origin);
    cJSON_Delete(kept);
    er_catalog_free(&catalog);
    er_buffer_free(&text);
}

static void test_fixtures(void **state)
{
    (void)state;
    check_document(ERRATA_SOURCE_DIR "/tests/fixtures/seed-form.json");
    check_document(ERRATA_SOURCE_DIR "/tests/fixtures/loose-form.json");
    check_document(ERRATA_SOURCE_DIR "/tests/fixtures/form.json");
}

typedef struct seeds {
    int documents;
} seeds;

/* The seeds are called .txt, pages and JSON alike. */
static er_status visit(void *context, const char *path, er_fault *fault)
{
    (void)fault;
    seeds *seen = context;
    er_buffer text;
    er_buffer_start(&text, ER_CATALOG_MAX_FILE);
    assert_int_equal(er_file_read(path, &text, NULL), ER_OK);
    if (text.len > 0 && text.at[0] == '{') {
        check_document(path);
        seen->documents++;
    }
    er_buffer_free(&text);
    return ER_OK;
}

static void test_shared(void **state)
{
    (void)state;
    static const char *const endings[] = {".txt", ".json", NULL};
    const char *root = getenv("ERRATA_SHARED");
    char path[4096];
    snprintf(path, sizeof(path), "%s/seeds", root ? root : ERRATA_SOURCE_DIR "/../shared");
    if (access(path, R_OK) != 0) {
        print_message("left out: no seeds in %s; ERRATA_SHARED names the folder that holds `seeds`\n", path);
        skip();
    }
    seeds seen = {0};
    assert_int_equal(er_file_walk(path, endings, 1000, visit, &seen, NULL), ER_OK);
    assert_true(seen.documents > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixtures),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
