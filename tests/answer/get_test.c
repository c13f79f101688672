/* errors.get by every key, and what both endpoints say when there is no answer. */
#include "answer/fixture.h"
#include "base/file.h"
#include "base/memory.h"
#include "support/test.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static er_reply get(const fixture *all, const char *key, er_style style)
{
    er_reply reply;
    er_answer_get(all->worker, all->snapshot, er_slice_string(key), ER_DEFAULT_MAX_REQUEST, style, &reply);
    check_well_formed(reply.body, style.form);
    return reply;
}

static er_reply explain(const fixture *all, er_slice request, er_style style)
{
    er_reply reply;
    er_answer_explain(all->worker, all->snapshot, request, ER_DEFAULT_MAX_REQUEST, style, &reply);
    check_well_formed(reply.body, style.form);
    return reply;
}

static void every_key_finds_its_record(void **state)
{
    const fixture *all = *state;
    static const struct {
        const char *key, *id;
    } cases[] = {
        {STOCK_ID, STOCK_ID},
        {" " STOCK_ID "\n", STOCK_ID},
        {"\"" STOCK_ID "\"", STOCK_ID},
        {"/api/errors/" STOCK_ID, STOCK_ID},
        {"item-q-is-out-of-stock", STOCK_ID},
        {"acme/shop/item-q-is-out-of-stock", STOCK_ID},
        {"acme/shop/payment-declined", PAY_ID},
        {"acme/depot/payment-declined", DEPOT_ID},
        {"wrap-bill", WRAP_ID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        er_reply reply = get(all, cases[i].key, as_json);
        assert_int_equal(reply.code, 0);
        assert_string_equal(reply.description, "");
        cJSON *tree = cJSON_ParseWithLength(reply.body.at, reply.body.len);
        const cJSON *record = cJSON_GetObjectItemCaseSensitive(tree, "record");
        assert_string_equal(cJSON_GetObjectItemCaseSensitive(record, "id")->valuestring, cases[i].id);
        assert_int_equal(cJSON_GetArraySize(record), ER_MEMBER_COUNT);
        assert_int_equal(cJSON_GetArraySize(tree), 2);
        cJSON_Delete(tree);
    }
}

/* The document in the seed's form stands in the bundle's first line without blanks, members in an order of
 * its own. */
static void a_record_is_sent_as_it_stands(void **state)
{
    const fixture *all = *state;
    er_buffer bundle;
    er_buffer_start(&bundle, 1 << 20);
    assert_int_equal(er_file_read(FIXTURE_CATALOG "/depot.ndjson", &bundle, NULL), ER_OK);
    const er_slice end = ER_SLICE(",\"datasetVersion\":");
    const char *record_end = memmem(bundle.at, bundle.len, end.at, end.len);
    assert_non_null(record_end);
    er_slice document = er_slice_of(bundle.at, (size_t)(record_end - bundle.at));
    er_reply reply = get(all, DEPOT_ID, as_json);
    assert_true(er_slice_starts(reply.body, document));
    assert_true(er_slice_is(er_slice_sub(reply.body, document.len, reply.body.len),
                            ",\"datasetVersion\":\"2026-09-02T04:41:54.247Z\"}"));
    er_buffer_free(&bundle);
}

/* A published document in the seed's form, where one lies beside the checkout: sent back byte for byte. */
static void a_seed_is_sent_as_it_was_published(void **state)
{
    const fixture *all = *state;
    const char *path = ERRATA_SOURCE_DIR "/../shared/seeds/004_4891ded6f4a89d37.txt";
    er_buffer seed;
    er_snapshot *snapshot = NULL;
    er_reply reply;
    er_buffer_start(&seed, 1 << 20);
    if (er_file_read(path, &seed, NULL) != ER_OK) {
        er_buffer_free(&seed);
        skip();
    }
    assert_int_equal(er_snapshot_load(&snapshot, path, NULL, NULL), ER_OK);
    er_answer_get(all->worker, snapshot, ER_SLICE("175468ff554c8e4b"), 0, as_json, &reply);
    assert_true(er_slice_equal(reply.body, er_slice_trim(er_buffer_slice(&seed))));
    er_buffer_free(&seed);
    er_snapshot_release(&snapshot);
}

static void pages_of_records(void **state)
{
    const fixture *all = *state;
    golden_check("record.txt", get(all, STOCK_ID, as_page).body);
    golden_check("record-seed.txt", get(all, DEPOT_ID, as_page).body);
    golden_check("record-wide.txt", get(all, SLOW_ID, (er_style){.form = ER_FORM_PAGE, .width = 100}).body);
}

static void a_key_of_several_records_lists_them(void **state)
{
    const fixture *all = *state;
    static const char *const keys[] = {"payment-declined", "4020"};
    for (size_t i = 0; i < 2; i++) {
        er_reply reply = get(all, keys[i], as_json);
        assert_int_equal(reply.code, 400);
        assert_true(holds(er_slice_string(reply.description), keys[i]));
        golden_check(i ? "several-code.json" : "several-slug.json", reply.body);
    }
    golden_check("several.txt", get(all, "4020", as_page).body);
}

static void an_unknown_key_is_404(void **state)
{
    const fixture *all = *state;
    static const char *const keys[] = {
        "no-such-thing",
        "0000000000000000",
        "/api/errors/payment-declined",
        "acme/none/payment-declined",
        "/",
        "///",
        "acme/shop/",
        "99999",
        "\x01\xFF",
        "{\"id\":\"" STOCK_ID "\"}",
        "-",
        "a/b/c",
        "/api/errors/",
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        er_reply reply = get(all, keys[i], as_json);
        assert_int_equal(reply.code, 404);
        assert_true(er_slice_starts(reply.body,
                                    ER_SLICE("{\"error\":{\"code\":404,\"description\":\"no record has")));
        assert_true(holds(reply.body, "},\"nearest\":["));
        assert_true(holds(reply.body, "],\"datasetVersion\":\"2026-09-02T04:41:54.247Z\"}"));
        reply = get(all, keys[i], as_page);
        assert_true(er_slice_starts(reply.body, ER_SLICE("404: no record has the id, slug or code \"")));
    }
}

static void a_key_that_is_nearly_right_is_offered_the_record(void **state)
{
    const fixture *all = *state;
    assert_true(holds(get(all, "acme/shop/item-is-out-of-stock", as_json).body, STOCK_ID));
    er_slice reply = get(all, "acme/none/payment-declined", as_json).body;
    assert_true(holds(reply, DEPOT_ID));
    assert_true(holds(reply, PAY_ID));
    assert_true(holds(reply, "\"confidence\":1}")); /* its words are the message itself */
    assert_true(holds(get(all, "checkout-of-cart", as_page).body, "acme/shop/checkout-of-cart-s-took-s\n"));
}

static void failures_name_what_is_wrong(void **state)
{
    const fixture *all = *state;
    const er_style styles[] = {as_json, as_page};
    static const struct {
        const char *request, *description;
        int code;
    } cases[] = {
        {"", "the request is empty: send an error text, or {\"message\": \"the text\"}", 400},
        {"{\"message\":\"\"}", "the request is empty: send an error text, or {\"message\": \"the text\"}",
         400},
        {" \t\n", "no record matches the text", 404},
        {"zzz", "no record matches the text", 404},
        {"{}", "no record matches the text", 404},
        {"{\"message\":\"zzz\",\"repo\":\"acme/shop\"}", "no record of \"acme/shop\" matches the text", 404},
        {"{\"message\":\"payment declined\",\"repo\":\"acme/x\\n\"}",
         "no record matches: the catalog has no repo \"acme/x?\"", 404},
        {"{\"message\":\"m\",\"limit\":51}", "limit: must be a whole number from 0 to 50", 400},
        {"{\"message\":5}", "message: must be a string, not a number", 400},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t form = 0; form < 2; form++) {
            er_reply reply = explain(all, er_slice_string(cases[i].request), styles[form]);
            assert_int_equal(reply.code, cases[i].code);
            assert_string_equal(reply.description, cases[i].description);
        }
    }
    assert_true(er_slice_starts(explain(all, ER_SLICE("\n"), as_page).body,
                                ER_SLICE("404: no record matches the text\n")));
    assert_true(
        er_slice_is(explain(all, ER_SLICE(""), as_json).body,
                    "{\"error\":{\"code\":400,\"description\":\"the request is empty: send an error text, "
                    "or {\\\"message\\\": \\\"the text\\\"}\"}}"));
    assert_int_equal(get(all, "", as_json).code, 400);
    assert_int_equal(get(all, " \n", as_json).code, 400);
    assert_int_equal(get(all, "\"\"", as_page).code, 400);
}

static void a_miss_offers_what_came_near(void **state)
{
    const fixture *all = *state;
    er_reply reply = explain(all, ER_SLICE("the shop says the stock is out"), as_json);
    assert_int_equal(reply.code, 404);
    assert_true(er_slice_starts(reply.body,
                                ER_SLICE("{\"error\":{\"code\":404,\"description\":\"no record matches the "
                                         "text\"},\"nearest\":[{\"id\":\"" STOCK_ID "\",\"repo\":")));
    assert_true(holds(reply.body, "],\"datasetVersion\":\"2026-09-02T04:41:54.247Z\"}"));
    reply = explain(all, ER_SLICE("the shop says the stock is out"), as_page);
    assert_true(holds(reply.body, "\n\nNearest\n\n0."));
}

static void sizes_are_limited(void **state)
{
    const fixture *all = *state;
    const er_slice request = ER_SLICE("payment declined");
    er_reply reply;
    er_answer_explain(all->worker, all->snapshot, request, request.len, as_json, &reply);
    assert_int_equal(reply.code, 0);
    er_answer_explain(all->worker, all->snapshot, request, request.len - 1, as_json, &reply);
    assert_int_equal(reply.code, 413);
    assert_string_equal(reply.description, "the request is 16 bytes, the limit is 15");
    er_answer_get(all->worker, all->snapshot, request, 3, as_page, &reply);
    assert_true(er_slice_is(reply.body, "413: the request is 16 bytes, the limit is 3\n"));
    er_answer_explain(all->worker, all->snapshot, request, 0, as_json, &reply);
    assert_int_equal(reply.code, 0);
    char *long_text = er_calloc(1, ER_MATCH_MAX_TEXT + 1);
    assert_non_null(long_text);
    er_query query = {.text = er_slice_of(long_text, ER_MATCH_MAX_TEXT + 1), .limit = 5};
    er_answer_query(all->worker, all->snapshot, &query, as_json, &reply);
    assert_int_equal(reply.code, 413);
    assert_string_equal(reply.description, "the text is 8388609 bytes, the limit is 8388608");
    er_free(long_text);
}

static void without_a_catalog_all_is_503(void **state)
{
    const fixture *all = *state;
    const er_query query = {.text = ER_SLICE("payment declined")};
    er_reply reply;
    er_answer_explain(all->worker, NULL, query.text, 0, as_json, &reply);
    assert_int_equal(reply.code, 503);
    assert_true(
        er_slice_is(reply.body, "{\"error\":{\"code\":503,\"description\":\"no catalog is loaded\"}}"));
    er_answer_get(all->worker, NULL, query.text, 0, as_page, &reply);
    assert_int_equal(reply.code, 503);
    er_answer_query(all->worker, NULL, &query, as_json, &reply);
    assert_int_equal(reply.code, 503);
}

/* A description is one printable line that fits the headers, whatever it is made of. */
static void descriptions_are_made_fit(void **state)
{
    const fixture *all = *state;
    char text[1000];
    er_reply reply;
    memset(text, 'x', sizeof text - 1);
    memcpy(text + 250, "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 8);
    memcpy(text, "a\r\nb\x1b\xC2\x85\"", 8);
    text[sizeof text - 1] = '\0';
    er_answer_failure(all->worker, 500, text, as_json, &reply);
    assert_int_equal(reply.code, 500);
    assert_true(er_slice_starts(er_slice_string(reply.description), ER_SLICE("a??b??\"x")));
    assert_true(strlen(reply.description) < sizeof reply.description);
    assert_int_equal(er_slice_utf8_prefix(er_slice_string(reply.description)), strlen(reply.description));
    check_well_formed(reply.body, ER_FORM_JSON);
    er_answer_failure(all->worker, 500, "", as_page, &reply);
    assert_true(er_slice_is(reply.body, "500: \n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_finds_its_record),
        cmocka_unit_test(a_record_is_sent_as_it_stands),
        cmocka_unit_test(a_seed_is_sent_as_it_was_published),
        cmocka_unit_test(pages_of_records),
        cmocka_unit_test(a_key_of_several_records_lists_them),
        cmocka_unit_test(an_unknown_key_is_404),
        cmocka_unit_test(a_key_that_is_nearly_right_is_offered_the_record),
        cmocka_unit_test(failures_name_what_is_wrong),
        cmocka_unit_test(a_miss_offers_what_came_near),
        cmocka_unit_test(sizes_are_limited),
        cmocka_unit_test(without_a_catalog_all_is_503),
        cmocka_unit_test(descriptions_are_made_fit),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_end);
}
