/*
 * service.c - the daemon's life: start, serve, reload, stop.
 *
 * One thread runs the loop and everything here. Sessions come and go: after a
 * lost connection a new one begins, for as long as it takes.
 *
 * At the start that is so for ER_START_WAIT_NS, so that a server that comes up
 * a little later (compose, systemd) is no fault; after that, and at once where
 * the server answers and refuses, the service ends with one line.
 */
#include "service/service.h"

#include "base/clock.h"
#include "base/log.h"
#include "service/monitor.h"
#include "service/reload.h"
#include "service/reply.h"
#include "service/servers.h"
#include "service/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_MS       INT64_C(1000000)
#define STOP_GRACE_NS   INT64_C(1000000000)        /* after the drain timeout, to close */
#define QUIET_NS        (INT64_C(10) * 1000000000) /* between two warnings of one kind */
#define MONITOR_CEILING (64u * 1024u)
#define INTEREST_COUNT  (ER_MONITOR_SUBJECTS + ER_ENDPOINT_COUNT)

/* A warning that may come often. */
typedef struct er_warning {
    int64_t next_ns;
    long long held; /* not logged since the last one */
} er_warning;

typedef struct er_service {
    const er_service_settings *settings;
    er_connection_settings connection;
    er_servers servers;
    const char *queue;
    int64_t drain_timeout_ns;
    char server[256]; /* for logs and faults */
    uv_loop_t loop;
    uv_async_t wake;  /* by the signals' thread */
    uv_timer_t timer; /* the next attempt to connect; while stopping, the end of patience */
    atomic_bool stop_asked;
    atomic_bool reload_asked;
    er_signals *signals;
    er_reload *reload;
    er_responder responder;
    er_session *session; /* NULL between two */
    er_interest
        interests[INTEREST_COUNT]; /* the monitor's first: they are cheap, and tell of a busy service */
    er_buffer monitor_reply;
    er_warning slow;
    er_warning denied;
    int64_t began_ns;
    int attempts; /* since the last time that all was well */
    bool served;  /* was ready once */
    bool ready;   /* the session was */
    bool stopping;
    er_status status;
    er_fault *fault;
} er_service;

static void begin_session(er_service *service);

static bool due(er_warning *warning, long long *held)
{
    int64_t now = er_clock_monotonic_ns();
    *held = warning->held;
    if (now < warning->next_ns) {
        warning->held++;
        return false;
    }
    warning->next_ns = now + QUIET_NS;
    warning->held = 0;
    return true;
}

/* --- stopping --- */

static void end_loop(er_service *service)
{
    uv_close((uv_handle_t *)&service->timer, NULL);
    uv_close((uv_handle_t *)&service->wake, NULL);
}

static void on_patience_over(uv_timer_t *timer)
{
    er_service *service = timer->data;
    er_log_event(ER_LOG_WARN, "not drained in time, closing",
                 er_log_int("timeout_ms", service->drain_timeout_ns / NS_PER_MS));
    if (service->session != NULL) {
        er_session_close(service->session);
    }
}

static void stop(er_service *service)
{
    if (service->stopping) {
        return;
    }
    service->stopping = true;
    uv_timer_stop(&service->timer);
    if (service->session == NULL) {
        end_loop(service);
        return;
    }
    int64_t timeout_ms = service->drain_timeout_ns / NS_PER_MS;
    uv_timer_start(&service->timer, on_patience_over, (uint64_t)timeout_ms, 0);
    er_session_drain(service->session, timeout_ms);
}

/* A fault that waiting can not mend; service->fault is set. */
static void fail(er_service *service, er_status status)
{
    service->status = status;
    service->stopping = true;
    uv_timer_stop(&service->timer);
    if (service->session != NULL) {
        er_session_close(service->session);
    } else {
        end_loop(service);
    }
}

/* --- what the session tells --- */

static size_t answer_monitor(er_service *service, natsConnection *connection, er_monitor_verb verb,
                             const char *subject)
{
    er_buffer *out = &service->monitor_reply;
    er_monitor_write(out, &service->responder, verb);
    er_reply reply = {.body = er_buffer_slice(out)};
    if (out->status != ER_OK) {
        reply = (er_reply){.code = 500, .description = "out of memory"};
    }
    if (er_reply_publish(connection, subject, &reply) == NATS_MAX_PAYLOAD) {
        reply = (er_reply){.code = 413, .description = "the reply is larger than the server's max_payload"};
        (void)er_reply_publish(connection, subject, &reply);
    }
    return reply.body.len;
}

static size_t on_message(void *context, natsConnection *connection, size_t index, natsMsg *message)
{
    er_service *service = context;
    if (index >= ER_MONITOR_SUBJECTS) {
        er_endpoint *endpoint = &service->responder.endpoints[index - ER_MONITOR_SUBJECTS];
        return er_responder_serve(&service->responder, connection, endpoint, message);
    }
    const char *subject = natsMsg_GetReply(message);
    if (subject == NULL || subject[0] == '\0') {
        return 0;
    }
    return answer_monitor(service, connection, (er_monitor_verb)(index / ER_MONITOR_SCOPES), subject);
}

static void on_slow(void *context, size_t index, uint64_t dropped)
{
    er_service *service = context;
    long long held = 0;
    service->responder.slow_consumers++;
    if (index >= ER_MONITOR_SUBJECTS) {
        service->responder.endpoints[index - ER_MONITOR_SUBJECTS].dropped += dropped;
    }
    if (due(&service->slow, &held)) {
        er_log_event(ER_LOG_WARN, "slow consumer, requests dropped",
                     er_log_text("subject", service->interests[index].subject),
                     er_log_int("dropped", (long long)dropped), er_log_int("held_back", held));
    }
}

static void limit_requests(er_service *service, natsConnection *connection)
{
    size_t wanted =
        service->settings->max_request != 0 ? service->settings->max_request : ER_DEFAULT_MAX_REQUEST;
    int64_t most = natsConnection_GetMaxPayload(connection);
    if (most > 0 && wanted > (size_t)most) {
        er_log_event(ER_LOG_WARN, "max-request cut to the server's max_payload",
                     er_log_int("max_request", (long long)wanted), er_log_int("max_payload", most));
        wanted = (size_t)most;
    }
    service->responder.max_request = wanted;
}

static void log_ready(er_service *service, natsConnection *connection)
{
    char subjects[ER_ENDPOINT_COUNT * ER_SUBJECT_SIZE] = "";
    char url[256] = "";
    char server[256];
    size_t at = 0;
    for (size_t i = 0; i < ER_ENDPOINT_COUNT; i++) {
        const char *subject = service->responder.endpoints[i].interest.subject;
        at += (size_t)snprintf(subjects + at, sizeof subjects - at, "%s%s", i > 0 ? " " : "", subject);
    }
    (void)natsConnection_GetConnectedUrl(connection, url, sizeof url);
    er_log_event(ER_LOG_INFO, service->served ? "ready again" : "ready",
                 er_log_text("server", er_connection_redact(url, server, sizeof server)),
                 er_log_text("id", service->responder.id), er_log_text("subjects", subjects),
                 er_log_text("queue", service->queue));
}

static void on_ready(void *context, natsConnection *connection)
{
    er_service *service = context;
    limit_requests(service, connection);
    log_ready(service, connection);
    service->served = true;
    service->attempts = 0;
    service->ready = true;
}

static void on_leaving(void *context, natsConnection *connection)
{
    er_service *service = context;
    er_servers_learn(&service->servers, connection);
}

static void on_denied(void *context, const char *subject)
{
    er_service *service = context;
    if (!service->stopping) {
        (void)er_fault_set(service->fault, ER_DENIED, "the server denies the subscription to \"%s\"",
                           subject);
        fail(service, ER_DENIED);
    }
}

static void on_trouble(void *context, natsStatus status, const char *text)
{
    er_service *service = context;
    long long held = 0;
    if (status != NATS_NOT_PERMITTED) {
        er_log_event(ER_LOG_WARN, "connection trouble", er_log_text("reason", text));
        return;
    }
    service->responder.replies_denied++;
    if (due(&service->denied, &held)) {
        er_log_event(ER_LOG_WARN, "reply denied by the server", er_log_text("reason", text),
                     er_log_int("held_back", held));
    }
}

/* The server answered, and asking it again would change nothing. */
static bool refused(natsStatus why)
{
    er_status status = er_connection_status(why);
    return status == ER_DENIED || status == ER_BAD_USAGE || why == NATS_SSL_ERROR ||
           why == NATS_SECURE_CONNECTION_WANTED || why == NATS_SECURE_CONNECTION_REQUIRED;
}

static void on_attempt(uv_timer_t *timer)
{
    begin_session(timer->data);
}

static void try_again(er_service *service, const char *reason)
{
    int64_t wait_ms = er_backoff_ms(++service->attempts);
    er_log_event(ER_LOG_WARN, service->ready ? "connection lost" : "no connection, trying again",
                 er_log_text("server", service->server), er_log_text("reason", reason),
                 er_log_int("wait_ms", wait_ms));
    service->ready = false;
    uv_timer_start(&service->timer, on_attempt, (uint64_t)wait_ms, 0);
}

static void try_again_or_fail(er_service *service, natsStatus why, const char *reason)
{
    bool over = er_clock_monotonic_ns() - service->began_ns > ER_START_WAIT_NS;
    if (!service->served && (over || refused(why))) {
        er_status status = er_connection_status(why);
        status = status == ER_OK ? ER_NO_CONNECTION : status;
        fail(service,
             er_fault_set(service->fault, status, "no connection to %s: %s", service->server, reason));
        return;
    }
    service->responder.connections_lost += service->ready;
    try_again(service, reason);
}

static void on_closed(void *context, natsStatus why, const char *reason)
{
    er_service *service = context;
    er_session *gone = service->session; /* `reason` lives in it */
    service->session = NULL;
    if (service->stopping) {
        end_loop(service);
    } else {
        try_again_or_fail(service, why, reason);
    }
    er_session_free(&gone);
}

static void begin_session(er_service *service)
{
    const er_session_events events = {service,   on_message, on_slow,    on_ready,
                                      on_denied, on_trouble, on_leaving, on_closed};
    er_fault fault = {0};
    char text[512];
    service->connection.server = er_servers_text(&service->servers);
    er_status status = er_session_start(&service->session, &service->loop, &service->connection,
                                        service->interests, INTEREST_COUNT, &events, &fault);
    if (status == ER_OK) {
        return;
    }
    if (service->served) { /* a credentials file that is being replaced, say */
        try_again(service, er_fault_print(&fault, text, sizeof text));
        return;
    }
    if (service->fault != NULL) {
        *service->fault = fault;
    }
    fail(service, status);
}

/* --- catalogs --- */

static void log_catalog(const er_snapshot *snapshot)
{
    er_log_event(
        ER_LOG_INFO, "catalog loaded", er_log_int("records", (long long)er_catalog_count(snapshot->catalog)),
        er_log_slice("dataset_version", er_catalog_dataset_version(snapshot->catalog)),
        er_log_text("hash", er_catalog_hash(snapshot->catalog)), er_log_text("source", snapshot->source));
}

static void on_reloaded(void *context, er_snapshot *snapshot, const er_fault *fault)
{
    er_service *service = context;
    if (snapshot != NULL) {
        service->responder.reloads++;
        log_catalog(snapshot);
        er_cell_put(service->responder.cell, snapshot);
        return;
    }
    char text[1024];
    service->responder.reload_failures++;
    er_log_event(ER_LOG_ERROR, "catalog refused, the old one stays in service",
                 er_log_text("reason", er_fault_print(fault, text, sizeof text)));
}

/* --- signals --- */

static void on_signal(void *context, er_signal signal)
{
    er_service *service = context;
    atomic_store(signal == ER_SIGNAL_STOP ? &service->stop_asked : &service->reload_asked, true);
    uv_async_send(&service->wake);
}

static void on_wake(uv_async_t *wake)
{
    er_service *service = wake->data;
    if (atomic_exchange(&service->reload_asked, false) && !service->stopping) {
        er_reload_request(service->reload);
    }
    if (atomic_exchange(&service->stop_asked, false)) {
        stop(service);
    }
}

/* --- start and end --- */

static void set_interests(er_service *service)
{
    for (size_t i = 0; i < ER_MONITOR_SUBJECTS; i++) {
        er_monitor_subject((er_monitor_verb)(i / ER_MONITOR_SCOPES),
                           (er_monitor_scope)(i % ER_MONITOR_SCOPES), service->responder.id,
                           service->interests[i].subject);
    }
    for (size_t i = 0; i < ER_ENDPOINT_COUNT; i++) {
        service->interests[ER_MONITOR_SUBJECTS + i] = service->responder.endpoints[i].interest;
    }
}

static er_status load_catalog(er_service *service, er_fault *fault)
{
    er_snapshot *snapshot = NULL;
    er_status status = er_snapshot_load(&snapshot, service->settings->catalog, NULL, fault);
    if (status == ER_OK) {
        log_catalog(snapshot);
        er_cell_put(service->responder.cell, snapshot);
    }
    return status;
}

static er_status set_up_loop(er_service *service, er_fault *fault)
{
    if (uv_loop_init(&service->loop) != 0) {
        return er_fault_set(fault, ER_SYSTEM, "no event loop");
    }
    /* These two fail only where the loop has no descriptor left for its first async handle. */
    if (uv_async_init(&service->loop, &service->wake, on_wake) != 0) {
        (void)uv_loop_close(&service->loop);
        return er_fault_set(fault, ER_SYSTEM, "no event loop");
    }
    (void)uv_timer_init(&service->loop, &service->timer);
    service->wake.data = service;
    service->timer.data = service;
    return ER_OK;
}

/* Signals come first: loading a large catalog takes its time, and can be stopped too. */
static er_status prepare(er_service *service, er_fault *fault)
{
    const char *catalog = service->settings->catalog;
    if (er_reload_new(&service->reload, &service->loop, catalog, on_reloaded, service) != ER_OK) {
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    }
    er_status status = er_signals_start(&service->signals, on_signal, service,
                                        service->drain_timeout_ns + STOP_GRACE_NS, fault);
    return status == ER_OK ? load_catalog(service, fault) : status;
}

static er_status run(er_service *service, er_fault *fault)
{
    er_status status = set_up_loop(service, fault);
    if (status != ER_OK) {
        return status;
    }
    service->status = prepare(service, fault);
    if (service->status == ER_OK) {
        service->began_ns = er_clock_monotonic_ns();
        begin_session(service);
    } else {
        end_loop(service);
    }
    (void)uv_run(&service->loop, UV_RUN_DEFAULT); /* until everything is closed */
    er_signals_free(&service->signals);
    er_reload_free(&service->reload);
    (void)uv_loop_close(&service->loop);
    return service->status;
}

er_status er_service_run(const er_service_settings *settings, er_fault *fault)
{
    static er_service service; /* too large for a stack, and one a process */
    const char *prefix = settings->prefix != NULL ? settings->prefix : ER_DEFAULT_PREFIX;
    service = (er_service){.settings = settings, .connection = settings->connection, .fault = fault};
    service.queue = settings->queue != NULL ? settings->queue : ER_DEFAULT_QUEUE;
    service.drain_timeout_ns =
        settings->drain_timeout_ns != 0 ? settings->drain_timeout_ns : ER_DEFAULT_DRAIN_NS;
    if (service.connection.name == NULL) {
        service.connection.name = ER_SERVICE_NAME;
    }
    er_status status = er_responder_start(&service.responder, prefix, service.queue, ERRATA_VERSION, fault);
    if (status != ER_OK) {
        return status;
    }
    (void)er_connection_redact(settings->connection.server, service.server, sizeof service.server);
    er_buffer_start(&service.monitor_reply, MONITOR_CEILING);
    er_servers_start(&service.servers, settings->connection.server);
    set_interests(&service);
    (void)signal(SIGPIPE, SIG_IGN); /* OpenSSL writes to sockets without MSG_NOSIGNAL */
    status = run(&service, fault);
    er_buffer_free(&service.monitor_reply);
    er_servers_free(&service.servers);
    er_responder_free(&service.responder);
    /* nats.c stays open: at exit a closed 3.10 frees a list of OpenSSL's that OpenSSL's own handler frees
       again, where OpenSSL was in use before nats.c (here: for the catalog's hash). */
    nats_ReleaseThreadMemory();
    uv_library_shutdown();
    er_log_event(status == ER_OK ? ER_LOG_INFO : ER_LOG_DEBUG, "stopped",
                 er_log_text("id", service.responder.id));
    return status;
}
