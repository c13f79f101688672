/* The form of a document, rule by rule. */
#include "base/buffer.h"
#include "base/file.h"
#include "catalog/catalog.h"
#include "support/folder.h"
#include "support/table.h"
#include "support/test.h"

#include <stdio.h>
#include <unistd.h>

static char folder[FOLDER_PATH];
static er_buffer form;

static int start(void **state)
{
    (void)state;
    folder_make(folder);
    er_buffer_start(&form, ER_CATALOG_MAX_FILE);
    return er_file_read(ERRATA_SOURCE_DIR "/tests/fixtures/form.json", &form, NULL) != ER_OK ||
           chdir(folder) != 0;
}

static int end(void **state)
{
    (void)state;
    er_buffer_free(&form);
    folder_remove(folder);
    return 0;
}

/* What loading `text` says; the file is named without its folder. */
static void load(er_slice text, char actual[TABLE_ACTUAL])
{
    er_catalog *catalog = NULL;
    er_fault fault;
    folder_write(folder, "form.json", text);
    er_status status = er_catalog_load(&catalog, "form.json", NULL, &fault);
    if (status == ER_OK) {
        assert_int_equal(er_catalog_count(catalog), 1);
        strcpy(actual, "ok");
    } else {
        assert_null(catalog);
        assert_int_equal(status, fault.status);
        er_fault_print(&fault, actual, TABLE_ACTUAL);
    }
    er_catalog_free(&catalog);
}

static void replace(er_slice from, er_slice to, char actual[TABLE_ACTUAL])
{
    const char *at = memmem(form.at, form.len, from.at, from.len);
    if (at == NULL) {
        strcpy(actual, "the text to replace is not there");
        return;
    }
    er_buffer text;
    er_buffer_start(&text, 2 * ER_CATALOG_MAX_FILE);
    er_buffer_add(&text, er_slice_of(form.at, (size_t)(at - form.at)));
    er_buffer_add(&text, to);
    er_buffer_add(&text, er_slice_sub(er_buffer_slice(&form), (size_t)(at - form.at) + from.len, form.len));
    assert_int_equal(text.status, ER_OK);
    load(er_buffer_slice(&text), actual);
    er_buffer_free(&text);
}

static void form_case(er_slice input, char actual[TABLE_ACTUAL])
{
    const char *bar = memmem(input.at, input.len, " |", 2);
    assert_non_null(bar);
    size_t at = (size_t)(bar - input.at);
    replace(er_slice_sub(input, 0, at), er_slice_trim(er_slice_sub(input, at + 2, input.len)), actual);
}

static void test_form(void **state)
{
    (void)state;
    table_run("catalog/form.cases", form_case);
}

/* Replaces `from` by a string of `length` bytes between quotes. */
static const char *with_text(const char *from, size_t length)
{
    static char actual[TABLE_ACTUAL];
    er_buffer to;
    er_buffer_start(&to, ER_CATALOG_MAX_FILE);
    er_buffer_add_char(&to, '"');
    memset(er_buffer_reserve(&to, length), 'x', length);
    to.len += length;
    er_buffer_add_char(&to, '"');
    replace(er_slice_string(from), er_buffer_slice(&to), actual);
    er_buffer_free(&to);
    return actual;
}

static void test_text_limits(void **state)
{
    (void)state;
    assert_string_equal(with_text("\"disk-s-full\"", ER_RECORD_MAX_NAME), "ok");
    assert_string_equal(with_text("\"disk-s-full\"", ER_RECORD_MAX_NAME + 1),
                        "form.json: 00112233445566aa: record.slug: has 257 bytes, at most 256 are allowed "
                        "(at byte 65)");
    assert_string_equal(with_text("\"A write while less than one segment is free.\"", ER_RECORD_MAX_TEXT),
                        "ok");
    assert_string_equal(
        with_text("\"Lower the retention.\"", ER_RECORD_MAX_TEXT + 1),
        "form.json: 00112233445566aa: record.solutions[0]: has 65537 bytes, at most 65536 are "
        "allowed (at byte 742)");
    assert_string_equal(with_text("\"sda\"", ER_RECORD_MAX_TEXT), "ok");
    assert_string_equal(with_text("\"2026-11-30T00:00:00Z\"", ER_RECORD_MAX_TIME + 1),
                        "form.json: 00112233445566aa: datasetVersion: has 41 bytes, at most 40 are allowed "
                        "(at byte 1605)");
}

static const char *with_list(size_t count)
{
    static char actual[TABLE_ACTUAL];
    er_buffer to;
    er_buffer_start(&to, ER_CATALOG_MAX_FILE);
    for (size_t i = 0; i < count; i++) {
        er_buffer_add_string(&to, i ? ",\"t\"" : "[\"t\"");
    }
    er_buffer_add_char(&to, ']');
    replace(ER_SLICE("[\"disk\",\"store\"]"), er_buffer_slice(&to), actual);
    er_buffer_free(&to);
    return actual;
}

static void test_list_limits(void **state)
{
    (void)state;
    assert_string_equal(with_list(ER_RECORD_MAX_LIST), "ok");
    assert_string_equal(with_list(ER_RECORD_MAX_LIST + 1),
                        "form.json: 00112233445566aa: record.tags: has more than 256 entries (at byte 972)");
}

/* A document of exactly the limit is read, one byte more is not. */
static void test_file_limit(void **state)
{
    (void)state;
    char actual[TABLE_ACTUAL];
    er_buffer text;
    er_buffer_start(&text, 2 * ER_CATALOG_MAX_FILE);
    er_buffer_add(&text, er_buffer_slice(&form));
    memset(er_buffer_reserve(&text, ER_CATALOG_MAX_FILE), ' ', ER_CATALOG_MAX_FILE);
    load(er_slice_of(text.at, ER_CATALOG_MAX_FILE), actual);
    assert_string_equal(actual, "ok");
    load(er_slice_of(text.at, ER_CATALOG_MAX_FILE + 1), actual);
    assert_string_equal(actual, "form.json: is larger than the limit of 1048576 bytes");
    er_buffer_free(&text);
}

/* Cut anywhere, a document is refused. */
static void test_cut(void **state)
{
    (void)state;
    char actual[TABLE_ACTUAL];
    size_t end_at = er_slice_trim(er_buffer_slice(&form)).len;
    for (size_t len = 0; len < end_at; len++) {
        load(er_slice_of(form.at, len), actual);
        assert_string_not_equal(actual, "ok");
    }
    load(er_slice_of(form.at, end_at), actual);
    assert_string_equal(actual, "ok");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),        cmocka_unit_test(test_text_limits),
        cmocka_unit_test(test_list_limits), cmocka_unit_test(test_file_limit),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, start, end);
}
