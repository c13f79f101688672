/*
 * The bytes of a request, through er_answer_explain with the catalog of tests/fixtures.
 * Whatever comes in gets a well-formed reply, the same one each time.
 */
#include "fuzz.h"

#include "answer/answer.h"
#include "base/buffer.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

#define LARGEST ((size_t)1 << 22)

static er_snapshot *snapshot;
static er_worker *worker;
static er_buffer first;

static void start(void)
{
    er_fault fault;
    char text[1024];
    if (er_snapshot_load(&snapshot, ERRATA_SOURCE_DIR "/tests/fixtures/catalog", NULL, &fault) != ER_OK) {
        fprintf(stderr, "%s\n", er_fault_print(&fault, text, sizeof text));
        abort();
    }
    FUZZ_PROMISE(er_worker_new(&worker) == ER_OK);
    er_buffer_start(&first, LARGEST);
}

static void check(const er_reply *reply, er_form form)
{
    bool known = reply->code == 0 || reply->code == 400 || reply->code == 404;
    FUZZ_PROMISE(known);
    FUZZ_PROMISE((reply->code == 0) == (reply->description[0] == '\0'));
    FUZZ_PROMISE(reply->body.len > 0);
    FUZZ_PROMISE(er_slice_utf8_prefix(reply->body) == reply->body.len);
    if (form == ER_FORM_JSON) {
        er_json json;
        er_json_start(&json, reply->body, ER_JSON_MAX_DEPTH);
        FUZZ_PROMISE(er_json_skip(&json, NULL));
        FUZZ_PROMISE(er_json_finish(&json) == ER_OK);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const er_form forms[] = {ER_FORM_JSON, ER_FORM_PAGE};
    er_slice request = {(const char *)data, size};
    if (!snapshot) {
        start();
    }
    for (size_t i = 0; i < 2; i++) {
        er_reply reply;
        er_style style = {.form = forms[i], .width = 80};
        er_answer_explain(worker, snapshot, request, 0, style, &reply);
        check(&reply, forms[i]);
        er_buffer_clear(&first);
        er_buffer_add(&first, reply.body);
        er_answer_explain(worker, snapshot, request, 0, style, &reply);
        FUZZ_PROMISE(er_slice_equal(er_buffer_slice(&first), reply.body));
    }
    return 0;
}
