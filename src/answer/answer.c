#include "answer/answer.h"

#include "answer/explain_page.h"
#include "answer/failure.h"
#include "answer/parts.h"
#include "answer/request.h"
#include "base/memory.h"

#define HOW_TO_ASK "the request is empty: send an error text, or {\"message\": \"the text\"}"

er_status er_worker_new(er_worker **out)
{
    er_worker *worker = er_calloc(1, sizeof *worker);
    if (!worker) {
        return ER_NO_MEMORY;
    }
    er_buffer_start(&worker->out, ER_REPLY_CEILING);
    er_buffer_start(&worker->request, ER_DECODED_MAX);
    er_buffer_start(&worker->text, ER_DECODED_MAX);
    er_status status = er_scratch_new(&worker->scratch);
    if (status == ER_OK && !er_buffer_reserve(&worker->out, ER_REPLY_ROOM)) {
        status = ER_NO_MEMORY;
    }
    if (status != ER_OK) {
        er_worker_free(&worker);
        return status;
    }
    *out = worker;
    return ER_OK;
}

void er_worker_free(er_worker **worker)
{
    if (!*worker) {
        return;
    }
    er_scratch_free(&(*worker)->scratch);
    er_buffer_free(&(*worker)->out);
    er_buffer_free(&(*worker)->request);
    er_buffer_free(&(*worker)->text);
    er_free(*worker);
    *worker = NULL;
}

static bool holds_repo(const er_snapshot *snapshot, er_slice repo)
{
    size_t records = 0;
    for (size_t i = 0; i < er_catalog_repo_count(snapshot->catalog); i++) {
        if (er_slice_equal(er_catalog_repo(snapshot->catalog, i, &records), repo)) {
            return true;
        }
    }
    return false;
}

static void write_explanation(er_worker *worker, const er_snapshot *snapshot, const er_explanation *found,
                              er_fields fields, er_style style, er_reply *reply)
{
    er_buffer_clear(&worker->out);
    if (style.form == ER_FORM_PAGE) {
        er_page page = er_page_start(&worker->out, &worker->text, style);
        er_page_explanation(&page, snapshot, found);
    } else {
        er_part_explanation(worker, snapshot, found, fields);
    }
    er_reply_close(worker, style, reply);
}

static void write_miss(er_worker *worker, const er_snapshot *snapshot, const er_query *query,
                       const er_explanation *found, er_style style, er_reply *reply)
{
    size_t count = er_nearest_take(worker, snapshot, found->nearest, found->nearest_count, 0);
    if (query->repo.len > 0 && !holds_repo(snapshot, query->repo)) {
        er_failure_write(worker, snapshot, count, 404, style, reply,
                         "no record matches: the catalog has no repo \"%.*s\"",
                         (int)(query->repo.len < 128 ? query->repo.len : 128), query->repo.at);
    } else if (query->repo.len > 0) {
        er_failure_write(worker, snapshot, count, 404, style, reply, "no record of \"%.*s\" matches the text",
                         (int)(query->repo.len < 128 ? query->repo.len : 128), query->repo.at);
    } else {
        er_failure_write(worker, snapshot, count, 404, style, reply, "no record matches the text");
    }
}

static void answer_query(er_worker *worker, const er_snapshot *snapshot, const er_query *query,
                         er_fields fields, er_style style, er_reply *reply)
{
    er_explanation found = {0};
    if (query->text.len == 0) {
        er_failure_write(worker, NULL, 0, 400, style, reply, HOW_TO_ASK);
        return;
    }
    er_status status = er_explain(snapshot->matcher, worker->scratch, query, &found);
    if (status != ER_OK) {
        er_failure_status(worker, status, query->text.len, ER_MATCH_MAX_TEXT, style, reply);
    } else if (found.found) {
        write_explanation(worker, snapshot, &found, fields, style, reply);
    } else {
        write_miss(worker, snapshot, query, &found, style, reply);
    }
}

void er_answer_query(er_worker *worker, const er_snapshot *snapshot, const er_query *query, er_style style,
                     er_reply *reply)
{
    if (er_request_allowed(worker, snapshot, query->text.len, 0, style, reply)) {
        answer_query(worker, snapshot, query, ER_ALL_FIELDS, style, reply);
    }
}

void er_answer_explain(er_worker *worker, const er_snapshot *snapshot, er_slice request, size_t max_request,
                       er_style style, er_reply *reply)
{
    er_request parsed;
    er_fault fault;
    if (!er_request_allowed(worker, snapshot, request.len, max_request, style, reply)) {
        return;
    }
    er_status status = er_request_parse(request, &worker->request, &parsed, &fault);
    if (status == ER_BAD_INPUT) {
        er_failure_write(worker, NULL, 0, 400, style, reply, "%s: %s", fault.member, fault.reason);
    } else if (status != ER_OK) {
        er_failure_status(worker, status, request.len, ER_DECODED_MAX, style, reply);
    } else {
        answer_query(worker, snapshot, &parsed.query, parsed.fields, style, reply);
    }
}
