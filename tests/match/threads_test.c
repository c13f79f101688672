/*
 * Threads share a matcher, each with a scratch of its own, and all get the same answers.
 */
#include "match/rule_set.h"
#include "support/test.h"

#include <pthread.h>

#define THREADS 4u
#define ROUNDS  40u
#define MOST    2048u

typedef struct share {
    const rule_set *set;
    const er_matcher *matcher;
    uint32_t answers[MOST]; /* rule + 1 for each message, 0 for none */
    er_status status;
} share;

static void *work(void *context)
{
    share *s = context;
    er_scratch *scratch = NULL;
    s->status = er_scratch_new(&scratch);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < s->set->count && s->status == ER_OK; i++) {
            er_explanation x;
            er_query query = {.text = s->set->rules[i].message, .limit = 5};
            s->status = er_explain(s->matcher, scratch, &query, &x);
            s->answers[i] = x.found ? x.match.rule + 1 : 0;
        }
    }
    er_scratch_free(&scratch);
    return NULL;
}

static void threads_share_a_matcher(void **state)
{
    (void)state;
    static share shares[THREADS];
    pthread_t threads[THREADS];
    rule_set set;
    rule_set_load(&set);
    assert_true(set.count <= MOST);
    er_matcher *matcher = rule_set_matcher(&set);
    for (uint32_t i = 0; i < THREADS; i++) {
        shares[i].set = &set;
        shares[i].matcher = matcher;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shares[i]), 0);
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(shares[i].status, ER_OK);
        assert_memory_equal(shares[i].answers, shares[0].answers, sizeof shares[0].answers);
    }
    for (uint32_t i = 0; i < set.count; i++) {
        found += shares[0].answers[i] > 0;
    }
    assert_true(found > set.count / 2);
    er_matcher_free(&matcher);
    rule_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_matcher)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
