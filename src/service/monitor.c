/*
 * monitor.c - PING, INFO and STATS of a NATS microservice, by ADR-32.
 */
#include "service/monitor.h"

#include "base/clock.h"
#include "base/json.h"
#include "service/service.h"

#include <stdio.h>

static const struct {
    const char *verb;
    const char *type;
} verbs[ER_MONITOR_VERBS] = {
    [ER_MONITOR_PING] = {"PING", "io.nats.micro.v1.ping_response"},
    [ER_MONITOR_INFO] = {"INFO", "io.nats.micro.v1.info_response"},
    [ER_MONITOR_STATS] = {"STATS", "io.nats.micro.v1.stats_response"},
};

void er_monitor_subject(er_monitor_verb verb, er_monitor_scope scope, const char *id, char *out)
{
    const char *name = scope == ER_MONITOR_ALL ? "" : "." ER_SERVICE_NAME;
    const char *dot = scope == ER_MONITOR_ID ? "." : "";
    snprintf(out, ER_SUBJECT_SIZE, "$SRV.%s%s%s%s", verbs[verb].verb, name, dot,
             scope == ER_MONITOR_ID ? id : "");
}

static void add_text(er_buffer *out, const char *before, const char *text)
{
    er_buffer_add_string(out, before);
    er_json_write(out, er_slice_string(text));
}

static void add_number(er_buffer *out, const char *before, unsigned long long number)
{
    er_buffer_add_string(out, before);
    er_buffer_add_uint(out, number);
}

/* The members that all three begin with. */
static void add_identity(er_buffer *out, const er_responder *responder, er_monitor_verb verb)
{
    add_text(out, "{\"type\":", verbs[verb].type);
    add_text(out, ",\"name\":", ER_SERVICE_NAME);
    add_text(out, ",\"id\":", responder->id);
    add_text(out, ",\"version\":", responder->version);
    add_text(out, ",\"metadata\":{\"prefix\":", responder->prefix);
    er_buffer_add_char(out, '}');
}

static void add_endpoint(er_buffer *out, const er_endpoint *endpoint, size_t index)
{
    add_text(out, index > 0 ? ",{\"name\":" : "{\"name\":", endpoint->kind->name);
    add_text(out, ",\"subject\":", endpoint->interest.subject);
    add_text(out, ",\"queue_group\":", endpoint->interest.queue);
}

static void add_info(er_buffer *out, const er_responder *responder)
{
    add_text(out, ",\"description\":", ER_RESPONDER_ABOUT);
    er_buffer_add_string(out, ",\"endpoints\":[");
    for (size_t i = 0; i < ER_ENDPOINT_COUNT; i++) {
        const er_endpoint *endpoint = &responder->endpoints[i];
        add_endpoint(out, endpoint, i);
        add_text(out, ",\"metadata\":{\"request\":", endpoint->kind->request);
        add_text(out, ",\"reply\":", endpoint->kind->reply);
        add_text(out, ",\"accept\":", "application/json, text/plain, text/markdown");
        er_buffer_add_string(out, "}}");
    }
    er_buffer_add_char(out, ']');
}

/* What is known beyond the standard counters, of the endpoint and of the replica. */
static void add_data(er_buffer *out, const er_responder *responder, const er_endpoint *endpoint,
                     const er_snapshot *snapshot)
{
    er_buffer_add_string(out, ",\"data\":{\"datasetVersion\":");
    if (snapshot != NULL) {
        er_json_write(out, er_catalog_dataset_version(snapshot->catalog));
        add_text(out, ",\"hash\":", er_catalog_hash(snapshot->catalog));
    } else {
        er_buffer_add_string(out, "null,\"hash\":null");
    }
    if (endpoint->kind->counted) {
        add_number(out, ",\"hits\":", endpoint->hits);
        add_number(out, ",\"misses\":", endpoint->misses);
    }
    add_number(out, ",\"ignored\":", endpoint->ignored);
    add_number(out, ",\"dropped\":", endpoint->dropped);
    add_number(out, ",\"reloads\":", responder->reloads);
    add_number(out, ",\"reloadFailures\":", responder->reload_failures);
    add_number(out, ",\"slowConsumers\":", responder->slow_consumers);
    add_number(out, ",\"repliesDenied\":", responder->replies_denied);
    add_number(out, ",\"connectionsLost\":", responder->connections_lost);
    er_buffer_add_char(out, '}');
}

static void add_stats(er_buffer *out, const er_responder *responder)
{
    char started[ER_CLOCK_TEXT_SIZE];
    er_clock_text(responder->started_ns, started);
    add_text(out, ",\"started\":", started);
    er_buffer_add_string(out, ",\"endpoints\":[");
    er_snapshot *snapshot = er_cell_get(responder->cell);
    for (size_t i = 0; i < ER_ENDPOINT_COUNT; i++) {
        const er_endpoint *endpoint = &responder->endpoints[i];
        uint64_t processing = (uint64_t)endpoint->processing_ns;
        add_endpoint(out, endpoint, i);
        add_number(out, ",\"num_requests\":", endpoint->requests);
        add_number(out, ",\"num_errors\":", endpoint->errors);
        add_text(out, ",\"last_error\":", endpoint->last_error);
        add_number(out, ",\"processing_time\":", processing);
        add_number(out,
                   ",\"average_processing_time\":", endpoint->requests ? processing / endpoint->requests : 0);
        add_data(out, responder, endpoint, snapshot);
        er_buffer_add_char(out, '}');
    }
    er_snapshot_release(&snapshot);
    er_buffer_add_char(out, ']');
}

void er_monitor_write(er_buffer *out, const er_responder *responder, er_monitor_verb verb)
{
    er_buffer_clear(out);
    add_identity(out, responder, verb);
    if (verb == ER_MONITOR_INFO) {
        add_info(out, responder);
    } else if (verb == ER_MONITOR_STATS) {
        add_stats(out, responder);
    }
    er_buffer_add_char(out, '}');
}
