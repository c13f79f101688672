/* Slices, arenas, buffers, the heap, clocks and digests. */
#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/memory.h"
#include "support/table.h"
#include "support/test.h"

#include <stdalign.h>
#include <stdio.h>

static void test_slice_compare(void **state)
{
    (void)state;
    assert_true(er_slice_compare(ER_SLICE("a"), ER_SLICE("b")) < 0);
    assert_true(er_slice_compare(ER_SLICE("b"), ER_SLICE("a")) > 0);
    assert_true(er_slice_compare(ER_SLICE("a"), ER_SLICE("aa")) < 0);
    assert_true(er_slice_compare(ER_SLICE("\xFF"), ER_SLICE("a")) > 0);
    assert_int_equal(er_slice_compare(ER_SLICE("ab"), ER_SLICE("ab")), 0);
    assert_int_equal(er_slice_compare((er_slice){0}, ER_SLICE("")), 0);
    assert_true(er_slice_compare((er_slice){0}, ER_SLICE("a")) < 0);
    assert_true(er_slice_starts(ER_SLICE("abc"), ER_SLICE("ab")));
    assert_true(er_slice_starts(ER_SLICE("abc"), (er_slice){0}));
    assert_false(er_slice_starts(ER_SLICE("a"), ER_SLICE("ab")));
}

static void test_slice_trim(void **state)
{
    (void)state;
    assert_true(er_slice_is(er_slice_trim(ER_SLICE(" \t\r\n\v\fa b\n")), "a b"));
    assert_true(er_slice_is(er_slice_trim(ER_SLICE(" \n ")), ""));
    assert_true(er_slice_is(er_slice_trim((er_slice){0}), ""));
    assert_true(er_slice_is(er_slice_sub(ER_SLICE("abcd"), 1, 3), "bc"));
    assert_int_equal(er_slice_sub((er_slice){0}, 0, 0).len, 0);
}

static void utf8_case(er_slice input, char actual[TABLE_ACTUAL])
{
    snprintf(actual, TABLE_ACTUAL, "%zu of %zu", er_slice_utf8_prefix(input), input.len);
}

static void test_utf8(void **state)
{
    (void)state;
    table_run("base/utf8.cases", utf8_case);
}

static void test_arena(void **state)
{
    (void)state;
    er_arena arena;
    er_arena_start(&arena);
    assert_int_equal(arena.held, 0);
    er_slice copies[3000];
    for (size_t i = 0; i < 3000; i++) {
        char text[32];
        int length = snprintf(text, sizeof(text), "piece %zu", i);
        copies[i] = er_arena_copy(&arena, er_slice_of(text, (size_t)length));
        assert_non_null(copies[i].at);
        void *number = er_arena_take(&arena, sizeof(long double));
        assert_int_equal((uintptr_t)number % alignof(max_align_t), 0);
        memset(number, 0xAA, sizeof(long double));
    }
    static char much[3 << 20];
    er_slice large = er_arena_copy(&arena, er_slice_of(memset(much, 'x', sizeof(much)), sizeof(much)));
    assert_int_equal(large.at[(3 << 20) - 1], 'x');
    assert_int_equal(large.at[3 << 20], '\0');
    for (size_t i = 0; i < 3000; i++) {
        char text[32];
        snprintf(text, sizeof(text), "piece %zu", i);
        assert_string_equal(copies[i].at, text);
    }
    er_slice empty = er_arena_copy(&arena, (er_slice){0});
    assert_non_null(empty.at);
    assert_int_equal(empty.len, 0);
    assert_true(arena.held >= arena.used);
    assert_true(arena.held < arena.used + (2 << 20));
    er_arena_free(&arena);
    assert_int_equal(arena.held, 0);
}

static void test_arena_without_memory(void **state)
{
    (void)state;
    er_arena arena;
    er_arena_start(&arena);
    er_memory_fail_after(0);
    assert_null(er_arena_copy(&arena, ER_SLICE("a")).at);
    assert_non_null(er_arena_copy(&arena, ER_SLICE("a")).at);
    er_memory_fail_after(0);
    assert_null(er_arena_take(&arena, 1 << 20));
    er_memory_fail_after(-1);
    assert_null(er_arena_take(&arena, SIZE_MAX));
    assert_null(er_arena_take(&arena, SIZE_MAX - 8));
    er_arena_free(&arena);
}

static void test_buffer(void **state)
{
    (void)state;
    er_buffer buffer;
    er_buffer_start(&buffer, 2000);
    er_buffer_add_string(&buffer, "ab");
    er_buffer_add_string(&buffer, NULL);
    er_buffer_add(&buffer, (er_slice){0});
    er_buffer_add_char(&buffer, '\0');
    er_buffer_add_uint(&buffer, 0);
    er_buffer_add_char(&buffer, ' ');
    er_buffer_add_uint(&buffer, 18446744073709551615u);
    er_buffer_format(&buffer, " %d|%s", -3, "x");
    assert_true(er_slice_equal(er_buffer_slice(&buffer), ER_SLICE("ab\0000 18446744073709551615 -3|x")));
    er_buffer_clear(&buffer);
    er_buffer_format(&buffer, "%*d", 1500, 7);
    assert_int_equal(buffer.len, 1500);
    assert_int_equal(buffer.at[1499], '7');
    assert_int_equal(buffer.status, ER_OK);
    er_buffer_free(&buffer);
    assert_null(buffer.at);
}

static void test_buffer_ceiling(void **state)
{
    (void)state;
    er_buffer buffer;
    er_buffer_start(&buffer, 10);
    er_buffer_add_string(&buffer, "0123456789");
    assert_int_equal(buffer.status, ER_OK);
    er_buffer_add_char(&buffer, 'x');
    assert_int_equal(buffer.status, ER_TOO_LARGE);
    er_buffer_add(&buffer, (er_slice){0});
    assert_null(er_buffer_reserve(&buffer, 0));
    assert_true(er_slice_is(er_buffer_slice(&buffer), "0123456789"));
    const char *kept = buffer.at;
    er_buffer_clear(&buffer);
    assert_int_equal(buffer.status, ER_OK);
    er_buffer_format(&buffer, "%s", "abcdefghij");
    assert_int_equal(buffer.status, ER_OK);
    assert_ptr_equal(buffer.at, kept);
    assert_null(er_buffer_reserve(&buffer, SIZE_MAX));
    er_buffer_free(&buffer);
}

static void test_buffer_without_memory(void **state)
{
    (void)state;
    er_buffer buffer;
    er_buffer_start(&buffer, 1 << 20);
    er_buffer_add_string(&buffer, "kept");
    er_memory_fail_after(0);
    assert_null(er_buffer_reserve(&buffer, 4096));
    er_memory_fail_after(-1);
    assert_int_equal(buffer.status, ER_NO_MEMORY);
    er_buffer_add_char(&buffer, 'x');
    assert_true(er_slice_is(er_buffer_slice(&buffer), "kept"));
    er_buffer_free(&buffer);
}

static void test_memory(void **state)
{
    (void)state;
    er_memory_fail_after(2);
    void *one = er_alloc(0);
    void *two = er_calloc(3, 5);
    assert_non_null(one);
    assert_non_null(two);
    assert_null(er_realloc(one, 100));
    void *four = er_realloc(one, 100); /* fails once only */
    assert_non_null(four);
    assert_int_equal(er_memory_fail_after(-1), 4);
    assert_int_equal(((char *)two)[14], 0);
    assert_null(er_calloc(SIZE_MAX, 16));
    assert_null(er_strndup("", SIZE_MAX));
    char *copy = er_strndup("abc", 2);
    assert_string_equal(copy, "ab");
    er_free(copy);
    er_free(two);
    er_free(four);
    er_free(NULL);
}

static void test_clock(void **state)
{
    (void)state;
    const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {INT64_C(1788880729778000000), "2026-09-08T15:18:49.778Z"},
        {INT64_C(1788880729778999999), "2026-09-08T15:18:49.778Z"},
        {INT64_C(951782400000000000), "2000-02-29T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {INT64_MAX, "2262-04-11T23:47:16.854Z"},
        {INT64_MIN, "1677-09-21T00:12:43.145Z"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[ER_CLOCK_TEXT_SIZE];
        er_clock_text(cases[i].ns, text);
        assert_string_equal(text, cases[i].text);
    }
    assert_true(er_clock_now_ns() > INT64_C(1700000000000000000));
    int64_t before = er_clock_monotonic_ns();
    assert_true(er_clock_monotonic_ns() >= before);
}

static void test_digest(void **state)
{
    (void)state;
    char text[ER_DIGEST_TEXT_SIZE];
    assert_int_equal(er_digest_sha256(NULL, 0, text), ER_OK);
    assert_string_equal(text, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    const er_slice parts[] = {ER_SLICE("a"), {0}, ER_SLICE("bc")};
    assert_int_equal(er_digest_sha256(parts, 3, text), ER_OK);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice_compare),  cmocka_unit_test(test_slice_trim),
        cmocka_unit_test(test_utf8),           cmocka_unit_test(test_arena),
        cmocka_unit_test(test_buffer),         cmocka_unit_test(test_arena_without_memory),
        cmocka_unit_test(test_buffer_ceiling), cmocka_unit_test(test_buffer_without_memory),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_clock),
        cmocka_unit_test(test_digest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
