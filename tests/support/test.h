/*
 * test.h - cmocka with what it wants included before it.
 */
#ifndef ERRATA_TEST_TEST_H
#define ERRATA_TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
