/*
 * session.h - one NATS connection and its subscriptions, from connecting to closed.
 *
 * All of it happens on the libuv loop: messages are taken from nats.c's
 * synchronous subscriptions in the turn that read them, answered there, and the
 * answers are written at the end of that turn. No message crosses a thread,
 * nothing waits in a queue that could overflow, and counters need no lock. What
 * blocks (connecting, a flush, closing) runs on libuv's thread pool.
 *
 * nats.c's micro_* framework has a thread for each endpoint instead, and is not
 * used: monitor.h says what else speaks against it.
 *
 * nats.c would restore a lost connection by itself, but on an event loop it does
 * not do so rightly (seen with 3.10.1, and in the source up to 3.14): its parser
 * goes on in the middle of the message that the old connection broke off, and
 * takes the first bytes of the new one for the rest of it. So a session is one
 * connection, and its owner begins a new session.
 *
 * States, and how each is left:
 *
 *     CONNECTING  connected -> VERIFYING; refused -> CLOSING
 *     VERIFYING   subscriptions were sent, messages are held back; a flush came
 *                 back without a violation -> READY; a subscription is denied,
 *                 or the connection is lost -> CLOSING
 *     READY       er_session_drain -> DRAINING; connection lost -> CLOSING
 *     DRAINING    the server routes nothing more here, what came is answered;
 *                 all answered and flushed, or connection lost -> CLOSING
 *     CLOSING     nats.c's threads have let go -> CLOSED
 */
#ifndef ERRATA_SERVICE_SESSION_H
#define ERRATA_SERVICE_SESSION_H

#include "base/status.h"
#include "service/connection.h"
#include "service/subscription.h"

#include <nats/nats.h>
#include <uv.h>

#define ER_SESSION_REASON_SIZE 256

/* All on the loop's thread. */
typedef struct er_session_events {
    void *context;
    /* A message for interest `index`, borrowed. Publishes on `connection`, returns how many bytes. */
    size_t (*message)(void *context, natsConnection *connection, size_t index, natsMsg *message);
    /* Messages for interest `index` were dropped, so many since the last call. */
    void (*slow)(void *context, size_t index, uint64_t dropped);
    void (*ready)(void *context, natsConnection *connection); /* the server holds every subscription */
    /* The server denies a subscription of ours; the owner closes. */
    void (*denied)(void *context, const char *subject);
    /* Something that nats.c reports; `text` comes from the server. */
    void (*trouble)(void *context, natsStatus status, const char *text);
    void (*leaving)(void *context, natsConnection *connection); /* closed; it goes after the call */
    /* The last call. Why: NATS_OK after drain or close. The session may be freed in it. */
    void (*closed)(void *context, natsStatus why, const char *reason);
} er_session_events;

typedef struct er_session er_session;

/*
 * Begins to connect; everything else is told by events, `closed` in any case.
 * `settings` and `interests` outlive the session. ER_BAD_USAGE as in
 * er_connection_options, and then no event comes.
 */
er_status er_session_start(er_session **out, uv_loop_t *loop, const er_connection_settings *settings,
                           const er_interest *interests, size_t count, const er_session_events *events,
                           er_fault *fault) ER_MUST_CHECK;
/* Ends the session with everything answered, or at once where there is no connection. */
void er_session_drain(er_session *session, int64_t timeout_ms);
void er_session_close(er_session *session); /* without draining */
void er_session_free(er_session **session); /* after `closed` */

#endif
