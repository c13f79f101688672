/* Loading a catalog with its matcher, what a bad pattern says, and swapping under readers. */
#include "answer/fixture.h"
#include "base/memory.h"
#include "support/test.h"

#include <pthread.h>
#include <stdatomic.h>

#define BAD_PATTERN  ERRATA_SOURCE_DIR "/tests/fixtures/bad-pattern.json"
#define BAD_PATTERNS ERRATA_SOURCE_DIR "/tests/fixtures/bad-patterns.ndjson"

static void a_snapshot_joins_catalog_and_matcher(void **state)
{
    (void)state;
    er_snapshot *snapshot = NULL;
    assert_int_equal(er_snapshot_load(&snapshot, FIXTURE_CATALOG, NULL, NULL), ER_OK);
    assert_int_equal(er_catalog_count(snapshot->catalog), 6);
    assert_string_equal(snapshot->source, FIXTURE_CATALOG);
    assert_true(snapshot->loaded_at_ns > 0);
    er_snapshot *second = er_snapshot_hold(snapshot);
    er_snapshot_release(&snapshot);
    assert_null(snapshot);
    assert_int_equal(er_catalog_count(second->catalog), 6);
    er_snapshot_release(&second);
    er_snapshot_release(&second);
}

static void a_bad_pattern_is_placed(void **state)
{
    (void)state;
    er_snapshot *snapshot = NULL;
    er_fault fault;
    assert_int_equal(er_snapshot_load(&snapshot, BAD_PATTERN, NULL, &fault), ER_BAD_INPUT);
    assert_null(snapshot);
    assert_string_equal(fault.file, BAD_PATTERN);
    assert_string_equal(fault.record, "db9b715144efacce");
    assert_string_equal(fault.member, "record.messagePattern");
    assert_int_equal(fault.offset, 3);
    assert_true(fault.reason[0] != '\0');
    assert_int_equal(er_snapshot_load(&snapshot, BAD_PATTERN, NULL, NULL), ER_BAD_INPUT);
}

static void what_the_catalog_refuses_is_passed_on(void **state)
{
    (void)state;
    er_snapshot *snapshot = NULL;
    er_fault fault;
    assert_int_equal(er_snapshot_load(&snapshot, ERRATA_SOURCE_DIR "/tests/fixtures/none", NULL, &fault),
                     ER_NOT_FOUND);
    assert_string_equal(fault.file, ERRATA_SOURCE_DIR "/tests/fixtures/none");
}

typedef struct told_faults {
    er_fault faults[4];
    size_t count;
} told_faults;

static void hear(void *context, const er_fault *fault)
{
    told_faults *told = context;
    assert_true(told->count < 4);
    told->faults[told->count++] = *fault;
}

static void all_bad_patterns_are_reported(void **state)
{
    (void)state;
    told_faults told = {.count = 0};
    er_catalog_options options = {.faults = hear, .context = &told};
    er_snapshot *snapshot = NULL;
    er_fault fault;
    assert_int_equal(er_snapshot_load(&snapshot, BAD_PATTERNS, &options, &fault), ER_BAD_INPUT);
    assert_int_equal(told.count, 2);
    assert_string_equal(told.faults[0].record, "db9b715144efacce");
    assert_string_equal(told.faults[1].record, "de06d7b47f650f82");
    assert_string_equal(fault.record, told.faults[0].record);
    assert_string_equal(told.faults[0].file, BAD_PATTERNS);
    assert_string_equal(told.faults[1].file, BAD_PATTERNS);
    assert_string_equal(told.faults[1].member, "record.messagePattern");
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        er_snapshot *snapshot = NULL;
        er_fault fault;
        (void)er_memory_fail_after(n);
        er_status status = er_snapshot_load(&snapshot, FIXTURE_CATALOG, NULL, &fault);
        (void)er_memory_fail_after(-1);
        if (status == ER_OK) {
            assert_true(n > 10);
            er_snapshot_release(&snapshot);
            break;
        }
        assert_int_equal(status, ER_NO_MEMORY);
        assert_int_equal(fault.status, ER_NO_MEMORY);
        assert_null(snapshot);
    }
}

typedef struct reader {
    pthread_t thread;
    er_cell *cell;
    const atomic_bool *stop;
    long seen;
    bool torn;
} reader;

/* Every snapshot that is taken must be whole: catalog and matcher of one load. */
static void *read_cell(void *context)
{
    reader *mine = context;
    er_worker *worker = NULL;
    if (er_worker_new(&worker) != ER_OK) {
        mine->torn = true;
        return NULL;
    }
    while (!atomic_load(mine->stop) || mine->seen == 0) {
        er_reply reply;
        er_snapshot *snapshot = er_cell_get(mine->cell);
        er_answer_explain(worker, snapshot, ER_SLICE("item \"mug\" is out of stock"), 0, as_json, &reply);
        mine->torn = mine->torn || reply.code != 0 || !holds(reply.body, STOCK_ID);
        mine->seen++;
        er_snapshot_release(&snapshot);
    }
    er_worker_free(&worker);
    return NULL;
}

static void a_cell_is_swapped_under_readers(void **state)
{
    (void)state;
    er_cell *cell = NULL;
    reader readers[3];
    atomic_bool stop = false;
    er_snapshot *snapshot = NULL;
    assert_int_equal(er_cell_new(&cell), ER_OK);
    assert_null(er_cell_get(cell));
    for (size_t i = 0; i < 3; i++) {
        readers[i] = (reader){.cell = cell, .stop = &stop};
    }
    for (int swap = 0; swap < 20; swap++) {
        assert_int_equal(er_snapshot_load(&snapshot, FIXTURE_CATALOG, NULL, NULL), ER_OK);
        er_cell_put(cell, snapshot);
        for (size_t i = 0; swap == 0 && i < 3; i++) {
            assert_int_equal(pthread_create(&readers[i].thread, NULL, read_cell, &readers[i]), 0);
        }
    }
    atomic_store(&stop, true);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
        assert_false(readers[i].torn);
        assert_true(readers[i].seen > 0);
    }
    er_cell_put(cell, NULL);
    assert_null(er_cell_get(cell));
    er_cell_free(&cell);
    assert_null(cell);
    er_cell_free(&cell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_joins_catalog_and_matcher),
        cmocka_unit_test(a_bad_pattern_is_placed),
        cmocka_unit_test(what_the_catalog_refuses_is_passed_on),
        cmocka_unit_test(all_bad_patterns_are_reported),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(a_cell_is_swapped_under_readers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
