#include "base/json.h"
#include "base/memory.h"
#include "support/table.h"
#include "support/test.h"

#include <stdio.h>

#define DEPTH 4

static void print(char actual[TABLE_ACTUAL], er_slice text)
{
    assert_true(text.len < TABLE_ACTUAL);
    memcpy(actual, text.at, text.len);
    actual[text.len] = '\0';
}

/* Reads any value with the functions for its kind, not with er_json_skip. */
static void walk(er_json *json)
{
    er_slice key, raw;
    bool flag;
    switch (er_json_peek(json)) {
    case ER_JSON_OBJECT:
        er_json_object_begin(json);
        while (er_json_object_next(json, &key)) {
            walk(json);
        }
        break;
    case ER_JSON_ARRAY:
        er_json_array_begin(json);
        while (er_json_array_next(json)) {
            walk(json);
        }
        break;
    case ER_JSON_STRING:
        er_json_string(json, &raw);
        break;
    case ER_JSON_TRUE:
    case ER_JSON_FALSE:
        er_json_bool(json, &flag);
        break;
    case ER_JSON_NULL:
        er_json_null(json);
        break;
    default:
        er_json_skip(json, NULL);
    }
}

static void read_case(er_slice input, char actual[TABLE_ACTUAL])
{
    er_json skipped, walked;
    er_slice raw = {0};
    er_json_start(&skipped, input, DEPTH);
    er_json_start(&walked, input, DEPTH);
    er_json_skip(&skipped, &raw);
    walk(&walked);
    er_status status = er_json_finish(&skipped);
    assert_int_equal(er_json_finish(&walked), status);
    if (status == ER_OK) {
        snprintf(actual, TABLE_ACTUAL, "ok %.*s", (int)raw.len, raw.at);
        return;
    }
    assert_int_equal(status, ER_BAD_INPUT);
    assert_string_equal(walked.reason, skipped.reason);
    assert_int_equal(walked.reason_at, skipped.reason_at);
    snprintf(actual, TABLE_ACTUAL, "%zu: %s", skipped.reason_at, skipped.reason);
}

static void decode_case(er_slice input, char actual[TABLE_ACTUAL])
{
    size_t length = er_json_decode(input, actual);
    assert_true(length <= input.len);
    actual[length] = '\0';
    assert_int_equal(er_json_equal(input, actual), true);
}

static void write_case(er_slice input, char actual[TABLE_ACTUAL])
{
    er_buffer out;
    er_buffer_start(&out, TABLE_ACTUAL);
    er_json_write(&out, input);
    assert_int_equal(out.status, ER_OK);
    print(actual, er_buffer_slice(&out));
    er_json json;
    er_slice raw;
    er_json_start(&json, er_buffer_slice(&out), 0);
    assert_true(er_json_string(&json, &raw));
    assert_int_equal(er_json_finish(&json), ER_OK);
    assert_int_equal(er_slice_utf8_prefix(raw), raw.len);
    er_buffer_free(&out);
}

static void compact_case(er_slice input, char actual[TABLE_ACTUAL])
{
    er_buffer out;
    er_buffer_start(&out, TABLE_ACTUAL);
    er_json_write_compact(&out, input);
    print(actual, er_buffer_slice(&out));
    er_buffer_free(&out);
}

static void integer_case(er_slice input, char actual[TABLE_ACTUAL])
{
    er_json json;
    long long value;
    er_json_start(&json, input, 0);
    if (er_json_integer(&json, &value)) {
        snprintf(actual, TABLE_ACTUAL, "%lld", value);
    } else {
        snprintf(actual, TABLE_ACTUAL, "%zu: %s", json.reason_at, json.reason);
    }
}

static void equal_case(er_slice input, char actual[TABLE_ACTUAL])
{
    char text[256];
    const char *bar = memchr(input.at, '|', input.len);
    size_t at = (size_t)(bar - input.at);
    snprintf(text, sizeof(text), "%.*s", (int)(input.len - at - 1), bar + 1);
    strcpy(actual, er_json_equal(er_slice_sub(input, 0, at), text) ? "yes" : "no");
}

static void test_read(void **state)
{
    (void)state;
    table_run("base/json.cases", read_case);
}

static void test_decode(void **state)
{
    (void)state;
    table_run("base/json-decode.cases", decode_case);
}

static void test_write(void **state)
{
    (void)state;
    table_run("base/json-write.cases", write_case);
}

static void test_compact(void **state)
{
    (void)state;
    table_run("base/json-compact.cases", compact_case);
}

static void test_integer(void **state)
{
    (void)state;
    table_run("base/json-integer.cases", integer_case);
}

static void test_equal(void **state)
{
    (void)state;
    table_run("base/json-equal.cases", equal_case);
}

/* The header's way to read an object, with values of every kind. */
static void test_members(void **state)
{
    (void)state;
    er_json json;
    er_slice key, raw;
    long long number = 0;
    bool flag = false;
    er_json_start(&json, ER_SLICE(" {\"s\" : \"x\", \"n\":7,\"t\":true,\"z\":null,\"a\":[1,[2]]} "), 3);
    assert_int_equal(er_json_peek(&json), ER_JSON_OBJECT);
    assert_true(er_json_object_begin(&json));
    assert_true(er_json_object_next(&json, &key) && er_slice_is(key, "s"));
    assert_true(er_json_string(&json, &raw) && er_slice_is(raw, "x"));
    assert_true(er_json_object_next(&json, &key) && er_json_integer(&json, &number));
    assert_int_equal(number, 7);
    assert_true(er_json_object_next(&json, &key) && er_json_bool(&json, &flag) && flag);
    assert_true(er_json_object_next(&json, &key) && er_json_null(&json));
    assert_true(er_json_object_next(&json, &key) && er_json_skip(&json, &raw));
    assert_true(er_slice_is(raw, "[1,[2]]"));
    assert_false(er_json_object_next(&json, &key));
    assert_int_equal(er_json_finish(&json), ER_OK);
}

static void test_sticky(void **state)
{
    (void)state;
    er_json json;
    er_slice key, raw;
    er_json_start(&json, ER_SLICE("{\"a\":1}"), 3);
    assert_true(er_json_object_begin(&json) && er_json_object_next(&json, &key));
    assert_false(er_json_string(&json, &raw));
    assert_string_equal(json.reason, "expected a string");
    assert_int_equal(json.reason_at, 5);
    assert_int_equal(er_json_peek(&json), ER_JSON_NONE);
    long long number;
    assert_false(er_json_integer(&json, &number));
    assert_false(er_json_object_next(&json, &key));
    assert_false(er_json_skip(&json, &raw));
    assert_int_equal(er_json_finish(&json), ER_BAD_INPUT);
    assert_string_equal(json.reason, "expected a string");
}

/* A value that was left open is not finished, whatever follows. */
static void test_unfinished(void **state)
{
    (void)state;
    er_json json;
    er_json_start(&json, ER_SLICE("[]"), 1);
    assert_true(er_json_array_begin(&json));
    assert_int_equal(er_json_finish(&json), ER_BAD_INPUT);
}

/* Every prefix of a text is refused, and none is read beyond its end: each lies at
   the end of its own allocation, where AddressSanitizer watches. */
static void test_prefixes(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[1.5e3,\"b\\u00e9\\n long enough for a word\",true,false,null,{\"c\":-0}]}";
    for (size_t len = 0; len < sizeof(text); len++) {
        char *copy = er_alloc(len);
        assert_non_null(copy);
        memcpy(copy, text, len);
        er_json json;
        er_json_start(&json, er_slice_of(copy, len), ER_JSON_MAX_DEPTH);
        er_json_skip(&json, NULL);
        bool whole = len == sizeof(text) - 1;
        assert_int_equal(er_json_finish(&json) == ER_OK, whole);
        er_free(copy);
        if (whole) {
            break;
        }
    }
}

static void write_all(er_buffer *out)
{
    er_json_write(out, ER_SLICE("a\x01\xFF\"long enough to need more than the first block of the buffer: "
                                "0123456789012345678901234567890123456789012345678901234567890123456789"
                                "0123456789012345678901234567890123456789012345678901234567890123456789"
                                "0123456789012345678901234567890123456789012345678901234567890123456789"));
    er_json_write_compact(out, ER_SLICE(" { \"a\" : [ 1 , 2 , 3 ] } "));
}

static void test_write_without_memory(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        er_buffer out;
        er_buffer_start(&out, 4096);
        er_memory_fail_after(n);
        write_all(&out);
        er_memory_fail_after(-1);
        er_status status = out.status;
        er_buffer_free(&out);
        if (status == ER_OK) {
            assert_true(n >= 2);
            break;
        }
        assert_int_equal(status, ER_NO_MEMORY);
    }
}

static void test_write_over_ceiling(void **state)
{
    (void)state;
    er_buffer out;
    er_buffer_start(&out, 16);
    er_json_write(&out, ER_SLICE("more than sixteen bytes"));
    assert_int_equal(out.status, ER_TOO_LARGE);
    assert_true(out.len <= 16);
    er_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_compact),
        cmocka_unit_test(test_integer),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_sticky),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_write_without_memory),
        cmocka_unit_test(test_write_over_ceiling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
