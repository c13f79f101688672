/* The command line, quantities and suggestions, by tables. */
#include "base/memory.h"
#include "cli/option.h"
#include "cli/quantity.h"
#include "cli/suggestion.h"

#include "support/table.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORDS 16

/* The words in brackets as an argv that begins with the program's name; memory of the caller's. */
static int split(er_slice input, char *memory, char *argv[MOST_WORDS + 2])
{
    static char program[] = "errata";
    int argc = 0;
    memcpy(memory, input.at, input.len);
    memory[input.len] = '\0';
    argv[argc++] = program;
    for (char *at = strchr(memory, '['); at != NULL && argc <= MOST_WORDS;) {
        char *end = strstr(at, "] [");
        char *next = end != NULL ? end + 2 : NULL;
        if (end == NULL)
            end = strrchr(at, ']');
        *end = '\0';
        argv[argc++] = at + 1;
        at = next;
    }
    argv[argc] = NULL;
    return argc;
}

static void describe(const er_arguments *arguments, char *out)
{
    char *at = out;
    for (size_t i = 0; i < arguments->word_count; i++)
        at += sprintf(at, "%s%s", i > 0 ? "," : "", arguments->words[i]);
    at += sprintf(at, "%s|", at > out ? " " : "");
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        if (arguments->option[i] != NULL)
            at += sprintf(at, " %s=%s", er_options[i].name, arguments->option[i]);
    }
}

static void arguments_case(er_slice input, char actual[TABLE_ACTUAL])
{
    char memory[TABLE_ACTUAL];
    char *argv[MOST_WORDS + 2];
    er_arena arena;
    er_arguments arguments;
    er_fault fault;
    er_arena_start(&arena);
    int argc = split(input, memory, argv);
    er_status status = er_arguments_parse(&arguments, &arena, argc, argv, &fault);
    if (status == ER_OK) {
        describe(&arguments, actual);
    } else {
        assert_int_equal(status, ER_BAD_USAGE);
        (void)er_fault_print(&fault, actual, TABLE_ACTUAL);
    }
    er_arena_free(&arena);
}

static void test_arguments(void **state)
{
    (void)state;
    table_run("cli/arguments.cases", arguments_case);
}

static void hidden_case(er_slice input, char actual[TABLE_ACTUAL])
{
    char program[] = "errata";
    char *argv[] = {program, actual, NULL};
    er_arena arena;
    er_arguments arguments;
    er_arena_start(&arena);
    memcpy(actual, input.at, input.len);
    actual[input.len] = '\0';
    assert_int_equal(er_arguments_parse(&arguments, &arena, 2, argv, NULL), ER_OK);
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        /* what the program goes on with is whole */
        if (arguments.option[i] != NULL)
            assert_non_null(memmem(input.at, input.len, arguments.option[i], strlen(arguments.option[i])));
    }
    er_arena_free(&arena);
}

static void test_hidden(void **state)
{
    (void)state;
    table_run("cli/hidden.cases", hidden_case);
}

static void test_hidden_next_argument(void **state)
{
    char program[] = "errata";
    char option[] = "--password";
    char value[] = "open sesame";
    char *argv[] = {program, option, value, NULL};
    er_arena arena;
    er_arguments arguments;
    (void)state;
    er_arena_start(&arena);
    assert_int_equal(er_arguments_parse(&arguments, &arena, 3, argv, NULL), ER_OK);
    assert_string_equal(arguments.option[ER_OPTION_PASSWORD], "open sesame");
    assert_string_equal(value, "xxxxxxxxxxx");
    er_arena_free(&arena);
}

static void duration_case(er_slice input, char actual[TABLE_ACTUAL])
{
    char text[256];
    int64_t ns = 0;
    (void)snprintf(text, sizeof(text), "%.*s", (int)input.len, input.at != NULL ? input.at : "");
    (void)snprintf(actual, TABLE_ACTUAL, "%s", "no");
    if (er_duration_parse(text, &ns))
        (void)snprintf(actual, TABLE_ACTUAL, "%lld", (long long)ns);
}

static void size_case(er_slice input, char actual[TABLE_ACTUAL])
{
    char text[256];
    size_t bytes = 0;
    (void)snprintf(text, sizeof(text), "%.*s", (int)input.len, input.at != NULL ? input.at : "");
    (void)snprintf(actual, TABLE_ACTUAL, "%s", "no");
    if (er_size_parse(text, &bytes))
        (void)snprintf(actual, TABLE_ACTUAL, "%zu", bytes);
}

static void test_quantities(void **state)
{
    unsigned count = 0;
    (void)state;
    table_run("cli/duration.cases", duration_case);
    table_run("cli/size.cases", size_case);
    assert_true(er_count_parse("0", 50, &count) && count == 0);
    assert_true(er_count_parse("050", 50, &count) && count == 50);
    assert_false(er_count_parse("51", 50, &count));
    assert_false(er_count_parse("", 50, &count));
    assert_false(er_count_parse("-1", 50, &count));
    assert_false(er_count_parse("4294967297", 50, &count));
}

static const char *suggested(const char *typed)
{
    er_suggestion_list list;
    er_suggestion_start(&list, er_slice_string(typed));
    for (size_t i = 0; i < ER_OPTION_COUNT; i++)
        er_suggestion_offer(&list, er_options[i].name);
    return list.best;
}

static void test_suggestions(void **state)
{
    char longest[200];
    (void)state;
    assert_string_equal(suggested("jsno"), "json");
    assert_string_equal(suggested("catalogue"), "catalog");
    assert_string_equal(suggested("log_level"), "log-level");
    assert_null(suggested("zzz"));
    assert_null(suggested(""));
    memset(longest, 'a', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    assert_null(suggested(longest));
}

/* Every allocation of the parse fails once, and each time that is said. */
static void test_no_memory(void **state)
{
    char program[] = "errata";
    char first[] = "--catalog=a-rather-long-value-that-needs-memory";
    char *argv[] = {program, first, NULL};
    er_arena arena;
    er_arguments arguments;
    er_status status = ER_NO_MEMORY;
    (void)state;
    for (long n = 0; status != ER_OK; n++) {
        assert_true(n < 100);
        er_arena_start(&arena);
        (void)er_memory_fail_after(n);
        status = er_arguments_parse(&arguments, &arena, 2, argv, NULL);
        (void)er_memory_fail_after(-1);
        assert_true(status == ER_OK || status == ER_NO_MEMORY);
        er_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_hidden_next_argument),
        cmocka_unit_test(test_quantities),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
