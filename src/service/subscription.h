/*
 * subscription.h - the subscriptions of one connection, and taking messages from them.
 *
 * nats.c's synchronous subscriptions are used as queues that a read fills and
 * the same turn of the loop empties. They belong to the loop's thread.
 */
#ifndef ERRATA_SERVICE_SUBSCRIPTION_H
#define ERRATA_SERVICE_SUBSCRIPTION_H

#include "service/link.h"

#include <nats/nats.h>

#define ER_SUBJECT_SIZE     192 /* bytes of a subject of ours, with its NUL */
#define ER_SUBSCRIPTION_MAX 32  /* of one connection */
#define ER_SUBSCRIPTION_PENDING_BYTES                                                                        \
    (64 * 1024 * 1024) /* held for one subscription; reached only while held back */

#define ER_SUBSCRIPTION_SPENT 512

/* A subscription that is wanted. */
typedef struct er_interest {
    char subject[ER_SUBJECT_SIZE];
    const char *queue; /* NULL: none */
    bool drained;      /* draining ends it first; the others are served until the end */
} er_interest;

typedef struct er_subscriptions {
    const er_interest *interests; /* borrowed */
    size_t count;
    natsSubscription *at[ER_SUBSCRIPTION_MAX];
    int64_t dropped[ER_SUBSCRIPTION_MAX];  /* as nats.c counts, so far */
    natsMsg *spent[ER_SUBSCRIPTION_SPENT]; /* answered, and not destroyed yet; empty between turns */
    size_t spent_count;
} er_subscriptions;

/* What is taken goes here; the message is borrowed. */
typedef struct er_subscription_sink {
    void *context;
    size_t (*message)(void *context, natsConnection *connection, size_t index, natsMsg *message);
    void (*slow)(void *context, size_t index, uint64_t dropped);
} er_subscription_sink;

/* Asks the server for all; whether it agrees is for a flush to show. */
natsStatus er_subscriptions_ask(er_subscriptions *subscriptions, natsConnection *connection);
/* Takes what came in, until nothing is left or the link is full, and flushes. */
void er_subscriptions_take(er_subscriptions *subscriptions, natsConnection *connection, er_link *link,
                           const er_subscription_sink *sink);
/* The interest that `Permissions Violation for Subscription to "x" …` names, or NULL.
   Any thread: interests do not change. */
const er_interest *er_subscriptions_denied(const er_subscriptions *subscriptions, const char *text);
/* Tells the server to route nothing more to the drained ones. */
natsStatus er_subscriptions_drain(er_subscriptions *subscriptions, int64_t timeout_ms);
bool er_subscriptions_drained(const er_subscriptions *subscriptions); /* and everything was taken */
void er_subscriptions_free(er_subscriptions *subscriptions);

#endif
