/* Context files, good ones and hostile ones. */
#include "cli/context.h"

#include "base/memory.h"
#include "scene.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static er_arena arena;
static er_context context;
static er_fault fault;
static char said[1200];

static int start(void **state)
{
    er_arena_start(&arena);
    said[0] = '\0';
    return scene_start(state);
}

static int end(void **state)
{
    er_arena_free(&arena);
    return scene_end(state);
}

static er_status load(const char *name)
{
    er_status status = er_context_load(&context, &arena, name, &fault);
    if (status != ER_OK)
        (void)er_fault_print(&fault, said, sizeof(said));
    return status;
}

/* Loads the context `x` with this content. */
static er_status load_text(const char *text)
{
    scene_write("nats/context/x.json", text);
    return load("x");
}

static void test_all_members(void **state)
{
    (void)state;
    assert_int_equal(
        load_text("{\"description\":\"d\",\"url\":\"nats://h:1,nats://i:2\",\"socks_proxy\":\"\","
                  "\"token\":\"t\",\"user\":\"u\",\"password\":\"p\\u0022w\",\"creds\":\"~/c\",\"nsc\":\"\","
                  "\"nkey\":\"n\",\"cert\":\"ce\",\"key\":\"k\",\"ca\":\"a\",\"jetstream_domain\":\"\","
                  "\"inbox_prefix\":\"_MY\",\"user_jwt\":\"j\",\"user_seed\":\"s\",\"tls_first\":true,"
                  "\"windows_cert_store\":\"\",\"windows_ca_certs_match\":null,\"future\":{\"a\":[1]}}"),
        ER_OK);
    assert_string_equal(context.option[ER_OPTION_SERVER], "nats://h:1,nats://i:2");
    assert_string_equal(context.option[ER_OPTION_TOKEN], "t");
    assert_string_equal(context.option[ER_OPTION_USER], "u");
    assert_string_equal(context.option[ER_OPTION_PASSWORD], "p\"w");
    assert_string_equal(context.option[ER_OPTION_CREDS], "~/c");
    assert_string_equal(context.option[ER_OPTION_NKEY], "n");
    assert_string_equal(context.option[ER_OPTION_TLSCERT], "ce");
    assert_string_equal(context.option[ER_OPTION_TLSKEY], "k");
    assert_string_equal(context.option[ER_OPTION_TLSCA], "a");
    assert_string_equal(context.option[ER_OPTION_INBOX_PREFIX], "_MY");
    assert_string_equal(context.option[ER_OPTION_JWT], "j");
    assert_string_equal(context.option[ER_OPTION_SEED], "s");
    assert_string_equal(context.option[ER_OPTION_TLSFIRST], "true");
    assert_string_equal(context.path, scene_path("nats/context/x.json"));
}

static void test_empty_members_are_not_set(void **state)
{
    (void)state;
    assert_int_equal(load_text("{\"url\":\"\",\"user\":null,\"tls_first\":false,\"token\":\"\"}"), ER_OK);
    for (size_t i = 0; i < ER_OPTION_COUNT; i++)
        assert_null(context.option[i]);
    assert_int_equal(load_text(" {} \n"), ER_OK);
    assert_int_equal(load_text("{\"URL\":\"nats://h\"}"), ER_OK);
    assert_string_equal(context.option[ER_OPTION_SERVER], "nats://h");
}

static void test_selected(void **state)
{
    (void)state;
    assert_int_equal(load(NULL), ER_OK); /* none is selected */
    assert_null(context.path);
    scene_write("nats/context.txt", " \n");
    assert_int_equal(load(NULL), ER_OK);
    assert_null(context.path);
    scene_write("nats/context/prod.json", "{\"url\":\"nats://prod\"}");
    scene_write("nats/context.txt", "prod\n");
    assert_int_equal(load(NULL), ER_OK);
    assert_string_equal(context.option[ER_OPTION_SERVER], "nats://prod");
    assert_int_equal(load(""), ER_OK);
    assert_string_equal(context.option[ER_OPTION_SERVER], "nats://prod");
    scene_write("nats/context.txt", "gone");
    assert_int_equal(load(NULL), ER_BAD_USAGE);
    assert_non_null(strstr(said, "there is no context \"gone\""));
    scene_write("nats/context.txt", "../../etc/passwd");
    assert_int_equal(load(NULL), ER_BAD_USAGE);
    assert_non_null(strstr(said, "can not be the name of a context"));
}

static void test_file_by_path(void **state)
{
    (void)state;
    scene_write("elsewhere/my ctx.json", "{\"url\":\"nats://file\"}");
    assert_int_equal(load(scene_path("elsewhere/my ctx.json")), ER_OK);
    assert_string_equal(context.option[ER_OPTION_SERVER], "nats://file");
    assert_int_equal(load(scene_path("elsewhere/none.json")), ER_BAD_USAGE);
    assert_int_equal(load("/etc/passwd"), ER_BAD_USAGE);
}

static void test_names(void **state)
{
    static const char *const bad[] = {"..", "../x", "a/b", "a\\b", "a..b", "/x", "x\n", "x\x1b[31m", "."};
    char longest[ER_CONTEXT_MAX_NAME + 2];
    (void)state;
    scene_write("x.json", "{\"url\":\"nats://outside\"}");
    scene_write("nats/context/x.json", "{}");
    for (size_t i = 0; i + 1 < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(load(bad[i]), ER_BAD_USAGE);
        assert_non_null(strstr(said, "can not be the name of a context"));
    }
    assert_int_equal(load("../../x"), ER_BAD_USAGE);
    memset(longest, 'a', sizeof(longest) - 1);
    longest[sizeof(longest) - 1] = '\0';
    assert_int_equal(load(longest), ER_BAD_USAGE);
    assert_int_equal(load("nobody"), ER_BAD_USAGE);
    assert_non_null(strstr(said, "there is no context \"nobody\""));
    assert_non_null(strstr(said, scene_path("nats/context/nobody.json")));
}

/* Each with what must stand in the fault; the file's path must stand there too. */
static void test_faults(void **state)
{
    static const struct {
        const char *text;
        const char *says;
    } cases[] = {
        {"", ""},
        {"[]", "is not a context, which is a JSON object"},
        {"null", "is not a context"},
        {"\"x\"", "is not a context"},
        {"{", ""},
        {"{\"url\":\"a\"", ""},
        {"{\"url\":\"a\"} x", ""},
        {"{\"url\":\"a\",}", ""},
        {"{\"url\":5}", "url: must be a string"},
        {"{\"password\":[\"sesame\"]}", "password: must be a string"},
        {"{\"user\":{}}", "user: must be a string"},
        {"{\"tls_first\":\"yes\"}", "tls_first: must be true or false"},
        {"{\"tls_first\":1}", "tls_first: must be true or false"},
        {"{\"nsc\":\"nsc://o/a/u\"}", "nsc: is set, and errata does not support it"},
        {"{\"socks_proxy\":\"socks5://h\"}", "socks_proxy: is set"},
        {"{\"windows_cert_store\":\"user\"}", "windows_cert_store: is set"},
        {"{\"nsc\":7}", "nsc: must be a string"},
        {"{\"password\":\"sesame\\u0000x\"}", "password: holds a NUL character"},
        {"{\"password\":\"sesame\nx\"}", ""},
        {"{\"password\":\"sesame}", ""},
        {"{\"x\":[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]}", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(load_text(cases[i].text), ER_BAD_USAGE);
        if (strstr(said, cases[i].says) == NULL || strstr(said, "x.json") == NULL)
            fail_msg("%s gave: %s", cases[i].text, said);
        assert_null(strstr(said, "sesame"));
    }
}

static void test_hostile_files(void **state)
{
    size_t size = ER_CONTEXT_MAX_FILE + 1;
    char *huge = malloc(size);
    (void)state;
    assert_non_null(huge);
    memset(huge, ' ', size);
    huge[0] = '{';
    huge[size - 1] = '}';
    scene_write_bytes("nats/context/huge.json", huge, size);
    assert_int_equal(load("huge"), ER_BAD_USAGE);
    huge[size - 2] = '}';
    scene_write_bytes("nats/context/fits.json", huge, size - 1);
    assert_int_equal(load("fits"), ER_OK);
    memset(huge, '[', size);
    memcpy(huge, "{\"x\":", 5);
    scene_write_bytes("nats/context/deep.json", huge, size - 1);
    assert_int_equal(load("deep"), ER_BAD_USAGE);
    free(huge);
    scene_write_bytes("nats/context/nul.json", "{\0}", 3);
    assert_int_equal(load("nul"), ER_BAD_USAGE);
    assert_int_equal(symlink("loop.json", scene_path("nats/context/loop.json")), 0);
    assert_int_equal(load("loop"), ER_BAD_USAGE);
    assert_int_equal(mkdir(scene_path("nats/context/folder.json"), 0700), 0);
    assert_int_equal(load("folder"), ER_BAD_USAGE);
    assert_int_equal(mkfifo(scene_path("nats/context/pipe.json"), 0600), 0); /* must not wait for a writer */
    assert_int_equal(load("pipe"), ER_BAD_USAGE);
    assert_non_null(strstr(said, "is not a file"));
    assert_int_equal(symlink("../context/fits.json", scene_path("nats/context/link.json")), 0);
    assert_int_equal(load("link"), ER_OK);
}

static void test_no_memory(void **state)
{
    er_status status = ER_NO_MEMORY;
    (void)state;
    scene_write("nats/context/x.json", "{\"url\":\"nats://h\",\"user\":\"u\"}");
    scene_write("nats/context.txt", "x");
    bool whole = false;
    for (long n = 0; !whole; n++) {
        assert_true(n < 200);
        (void)er_memory_fail_after(n);
        status = er_context_load(&context, &arena, "x", &fault);
        long made = er_memory_fail_after(-1);
        assert_true(status == ER_OK || status == ER_NO_MEMORY || status == ER_BAD_USAGE);
        whole = status == ER_OK && made <= n;
    }
    assert_string_equal(context.option[ER_OPTION_USER], "u");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_members, start, end),
        cmocka_unit_test_setup_teardown(test_empty_members_are_not_set, start, end),
        cmocka_unit_test_setup_teardown(test_selected, start, end),
        cmocka_unit_test_setup_teardown(test_file_by_path, start, end),
        cmocka_unit_test_setup_teardown(test_names, start, end),
        cmocka_unit_test_setup_teardown(test_faults, start, end),
        cmocka_unit_test_setup_teardown(test_hostile_files, start, end),
        cmocka_unit_test_setup_teardown(test_no_memory, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
