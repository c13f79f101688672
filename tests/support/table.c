#include "support/table.h"

#include "base/buffer.h"
#include "base/file.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#define MAX_TABLE ((size_t)4 << 20)

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Replaces <0A> by its byte, in place. */
static er_slice unescape(char *at, size_t len)
{
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        int high = i + 3 < len && at[i] == '<' && at[i + 3] == '>' ? hex_digit(at[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(at[i + 2]) : -1;
        if (low >= 0) {
            at[used++] = (char)(high * 16 + low);
            i += 3;
        } else {
            at[used++] = at[i];
        }
    }
    return er_slice_of(at, used);
}

static er_slice side(const char *at, size_t len, char *memory)
{
    er_slice trimmed = er_slice_trim(er_slice_of(at, len));
    memcpy(memory, trimmed.at, trimmed.len);
    return unescape(memory, trimmed.len);
}

/* 1 when the case differs. */
static int run_line(const char *file, int line, er_slice text, table_case *run)
{
    static char left[1 << 16], right[1 << 16];
    assert_true(text.len < sizeof(left));
    const char *arrow = memmem(text.at, text.len, " =>", 3);
    size_t end = arrow ? (size_t)(arrow - text.at) : text.len;
    er_slice input = side(text.at, end, left);
    er_slice expected = {0};
    if (arrow != NULL) {
        expected = side(arrow + 3, text.len - end - 3, right);
    }
    char actual[TABLE_ACTUAL] = "";
    run(input, actual);
    if (er_slice_is(expected, actual)) {
        return 0;
    }
    print_error("tests/%s:%d: %.*s\n    expected: %.*s\n    actual:   %s\n", file, line, (int)text.len,
                text.at, (int)expected.len, expected.at ? expected.at : "", actual);
    return 1;
}

void table_run(const char *file, table_case *run)
{
    char path[4096];
    snprintf(path, sizeof(path), ERRATA_SOURCE_DIR "/tests/%s", file);
    er_buffer table;
    er_buffer_start(&table, MAX_TABLE);
    assert_int_equal(er_file_read(path, &table, NULL), ER_OK);
    int line = 0, cases = 0, different = 0;
    for (size_t at = 0; at < table.len;) {
        const char *end = memchr(table.at + at, '\n', table.len - at);
        size_t len = end ? (size_t)(end - table.at) - at : table.len - at;
        er_slice text = er_slice_of(table.at + at, len);
        at += len + 1;
        line++;
        er_slice trimmed = er_slice_trim(text);
        if (trimmed.len > 0 && trimmed.at[0] != '#') {
            cases++;
            different += run_line(file, line, text, run);
        }
    }
    er_buffer_free(&table);
    assert_true(cases > 0);
    assert_int_equal(different, 0);
}
