/* Where a setting comes from, what it must be, and the catalog that is found. */
#include "cli/settings.h"

#include "cli/catalog_path.h"
#include "scene.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ALL_GROUPS 0xFFFFu

static er_arena arena;
static er_settings settings;
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

/* Loads what `serve` would, from these options: pairs of id and value, ended by ER_OPTION_COUNT. */
static er_status load(int connects, ...)
{
    er_arguments arguments;
    va_list pairs;
    memset(&arguments, 0, sizeof(arguments));
    va_start(pairs, connects);
    for (int id = va_arg(pairs, int); id != ER_OPTION_COUNT; id = va_arg(pairs, int))
        arguments.option[id] = va_arg(pairs, const char *);
    va_end(pairs);
    er_status status = er_settings_load(&settings, &arena, &arguments, ALL_GROUPS, connects != 0, &fault);
    if (status != ER_OK)
        (void)er_fault_print(&fault, said, sizeof(said));
    return status;
}

#define NONE ER_OPTION_COUNT

static void test_precedence(void **state)
{
    (void)state;
    scene_write("nats/context/c.json", "{\"url\":\"nats://context\",\"creds\":\"context.creds\"}");
    assert_int_equal(load(true, NONE), ER_OK);
    assert_null(settings.service.connection.server);
    assert_string_equal(settings.prefix, "errors");
    assert_int_equal(load(true, ER_OPTION_CONTEXT, "c", NONE), ER_OK);
    assert_string_equal(settings.service.connection.server, "nats://context");
    assert_string_equal(settings.service.connection.creds, "context.creds");
    (void)setenv("NATS_URL", "nats://variable", 1);
    (void)setenv("NATS_CONTEXT", "c", 1);
    assert_int_equal(load(true, NONE), ER_OK);
    assert_string_equal(settings.service.connection.server, "nats://variable");
    assert_string_equal(settings.service.connection.creds, "context.creds");
    assert_int_equal(load(true, ER_OPTION_SERVER, "nats://option", NONE), ER_OK);
    assert_string_equal(settings.service.connection.server, "nats://option");
    assert_int_equal(load(true, ER_OPTION_NO_CONTEXT, "true", NONE), ER_OK);
    assert_null(settings.service.connection.creds);
    (void)setenv("NATS_URL", "", 1); /* empty counts as not set */
    assert_int_equal(load(true, ER_OPTION_SERVER, "", NONE), ER_OK);
    assert_string_equal(settings.service.connection.server, "nats://context");
    /* a command that does not connect reads no context */
    (void)setenv("NATS_CONTEXT", "nobody", 1);
    assert_int_equal(load(false, NONE), ER_OK);
    assert_int_equal(load(false, ER_OPTION_REMOTE, "true", NONE), ER_BAD_USAGE);
    assert_non_null(strstr(said, "nobody"));
}

static void test_user_as_token(void **state)
{
    (void)state;
    assert_int_equal(load(true, ER_OPTION_USER, "alone", NONE), ER_OK);
    assert_string_equal(settings.service.connection.token, "alone");
    assert_null(settings.service.connection.user);
    assert_int_equal(load(true, ER_OPTION_USER, "u", ER_OPTION_PASSWORD, "p", NONE), ER_OK);
    assert_string_equal(settings.service.connection.user, "u");
    assert_null(settings.service.connection.token);
    scene_write("nats/context/c.json", "{\"user\":\"cu\",\"password\":\"cp\",\"token\":\"ct\"}");
    assert_int_equal(load(true, ER_OPTION_CONTEXT, "c", ER_OPTION_USER, "alone", NONE), ER_OK);
    assert_string_equal(settings.service.connection.user, "cu");
    assert_string_equal(settings.service.connection.token, "alone");
}

static void test_own_settings(void **state)
{
    (void)state;
    (void)setenv("ERRATA_CATALOG", "/c", 1);
    (void)setenv("ERRATA_PREFIX", "a.b", 1);
    (void)setenv("ERRATA_QUEUE", "q", 1);
    (void)setenv("ERRATA_MAX_REQUEST", "1MiB", 1);
    (void)setenv("ERRATA_DRAIN_TIMEOUT", "250ms", 1);
    (void)setenv("ERRATA_LOG_LEVEL", "debug", 1);
    (void)setenv("ERRATA_LOG_FORMAT", "json", 1);
    (void)setenv("NATS_TIMEOUT", "2s", 1);
    assert_int_equal(load(true, NONE), ER_OK);
    assert_string_equal(settings.service.catalog, "/c");
    assert_string_equal(settings.service.prefix, "a.b");
    assert_string_equal(settings.prefix, "a.b");
    assert_string_equal(settings.service.queue, "q");
    assert_int_equal(settings.service.max_request, 1 << 20);
    assert_int_equal(settings.service.drain_timeout_ns, 250000000);
    assert_int_equal(settings.service.connection.timeout_ns, 2000000000);
    assert_int_equal(settings.log_level, ER_LOG_DEBUG);
    assert_int_equal(settings.log_format, ER_LOG_JSON);
}

/* Each wrong value as an option and in its variable: the fault names which of the two it was. */
static void test_faults_name_their_source(void **state)
{
    static const struct {
        er_option_id id;
        const char *value;
        const char *says;
    } cases[] = {
        {ER_OPTION_TIMEOUT, "5x", "must be a duration above zero, like 5s, 200ms or 1m30s"},
        {ER_OPTION_DRAIN_TIMEOUT, "0s", "must be a duration"},
        {ER_OPTION_MAX_REQUEST, "64KB", "must be a size from 1 to 64MiB"},
        {ER_OPTION_LOG_LEVEL, "loud", "must be debug, info, warn, error or off"},
        {ER_OPTION_LOG_FORMAT, "xml", "must be text or json"},
        {ER_OPTION_PREFIX, "errors.*", "must be a subject"},
        {ER_OPTION_PREFIX, "errors.", "must be a subject"},
        {ER_OPTION_PREFIX, ".errors", "must be a subject"},
        {ER_OPTION_PREFIX, "a b", "must be a subject"},
        {ER_OPTION_PREFIX, "a\r\nPUB x", "must be a subject"},
        {ER_OPTION_QUEUE, "a>", "must be a subject"},
        {ER_OPTION_KV, "bucket", "is not yet supported"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char option[64];
        const char *variable = er_options[cases[i].id].variable;
        (void)snprintf(option, sizeof(option), "--%s: %s", er_options[cases[i].id].name, cases[i].says);
        assert_int_equal(load(true, cases[i].id, cases[i].value, NONE), ER_BAD_USAGE);
        if (strstr(said, option) != said)
            fail_msg("\"%s\" gave: %s", cases[i].value, said);
        (void)setenv(variable, cases[i].value, 1);
        assert_int_equal(load(true, NONE), ER_BAD_USAGE);
        (void)unsetenv(variable);
        if (strncmp(said, variable, strlen(variable)) != 0 || strstr(said, cases[i].says) == NULL)
            fail_msg("%s=\"%s\" gave: %s", variable, cases[i].value, said);
    }
    assert_int_equal(load(true, ER_OPTION_PREFIX, "", NONE), ER_BAD_USAGE);
    assert_int_equal(load(true, ER_OPTION_FIELDS, "slug,colour", NONE), ER_BAD_USAGE);
    assert_int_equal(load(true, ER_OPTION_FIELDS, "slug, severity", NONE), ER_OK);
    assert_int_equal(load(true, ER_OPTION_LIMIT, "51", NONE), ER_BAD_USAGE);
}

static void test_context_faults_name_the_file(void **state)
{
    (void)state;
    scene_write("nats/context/c.json", "{\"inbox_prefix\":\"a.*\"}");
    assert_int_equal(load(true, ER_OPTION_CONTEXT, "c", NONE), ER_BAD_USAGE);
    assert_non_null(strstr(said, "c.json: inbox_prefix: must be a subject"));
    assert_int_equal(load(true, ER_OPTION_CONTEXT, "../c", NONE), ER_BAD_USAGE);
    assert_true(strncmp(said, "--context: ", 11) == 0);
    (void)setenv("NATS_CONTEXT", "../c", 1);
    assert_int_equal(load(true, NONE), ER_BAD_USAGE);
    assert_true(strncmp(said, "NATS_CONTEXT: ", 14) == 0);
}

/* A layout of folders, and which catalog a program in it finds. */
static const char *found(const char *program, const char *installed)
{
    scene_write(program, "");
    const char *path = er_catalog_path_find(&arena, scene_path(program), installed);
    return path != NULL && strncmp(path, scene_folder(), strlen(scene_folder())) == 0
               ? path + strlen(scene_folder())
               : path;
}

static void test_catalog_path(void **state)
{
    (void)state;
    assert_null(found("empty/build/errata", NULL));
    scene_write("co/catalog/tags.json", "[]");
    assert_string_equal(found("co/build/errata", NULL), "/co/catalog");
    assert_string_equal(found("co/build/dev/errata", NULL), "/co/catalog");
    assert_null(found("co/a/b/c/errata", NULL));
    scene_write("other/catalog/some.json", "{}"); /* a catalog of something else */
    assert_null(found("other/build/errata", NULL));
    scene_write("usr/share/errata/catalog/tags.json", "[]");
    assert_string_equal(found("usr/bin/errata", NULL), "/usr/share/errata/catalog");
    assert_string_equal(found("far/away/errata", scene_path("co/catalog")), "/co/catalog");
    assert_null(found("far/away/errata", scene_path("nowhere")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_precedence, start, end),
        cmocka_unit_test_setup_teardown(test_user_as_token, start, end),
        cmocka_unit_test_setup_teardown(test_own_settings, start, end),
        cmocka_unit_test_setup_teardown(test_faults_name_their_source, start, end),
        cmocka_unit_test_setup_teardown(test_context_faults_name_the_file, start, end),
        cmocka_unit_test_setup_teardown(test_catalog_path, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
