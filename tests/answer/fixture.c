#include "answer/fixture.h"

#include "answer/utf8.h"
#include "base/file.h"
#include "support/test.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

const er_style as_json = {.form = ER_FORM_JSON};
const er_style as_page = {.form = ER_FORM_PAGE};

int fixture_start(void **state)
{
    static fixture all;
    er_fault fault;
    char text[1024];
    if (er_snapshot_load(&all.snapshot, FIXTURE_CATALOG, NULL, &fault) != ER_OK) {
        print_error("%s\n", er_fault_print(&fault, text, sizeof text));
        return 1;
    }
    *state = &all;
    return er_worker_new(&all.worker) == ER_OK ? 0 : 1;
}

int fixture_end(void **state)
{
    fixture *all = *state;
    if (!all) {
        return 0; /* loading failed and was reported */
    }
    er_worker_free(&all->worker);
    er_snapshot_release(&all->snapshot);
    return 0;
}

uint32_t fixture_rule(const fixture *all, const char *id)
{
    for (size_t i = 0; i < er_catalog_count(all->snapshot->catalog); i++) {
        if (er_slice_is(er_catalog_record(all->snapshot->catalog, i)->id, id)) {
            return (uint32_t)i;
        }
    }
    fail_msg("no record %s", id);
    return 0;
}

static void golden_write(const char *path, er_slice reply)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(reply.at, 1, reply.len, file), reply.len);
    assert_int_equal(fclose(file), 0);
}

void golden_check(const char *name, er_slice reply)
{
    char path[4096];
    (void)snprintf(path, sizeof path, ERRATA_SOURCE_DIR "/tests/answer/golden/%s", name);
    if (getenv("ERRATA_UPDATE_GOLDEN")) {
        golden_write(path, reply);
    }
    er_buffer expected;
    er_buffer_start(&expected, 1 << 20);
    assert_int_equal(er_file_read(path, &expected, NULL), ER_OK);
    if (!er_slice_equal(er_buffer_slice(&expected), reply)) {
        print_error("%s differs; the reply is:\n%.*s\n", path, (int)reply.len, reply.at);
        fail();
    }
    er_buffer_free(&expected);
}

static void check_page(er_slice reply)
{
    assert_int_equal(reply.at[reply.len - 1], '\n');
    for (size_t at = 0; at < reply.len;) {
        uint32_t rune = 0;
        size_t length = er_utf8_read(reply, at, &rune);
        assert_true(length > 0);
        assert_true(rune == '\n' || rune == '\t' || !er_utf8_is_control(rune));
        at += length;
    }
}

void check_well_formed(er_slice reply, er_form form)
{
    assert_true(reply.len > 0);
    if (form == ER_FORM_PAGE) {
        check_page(reply);
        return;
    }
    const char *end = NULL;
    cJSON *tree = cJSON_ParseWithLengthOpts(reply.at, reply.len, &end, false);
    if (!tree || end != reply.at + reply.len) {
        print_error("not JSON: %.*s\n", (int)reply.len, reply.at);
        fail();
    }
    cJSON_Delete(tree);
    assert_int_equal(er_slice_utf8_prefix(reply), reply.len);
}

bool holds(er_slice text, const char *part)
{
    return memmem(text.at, text.len, part, strlen(part)) != NULL;
}
