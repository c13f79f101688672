/* Catalogs of several files: order, look-ups, what is kept of a record. */
#include "base/buffer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "catalog/catalog.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIXTURES ERRATA_SOURCE_DIR "/tests/fixtures/"

static char folder[FOLDER_PATH];
static er_buffer form, seed, loose;

static void read_fixture(er_buffer *out, const char *path)
{
    er_buffer_start(out, ER_CATALOG_MAX_FILE);
    assert_int_equal(er_file_read(path, out, NULL), ER_OK);
}

static int start(void **state)
{
    (void)state;
    read_fixture(&form, FIXTURES "form.json");
    read_fixture(&seed, FIXTURES "seed-form.json");
    read_fixture(&loose, FIXTURES "loose-form.json");
    return 0;
}

static int end(void **state)
{
    (void)state;
    er_buffer_free(&form);
    er_buffer_free(&seed);
    er_buffer_free(&loose);
    return 0;
}

static int enter(void **state)
{
    (void)state;
    folder_make(folder);
    return chdir(folder);
}

static int leave(void **state)
{
    (void)state;
    folder_remove(folder);
    return chdir("/");
}

static er_catalog *load(const char *path)
{
    er_catalog *catalog = NULL;
    er_fault fault;
    char text[1024];
    if (er_catalog_load(&catalog, path, NULL, &fault) != ER_OK) {
        fail_msg("%s", er_fault_print(&fault, text, sizeof(text)));
    }
    return catalog;
}

/* The fault of loading `path`, which must fail. */
static const char *load_fault(const char *path)
{
    static char text[1024];
    er_catalog *catalog = NULL;
    er_fault fault;
    er_status status = er_catalog_load(&catalog, path, NULL, &fault);
    assert_int_not_equal(status, ER_OK);
    assert_int_equal(status, fault.status);
    assert_null(catalog);
    return er_fault_print(&fault, text, sizeof(text));
}

/* Replaces the first `from` of form.json. */
static er_slice changed(const char *from, const char *to)
{
    static er_buffer text;
    if (text.ceiling == 0) {
        er_buffer_start(&text, ER_CATALOG_MAX_FILE);
    }
    const char *at = memmem(form.at, form.len, from, strlen(from));
    assert_non_null(at);
    size_t before = (size_t)(at - form.at);
    er_buffer_clear(&text);
    er_buffer_add(&text, er_slice_of(form.at, before));
    er_buffer_add_string(&text, to);
    er_buffer_add(&text, er_slice_sub(er_buffer_slice(&form), before + strlen(from), form.len));
    er_slice result = er_buffer_slice(&text);
    return result;
}

static void assert_slice(er_slice actual, const char *expected)
{
    assert_int_equal(actual.len, strlen(expected));
    assert_memory_equal(actual.at, expected, actual.len);
}

static void write_three(void)
{
    folder_write(folder, "c/a/z.json", er_buffer_slice(&form));
    folder_write(folder, "c/seed.json", er_buffer_slice(&seed));
    folder_write(folder, "c/b/loose.json", er_buffer_slice(&loose));
}

static void test_folder(void **state)
{
    (void)state;
    write_three();
    folder_write(folder, "c/tags.json", ER_SLICE("[]"));
    folder_write(folder, "c/schema/record.json", ER_SLICE("{}"));
    folder_write(folder, "c/notes.txt", ER_SLICE("not JSON"));
    folder_write(folder, "c/.draft.json", ER_SLICE("not JSON"));
    er_catalog *catalog = load("c/");
    assert_int_equal(er_catalog_count(catalog), 3);
    assert_slice(er_catalog_record(catalog, 0)->id, "0000000000000001");
    assert_slice(er_catalog_record(catalog, 1)->id, "00112233445566aa");
    assert_slice(er_catalog_record(catalog, 2)->id, "8899aabbccddeeff");
    assert_slice(er_catalog_record(catalog, 1)->file, "c/a/z.json");
    assert_int_equal(er_catalog_record(catalog, 1)->line, 0);
    size_t records = 0;
    assert_int_equal(er_catalog_repo_count(catalog), 2);
    assert_slice(er_catalog_repo(catalog, 0, &records), "example/depot");
    assert_int_equal(records, 1);
    assert_slice(er_catalog_repo(catalog, 1, &records), "example/store");
    assert_int_equal(records, 2);
    assert_slice(er_catalog_dataset_version(catalog), "2026-11-30T10:11:12Z");
    assert_true(er_catalog_memory(catalog) > form.len + seed.len);
    er_catalog_free(&catalog);
    assert_null(catalog);
    er_catalog_free(&catalog);
}

/* Only at the top are tags.json and schema no records. */
static void test_passed_over(void **state)
{
    (void)state;
    folder_write(folder, "c/x/tags.json", er_buffer_slice(&form));
    folder_write(folder, "c/x/schema/s.json", er_buffer_slice(&seed));
    er_catalog *catalog = load("c");
    assert_int_equal(er_catalog_count(catalog), 2);
    er_catalog_free(&catalog);
}

static void test_look_up(void **state)
{
    (void)state;
    write_three();
    er_catalog *catalog = load("c");
    const er_record *first = er_catalog_record(catalog, 0);
    const er_record *second = er_catalog_record(catalog, 1);
    const er_record *found[3] = {0};
    assert_ptr_equal(er_catalog_by_id(catalog, ER_SLICE("00112233445566aa")), second);
    assert_null(er_catalog_by_id(catalog, ER_SLICE("00112233445566a")));
    assert_null(er_catalog_by_id(catalog, (er_slice){0}));
    assert_ptr_equal(er_catalog_by_repo_slug(catalog, ER_SLICE("example/store"), ER_SLICE("disk-s-full")),
                     second);
    assert_ptr_equal(er_catalog_by_repo_slug(catalog, ER_SLICE("example/depot"), ER_SLICE("disk-s-full")),
                     first);
    assert_null(er_catalog_by_repo_slug(catalog, ER_SLICE("example/other"), ER_SLICE("disk-s-full")));
    assert_null(er_catalog_by_repo_slug(catalog, ER_SLICE("example"), ER_SLICE("store\ndisk-s-full")));
    assert_int_equal(er_catalog_by_slug(catalog, ER_SLICE("disk-s-full"), found, 3), 2);
    assert_ptr_equal(found[0], first);
    assert_ptr_equal(found[1], second);
    found[1] = NULL;
    assert_int_equal(er_catalog_by_slug(catalog, ER_SLICE("disk-s-full"), found, 1), 2);
    assert_null(found[1]);
    assert_int_equal(er_catalog_by_slug(catalog, ER_SLICE("disk"), found, 3), 0);
    assert_int_equal(er_catalog_by_code(catalog, ER_SLICE("507"), found, 3), 2);
    assert_int_equal(er_catalog_by_code(catalog, ER_SLICE("508"), NULL, 0), 0);
    assert_int_equal(er_catalog_by_code(catalog, (er_slice){0}, found, 3), 0);
    er_catalog_free(&catalog);
}

static void test_record(void **state)
{
    (void)state;
    write_three();
    er_catalog *catalog = load("c");
    const er_record *record = er_catalog_by_id(catalog, ER_SLICE("0000000000000001"));
    assert_slice(record->repo, "example/depot");
    assert_slice(record->slug, "disk-s-full");
    assert_slice(record->code, "507");
    assert_slice(record->message, "disk “%s” full");
    assert_slice(record->pattern, "disk \\S(.+?)\\S full");
    assert_slice(record->error_class, "Err\tOdd");
    assert_int_equal(record->severity, ER_FATAL);
    assert_int_equal(record->type, ER_LOG);
    assert_int_equal(record->dataset_version.len, 0);
    assert_slice(er_record_member(record, ER_MEMBER_ERROR_CLASS), "\"Err\\tOdd\"");
    assert_slice(er_record_member(record, ER_MEMBER_SCHEMA_VERSION), "2");
    assert_slice(er_record_member(record, ER_MEMBER_SOLUTIONS), "[\"Lower the retention.\",\"Add a disk.\"]");
    assert_slice(er_record_member(record, ER_MEMBER_ID), "\"0000000000000001\"");
    assert_memory_equal(record->json.at, "{\"schemaVersion\":2,\"contentChangedAt\":null,", 43);
    record = er_catalog_by_id(catalog, ER_SLICE("8899aabbccddeeff"));
    assert_int_equal(record->code.len, 0);
    assert_int_equal(record->error_class.len, 0);
    assert_false(record->has_guide);
    assert_int_equal(record->guide_json.len, 0);
    assert_slice(record->dataset_version, "2026-11-30T08:09:10.111Z");
    assert_slice(er_record_member(record, ER_MEMBER_HTTP_STATUS), "null");
    er_catalog_free(&catalog);
}

static void test_guide(void **state)
{
    (void)state;
    write_three();
    er_catalog *catalog = load("c");
    const er_record *record = er_catalog_by_id(catalog, ER_SLICE("0000000000000001"));
    assert_true(record->has_guide);
    assert_int_equal(record->capture_count, 2);
    assert_slice(record->capture_names[0], "disk é");
    assert_slice(record->capture_names[1], "b\"c");
    assert_int_equal(record->command_count, 2);
    assert_slice(record->commands[0].purpose, "See\tall");
    assert_slice(record->commands[0].command, "df \"{disk}\" | cat");
    assert_slice(record->commands[1].purpose, "Nothing");
    assert_slice(record->commands[1].command, "true");
    assert_int_equal(record->first_release.len, 0);
    assert_slice(record->last_release, "v2.é");
    assert_slice(record->guide_json,
                 "{\"related\":[\"8899aabbccddeeff\",\"00112233445566aa\"],"
                 "\"verified\":{\"how\":\"read\",\"release\":null},"
                 "\"commands\":[{\"command\":\"df \\\"{disk}\\\" | cat\",\"purpose\":\"See\\tall\"},"
                 "{\"purpose\":\"Nothing\",\"command\":\"true\"}],"
                 "\"captureNames\":[\"disk \\u00e9\",\"b\\\"c\"],"
                 "\"versions\":{\"last\":\"v2.\\u00e9\",\"first\":null},\"rateLimited\":true}");
    record = er_catalog_by_id(catalog, ER_SLICE("00112233445566aa"));
    assert_slice(record->first_release, "v1.0.0");
    assert_int_equal(record->last_release.len, 0);
    assert_non_null(memmem(record->guide_json.at, record->guide_json.len, "\"related\":[],", 13));
    er_catalog_free(&catalog);
}

static void test_empty_guide(void **state)
{
    (void)state;
    const char *at = memmem(form.at, form.len, ",\"guide\":", 9);
    assert_non_null(at);
    char text[4096];
    snprintf(text, sizeof(text), "%.*s,\"guide\":{}}", (int)(at - form.at), form.at);
    folder_write(folder, "c.json", er_slice_string(text));
    er_catalog *catalog = load("c.json");
    assert_true(er_catalog_record(catalog, 0)->has_guide);
    assert_slice(er_catalog_record(catalog, 0)->guide_json, "{}");
    assert_int_equal(er_catalog_record(catalog, 0)->capture_count, 0);
    er_catalog_free(&catalog);
}

/* The newest time counts, by its value and not by its bytes; one document alone in
   the seed's form has its own. */
static void test_dataset_version(void **state)
{
    (void)state;
    folder_write(folder, "c/a.json", er_buffer_slice(&seed));
    er_catalog *catalog = load("c");
    assert_slice(er_catalog_dataset_version(catalog), "2026-11-30T08:09:10.111Z");
    er_catalog_free(&catalog);
    folder_write(folder, "c/b.json",
                 changed("\"contentChangedAt\":null", "\"contentChangedAt\":\"2026-11-29T12:00:00Z\""));
    catalog = load("c");
    assert_slice(er_catalog_dataset_version(catalog), "2026-11-29T12:00:00.5Z");
    er_catalog_free(&catalog);
    folder_write(folder, "c/b.json",
                 changed("\"contentChangedAt\":null", "\"contentChangedAt\":\"2026-11-29T12:00:00.4999Z\""));
    catalog = load("c");
    assert_slice(er_catalog_dataset_version(catalog), "2026-11-29T12:00:00.5Z");
    er_catalog_free(&catalog);
    folder_write(folder, "c/b.json",
                 changed("\"contentChangedAt\":null", "\"contentChangedAt\":\"2026-11-29T12:00:00.51Z\""));
    catalog = load("c");
    assert_slice(er_catalog_dataset_version(catalog), "2026-11-29T12:00:00.51Z");
    er_catalog_free(&catalog);
}

static void test_empty(void **state)
{
    (void)state;
    assert_int_equal(mkdir("c", 0777), 0);
    er_catalog *catalog = load("c");
    assert_int_equal(er_catalog_count(catalog), 0);
    assert_int_equal(er_catalog_dataset_version(catalog).len, 0);
    assert_int_equal(er_catalog_repo_count(catalog), 0);
    assert_null(er_catalog_by_id(catalog, ER_SLICE("0000000000000001")));
    assert_int_equal(strlen(er_catalog_hash(catalog)), 64);
    er_catalog_free(&catalog);
}

/* The same content has the same hash, whatever the files are called and how it is written. */
static void test_hash(void **state)
{
    (void)state;
    write_three();
    er_catalog *catalog = load("c");
    folder_write(folder, "d/3.json", er_buffer_slice(&loose));
    folder_write(folder, "d/2.json", er_buffer_slice(&seed));
    folder_write(folder, "d/1/1.json", er_buffer_slice(&form));
    er_catalog *other = load("d");
    assert_string_equal(er_catalog_hash(catalog), er_catalog_hash(other));
    er_catalog_free(&other);
    folder_write(folder, "d/1/1.json", changed("\"lineNumber\":42", "\"lineNumber\" : 42"));
    other = load("d");
    assert_string_equal(er_catalog_hash(catalog), er_catalog_hash(other));
    er_catalog_free(&other);
    folder_write(folder, "d/1/1.json", changed("\"lineNumber\":42", "\"lineNumber\":43"));
    other = load("d");
    assert_string_not_equal(er_catalog_hash(catalog), er_catalog_hash(other));
    er_catalog_free(&other);
    folder_write(folder, "d/1/1.json", changed("df {disk}", "df -h {disk}"));
    other = load("d");
    assert_string_not_equal(er_catalog_hash(catalog), er_catalog_hash(other));
    er_catalog_free(&other);
    er_catalog_free(&catalog);
}

static void test_not_there(void **state)
{
    (void)state;
    assert_string_equal(load_fault("absent"), "absent: can not be read: No such file or directory");
    folder_write(folder, "file.json", er_buffer_slice(&form));
    assert_string_equal(load_fault("file.json/x"), "file.json/x: can not be read: Not a directory");
}

static void test_doubles(void **state)
{
    (void)state;
    folder_write(folder, "c/b.json", er_buffer_slice(&form));
    folder_write(folder, "c/a.json", changed("disk-s-full", "another"));
    assert_string_equal(load_fault("c"),
                        "c/b.json: 00112233445566aa: record.id: this id is in the catalog already: "
                        "c/a.json, at byte 16 (at byte 16)");
    folder_write(folder, "c/a.json", changed("00112233445566aa", "ffffffffffffffff"));
    assert_string_equal(load_fault("c"),
                        "c/b.json: 00112233445566aa: record.slug: this slug, of the same repo, is in "
                        "the catalog already: c/a.json, at byte 65 (at byte 65)");
    folder_write(folder, "c/a.json",
                 changed("00112233445566aa\",\"repo\":\"example", "ffffffffffffffff\",\"repo\":\"other"));
    er_catalog *catalog = load("c");
    assert_int_equal(er_catalog_count(catalog), 2);
    er_catalog_free(&catalog);
}

typedef struct fault_list {
    int count;
    char text[4096];
} fault_list;

static void hear(void *context, const er_fault *fault)
{
    fault_list *heard = context;
    char text[1024];
    heard->count++;
    strcat(strcat(heard->text, er_fault_print(fault, text, sizeof(text))), "\n");
}

/* Each document has its fault, the good ones are compared with each other, and the
   status is that of the first. */
static void test_all_faults(void **state)
{
    (void)state;
    folder_write(folder, "c/a.json", ER_SLICE("{"));
    folder_write(folder, "c/b.json", changed("\"schemaVersion\":2", "\"schemaVersion\":3"));
    folder_write(folder, "c/c.json", er_buffer_slice(&form));
    folder_write(folder, "c/d.json", changed("disk-s-full", "another"));
    folder_write(folder, "c/e.ndjson", ER_SLICE("{}\n\n[]\n"));
    fault_list heard = {0};
    er_catalog_options options = {.faults = hear, .context = &heard};
    er_catalog *catalog = NULL;
    er_fault fault;
    assert_int_equal(er_catalog_load(&catalog, "c", &options, &fault), ER_BAD_INPUT);
    assert_null(catalog);
    assert_string_equal(
        heard.text,
        "c/a.json: the text ends too early (at byte 1)\n"
        "c/b.json: 00112233445566aa: record.schemaVersion: is 3, must be 2 (at byte 1154)\n"
        "c/e.ndjson: line 1: record: is missing (at byte 1)\n"
        "c/e.ndjson: line 3: expected an object, found an array (at byte 4)\n"
        "c/d.json: 00112233445566aa: record.id: this id is in the catalog already: c/c.json, at byte 16 "
        "(at byte 16)\n");
    assert_int_equal(heard.count, 5);
    assert_string_equal(fault.file, "c/a.json");
    heard.count = 0;
    assert_int_equal(er_catalog_load(&catalog, "absent", &options, NULL), ER_NOT_FOUND);
    assert_int_equal(heard.count, 1);
}

/* Until it succeeds: every allocation of a load fails once, and the load says so. */
static void test_without_memory(void **state)
{
    (void)state;
    write_three();
    folder_write(folder, "c/x.ndjson",
                 changed("00112233445566aa\",\"repo\":\"example", "ffffffffffffffff\",\"repo\":\"other"));
    long n = 0;
    for (;; n++) {
        er_catalog *catalog = NULL;
        er_fault fault;
        er_memory_fail_after(n);
        er_status status = er_catalog_load(&catalog, "c", NULL, &fault);
        er_memory_fail_after(-1);
        if (status == ER_OK) {
            assert_int_equal(er_catalog_count(catalog), 4);
            er_catalog_free(&catalog);
            break;
        }
        assert_int_equal(status, ER_NO_MEMORY);
        assert_int_equal(fault.status, ER_NO_MEMORY);
        assert_null(catalog);
    }
    assert_true(n > 10);
}

/* Out of memory ends loading also where faults are collected. */
static void test_faults_without_memory(void **state)
{
    (void)state;
    folder_write(folder, "c/a.json", ER_SLICE("{"));
    folder_write(folder, "c/b.json", er_buffer_slice(&form));
    bool failed = false;
    for (long n = 0;; n++) {
        fault_list heard = {0};
        er_catalog_options options = {.faults = hear, .context = &heard};
        er_catalog *catalog = NULL;
        er_fault fault;
        er_memory_fail_after(n);
        er_status status = er_catalog_load(&catalog, "c", &options, &fault);
        er_memory_fail_after(-1);
        assert_int_equal(status, fault.status);
        assert_null(catalog);
        if (status == ER_BAD_INPUT) {
            assert_int_equal(heard.count, 1);
            break;
        }
        assert_int_equal(status, ER_NO_MEMORY);
        failed = true;
    }
    assert_true(failed);
}

static void test_names(void **state)
{
    (void)state;
    er_severity severity;
    er_error_type type;
    er_member member;
    for (int i = 0; i <= ER_FATAL; i++) {
        assert_true(er_severity_parse(er_slice_string(er_severity_name((er_severity)i)), &severity));
        assert_int_equal(severity, i);
    }
    for (int i = 0; i <= ER_PROTOCOL; i++) {
        assert_true(er_error_type_parse(er_slice_string(er_error_type_name((er_error_type)i)), &type));
        assert_int_equal(type, i);
    }
    for (int i = 0; i < ER_MEMBER_COUNT; i++) {
        assert_true(er_member_parse(er_slice_string(er_member_name((er_member)i)), &member));
        assert_int_equal(member, i);
    }
    assert_false(er_severity_parse(ER_SLICE("Error"), &severity));
    assert_false(er_error_type_parse((er_slice){0}, &type));
    assert_false(er_member_parse(ER_SLICE("ID"), &member));
    assert_true(er_member_parse(ER_SLICE("\\u0069d"), &member));
    assert_int_equal(member, ER_MEMBER_ID);
}

#define in_folder(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(test_folder),
        in_folder(test_passed_over),
        in_folder(test_look_up),
        in_folder(test_record),
        in_folder(test_guide),
        in_folder(test_empty_guide),
        in_folder(test_dataset_version),
        in_folder(test_empty),
        in_folder(test_hash),
        in_folder(test_not_there),
        in_folder(test_doubles),
        in_folder(test_all_faults),
        in_folder(test_without_memory),
        in_folder(test_faults_without_memory),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, start, end);
}
