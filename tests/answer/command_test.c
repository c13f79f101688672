/*
 * Runs command.cases, and lets a real shell read what was quoted: whatever a
 * log line holds, the shell must see one word that equals it.
 */
#include "answer/command_fill.h"

#include "support/table.h"
#include "support/test.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* "template ; name=value ; name=value" by a record whose groups have these names.
   A name without "=" is a group that took no part; "frame.name=x" is the frame's. */
static void run_fill(er_slice input, char actual[TABLE_ACTUAL])
{
    char text[1024];
    er_slice names[ER_MATCH_MAX_GROUPS];
    er_capture captures[ER_MATCH_MAX_GROUPS];
    er_match match = {.captures = captures};
    assert_true(input.len < sizeof text);
    memcpy(text, input.at, input.len);
    er_slice rest = er_slice_of(text, input.len);
    const char *end = memmem(rest.at, rest.len, " ;; ", 4);
    er_command command = {.command = er_slice_sub(rest, 0, end ? (size_t)(end - rest.at) : rest.len)};
    er_record record = {.capture_names = names, .commands = &command, .command_count = 1};
    while (end) {
        rest = er_slice_sub(rest, (size_t)(end - rest.at) + 4, rest.len);
        end = memmem(rest.at, rest.len, " ;; ", 4);
        er_slice part = er_slice_sub(rest, 0, end ? (size_t)(end - rest.at) : rest.len);
        const char *equals = memchr(part.at, '=', part.len);
        er_slice name = er_slice_sub(part, 0, equals ? (size_t)(equals - part.at) : part.len);
        er_slice value = equals ? er_slice_sub(part, name.len + 1, part.len) : er_slice_of(NULL, 0);
        if (er_slice_is(name, "frame.name")) {
            match.frame.name = value;
            continue;
        }
        names[record.capture_count++] = er_slice_is(name, "-") ? er_slice_of(NULL, 0) : name;
        if (equals) {
            captures[match.capture_count++] = (er_capture){record.capture_count, value};
        }
    }
    er_buffer out;
    er_buffer_start(&out, TABLE_ACTUAL - 1);
    er_command_fill(&out, &record, 0, &match);
    assert_int_equal(out.status, ER_OK);
    (void)snprintf(actual, TABLE_ACTUAL, "%.*s", (int)out.len, out.at);
    er_buffer_free(&out);
}

static void filling_follows_the_table(void **state)
{
    (void)state;
    table_run("answer/command.cases", run_fill);
}

/* What `/bin/sh -c` prints for the quoted value must be the value. */
static void shell_reads_back(er_slice value)
{
    er_buffer script;
    char read_back[4096];
    er_buffer_start(&script, 1 << 16);
    er_buffer_add_string(&script, "set -- ");
    er_command_quote(&script, value);
    er_buffer_add_string(&script, "; printf '%s:%s' $# \"$1\"");
    er_buffer_add_char(&script, '\0');
    assert_int_equal(script.status, ER_OK);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], 1);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execl("/bin/sh", "sh", "-c", script.at, (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    size_t used = 0;
    for (ssize_t got; (got = read(ends[0], read_back + used, sizeof read_back - used)) > 0;) {
        used += (size_t)got;
    }
    (void)close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    er_slice printed = er_slice_of(read_back, used);
    assert_true(er_slice_starts(printed, ER_SLICE("1:")));
    if (!er_slice_equal(er_slice_sub(printed, 2, used), value)) {
        print_error("value %.*s became %.*s\n", (int)value.len, value.at, (int)used, read_back);
        fail();
    }
    er_buffer_free(&script);
}

static void a_shell_reads_back_hostile_values(void **state)
{
    (void)state;
    static const char *const values[] = {
        "'",
        "''",
        "'''",
        "\\",
        "\\'",
        "'\\",
        "\\\\'",
        "$HOME",
        "${HOME}",
        "$(id)",
        "`id`",
        "$'\\x41'",
        "; id",
        "a;id",
        "a|id",
        "a&id",
        "a&&id",
        "||id",
        "> /dev/null",
        "< /dev/null",
        "<<EOF",
        "*",
        "?",
        "[a-z]*",
        "{a,b}",
        "~",
        "~root",
        "!",
        "!!",
        "#",
        "a#b",
        " ",
        "  lead",
        "trail  ",
        "\"",
        "\"$HOME\"",
        "'; id; '",
        "'$(id)'",
        "'\"'\"'",
        "\\\\\\",
        "a=b",
        "A=b",
        "=ls",
        "%s",
        "%n%n",
        "$G",
        "$JS.API.>",
        "ORDERS.*.new",
        "a b\\ c",
        "()",
        "$((1+1))",
        "-n'",
        "\xC3\xA9t\xC3\xA9",
        "\xE6\xBC\xA2",
        "@file",
        "^a^b",
        "if",
        "!-2",
        "a'b'c'd'e",
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        shell_reads_back(er_slice_string(values[i]));
    }
}

/* Every short string over the characters that mean something to a shell. */
static void a_shell_reads_back_random_values(void **state)
{
    (void)state;
    static const char alphabet[] = "'\"\\$`;|&<>(){}[]*?~!#=% -a0\n\t";
    uint64_t seed = 20261130;
    for (int round = 0; round < 300; round++) {
        char value[24];
        size_t length = 1 + (size_t)(seed >> 40) % sizeof value;
        for (size_t i = 0; i < length; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            value[i] = alphabet[(seed >> 33) % (sizeof alphabet - 1)];
        }
        shell_reads_back(er_slice_of(value, length));
    }
}

/* A byte alone is filled in as it is only where it means nothing to any shell. */
static void only_safe_bytes_go_unquoted(void **state)
{
    (void)state;
    for (int c = 1; c < 256; c++) {
        char byte = (char)c;
        er_buffer out;
        er_buffer_start(&out, 64);
        er_command_quote(&out, er_slice_of(&byte, 1));
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        assert_int_equal(out.len == 1, letter || strchr("_-./:@,+", c) != NULL);
        er_buffer_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filling_follows_the_table),
        cmocka_unit_test(a_shell_reads_back_hostile_values),
        cmocka_unit_test(a_shell_reads_back_random_values),
        cmocka_unit_test(only_safe_bytes_go_unquoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
