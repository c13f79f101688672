/*
 * responder.c - the endpoints: what they are, how they answer, what they count.
 */
#include "service/responder.h"

#include "base/clock.h"
#include "base/log.h"
#include "service/reply.h"
#include "service/service.h"

#include <stdio.h>
#include <string.h>

/* --- the table --- */

static void answer_explain(er_responder *responder, const er_snapshot *snapshot, er_slice request,
                           er_style style, er_reply *reply)
{
    er_answer_explain(responder->worker, snapshot, request, responder->max_request, style, reply);
}

static void answer_get(er_responder *responder, const er_snapshot *snapshot, er_slice request, er_style style,
                       er_reply *reply)
{
    er_answer_get(responder->worker, snapshot, request, responder->max_request, style, reply);
}

static void answer_status(er_responder *responder, const er_snapshot *snapshot, er_slice request,
                          er_style style, er_reply *reply)
{
    (void)request;
    er_status_info info = {.instance = er_slice_string(responder->id),
                           .version = er_slice_string(responder->version)};
    for (size_t i = 0; i < ER_ENDPOINT_COUNT; i++) {
        info.hits += responder->endpoints[i].hits;
        info.misses += responder->endpoints[i].misses;
    }
    er_answer_status(responder->worker, snapshot, &info, style, reply);
}

static const er_endpoint_kind kinds[ER_ENDPOINT_COUNT] = {
    {"explain", true, true, "an error text, or a JSON object with message, repo, release, limit, fields",
     "the matched record, how it matched, its causes, what to run; 404 with the nearest records",
     answer_explain},
    {"get", true, true, "id, slug, repo/slug, error code, or /api/errors/<id>", "record and datasetVersion",
     answer_get},
    {"status", false, false, "empty",
     "this replica's dataset version and hash, records by repo, source, load time, hits and misses",
     answer_status},
};

/* --- counting --- */

static void note_error(er_endpoint *endpoint, int code, const char *description)
{
    char text[sizeof endpoint->last_error - 8];
    er_reply_header_text(description, text, sizeof text);
    endpoint->errors++;
    snprintf(endpoint->last_error, sizeof endpoint->last_error, "%d:%s", code, text);
}

static void count_reply(er_endpoint *endpoint, const er_reply *reply)
{
    if (reply->code != 0) {
        note_error(endpoint, reply->code, reply->description);
    }
    if (endpoint->kind->counted) {
        endpoint->hits += reply->code == 0;
        endpoint->misses += reply->code == 404;
    }
}

static void log_request(const er_endpoint *endpoint, er_slice request, const er_reply *reply, int64_t took_ns)
{
    if (er_log_enabled(ER_LOG_DEBUG)) {
        er_log_event(ER_LOG_DEBUG, "request", er_log_text("endpoint", endpoint->kind->name),
                     er_log_int("bytes", (long long)request.len), er_log_int("code", reply->code),
                     er_log_int("reply_bytes", (long long)reply->body.len), er_log_int("took_ns", took_ns),
                     er_log_slice("text", request));
    }
}

/* --- one message --- */

static const char *reply_hint(const er_endpoint *endpoint)
{
    return strcmp(endpoint->kind->name, "explain") == 0 ? "; `fields` or a smaller `limit` makes it smaller"
                                                        : "";
}

/* What the server does not take whole becomes an error that says so; what it does not
   take either, one of headers alone. */
static natsStatus publish_too_large(er_responder *responder, natsConnection *connection,
                                    er_endpoint *endpoint, const char *subject, er_style style,
                                    er_reply *reply)
{
    char description[sizeof reply->description];
    snprintf(description, sizeof description, "the reply has %zu bytes and the server takes %lld%s",
             reply->body.len, (long long)natsConnection_GetMaxPayload(connection), reply_hint(endpoint));
    er_answer_failure(responder->worker, 413, description, style, reply);
    natsStatus status = er_reply_publish(connection, subject, reply);
    if (status == NATS_MAX_PAYLOAD) {
        reply->body.len = 0;
        snprintf(reply->description, sizeof reply->description, "reply too large");
        status = er_reply_publish(connection, subject, reply);
    }
    return status;
}

static natsStatus answer(er_responder *responder, natsConnection *connection, er_endpoint *endpoint,
                         natsMsg *message, er_reply *reply)
{
    er_style style = {.form = er_reply_form(message)};
    er_slice request = er_slice_of(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message));
    const char *subject = natsMsg_GetReply(message);
    er_snapshot *snapshot = er_cell_get(responder->cell);
    endpoint->kind->answer(responder, snapshot, request, style, reply);
    natsStatus status = er_reply_publish(connection, subject, reply);
    if (status == NATS_MAX_PAYLOAD) {
        status = publish_too_large(responder, connection, endpoint, subject, style, reply);
    }
    er_snapshot_release(&snapshot);
    return status;
}

size_t er_responder_serve(er_responder *responder, natsConnection *connection, er_endpoint *endpoint,
                          natsMsg *message)
{
    const char *subject = natsMsg_GetReply(message);
    if (subject == NULL || subject[0] == '\0') {
        endpoint->ignored++;
        return 0;
    }
    int64_t began = er_clock_monotonic_ns();
    er_reply reply = {0};
    natsStatus status = answer(responder, connection, endpoint, message, &reply);
    int64_t took = er_clock_monotonic_ns() - began;
    endpoint->requests++;
    endpoint->processing_ns += took;
    count_reply(endpoint, &reply);
    if (status != NATS_OK) {
        note_error(endpoint, 500, natsStatus_GetText(status));
        er_log_event(ER_LOG_WARN, "reply not sent", er_log_text("endpoint", endpoint->kind->name),
                     er_log_text("reason", natsStatus_GetText(status)));
    }
    log_request(endpoint, er_slice_of(natsMsg_GetData(message), (size_t)natsMsg_GetDataLength(message)),
                &reply, took);
    return status == NATS_OK ? reply.body.len : 0;
}

/* --- life --- */

static bool plain_text(const char *text, size_t most, const char *forbidden)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f || strchr(forbidden, text[i]) != NULL) {
            return false;
        }
    }
    return length > 0 && length <= most;
}

static er_status check_names(const char *prefix, const char *queue, er_fault *fault)
{
    size_t length = strlen(prefix);
    if (!plain_text(prefix, ER_SERVICE_MAX_NAME, "*>") || prefix[0] == '.' || prefix[0] == '$' ||
        strstr(prefix, "..") != NULL || prefix[length - 1] == '.') {
        er_status status = er_fault_set(fault, ER_BAD_USAGE,
                                        "not a subject of at most %d bytes without blanks and wildcards",
                                        ER_SERVICE_MAX_NAME);
        er_fault_member(fault, "prefix");
        return status;
    }
    if (!plain_text(queue, ER_SERVICE_MAX_NAME, "")) {
        er_status status = er_fault_set(fault, ER_BAD_USAGE, "not a name of at most %d bytes without blanks",
                                        ER_SERVICE_MAX_NAME);
        er_fault_member(fault, "queue");
        return status;
    }
    return ER_OK;
}

er_status er_responder_start(er_responder *responder, const char *prefix, const char *queue,
                             const char *version, er_fault *fault)
{
    er_status status = check_names(prefix, queue, fault);
    if (status != ER_OK) {
        return status;
    }
    *responder = (er_responder){.prefix = prefix, .version = version, .started_ns = er_clock_now_ns()};
    er_backoff_name(responder->id);
    for (size_t i = 0; i < ER_ENDPOINT_COUNT; i++) {
        er_endpoint *endpoint = &responder->endpoints[i];
        endpoint->kind = &kinds[i];
        endpoint->interest.queue = kinds[i].shared ? queue : NULL;
        endpoint->interest.drained = true;
        snprintf(endpoint->interest.subject, sizeof endpoint->interest.subject, "%s.%s", prefix,
                 kinds[i].name);
    }
    status = er_worker_new(&responder->worker);
    if (status == ER_OK) {
        status = er_cell_new(&responder->cell);
    }
    if (status != ER_OK) {
        er_responder_free(responder);
        return er_fault_set(fault, status, "out of memory");
    }
    return ER_OK;
}

void er_responder_free(er_responder *responder)
{
    er_worker_free(&responder->worker);
    er_cell_free(&responder->cell);
}
