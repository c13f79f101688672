#include "base/status.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static void test_names(void **state)
{
    (void)state;
    for (int i = ER_OK; i <= ER_TIMEOUT; i++) {
        assert_string_not_equal(er_status_name((er_status)i), "unknown status");
        for (int j = ER_OK; j < i; j++) {
            assert_string_not_equal(er_status_name((er_status)i), er_status_name((er_status)j));
        }
    }
    assert_string_equal(er_status_name((er_status)99), "unknown status");
}

static void test_set(void **state)
{
    (void)state;
    er_fault fault;
    memset(&fault, 'x', sizeof(fault));
    assert_int_equal(er_fault_set(&fault, ER_BAD_INPUT, "expected %s", "a string"), ER_BAD_INPUT);
    assert_int_equal(fault.status, ER_BAD_INPUT);
    assert_int_equal(fault.offset, ER_FAULT_NOWHERE);
    assert_string_equal(fault.reason, "expected a string");
    assert_string_equal(fault.file, "");
    assert_string_equal(fault.record, "");
    assert_string_equal(fault.member, "");
    er_fault_set(&fault, ER_SYSTEM, "again: %s", fault.reason);
    assert_string_equal(fault.reason, "again: expected a string");
}

static void test_null(void **state)
{
    (void)state;
    assert_int_equal(er_fault_set(NULL, ER_SYSTEM, "x"), ER_SYSTEM);
    er_fault_file(NULL, "x");
    er_fault_record(NULL, "x", 1);
    er_fault_member(NULL, "x");
    er_fault_offset(NULL, 1);
}

static void test_print(void **state)
{
    (void)state;
    char text[1024];
    er_fault fault;
    er_fault_set(&fault, ER_BAD_INPUT, "is missing");
    assert_string_equal(er_fault_print(&fault, text, sizeof(text)), "is missing");
    er_fault_file(&fault, "a.json");
    er_fault_record(&fault, "stream-closed tail", 13);
    er_fault_member(&fault, "record.slug");
    er_fault_offset(&fault, 0);
    assert_string_equal(er_fault_print(&fault, text, sizeof(text)),
                        "a.json: stream-closed: record.slug: is missing (at byte 0)");
    assert_string_equal(er_fault_print(&fault, text, 10), "a.json: s");
    assert_string_equal(er_fault_print(&fault, text, 1), "");
    text[0] = 'x';
    er_fault_print(&fault, text, 0);
    assert_int_equal(text[0], 'x');
    er_fault_set(&fault, ER_TIMEOUT, "%s", "");
    assert_string_equal(er_fault_print(&fault, text, sizeof(text)), "timed out");
}

/* What comes from outside may not forge a line nor command a terminal. */
static void test_controls(void **state)
{
    (void)state;
    er_fault fault;
    er_fault_set(&fault, ER_BAD_INPUT, "%s", "a\nb\x1b[31m\x7f\xc2\x9b\xff\xc3\xa9");
    assert_string_equal(fault.reason, "a?b?[31m???\xc3\xa9");
    er_fault_record(&fault, "a\0b", 3);
    assert_string_equal(fault.record, "a?b");
}

static void test_cut(void **state)
{
    (void)state;
    char text[1024];
    er_fault fault;
    for (size_t i = 0; i < sizeof(text) - 1; i++) {
        text[i] = i % 2 ? '\xa9' : '\xc3';
    }
    text[sizeof(text) - 1] = '\0';
    er_fault_set(&fault, ER_BAD_INPUT, "x%s", text);
    assert_int_equal(strlen(fault.reason), sizeof(fault.reason) - 1);
    er_fault_member(&fault, text);
    assert_int_equal(strlen(fault.member), sizeof(fault.member) - 2);
    assert_int_equal(fault.member[sizeof(fault.member) - 3], '\xa9');
    er_fault_file(&fault, text);
    er_fault_record(&fault, text, sizeof(text) - 1);
    er_fault_offset(&fault, 12345678901234567890u);
    char whole[2048];
    er_fault_print(&fault, whole, sizeof(whole));
    assert_non_null(strstr(whole, "(at byte 12345678901234567890)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names), cmocka_unit_test(test_set),      cmocka_unit_test(test_null),
        cmocka_unit_test(test_print), cmocka_unit_test(test_controls), cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
