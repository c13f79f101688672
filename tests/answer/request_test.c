/* Runs request.cases, key.cases and accept.cases. */
#include "answer/request.h"

#include "answer/answer.h"
#include "base/memory.h"
#include "support/table.h"
#include "support/test.h"

#include <stdio.h>

static void add(char *actual, const char *format, ...)
{
    size_t used = strlen(actual);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(actual + used, TABLE_ACTUAL - used, format, arguments);
    va_end(arguments);
}

/* Bytes outside printable ASCII as <0A>, as in the tables. */
static void add_bytes(char *actual, er_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        unsigned char c = (unsigned char)bytes.at[i];
        add(actual, c >= 0x20 && c < 0x7F ? "%c" : "(%02X)", c);
    }
}

static void describe(const er_request *request, er_slice input, char *actual)
{
    bool is_text = request->query.text.at == input.at && request->query.text.len == input.len;
    add(actual, is_text ? "text" : "message=");
    if (!is_text) {
        add_bytes(actual, request->query.text);
    }
    if (request->query.repo.len > 0) {
        add(actual, " repo=");
        add_bytes(actual, request->query.repo);
    }
    if (request->query.release.len > 0) {
        add(actual, " release=");
        add_bytes(actual, request->query.release);
    }
    if (request->query.limit != ER_DEFAULT_LIMIT) {
        add(actual, " limit=%u", request->query.limit);
    }
    if (request->fields != ER_ALL_FIELDS) {
        add(actual, " fields=");
        for (unsigned member = 0; member < ER_MEMBER_COUNT; member++) {
            if (request->fields >> member & 1) {
                add(actual, "%s,", er_member_name((er_member)member));
            }
        }
    }
}

static void run_request(er_slice input, char actual[TABLE_ACTUAL])
{
    er_buffer decoded;
    er_request request;
    er_fault fault;
    er_buffer_start(&decoded, 1 << 20);
    er_status status = er_request_parse(input, &decoded, &request, &fault);
    if (status == ER_OK) {
        describe(&request, input, actual);
    } else {
        add(actual, "400 %s: %s", fault.member, fault.reason);
    }
    er_buffer_free(&decoded);
}

static void run_key(er_slice input, char actual[TABLE_ACTUAL])
{
    er_buffer decoded;
    er_slice key;
    er_buffer_start(&decoded, 1 << 20);
    assert_int_equal(er_request_key(input, &decoded, &key), ER_OK);
    add(actual, "[");
    add_bytes(actual, key);
    add(actual, "]");
    er_buffer_free(&decoded);
}

static void run_accept(er_slice input, char actual[TABLE_ACTUAL])
{
    char header[256];
    (void)snprintf(header, sizeof header, "%.*s", (int)input.len, input.at);
    add(actual, er_form_accepted(header) == ER_FORM_PAGE ? "page" : "json");
}

static void requests_follow_the_table(void **state)
{
    (void)state;
    table_run("answer/request.cases", run_request);
}

static void keys_follow_the_table(void **state)
{
    (void)state;
    table_run("answer/key.cases", run_key);
}

static void accept_headers_follow_the_table(void **state)
{
    (void)state;
    table_run("answer/accept.cases", run_accept);
    assert_int_equal(er_form_accepted(NULL), ER_FORM_JSON);
}

/* An object nested just as deep as is read is a request with a wrong member; one deeper is text. */
static void depth_is_bounded(void **state)
{
    (void)state;
    for (unsigned depth = ER_REQUEST_MAX_DEPTH - 1; depth <= ER_REQUEST_MAX_DEPTH; depth++) {
        char text[256] = "{\"message\":\"m\",\"repo\":";
        for (unsigned i = 0; i < depth; i++) {
            (void)strcat(text, "[");
        }
        for (unsigned i = 0; i < depth; i++) {
            (void)strcat(text, "]");
        }
        (void)strcat(text, "}");
        char actual[TABLE_ACTUAL] = "";
        run_request(er_slice_string(text), actual);
        assert_string_equal(actual, depth < ER_REQUEST_MAX_DEPTH ? "400 repo: must be a string, not an array"
                                                                 : "text");
    }
}

static void a_warm_buffer_allocates_nothing(void **state)
{
    (void)state;
    const er_slice input = ER_SLICE("{\"message\":\"a\\u0000b\",\"repo\":\"r\",\"fields\":[\"id\"]}");
    er_buffer decoded;
    er_request request;
    er_buffer_start(&decoded, 1 << 20);
    assert_int_equal(er_request_parse(input, &decoded, &request, NULL), ER_OK);
    (void)er_memory_fail_after(-1);
    assert_int_equal(er_request_parse(input, &decoded, &request, NULL), ER_OK);
    assert_int_equal(er_memory_fail_after(-1), 0);
    assert_int_equal(request.query.text.len, 3);
    er_buffer_free(&decoded);
    (void)er_memory_fail_after(0);
    assert_int_equal(er_request_parse(input, &decoded, &request, NULL), ER_NO_MEMORY);
    (void)er_memory_fail_after(-1);
    er_buffer_free(&decoded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_follow_the_table),       cmocka_unit_test(keys_follow_the_table),
        cmocka_unit_test(accept_headers_follow_the_table), cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(a_warm_buffer_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
