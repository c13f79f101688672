/*
 * responder.h - the endpoints: what they are, how they answer, what they count.
 *
 * All of it belongs to the loop's thread. An endpoint is a row of the table in
 * responder.c; a new one is a new row and the function that it names.
 */
#ifndef ERRATA_SERVICE_RESPONDER_H
#define ERRATA_SERVICE_RESPONDER_H

#include "answer/answer.h"
#include "service/backoff.h"
#include "service/session.h"

#include <nats/nats.h>

#define ER_ENDPOINT_COUNT  3
#define ER_LAST_ERROR_SIZE 280 /* "404:" and a description */
#define ER_RESPONDER_ABOUT "Explains errors: takes an error text, answers with what it means and what to do"

typedef struct er_responder er_responder;

/* What an endpoint is; `request` and `reply` are for people, in INFO. */
typedef struct er_endpoint_kind {
    const char *name; /* the last token of the subject too */
    bool shared;      /* in the queue group, so that one replica answers; else every one does */
    bool counted;     /* good and 404 replies are hits and misses */
    const char *request;
    const char *reply;
    void (*answer)(er_responder *responder, const er_snapshot *snapshot, er_slice request, er_style style,
                   er_reply *reply);
} er_endpoint_kind;

/* One endpoint and its counters since the start. */
typedef struct er_endpoint {
    const er_endpoint_kind *kind;
    er_interest interest;
    uint64_t requests;
    uint64_t errors; /* replies with a code, and replies that could not be sent */
    uint64_t hits;
    uint64_t misses;
    uint64_t ignored; /* without a reply subject; not in requests */
    uint64_t dropped; /* by nats.c, because too many waited */
    int64_t processing_ns;
    char last_error[ER_LAST_ERROR_SIZE]; /* "404:no record matches", "" for none */
} er_endpoint;

struct er_responder {
    er_endpoint endpoints[ER_ENDPOINT_COUNT];
    char id[ER_NAME_SIZE]; /* of this replica */
    const char *prefix;
    const char *version;
    int64_t started_ns; /* wall clock */
    size_t max_request; /* bytes */
    er_worker *worker;  /* owned */
    er_cell *cell;      /* owned */
    uint64_t reloads;
    uint64_t reload_failures;
    uint64_t slow_consumers; /* times that messages were dropped */
    uint64_t connections_lost;
    uint64_t replies_denied;
};

/* `prefix`, `queue` and `version` outlive the responder. ER_BAD_USAGE names the setting that is no subject,
   or no name of a queue group. */
er_status er_responder_start(er_responder *responder, const char *prefix, const char *queue,
                             const char *version, er_fault *fault) ER_MUST_CHECK;
void er_responder_free(er_responder *responder);

/* Answers one message; returns the bytes that it published. */
size_t er_responder_serve(er_responder *responder, natsConnection *connection, er_endpoint *endpoint,
                          natsMsg *message);

#endif
