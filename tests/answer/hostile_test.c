/*
 * Any bytes give a well-formed reply; a warm worker allocates nothing; an
 * allocation that fails, whichever it is, gives a reply that says so.
 */
#include "answer/fixture.h"
#include "base/memory.h"
#include "support/test.h"

#include <cjson/cJSON.h>

#define X100                                                                                                 \
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"                                                     \
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
static const char *const samples[] = {
    "payment declined",
    "[ERR] item \"blue mug\" is out of stock",
    "cannot place order 17: item \"mug\" is out of stock",
    "[7] 2026/05/04 03:02:01.000001 [WRN] Branch [Delft] Checkout of cart 'c-1' took 3.5s\npayment declined "
    "(4020)",
    "{\"message\":\"cannot place order -4: payment declined\",\"fields\":[\"id\",\"slug\"],\"limit\":3}",
    "{\"message\":\"item \\\"\\u0000\\\" is out of stock\",\"repo\":\"acme/shop\",\"release\":\"v1.2.3\"}",
    "{\"error\":{\"code\":402,\"err_code\":4020,\"description\":\"payment declined\"}}",
    "acme/shop/payment-declined",
    "/api/errors/" STOCK_ID,
    "out of stock, some item",
    "item \"" X100 X100 X100 X100 X100 X100 "\" is out of stock",
};
#define SAMPLES (sizeof samples / sizeof samples[0])

typedef void answer(er_worker *worker, const er_snapshot *snapshot, er_slice request, size_t max_request,
                    er_style style, er_reply *reply);
static answer *const answers[] = {er_answer_explain, er_answer_get};

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33);
}

static void check_reply(const fixture *all, er_slice request)
{
    const er_style styles[] = {as_json, as_page};
    for (size_t i = 0; i < 4; i++) {
        er_reply reply = {.code = -1};
        answers[i / 2](all->worker, all->snapshot, request, ER_DEFAULT_MAX_REQUEST, styles[i % 2], &reply);
        bool known = reply.code == 0 || reply.code == 400 || reply.code == 404;
        assert_true(known);
        assert_int_equal(reply.description[0] == '\0', reply.code == 0);
        check_well_formed(reply.body, styles[i % 2].form);
    }
}

static void random_bytes_get_a_reply(void **state)
{
    uint64_t seed = 1;
    for (int round = 0; round < 1000; round++) {
        char bytes[300];
        size_t length = next_random(&seed) % sizeof bytes;
        for (size_t i = 0; i < length; i++) {
            bytes[i] = (char)next_random(&seed);
        }
        check_reply(*state, er_slice_of(bytes, length));
    }
}

/* Bytes of a good request overwritten, cut and repeated. */
static void broken_requests_get_a_reply(void **state)
{
    static const char alphabet[] = "{}[]\",:\\u0\x00\x1b\n'`$-\xC3\xA9\xFF";
    uint64_t seed = 2;
    for (int round = 0; round < 3000; round++) {
        char bytes[1400];
        const char *sample = samples[next_random(&seed) % SAMPLES];
        size_t length = strlen(sample);
        memcpy(bytes, sample, length);
        for (unsigned changes = next_random(&seed) % 6; changes > 0; changes--) {
            bytes[next_random(&seed) % length] = alphabet[next_random(&seed) % (sizeof alphabet - 1)];
        }
        if (next_random(&seed) % 4 == 0) {
            length = next_random(&seed) % length;
        } else if (next_random(&seed) % 4 == 0) {
            memcpy(bytes + length, bytes, length);
            length *= 2;
        }
        check_reply(*state, er_slice_of(bytes, length));
    }
}

static void all_samples(const fixture *all)
{
    const er_style styles[] = {as_json, as_page};
    for (size_t i = 0; i < SAMPLES * 4; i++) {
        er_reply reply;
        answers[i / 2 % 2](all->worker, all->snapshot, er_slice_string(samples[i / 4]), 0, styles[i % 2],
                           &reply);
        assert_true(reply.code == 0 || reply.code == 404);
    }
}

static void a_warm_worker_allocates_nothing(void **state)
{
    all_samples(*state);
    (void)er_memory_fail_after(-1);
    all_samples(*state);
    assert_int_equal(er_memory_fail_after(-1), 0);
}

/* What was answered while an allocation failed: that memory ran out; or the whole
   reply all the same; or, where only `nearest` had no room, the failure without it. */
static void check_failed(const fixture *all, answer *ask, er_slice request, er_style style,
                         const er_reply *reply)
{
    er_reply whole;
    ask(all->worker, all->snapshot, request, 0, style, &whole);
    check_well_formed(reply->body, style.form);
    if (reply->code == 500) {
        assert_string_equal(reply->description, "out of memory; nothing was lost, ask again");
    } else if (!er_slice_equal(reply->body, whole.body)) {
        assert_int_equal(reply->code, 404);
        assert_int_equal(whole.code, 404);
        assert_false(holds(reply->body, "\"nearest\""));
    }
}

/* One try with the n-th allocation failing; false when none was left to fail. */
static bool fails_cleanly(const fixture *all, answer *ask, er_slice request, er_style style, long n)
{
    er_worker *worker = NULL;
    er_reply reply = {.code = -1};
    (void)er_memory_fail_after(n);
    er_status status = er_worker_new(&worker);
    if (status == ER_OK) {
        ask(worker, all->snapshot, request, 0, style, &reply);
    }
    bool failed = er_memory_fail_after(-1) > n;
    if (status != ER_OK) {
        assert_int_equal(status, ER_NO_MEMORY);
        assert_null(worker);
        return true;
    }
    check_failed(all, ask, request, style, &reply);
    assert_true(failed || reply.code != 500);
    ask(worker, all->snapshot, request, 0, style, &reply); /* the worker is as good as before */
    check_failed(all, ask, request, style, &reply);
    assert_true(reply.code != 500);
    er_worker_free(&worker);
    return failed;
}

static void each_allocation_may_fail(void **state)
{
    const er_style styles[] = {as_json, as_page};
    for (size_t i = 0; i < SAMPLES * 4; i++) {
        long n = 0;
        while (fails_cleanly(*state, answers[i / 2 % 2], er_slice_string(samples[i / 4]), styles[i % 2], n)) {
            n++;
            assert_true(n < 10000);
        }
        assert_true(n > 2);
    }
}

/* The same answer for the same question, byte for byte, also from another worker. */
static void answers_are_repeatable(void **state)
{
    const fixture *all = *state;
    er_worker *other = NULL;
    assert_int_equal(er_worker_new(&other), ER_OK);
    for (size_t i = 0; i < SAMPLES; i++) {
        er_reply first, second;
        er_answer_explain(all->worker, all->snapshot, er_slice_string(samples[i]), 0, as_json, &first);
        er_answer_explain(other, all->snapshot, er_slice_string(samples[i]), 0, as_json, &second);
        assert_true(er_slice_equal(first.body, second.body));
    }
    er_worker_free(&other);
}

/* What the matcher finds reaches the reply: record, cause, captures by name, commands. */
static void a_wrapped_error_is_explained(void **state)
{
    const fixture *all = *state;
    er_reply reply;
    er_answer_explain(all->worker, all->snapshot,
                      ER_SLICE("cannot place order 17: item \"blue mug\" is out of stock"), 0, as_json,
                      &reply);
    assert_int_equal(reply.code, 0);
    cJSON *tree = cJSON_ParseWithLength(reply.body.at, reply.body.len);
    assert_non_null(tree);
    static const char *const members[] = {"record",       "match",  "causes",        "guide",
                                          "alternatives", "others", "datasetVersion"};
    const cJSON *member = tree->child;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++, member = member->next) {
        assert_non_null(member);
        assert_string_equal(member->string, members[i]);
    }
    assert_null(member);
    cJSON_Delete(tree);
    assert_true(holds(reply.body, "\"match\":{\"status\":\"exact\",\"confidence\":"));
    assert_true(holds(reply.body, ",\"line\":1,\"span\":[0,54],\"text\":\"cannot place order 17: "));
    assert_true(holds(reply.body,
                      "\"captures\":[{\"name\":\"order\",\"value\":\"17\"},{\"name\":\"reason\",\"value\":"
                      "\"item \\\"blue mug\\\" is out of stock\"}]"));
    assert_true(holds(reply.body, "\"causes\":[{\"record\":{\"id\":\"" STOCK_ID "\""));
    assert_true(holds(reply.body, "\"captures\":[{\"name\":\"item\",\"value\":\"blue mug\"}]"));
    assert_true(holds(reply.body, "\"command\":\"shop order show 17\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes_get_a_reply),        cmocka_unit_test(broken_requests_get_a_reply),
        cmocka_unit_test(a_warm_worker_allocates_nothing), cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(answers_are_repeatable),          cmocka_unit_test(a_wrapped_error_is_explained),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_end);
}
