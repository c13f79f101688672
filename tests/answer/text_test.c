/* Runs wrap.cases and show.cases. */
#include "answer/utf8.h"
#include "answer/wrap.h"
#include "support/table.h"
#include "support/test.h"

#include <stdio.h>

/* "WIDTH COLUMN INDENT text" => lines, a line feed shown as "|". */
static void run_wrap(er_slice input, char actual[TABLE_ACTUAL])
{
    unsigned width = 0, column = 0, indent = 0;
    int used = 0;
    char text[1024];
    (void)snprintf(text, sizeof text, "%.*s", (int)input.len, input.at);
    assert_int_equal(sscanf(text, "%u %u %u%n", &width, &column, &indent, &used), 3);
    er_buffer out;
    er_buffer_start(&out, TABLE_ACTUAL - 1);
    er_wrap(&out, er_slice_string(text + used + 1), width, column, indent);
    for (size_t i = 0; i < out.len; i++) {
        actual[i] = out.at[i] == '\n' ? '|' : out.at[i];
    }
    actual[out.len] = '\0';
    er_buffer_free(&out);
}

/* text => what is shown, and the columns that it takes. */
static void run_show(er_slice input, char actual[TABLE_ACTUAL])
{
    er_buffer out;
    er_buffer_start(&out, TABLE_ACTUAL - 1);
    unsigned counted = er_utf8_show(NULL, input);
    assert_int_equal(er_utf8_show(&out, input), counted);
    (void)snprintf(actual, TABLE_ACTUAL, "%.*s %u%s", (int)out.len, out.at, counted,
                   er_utf8_is_plain(input) ? " plain" : "");
    er_buffer_free(&out);
}

static void wrapping_follows_the_table(void **state)
{
    (void)state;
    table_run("answer/wrap.cases", run_wrap);
}

static void showing_follows_the_table(void **state)
{
    (void)state;
    table_run("answer/show.cases", run_show);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrapping_follows_the_table),
        cmocka_unit_test(showing_follows_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
