/* Bundles: a document a line, read through a window. */
#include "base/buffer.h"
#include "base/file.h"
#include "catalog/catalog.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdio.h>
#include <unistd.h>

static char folder[FOLDER_PATH];
static er_buffer form; /* without its line feed */

static int start(void **state)
{
    (void)state;
    folder_make(folder);
    er_buffer_start(&form, ER_CATALOG_MAX_FILE);
    if (er_file_read(ERRATA_SOURCE_DIR "/tests/fixtures/form.json", &form, NULL) != ER_OK) {
        return -1;
    }
    form.len = er_slice_trim(er_buffer_slice(&form)).len;
    return chdir(folder);
}

static int end(void **state)
{
    (void)state;
    er_buffer_free(&form);
    folder_remove(folder);
    return 0;
}

/* Appends form.json with an id and a slug of its own, and `padding` blanks. */
static void add(er_buffer *out, unsigned number, size_t padding)
{
    size_t from = out->len;
    char text[32];
    er_buffer_add(out, er_buffer_slice(&form));
    char *room = er_buffer_reserve(out, padding);
    assert_non_null(room);
    memset(room, ' ', padding);
    out->len += padding;
    snprintf(text, sizeof(text), "%016x", number * 2654435761u);
    memcpy(out->at + from + strlen("{\"record\":{\"id\":\""), text, 16);
    snprintf(text, sizeof(text), "slug-%06u", number);
    char *slug = memmem(out->at + from, form.len, "disk-s-full", 11);
    assert_non_null(slug);
    memcpy(slug, text, 11);
}

static const char *load_fault(er_slice text)
{
    static char printed[1024];
    er_catalog *catalog = NULL;
    er_fault fault;
    folder_write(folder, "b.ndjson", text);
    assert_int_not_equal(er_catalog_load(&catalog, "b.ndjson", NULL, &fault), ER_OK);
    assert_null(catalog);
    return er_fault_print(&fault, printed, sizeof(printed));
}

static er_catalog *load(const char *path)
{
    er_catalog *catalog = NULL;
    assert_int_equal(er_catalog_load(&catalog, path, NULL, NULL), ER_OK);
    return catalog;
}

/* Many windows of it, lines of uneven lengths, so that they end anywhere in one;
   equal to the same documents in files of their own. */
static void test_windows(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    er_buffer bundle;
    er_buffer_start(&bundle, (size_t)64 << 20);
    for (unsigned i = 0; i < COUNT; i++) {
        size_t from = bundle.len;
        add(&bundle, i, (i * 7919) % 20000);
        char name[32];
        snprintf(name, sizeof(name), "files/%u.json", i);
        folder_write(folder, name, er_slice_sub(er_buffer_slice(&bundle), from, bundle.len));
        er_buffer_add_string(&bundle, i % 3 == 0 ? "\r\n" : i % 3 == 1 ? "\n \t\n" : "\n");
    }
    folder_write(folder, "many.ndjson", er_buffer_slice(&bundle));
    er_catalog *one = load("many.ndjson");
    er_catalog *other = load("files");
    assert_int_equal(er_catalog_count(one), COUNT);
    assert_string_equal(er_catalog_hash(one), er_catalog_hash(other));
    const er_record *found[1];
    assert_int_equal(er_catalog_by_slug(one, ER_SLICE("slug-000004"), found, 1), 1);
    assert_int_equal(found[0]->line, 6); /* line 3 is blank */
    assert_true(er_slice_is(found[0]->file, "many.ndjson"));
    er_catalog_free(&one);
    er_catalog_free(&other);
    er_buffer_free(&bundle);
}

static void test_no_last_line_feed(void **state)
{
    (void)state;
    folder_write(folder, "b.ndjson", er_buffer_slice(&form));
    er_catalog *catalog = load("b.ndjson");
    assert_int_equal(er_catalog_count(catalog), 1);
    assert_int_equal(er_catalog_record(catalog, 0)->line, 1);
    er_catalog_free(&catalog);
    folder_write(folder, "b.ndjson", ER_SLICE("\n \n"));
    catalog = load("b.ndjson");
    assert_int_equal(er_catalog_count(catalog), 0);
    er_catalog_free(&catalog);
}

/* Offsets count from the beginning of the file; a line without an id is named. */
static void test_faults(void **state)
{
    (void)state;
    er_buffer bundle;
    er_buffer_start(&bundle, (size_t)1 << 20);
    add(&bundle, 1, 0);
    er_buffer_add_string(&bundle, "\n");
    size_t second = bundle.len;
    char expected[256];
    er_buffer_add_string(&bundle, "{\"record\":{\"id\":7}}\n");
    snprintf(expected, sizeof(expected),
             "b.ndjson: line 2: record.id: expected a string, found a number (at byte %zu)", second + 16);
    assert_string_equal(load_fault(er_buffer_slice(&bundle)), expected);
    bundle.len = second;
    er_buffer_add_string(&bundle, "{\"record\":\n{}}\n");
    snprintf(expected, sizeof(expected), "b.ndjson: line 2: record: the text ends too early (at byte %zu)",
             second + 10);
    assert_string_equal(load_fault(er_buffer_slice(&bundle)), expected);
    bundle.len = second;
    add(&bundle, 1, 0);
    snprintf(expected, sizeof(expected),
             "b.ndjson: 000000009e3779b1: record.id: this id is in the catalog already: b.ndjson, at byte 16 "
             "(at byte %zu)",
             second + 16);
    assert_string_equal(load_fault(er_buffer_slice(&bundle)), expected);
    er_buffer_free(&bundle);
}

static void count_fault(void *context, const er_fault *fault)
{
    char text[1024];
    int *count = context;
    ++*count;
    assert_string_equal(er_fault_print(fault, text, sizeof(text)),
                        "b.ndjson: line 1: the line has more than 1048576 bytes (at byte 0)");
}

/* A line of exactly the limit is read; a longer one is a fault, however long it is,
   and what follows it is read on. */
static void test_long_line(void **state)
{
    (void)state;
    static const size_t more[] = {1, (size_t)300 << 10, (size_t)5 << 20};
    er_buffer bundle;
    er_buffer_start(&bundle, (size_t)16 << 20);
    add(&bundle, 1, ER_CATALOG_MAX_FILE - form.len);
    er_buffer_add_char(&bundle, '\n');
    add(&bundle, 2, 0);
    folder_write(folder, "b.ndjson", er_buffer_slice(&bundle));
    er_catalog *catalog = load("b.ndjson");
    assert_int_equal(er_catalog_count(catalog), 2);
    er_catalog_free(&catalog);
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
        er_buffer_clear(&bundle);
        add(&bundle, 1, ER_CATALOG_MAX_FILE - form.len + more[i]);
        memset(bundle.at + form.len, 'x', bundle.len - form.len);
        er_buffer_add_char(&bundle, '\n');
        add(&bundle, 2, 0);
        folder_write(folder, "b.ndjson", er_buffer_slice(&bundle));
        int faults = 0;
        er_catalog_options options = {.faults = count_fault, .context = &faults};
        assert_int_equal(er_catalog_load(&catalog, "b.ndjson", &options, NULL), ER_TOO_LARGE);
        assert_int_equal(faults, 1);
    }
    er_buffer_free(&bundle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_no_last_line_feed),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_long_line),
    };
    return cmocka_run_group_tests(tests, start, end);
}
