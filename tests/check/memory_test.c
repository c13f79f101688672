/* Every allocation fails in turn: the run says so, and leaks nothing (the leak checker of a build with
   sanitizers looks). */
#include "base/memory.h"
#include "check/bench.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define SITE                                                                                                 \
    "{\"repo\":\"acme/depot\",\"id\":\"5049581f9fd1cf7b\",\"errorMessage\":\"x\\ty\",\"filePath\":\"a.go\"," \
    "\"lineNumber\":4,\"severity\":\"error\"}\n"

static void fails_in_good_order(void **state)
{
    (void)state;
    bench made;
    char sites[FOLDER_PATH + 32];
    bench_make(
        &made,
        ER_SLICE("record.tags[0] = \"none\" && record.solutions[0] = \"Two\\tblanks are here.\" && "
                 "record.messagePattern = \"cannot store parcel (-?\\\\d{1,9}) of \\\"(.+?)\\\": (.+?)\""));
    folder_write(made.folder, "sites.txt", ER_SLICE(SITE));
    snprintf(sites, sizeof(sites), "%s/sites.txt", made.folder);
    const er_check_options options = {.sites = sites, .draft = true};
    long countdown = 0, failed = 0;
    for (bool whole = false; !whole; countdown++) {
        er_check *check = NULL;
        er_fault fault = {0};
        (void)er_memory_fail_after(countdown);
        er_status status = er_check_run(&check, made.folder, &options, &fault);
        whole = er_memory_fail_after(-1) <= countdown;
        if (status != ER_OK) {
            assert_int_equal(status, ER_NO_MEMORY);
            assert_null(check);
            assert_int_equal(fault.status, ER_NO_MEMORY);
            failed++;
        } else { /* also where a regular expression goes without its machine code */
            assert_int_equal(er_check_finding_count(check), 3);
        }
        er_check_free(&check);
    }
    assert_true(failed > 50);
    bench_remove(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fails_in_good_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
