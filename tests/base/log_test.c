#include "base/json.h"
#include "base/log.h"
#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define TIME_LEN (sizeof("2026-11-30T10:11:12.131Z") - 1)

static int ends[2];
static char line[70000];

static int open_pipe(void **state)
{
    (void)state;
    return pipe(ends);
}

static int close_pipe(void **state)
{
    (void)state;
    er_log_setup(ER_LOG_INFO, ER_LOG_TEXT, STDERR_FILENO);
    return close(ends[0]) | close(ends[1]);
}

/* What was logged since the last call; "" for nothing. */
static const char *logged(void)
{
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    ssize_t count = read(ends[0], line, sizeof(line) - 1);
    line[count > 0 ? count : 0] = '\0';
    return line;
}

static void test_text(void **state)
{
    (void)state;
    er_log_setup(ER_LOG_INFO, ER_LOG_TEXT, ends[1]);
    er_log_event(ER_LOG_INFO, "catalog loaded", er_log_int("records", -14), er_log_text("source", "a/b.json"),
                 er_log_text("empty", ""), er_log_text("none", NULL), er_log_text("words", "two words"));
    assert_string_equal(logged() + TIME_LEN, " INF catalog loaded records=-14 source=a/b.json empty=\"\" "
                                             "none=\"\" words=\"two words\"\n");
    assert_int_equal(line[10], 'T');
    er_log(ER_LOG_ERROR, "plain", NULL, 0);
    assert_string_equal(logged() + TIME_LEN, " ERR plain\n");
}

static void test_json(void **state)
{
    (void)state;
    er_log_setup(ER_LOG_INFO, ER_LOG_JSON, ends[1]);
    er_log_event(ER_LOG_WARN, "slow consumer", er_log_int("dropped", 3), er_log_text("subject", "a\"b"));
    const char *text = logged();
    assert_memory_equal(text, "{\"time\":\"", 9);
    assert_string_equal(text + 9 + TIME_LEN,
                        "\",\"level\":\"warn\",\"event\":\"slow consumer\",\"dropped\":3,"
                        "\"subject\":\"a\\\"b\"}\n");
}

static void test_levels(void **state)
{
    (void)state;
    er_log_setup(ER_LOG_WARN, ER_LOG_TEXT, ends[1]);
    er_log(ER_LOG_INFO, "quiet", NULL, 0);
    assert_string_equal(logged(), "");
    assert_false(er_log_enabled(ER_LOG_INFO));
    assert_true(er_log_enabled(ER_LOG_WARN));
    er_log_setup(ER_LOG_OFF, ER_LOG_TEXT, ends[1]);
    assert_false(er_log_enabled(ER_LOG_ERROR));
    assert_false(er_log_enabled(ER_LOG_OFF));
    er_log(ER_LOG_ERROR, "quiet", NULL, 0);
    assert_string_equal(logged(), "");
}

static void test_parse(void **state)
{
    (void)state;
    er_log_level level;
    er_log_format format;
    assert_true(er_log_level_parse("debug", &level) && level == ER_LOG_DEBUG);
    assert_true(er_log_level_parse("off", &level) && level == ER_LOG_OFF);
    assert_false(er_log_level_parse("loud", &level));
    assert_false(er_log_level_parse("", &level));
    assert_false(er_log_level_parse(NULL, &level));
    assert_true(er_log_format_parse("json", &format) && format == ER_LOG_JSON);
    assert_true(er_log_format_parse("text", &format) && format == ER_LOG_TEXT);
    assert_false(er_log_format_parse("xml", &format));
    assert_false(er_log_format_parse(NULL, &format));
}

/* No value makes a second line, a second field, or a terminal's command. */
static void test_forging(void **state)
{
    (void)state;
    static const char hostile[] = "x\n2026-11-30T10:11:12.131Z ERR forged a=b\r\x1b[2J\xc2\x9b\xff \"q\" \\";
    er_log_setup(ER_LOG_INFO, ER_LOG_TEXT, ends[1]);
    er_log_event(ER_LOG_INFO, "request", er_log_text("subject", hostile), er_log_text("b", "c=d"));
    assert_string_equal(logged() + TIME_LEN,
                        " INF request subject=\"x\\n2026-11-30T10:11:12.131Z ERR forged "
                        "a=b\\r\\u001b[2J\\u009b\xef\xbf\xbd \\\"q\\\" \\\\\" b=\"c=d\"\n");
}

static void test_long_value(void **state)
{
    (void)state;
    char value[3000];
    for (size_t i = 0; i < sizeof(value); i++) {
        value[i] = i % 2 ? '\xa9' : '\xc3';
    }
    er_log_setup(ER_LOG_INFO, ER_LOG_TEXT, ends[1]);
    er_log_event(ER_LOG_INFO, "e", er_log_slice("a", er_slice_of(value, sizeof(value))),
                 er_log_slice("b", er_slice_of(value + 1, sizeof(value) - 1)), er_log_int("c", 1));
    const char *text = logged();
    size_t length = strlen(text);
    assert_int_equal(er_slice_utf8_prefix(er_slice_of(text, length)), length);
    assert_non_null(strstr(text, "…\" b=\"\xef\xbf\xbd")); /* b begins with half a character */
    assert_null(strstr(text, "\xef\xbf\xbd…"));
    assert_non_null(strstr(text, "…\" c=1\n"));
}

/* More than a line holds: fields are left out whole, and the line stays one. */
static void test_long_line(void **state)
{
    (void)state;
    char value[1024];
    er_log_field fields[40];
    memset(value, '\x01', sizeof(value));
    for (size_t i = 0; i < 39; i++) {
        fields[i] = er_log_slice("v", er_slice_of(value, sizeof(value)));
    }
    fields[39] = er_log_int("last", 1);
    er_log_setup(ER_LOG_INFO, ER_LOG_JSON, ends[1]);
    er_log(ER_LOG_INFO, "e", fields, 40);
    const char *text = logged();
    er_json json;
    er_json_start(&json, er_slice_string(text), 1);
    er_json_skip(&json, NULL);
    assert_int_equal(er_json_finish(&json), ER_OK);
    assert_non_null(strstr(text, ",\"last\":1}\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),      cmocka_unit_test(test_json),    cmocka_unit_test(test_levels),
        cmocka_unit_test(test_parse),     cmocka_unit_test(test_forging), cmocka_unit_test(test_long_value),
        cmocka_unit_test(test_long_line),
    };
    return cmocka_run_group_tests(tests, open_pipe, close_pipe);
}
