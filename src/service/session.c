/*
 * session.c - one NATS connection and its subscriptions, from connecting to closed.
 *
 * Three parties touch a session: the loop (nearly everything), jobs on the
 * pool (while `working` or `closing`), and nats.c's callback thread, which
 * only leaves news under the lock and wakes the loop.
 */
#include "service/session.h"

#include "base/memory.h"
#include "service/link.h"

#include <stdio.h>
#include <string.h>

#define SESSION_FLUSH_MS      5000
#define SESSION_DRAIN_LOOK_MS 2
#define SESSION_PING_MS       30000 /* and two unanswered pings mean a dead server */
#define SESSION_WRITE_MS      5000  /* nats.c waits inside a TLS write at most so long */

typedef enum session_state {
    SESSION_CONNECTING,
    SESSION_VERIFYING,
    SESSION_READY,
    SESSION_DRAINING,
    SESSION_CLOSING,
    SESSION_CLOSED
} session_state;

/* What nats.c's callback thread has to tell. */
typedef struct session_news {
    bool closed;
    bool denied;
    natsStatus trouble; /* the last one */
    char denied_subject[ER_SUBJECT_SIZE];
    char trouble_text[ER_SESSION_REASON_SIZE];
} session_news;

struct er_session {
    uv_loop_t *loop;
    er_session_events events;
    er_subscriptions subscriptions;
    session_state state;
    er_link *link;
    natsOptions *options;
    natsConnection *connection; /* NULL before connected */
    bool connected;             /* the job that connects is over and has succeeded */
    bool close_called;          /* a close was begun, or nats.c closed by itself */
    bool nats_closed;           /* nats.c's last callback came */
    natsStatus why;
    char reason[ER_SESSION_REASON_SIZE];

    uv_timer_t look; /* while draining */

    uv_work_t work; /* connect or flush */
    bool working;
    natsStatus work_status;
    char work_text[ER_SESSION_REASON_SIZE];
    uv_work_t close_work; /* beside a flush, which it cuts short */
    bool closing;

    uv_mutex_t lock; /* guards news, and the link against being freed under er_link_wake */
    session_news news;
};

static void copy_text(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text != NULL ? text : "");
}

/* --- on nats.c's callback thread --- */

static void on_error(natsConnection *connection, natsSubscription *subscription, natsStatus error,
                     void *context)
{
    er_session *session = context;
    natsStatus last = NATS_OK;
    const char *text = nats_GetLastError(&last);
    (void)connection;
    if (error == NATS_SLOW_CONSUMER && subscription != NULL) {
        return; /* the subscription tells the loop itself */
    }
    text = last == error && text != NULL ? text : natsStatus_GetText(error);
    uv_mutex_lock(&session->lock);
    const er_interest *denied =
        error == NATS_NOT_PERMITTED ? er_subscriptions_denied(&session->subscriptions, text) : NULL;
    if (denied != NULL) {
        session->news.denied = true;
        copy_text(session->news.denied_subject, ER_SUBJECT_SIZE, denied->subject);
    } else {
        session->news.trouble = error;
        copy_text(session->news.trouble_text, ER_SESSION_REASON_SIZE, text);
    }
    er_link_wake(session->link);
    uv_mutex_unlock(&session->lock);
}

static void on_closed(natsConnection *connection, void *context)
{
    er_session *session = context;
    (void)connection;
    uv_mutex_lock(&session->lock);
    session->news.closed = true;
    er_link_wake(session->link);
    uv_mutex_unlock(&session->lock);
}

/* --- jobs on the pool --- */

/* "(conn.c:758): SSL handshake error: …" without the place in nats.c. */
static const char *without_place(const char *text)
{
    const char *end = text[0] == '(' ? strstr(text, "): ") : NULL;
    return end != NULL ? end + 3 : text;
}

static void keep_last_error(er_session *session, natsStatus status)
{
    natsStatus last = NATS_OK;
    const char *text = nats_GetLastError(&last);
    bool says_more = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_SSL_ERROR;
    /* Other texts may hold a URL as it was given, with what is secret in it. */
    copy_text(session->work_text, sizeof session->work_text,
              says_more && last == status && text != NULL ? without_place(text) : natsStatus_GetText(status));
}

static void connect_job(uv_work_t *work)
{
    er_session *session = work->data;
    session->work_status = natsConnection_Connect(&session->connection, session->options);
    if (session->work_status != NATS_OK) {
        keep_last_error(session, session->work_status);
    }
    nats_ReleaseThreadMemory();
}

static void flush_job(uv_work_t *work)
{
    er_session *session = work->data;
    session->work_status = natsConnection_FlushTimeout(session->connection, SESSION_FLUSH_MS);
    nats_ReleaseThreadMemory();
}

static void close_job(uv_work_t *work)
{
    er_session *session = work->data;
    natsConnection_Close(session->connection);
    nats_ReleaseThreadMemory();
}

static void after_connect(uv_work_t *work, int status);
static void after_flush(uv_work_t *work, int status);
static void after_close(uv_work_t *work, int status);

/* uv_queue_work fails only for a NULL callback. */
static void begin_job(er_session *session, uv_work_cb job, uv_after_work_cb after)
{
    session->working = true;
    (void)uv_queue_work(session->loop, &session->work, job, after);
}

/* --- the end --- */

static void tell_closed(void *context)
{
    er_session *session = context;
    session->events.closed(session->events.context, session->why, session->reason);
}

static void free_link(uv_handle_t *handle)
{
    er_session *session = handle->data;
    er_link_free(&session->link, tell_closed, session);
}

/* Nothing may refer to the session any more when `closed` is told: no job, no
   callback of nats.c's, no handle of the loop's. */
static void finish(er_session *session)
{
    if (session->state != SESSION_CLOSING || session->working || session->closing ||
        !er_link_idle(session->link)) {
        return;
    }
    if (session->connected && !(session->close_called && session->nats_closed)) {
        return;
    }
    session->state = SESSION_CLOSED;
    er_subscriptions_free(&session->subscriptions);
    if (session->connected) {
        session->events.leaving(session->events.context, session->connection);
    }
    natsConnection_Destroy(session->connection);
    natsOptions_Destroy(session->options);
    session->connection = NULL;
    session->options = NULL;
    uv_close((uv_handle_t *)&session->look, free_link);
}

static void begin_close(er_session *session, natsStatus why, const char *reason)
{
    if (session->state < SESSION_CLOSING) {
        session->state = SESSION_CLOSING;
        session->why = why;
        copy_text(session->reason, sizeof session->reason, reason);
        uv_timer_stop(&session->look);
    }
    /* While connecting the connection belongs to the job; after_connect comes back here. */
    if (session->connected && !session->close_called) {
        session->close_called = true;
        session->closing = true;
        (void)uv_queue_work(session->loop, &session->close_work, close_job, after_close);
    }
    finish(session);
}

static void after_close(uv_work_t *work, int status)
{
    (void)status;
    er_session *session = work->data;
    session->closing = false;
    finish(session);
}

static void take_messages(er_session *session)
{
    const er_subscription_sink sink = {session->events.context, session->events.message,
                                       session->events.slow};
    er_subscriptions_take(&session->subscriptions, session->connection, session->link, &sink);
}

/* --- verifying --- */

/* While messages are held back nothing is published, so that the only violation
   there can be is a subscription's, and nats.c parses it before the flush's PONG. */
static bool violation_while_verifying(er_session *session)
{
    char text[ER_SESSION_REASON_SIZE] = "";
    if (natsConnection_ReadLastError(session->connection, text, sizeof text) != NATS_NOT_PERMITTED) {
        return false;
    }
    const er_interest *denied = er_subscriptions_denied(&session->subscriptions, text);
    if (denied != NULL) {
        session->events.denied(session->events.context, denied->subject);
    }
    return denied != NULL;
}

static void after_flush(uv_work_t *work, int status)
{
    er_session *session = work->data;
    (void)status;
    session->working = false;
    if (session->state != SESSION_VERIFYING) {
        begin_close(session, NATS_OK, ""); /* drained, or closing already */
    } else if (session->work_status == NATS_TIMEOUT) {
        begin_job(session, flush_job, after_flush); /* pings find out whether the server is dead */
    } else if (session->work_status == NATS_OK && !violation_while_verifying(session)) {
        session->state = SESSION_READY;
        session->events.ready(session->events.context, session->connection);
        take_messages(session);
    }
    /* Any other status means that the connection is gone, and nats.c's last callback on its way. */
}

static void after_connect(uv_work_t *work, int status)
{
    er_session *session = work->data;
    (void)status;
    session->working = false;
    session->connected = session->work_status == NATS_OK;
    if (session->state == SESSION_CLOSING) {
        begin_close(session, NATS_OK, "");
    } else if (session->work_status != NATS_OK) {
        begin_close(session, session->work_status, session->work_text);
    } else {
        natsStatus subscribed = er_subscriptions_ask(&session->subscriptions, session->connection);
        if (subscribed != NATS_OK) {
            begin_close(session, subscribed, natsStatus_GetText(subscribed));
            return;
        }
        session->state = SESSION_VERIFYING;
        begin_job(session, flush_job, after_flush);
    }
}

/* --- a turn of the loop --- */

static void take_news(er_session *session)
{
    uv_mutex_lock(&session->lock);
    session_news news = session->news;
    session->news = (session_news){0};
    uv_mutex_unlock(&session->lock);
    if (news.trouble != NATS_OK) {
        session->events.trouble(session->events.context, news.trouble, news.trouble_text);
    }
    if (news.denied && session->state < SESSION_CLOSING) {
        session->events.denied(session->events.context, news.denied_subject);
    }
    if (news.closed) {
        char reason[ER_SESSION_REASON_SIZE] = "";
        natsStatus why = natsConnection_ReadLastError(session->connection, reason, sizeof reason);
        session->nats_closed = true;
        /* While draining a lost connection ends it: what was routed here is lost, and nothing can be sent. */
        bool wanted = session->close_called || session->state == SESSION_DRAINING;
        session->close_called = true;
        begin_close(session, wanted ? NATS_OK : why == NATS_OK ? NATS_CONNECTION_CLOSED : why, reason);
    }
}

static void on_turn(void *context)
{
    er_session *session = context;
    take_news(session);
    if (session->state == SESSION_VERIFYING) {
        (void)violation_while_verifying(session);
    } else if (session->state == SESSION_READY || session->state == SESSION_DRAINING) {
        take_messages(session);
    }
    finish(session);
}

/* --- draining --- */

/* nats.c has no call back for a drained synchronous subscription: look. */
static void on_look(uv_timer_t *timer)
{
    er_session *session = timer->data;
    take_messages(session);
    if (er_subscriptions_drained(&session->subscriptions) && !session->working) {
        uv_timer_stop(&session->look);
        begin_job(session, flush_job, after_flush);
    }
}

void er_session_drain(er_session *session, int64_t timeout_ms)
{
    if (session->state != SESSION_READY) {
        er_session_close(session);
        return;
    }
    session->state = SESSION_DRAINING;
    if (er_subscriptions_drain(&session->subscriptions, timeout_ms) != NATS_OK) {
        er_session_close(session);
        return;
    }
    uv_timer_start(&session->look, on_look, SESSION_DRAIN_LOOK_MS, SESSION_DRAIN_LOOK_MS);
}

void er_session_close(er_session *session)
{
    begin_close(session, NATS_OK, "");
}

/* --- the beginning --- */

static natsStatus set_options(er_session *session)
{
    natsOptions *options = session->options;
    natsStatus status = er_link_install(session->link, options);
    natsStatus each[] = {
        natsOptions_SetSendAsap(options,
                                true), /* and no flusher thread; the link gathers what a turn publishes */
        natsOptions_SetAllowReconnect(options, false),
        natsOptions_SetPingInterval(options, SESSION_PING_MS),
        natsOptions_SetMaxPingsOut(options, 2),
        natsOptions_SetWriteDeadline(options, SESSION_WRITE_MS),
        natsOptions_SetErrorHandler(options, on_error, session),
        natsOptions_SetClosedCB(options, on_closed, session),
    };
    for (size_t i = 0; i < sizeof each / sizeof each[0] && status == NATS_OK; i++) {
        status = each[i];
    }
    return status;
}

static er_status prepare(er_session *session, const er_connection_settings *settings, er_fault *fault)
{
    er_status status = er_connection_options(&session->options, settings, fault);
    if (status != ER_OK) {
        return status;
    }
    status = er_link_new(&session->link, session->loop, on_turn, session);
    if (status != ER_OK) {
        return er_fault_set(fault, status, "no place on the event loop");
    }
    natsStatus set = set_options(session);
    if (set != NATS_OK) {
        er_link_free(&session->link, NULL, NULL);
        return er_fault_set(fault, ER_NO_MEMORY, "connection options: %s", natsStatus_GetText(set));
    }
    return ER_OK;
}

er_status er_session_start(er_session **out, uv_loop_t *loop, const er_connection_settings *settings,
                           const er_interest *interests, size_t count, const er_session_events *events,
                           er_fault *fault)
{
    if (count > ER_SUBSCRIPTION_MAX) {
        return er_fault_set(fault, ER_TOO_LARGE, "more than %d subscriptions", ER_SUBSCRIPTION_MAX);
    }
    er_session *session = er_calloc(1, sizeof *session);
    if (session == NULL || uv_mutex_init(&session->lock) != 0) {
        er_free(session);
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    }
    session->loop = loop;
    session->subscriptions.interests = interests;
    session->subscriptions.count = count;
    session->events = *events;
    session->work.data = session;
    session->close_work.data = session;
    er_status status = prepare(session, settings, fault);
    if (status != ER_OK) {
        natsOptions_Destroy(session->options);
        er_session_free(&session);
        return status;
    }
    uv_timer_init(loop, &session->look);
    session->look.data = session;
    begin_job(session, connect_job, after_connect);
    *out = session;
    return ER_OK;
}

void er_session_free(er_session **session)
{
    er_session *gone = *session;
    *session = NULL;
    if (gone != NULL) {
        uv_mutex_destroy(&gone->lock);
        er_free(gone);
    }
}
