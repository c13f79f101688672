/* The parts of the service that need no server: texts, limits, waiting times. */
#include "base/buffer.h"
#include "base/json.h"
#include "service/backoff.h"
#include "service/monitor.h"
#include "service/reply.h"
#include "service/responder.h"
#include "service/service.h"
#include "support/test.h"

#include <ctype.h>
#include <string.h>

static void header_text_is_one_line(void **state)
{
    (void)state;
    char out[32];
    er_reply_header_text("a\r\nNats-Service-Error-Code: 0\t\x7f", out, sizeof out);
    assert_string_equal(out, "a  Nats-Service-Error-Code: 0  ");
    er_reply_header_text("0123456789012345678901234567890123456789", out, sizeof out);
    assert_int_equal(strlen(out), sizeof out - 1);
    er_reply_header_text("", out, sizeof out);
    assert_string_equal(out, "");
}

static void backoff_grows_and_ends(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        for (int attempt = 1; attempt < 40; attempt++) {
            int64_t wait = er_backoff_ms(attempt);
            int64_t most = attempt > 6 ? ER_BACKOFF_MOST_MS : (int64_t)ER_BACKOFF_FIRST_MS << (attempt - 1);
            most = most < ER_BACKOFF_MOST_MS ? most : ER_BACKOFF_MOST_MS;
            assert_in_range(wait, most / 2, most);
        }
    }
    assert_in_range(er_backoff_ms(0), ER_BACKOFF_FIRST_MS / 2, ER_BACKOFF_FIRST_MS);
    assert_in_range(er_backoff_ms(2000000000), ER_BACKOFF_MOST_MS / 2, ER_BACKOFF_MOST_MS);
}

static void names_differ(void **state)
{
    (void)state;
    char one[ER_NAME_SIZE];
    char two[ER_NAME_SIZE];
    er_backoff_name(one);
    er_backoff_name(two);
    assert_int_equal(strlen(one), ER_NAME_SIZE - 1);
    assert_string_not_equal(one, two);
    for (size_t i = 0; one[i] != '\0'; i++) {
        assert_true(isalnum((unsigned char)one[i]));
    }
}

static void denied_subscription_is_found(void **state)
{
    (void)state;
    static const er_interest interests[] = {{.subject = "errors.get"}, {.subject = "$SRV.PING"}};
    const er_subscriptions subscriptions = {.interests = interests, .count = 2};
    const struct {
        const char *text;
        const er_interest *interest;
    } cases[] = {
        {"Permissions Violation for Subscription to \"errors.get\" using queue \"errata\"", &interests[0]},
        {"Permissions Violation for Subscription to \"$SRV.PING\"", &interests[1]},
        {"Permissions Violation for Subscription to \"$SRV.PING.errata\"", NULL},
        {"Permissions Violation for Subscription to \"errors.get", NULL},
        {"Permissions Violation for Publish to \"errors.get\"", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_ptr_equal(er_subscriptions_denied(&subscriptions, cases[i].text), cases[i].interest);
    }
}

static void monitor_subjects(void **state)
{
    (void)state;
    char out[ER_SUBJECT_SIZE];
    er_monitor_subject(ER_MONITOR_PING, ER_MONITOR_ALL, "ID", out);
    assert_string_equal(out, "$SRV.PING");
    er_monitor_subject(ER_MONITOR_INFO, ER_MONITOR_NAME, "ID", out);
    assert_string_equal(out, "$SRV.INFO.errata");
    er_monitor_subject(ER_MONITOR_STATS, ER_MONITOR_ID, "ID", out);
    assert_string_equal(out, "$SRV.STATS.errata.ID");
}

/* Whatever texts it is made of, each reply is JSON; and without a catalog too. */
static void monitor_is_json(void **state)
{
    (void)state;
    er_responder responder;
    er_buffer out;
    assert_int_equal(er_responder_start(&responder, "a\"b", "q\\\"", "1.2.3", NULL), ER_OK);
    strcpy(responder.endpoints[0].last_error, "400:\"quoted\" \\ \x01\xff");
    responder.endpoints[0].requests = 3;
    responder.endpoints[0].processing_ns = 10;
    er_buffer_start(&out, 64 * 1024);
    for (int verb = ER_MONITOR_PING; verb <= ER_MONITOR_STATS; verb++) {
        er_json json;
        er_monitor_write(&out, &responder, (er_monitor_verb)verb);
        assert_int_equal(out.status, ER_OK);
        er_json_start(&json, er_buffer_slice(&out), 8);
        assert_true(er_json_skip(&json, NULL));
        assert_int_equal(er_json_finish(&json), ER_OK);
    }
    er_buffer_add_char(&out, '\0');
    assert_non_null(strstr(out.at, "\"num_requests\":3"));
    assert_non_null(strstr(out.at, "\"average_processing_time\":3"));
    er_buffer_free(&out);
    er_responder_free(&responder);
}

static void names_are_checked(void **state)
{
    (void)state;
    const struct {
        const char *prefix;
        const char *queue;
        const char *member; /* at fault */
    } cases[] = {
        {"errors", "errata", NULL},
        {"a.b-c_d", "q.1", NULL},
        {"", "errata", "prefix"},
        {".a", "errata", "prefix"},
        {"a.", "errata", "prefix"},
        {"a..b", "errata", "prefix"},
        {"a.*", "errata", "prefix"},
        {">", "errata", "prefix"},
        {"a b", "errata", "prefix"},
        {"$SRV", "errata", "prefix"},
        {"a\r\nPUB x 0", "errata", "prefix"},
        {"errors", "", "queue"},
        {"errors", "a b", "queue"},
        {"errors", "a\tb", "queue"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        er_responder responder;
        er_fault fault = {0};
        er_status status = er_responder_start(&responder, cases[i].prefix, cases[i].queue, "1.0.0", &fault);
        if (cases[i].member == NULL) {
            assert_int_equal(status, ER_OK);
            er_responder_free(&responder);
        } else {
            assert_int_equal(status, ER_BAD_USAGE);
            assert_string_equal(fault.member, cases[i].member);
        }
    }
    char longest[ER_SERVICE_MAX_NAME + 2];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    er_responder responder;
    assert_int_equal(er_responder_start(&responder, longest, "q", "1.0.0", NULL), ER_BAD_USAGE);
    assert_int_equal(er_responder_start(&responder, longest + 1, "q", "1.0.0", NULL), ER_OK);
    assert_int_equal(strlen(responder.endpoints[0].interest.subject),
                     ER_SERVICE_MAX_NAME + strlen(".explain"));
    er_responder_free(&responder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_text_is_one_line),
        cmocka_unit_test(backoff_grows_and_ends),
        cmocka_unit_test(names_differ),
        cmocka_unit_test(denied_subscription_is_found),
        cmocka_unit_test(monitor_subjects),
        cmocka_unit_test(monitor_is_json),
        cmocka_unit_test(names_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
