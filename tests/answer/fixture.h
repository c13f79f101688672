/*
 * fixture.h - the catalog of tests/fixtures/catalog, loaded for a group of tests.
 */
#ifndef ERRATA_TEST_ANSWER_FIXTURE_H
#define ERRATA_TEST_ANSWER_FIXTURE_H

#include "answer/answer.h"

#define FIXTURE_CATALOG ERRATA_SOURCE_DIR "/tests/fixtures/catalog"

/* Its records. */
#define STOCK_ID "91605caca46bc33e" /* acme/shop: item %q is out of stock */
#define PLACE_ID "49a1f06aa0562e0a" /* acme/shop: cannot place order %d: %v */
#define PAY_ID   "34450a0de03b288b" /* acme/shop: payment declined (4020) */
#define SLOW_ID  "8e6ad1e7e9ceecd3" /* acme/shop: Checkout of cart '%s' took %s */
#define DEPOT_ID "ad64d8b92aae4fc2" /* acme/depot: payment declined (4020), in the seed's form */
#define WRAP_ID  "5d1c0a0c82da9080" /* acme/depot: %w: %d, captures without names */

typedef struct fixture {
    er_snapshot *snapshot;
    er_worker *worker;
} fixture;

/* cmocka group set-up and tear-down; *state is a fixture. */
int fixture_start(void **state);
int fixture_end(void **state);

extern const er_style as_json; /* JSON */
extern const er_style as_page; /* a page of 80 columns, no colour */

uint32_t fixture_rule(const fixture *all, const char *id);

/* The reply must equal tests/answer/golden/NAME; with ERRATA_UPDATE_GOLDEN in the
   environment, the file is written instead. */
void golden_check(const char *name, er_slice reply);

/* What every reply must be: JSON and nothing behind it; or UTF-8 that no terminal acts on. */
void check_well_formed(er_slice reply, er_form form);
bool holds(er_slice text, const char *part);

#endif
