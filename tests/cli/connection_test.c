/* Options of a connection: what a server gets to see, what is refused, what is never shown. */
#include "service/address.h"
#include "service/connection.h"
#include "service/credential.h"

#include "base/json.h"
#include "scene.h"

#include "support/table.h"
#include "support/test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Made with the Go module github.com/nats-io/nkeys v0.4.16 from the raw seeds 0, 1, 2, … and 7, 8, 9, …; the
   signature, base64 without padding, is over the text "nonce". */
#define SEED      "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y"
#define PUBLIC    "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK"
#define SIGNATURE "-HTq4d6DDHVNb8MsTRAZtSIa0vXA_yuZblwTA7JT5wYzmKBxJ2wpYfjHh7hcptZlidbVw_6ZLyubjm_yDk-OCQ"
#define SEED_2    "SUAOCAJBIFQYDIOB4IBCEQTCQKRMFYYDENBWHA5DYPSAIJCEMSCKJR2OM"
#define ACCOUNT   "SAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHT5A"
#define JWT       "eyJ0eXAiOiJKV1QifQ.eyJuYW1lIjoidSJ9.c2ln"

static void test_nkeys(void **state)
{
    char key[ER_NKEY_PUBLIC_SIZE];
    char seed[] = SEED;
    (void)state;
    assert_int_equal(er_nkey_public(SEED, key), ER_OK);
    assert_string_equal(key, PUBLIC);
    for (size_t i = 2; i < sizeof(seed) - 1;
         i++) { /* any letter changed breaks the checksum, or is no letter */
        char was = seed[i];
        seed[i] = was == 'A' ? 'B' : 'A';
        assert_int_equal(er_nkey_public(seed, key), ER_BAD_INPUT);
        seed[i] = '1';
        assert_int_equal(er_nkey_public(seed, key), ER_BAD_INPUT);
        seed[i] = was;
    }
    assert_int_equal(er_nkey_public(ACCOUNT, key), ER_BAD_INPUT);
    assert_int_equal(er_nkey_public("", key), ER_BAD_INPUT);
    assert_int_equal(er_nkey_public(SEED "A", key), ER_BAD_INPUT);
    assert_int_equal(er_nkey_public(PUBLIC, key), ER_BAD_INPUT);
}

static void test_seed_in_file(void **state)
{
    char seed[ER_NKEY_SEED_SIZE];
    (void)state;
    assert_int_equal(er_nkey_seed(ER_SLICE(SEED), seed), ER_OK);
    assert_int_equal(er_nkey_seed(ER_SLICE("# key\r\n  " SEED "\r\n"), seed), ER_OK);
    assert_string_equal(seed, SEED);
    assert_int_equal(er_nkey_seed(ER_SLICE(""), seed), ER_BAD_INPUT);
    assert_int_equal(er_nkey_seed(ER_SLICE("x" SEED), seed), ER_BAD_INPUT);
    assert_int_equal(er_nkey_seed(ER_SLICE(ACCOUNT), seed), ER_BAD_INPUT);
}

static void redact_case(er_slice input, char actual[TABLE_ACTUAL])
{
    char text[512];
    (void)snprintf(text, sizeof(text), "%.*s", (int)input.len, input.len > 0 ? input.at : "");
    (void)er_connection_redact(text, actual, TABLE_ACTUAL);
}

static void test_redact(void **state)
{
    char tiny[8];
    (void)state;
    table_run("cli/redact.cases", redact_case);
    assert_string_equal(er_connection_redact("nats://user:secret@host", tiny, sizeof(tiny)), "nats://");
    assert_string_equal(er_connection_redact(NULL, tiny, sizeof(tiny)), "nats://");
}

static void address_case(er_slice input, char actual[TABLE_ACTUAL])
{
    char text[512];
    er_fault fault;
    natsOptions *options = NULL;
    (void)snprintf(text, sizeof(text), "%.*s", (int)input.len, input.len > 0 ? input.at : "");
    assert_int_equal(natsOptions_Create(&options), NATS_OK);
    er_status status = er_address_add(options, text, &fault);
    natsOptions_Destroy(options);
    if (status != ER_OK) {
        assert_int_equal(status, ER_BAD_USAGE);
        assert_string_equal(fault.member, "server");
    }
    (void)snprintf(actual, TABLE_ACTUAL, "%s", status == ER_OK ? "ok" : fault.reason);
}

static void test_addresses(void **state)
{
    char many[ER_ADDRESS_MAX * 2 + 8] = "";
    natsOptions *options = NULL;
    (void)state;
    table_run("cli/address.cases", address_case);
    assert_int_equal(natsOptions_Create(&options), NATS_OK);
    for (size_t i = 0; i < ER_ADDRESS_MAX; i++)
        memcpy(many + i * 2, "h,", 3);
    assert_int_equal(er_address_add(options, many, NULL), ER_OK);
    memcpy(many + ER_ADDRESS_MAX * 2, "h", 2);
    assert_int_equal(er_address_add(options, many, NULL), ER_BAD_USAGE);
    natsOptions_Destroy(options);
}

/* A server that says hello, keeps the CONNECT line and answers the ping. */
typedef struct fake_server {
    int listener;
    pthread_t thread;
    char url[64];
    char heard[8192];
} fake_server;

static void *serve(void *context)
{
    static const char hello[] =
        "INFO {\"server_id\":\"x\",\"version\":\"2.10.0\",\"proto\":1,\"headers\":true,"
        "\"max_payload\":1048576,\"nonce\":\"nonce\"}\r\n";
    fake_server *server = context;
    int fd = accept(server->listener, NULL, NULL);
    size_t len = 0;
    if (fd < 0)
        return NULL;
    if (write(fd, hello, sizeof(hello) - 1) > 0) {
        while (len + 1 < sizeof(server->heard) && strstr(server->heard, "PING\r\n") == NULL) {
            ssize_t got = read(fd, server->heard + len, sizeof(server->heard) - 1 - len);
            if (got <= 0)
                break;
            len += (size_t)got;
        }
        (void)!write(fd, "PONG\r\n", 6);
    }
    while (read(fd, server->heard + len, 1) > 0) { /* until the client goes */
    }
    server->heard[len] = '\0';
    (void)close(fd);
    return NULL;
}

static void server_start(fake_server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    memset(server, 0, sizeof(*server));
    server->listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(server->listener >= 0);
    assert_int_equal(bind(server->listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(server->listener, 1), 0);
    assert_int_equal(getsockname(server->listener, (struct sockaddr *)&address, &size), 0);
    (void)snprintf(server->url, sizeof(server->url), "127.0.0.1:%u", ntohs(address.sin_port));
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
}

/* Connects with the settings and returns what the server heard as the value of `member`: decoded, "" for
 * absent. */
static const char *heard(const er_connection_settings *given, const char *user_info, const char *member)
{
    static char value[1024];
    char url[512];
    fake_server server;
    natsOptions *options = NULL;
    natsConnection *connection = NULL;
    er_connection_settings settings = *given;
    er_fault fault;
    server_start(&server);
    (void)snprintf(url, sizeof(url), "nats://%s%s", user_info, server.url);
    settings.server = url;
    if (er_connection_options(&options, &settings, &fault) != ER_OK)
        fail_msg("%s: %s", fault.member, fault.reason);
    assert_int_equal(natsConnection_Connect(&connection, options), NATS_OK);
    natsConnection_Destroy(connection);
    natsOptions_Destroy(options);
    assert_int_equal(pthread_join(server.thread, NULL), 0);
    (void)close(server.listener);

    char *from = strstr(server.heard, "CONNECT ");
    char *to = from != NULL ? strstr(from, "\r\n") : NULL;
    assert_non_null(to);
    er_json json;
    er_slice key;
    value[0] = '\0';
    er_json_start(&json, er_slice_of(from + 8, (size_t)(to - from - 8)), 8);
    (void)er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        er_slice raw;
        if (er_json_equal(key, member) && er_json_peek(&json) == ER_JSON_STRING) {
            assert_true(er_json_string(&json, &raw) && raw.len < sizeof(value));
            value[er_json_decode(raw, value)] = '\0';
        } else {
            (void)er_json_skip(&json, NULL);
        }
    }
    assert_int_equal(er_json_finish(&json), ER_OK); /* CONNECT is JSON, whatever a password holds */
    return value;
}

static void test_user_and_token(void **state)
{
    static const char nasty[] = "p\"w\\d\",\"user\":\"admin";
    er_connection_settings settings = {.user = "u\"x", .password = nasty, .name = "na\"me"};
    (void)state;
    assert_string_equal(heard(&settings, "", "pass"), nasty);
    assert_string_equal(heard(&settings, "", "user"), "u\"x");
    assert_string_equal(heard(&settings, "", "name"), "na\"me");
    settings = (er_connection_settings){.token = nasty};
    assert_string_equal(heard(&settings, "", "auth_token"), nasty);
    settings = (er_connection_settings){.user = "u"};
    assert_string_equal(heard(&settings, "", "user"), "u");
    assert_string_equal(heard(&settings, "", "pass"), "");
    settings = (er_connection_settings){.server = NULL};
    assert_string_equal(heard(&settings, "a%22b:c%5C%22d@", "user"), "a\"b");
    assert_string_equal(heard(&settings, "a%22b:c%5C%22d%40@", "pass"), "c\\\"d@");
    assert_string_equal(heard(&settings, "to%22ken@", "auth_token"), "to\"ken");
}

/* One kind of credential is used, in the order of the nats command. */
static void test_order(void **state)
{
    er_connection_settings settings = {.user = "u", .password = "p", .token = "t"};
    (void)state;
    scene_write("a.nk", SEED "\n");
    settings.nkey = scene_path("a.nk");
    assert_string_equal(heard(&settings, "", "user"), "u");
    assert_string_equal(heard(&settings, "", "auth_token"), "t");
    assert_string_equal(heard(&settings, "", "nkey"), "");
}

static void test_references(void **state)
{
    char reference[600];
    er_connection_settings settings = {.user = "u"};
    (void)state;
    (void)setenv("ERRATA_TEST_SECRET", "from env", 1);
    settings.password = "env://ERRATA_TEST_SECRET";
    assert_string_equal(heard(&settings, "", "pass"), "from env");
    settings.password = "data:text/plain;base64,ZnJvbSBkYXRhCg==";
    assert_string_equal(heard(&settings, "", "pass"), "from data");
    scene_write("pw", "from file\r\n");
    (void)snprintf(reference, sizeof(reference), "FILE://%s", scene_path("pw"));
    settings.password = reference;
    assert_string_equal(heard(&settings, "", "pass"), "from file");
    (void)setenv("ERRATA_TEST_FOLDER", scene_folder(), 1);
    settings.password = "file://${ERRATA_TEST_FOLDER}/pw";
    assert_string_equal(heard(&settings, "", "pass"), "from file");
    settings.password = "postgres://is-just-a-password";
    assert_string_equal(heard(&settings, "", "pass"), "postgres://is-just-a-password");
}

static void test_keys(void **state)
{
    char creds[1024];
    er_connection_settings settings = {.server = NULL};
    (void)state;
    scene_write("a.nk", "# a comment\n" SEED "\n");
    settings.nkey = scene_path("a.nk");
    assert_string_equal(heard(&settings, "", "nkey"), PUBLIC);
    assert_string_equal(heard(&settings, "", "sig"), SIGNATURE);
    (void)setenv("ERRATA_TEST_SECRET", SEED, 1);
    settings.nkey = "env://ERRATA_TEST_SECRET";
    assert_string_equal(heard(&settings, "", "nkey"), PUBLIC);
    assert_string_equal(heard(&settings, "", "sig"), SIGNATURE);
    settings = (er_connection_settings){.jwt = JWT, .seed = SEED};
    assert_string_equal(heard(&settings, "", "jwt"), JWT);
    assert_string_equal(heard(&settings, "", "sig"), SIGNATURE);
    (void)snprintf(creds, sizeof(creds),
                   "-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n"
                   "-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n",
                   JWT, SEED);
    scene_write("a.creds", creds);
    settings = (er_connection_settings){.creds = scene_path("a.creds")};
    assert_string_equal(heard(&settings, "", "jwt"), JWT);
    assert_string_equal(heard(&settings, "", "sig"), SIGNATURE);
    (void)setenv("ERRATA_TEST_SECRET", creds, 1);
    settings = (er_connection_settings){.creds = "env://ERRATA_TEST_SECRET"};
    assert_string_equal(heard(&settings, "", "jwt"), JWT);
    assert_string_equal(heard(&settings, "", "sig"), SIGNATURE);
}

/* What is wrong is named by its setting, and no secret stands in it. */
static void refused(er_connection_settings settings, const char *member, const char *reason)
{
    er_fault fault;
    char text[1200];
    natsOptions *options = NULL;
    if (er_connection_options(&options, &settings, &fault) != ER_BAD_USAGE)
        fail_msg("expected %s: %s, and it was taken", member, reason);
    assert_null(options);
    (void)er_fault_print(&fault, text, sizeof(text));
    if (strcmp(fault.member, member) != 0 || strstr(fault.reason, reason) == NULL)
        fail_msg("expected %s: %s, got %s", member, reason, text);
    assert_null(strstr(text, "sesame"));
    assert_null(strstr(text, SEED));
}

static void test_refused(void **state)
{
    (void)state;
    scene_write("empty", "");
    scene_write("wrong.nk", "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H777Y");
    scene_write("cert.pem", "-----BEGIN CERTIFICATE-----\nsesame\n-----END CERTIFICATE-----\n");
    refused((er_connection_settings){.server = "nats://u:sesame@h:x"}, "server", "port");
    refused((er_connection_settings){.server = "nats://u:sesame%zz@h"}, "server", "% code");
    refused((er_connection_settings){.password = "sesame"}, "password", "needs a user");
    refused((er_connection_settings){.jwt = JWT}, "jwt", "needs a seed");
    refused((er_connection_settings){.seed = SEED}, "seed", "needs a jwt");
    refused((er_connection_settings){.jwt = "sesame", .seed = SEED}, "jwt", "is not a JWT");
    refused((er_connection_settings){.jwt = JWT, .seed = "sesame"}, "seed", "is not a user seed");
    refused((er_connection_settings){.jwt = JWT, .seed = ACCOUNT}, "seed", "is not a user seed");
    refused((er_connection_settings){.creds = scene_path("none")}, "creds", "");
    refused((er_connection_settings){.creds = scene_path("empty")}, "creds", "holds no user seed");
    refused((er_connection_settings){.creds = "nsc://o/a/u"}, "creds", "another program");
    refused((er_connection_settings){.token = "op://vault/sesame"}, "token", "another program");
    refused((er_connection_settings){.token = "env://ERRATA_TEST_NOT_SET"}, "token", "not set");
    refused((er_connection_settings){.token = "data:sesame"}, "token", "data:;base64");
    refused((er_connection_settings){.token = "data:;base64,sesame!!"}, "token", "base64");
    refused((er_connection_settings){.token = "data:;base64,sesame"}, "token", "base64");
    refused((er_connection_settings){.nkey = scene_path("wrong.nk")}, "nkey", "checksum");
    refused((er_connection_settings){.nkey = scene_folder()}, "nkey", "");
    refused((er_connection_settings){.tls_cert = scene_path("cert.pem")}, "tlscert", "needs tlskey");
    refused((er_connection_settings){.tls_key = scene_path("cert.pem")}, "tlskey", "needs tlscert");
    refused((er_connection_settings){.tls_cert = scene_path("none"), .tls_key = "x"}, "tlscert", "");
    refused((er_connection_settings){.tls_cert = scene_path("cert.pem"), .tls_key = scene_path("none")},
            "tlskey", "");
    refused((er_connection_settings){.tls_cert = scene_path("cert.pem"), .tls_key = scene_path("cert.pem")},
            "tlscert", "is not a certificate");
    refused((er_connection_settings){.tls_ca = scene_path("cert.pem")}, "tlsca", "holds no certificate");
    refused((er_connection_settings){.tls_ca = "env://HOME"}, "tlsca", "must be the path of a file");
    refused((er_connection_settings){.inbox_prefix = "a b"}, "inbox-prefix", "is not a subject");
}

static void test_status(void **state)
{
    (void)state;
    assert_int_equal(er_connection_status(NATS_OK), ER_OK);
    assert_int_equal(er_connection_status(NATS_TIMEOUT), ER_TIMEOUT);
    assert_int_equal(er_connection_status(NATS_NO_SERVER), ER_NO_CONNECTION);
    assert_int_equal(er_connection_status(NATS_NO_RESPONDERS), ER_NO_CONNECTION);
    assert_int_equal(er_connection_status(NATS_CONNECTION_AUTH_FAILED), ER_DENIED);
    assert_int_equal(er_connection_status(NATS_NOT_PERMITTED), ER_DENIED);
    assert_int_equal(er_connection_status(NATS_NO_MEMORY), ER_NO_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nkeys),
        cmocka_unit_test(test_seed_in_file),
        cmocka_unit_test(test_redact),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test_setup_teardown(test_user_and_token, scene_start, scene_end),
        cmocka_unit_test_setup_teardown(test_order, scene_start, scene_end),
        cmocka_unit_test_setup_teardown(test_references, scene_start, scene_end),
        cmocka_unit_test_setup_teardown(test_keys, scene_start, scene_end),
        cmocka_unit_test_setup_teardown(test_refused, scene_start, scene_end),
        cmocka_unit_test(test_status),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
