/*
 * table.h - test cases in a text file, a case a line.
 *
 *     # a comment
 *     input => expected
 *
 * Blanks around both sides are left out; a line without " => " has an empty right
 * side. In both, <0A> stands for the byte with that hexadecimal value (two digits,
 * letters in capitals). Cases that differ from the table are printed with file and
 * line, and all of them are gone through before the test fails.
 */
#ifndef ERRATA_TEST_TABLE_H
#define ERRATA_TEST_TABLE_H

#include "base/slice.h"

/* Writes what the case gives into `actual` (ends in a NUL); it is compared with `expected`. */
#define TABLE_ACTUAL 4096
typedef void table_case(er_slice input, char actual[TABLE_ACTUAL]);

/* Runs every case of `file`, a path below the checkout's tests folder. Fails the
   cmocka test when one differs or the table is empty. */
void table_run(const char *file, table_case *run);

#endif
