/*
 * subscription.c - the subscriptions of one connection, and taking messages from them.
 */
#include "service/subscription.h"

#include <string.h>

#define FLUSH_BYTES (256 * 1024) /* written before the turn ends, so that the server works meanwhile */

natsStatus er_subscriptions_ask(er_subscriptions *subscriptions, natsConnection *connection)
{
    natsStatus status = NATS_OK;
    for (size_t i = 0; i < subscriptions->count && status == NATS_OK; i++) {
        const er_interest *interest = &subscriptions->interests[i];
        natsSubscription **out = &subscriptions->at[i];
        if (interest->queue != NULL) {
            status = natsConnection_QueueSubscribeSync(out, connection, interest->subject, interest->queue);
        } else {
            status = natsConnection_SubscribeSync(out, connection, interest->subject);
        }
        if (status == NATS_OK) {
            status = natsSubscription_SetPendingLimits(*out, -1, ER_SUBSCRIPTION_PENDING_BYTES);
        }
    }
    return status;
}

static void tell_dropped(er_subscriptions *subscriptions, size_t index, const er_subscription_sink *sink)
{
    int64_t dropped = 0;
    if (natsSubscription_GetDropped(subscriptions->at[index], &dropped) == NATS_OK) {
        int64_t more = dropped - subscriptions->dropped[index];
        subscriptions->dropped[index] = dropped;
        sink->slow(sink->context, index, more > 0 ? (uint64_t)more : 0);
    }
}

/*
 * nats.c hands a message that is destroyed to a thread that frees it, and wakes
 * that thread. So messages are destroyed together, after the answers were
 * written: one wake-up a turn, and none before an answer is on its way.
 */
static void destroy_spent(er_subscriptions *subscriptions)
{
    for (size_t i = 0; i < subscriptions->spent_count; i++) {
        natsMsg_Destroy(subscriptions->spent[i]);
    }
    subscriptions->spent_count = 0;
}

static void flush(er_subscriptions *subscriptions, er_link *link, size_t *unwritten)
{
    *unwritten = 0;
    er_link_flush(link);
    destroy_spent(subscriptions);
}

static void take_from(er_subscriptions *subscriptions, size_t index, natsConnection *connection,
                      er_link *link, const er_subscription_sink *sink, size_t *unwritten)
{
    natsSubscription *subscription = subscriptions->at[index];
    int pending = 0;
    if (natsSubscription_GetPending(subscription, &pending, NULL) != NATS_OK) {
        return; /* drained */
    }
    while (pending > 0 && !er_link_full(link)) {
        natsMsg *message = NULL;
        natsStatus status = natsSubscription_NextMsg(&message, subscription, 0);
        if (status == NATS_SLOW_CONSUMER) { /* told once, and nothing was taken */
            tell_dropped(subscriptions, index, sink);
            continue;
        }
        pending--;
        if (status == NATS_OK) {
            *unwritten += sink->message(sink->context, connection, index, message);
            subscriptions->spent[subscriptions->spent_count++] = message;
        } else if (status != NATS_NO_RESPONDERS) { /* a request that bears status 503 is consumed */
            return;
        }
        if (*unwritten >= FLUSH_BYTES || subscriptions->spent_count == ER_SUBSCRIPTION_SPENT) {
            flush(subscriptions, link, unwritten);
        }
    }
}

void er_subscriptions_take(er_subscriptions *subscriptions, natsConnection *connection, er_link *link,
                           const er_subscription_sink *sink)
{
    size_t unwritten = 0;
    for (size_t i = 0; i < subscriptions->count; i++) {
        take_from(subscriptions, i, connection, link, sink, &unwritten);
    }
    flush(subscriptions, link, &unwritten);
}

const er_interest *er_subscriptions_denied(const er_subscriptions *subscriptions, const char *text)
{
    static const char before[] = "Subscription to \"";
    const char *at = strstr(text, before);
    if (at == NULL) {
        return NULL;
    }
    at += sizeof before - 1;
    for (size_t i = 0; i < subscriptions->count; i++) {
        const char *subject = subscriptions->interests[i].subject;
        size_t length = strlen(subject);
        if (strncmp(at, subject, length) == 0 && at[length] == '"') {
            return &subscriptions->interests[i];
        }
    }
    return NULL;
}

natsStatus er_subscriptions_drain(er_subscriptions *subscriptions, int64_t timeout_ms)
{
    natsStatus status = NATS_OK;
    for (size_t i = 0; i < subscriptions->count && status == NATS_OK; i++) {
        if (subscriptions->interests[i].drained) {
            status = natsSubscription_DrainTimeout(subscriptions->at[i], timeout_ms);
        }
    }
    return status;
}

bool er_subscriptions_drained(const er_subscriptions *subscriptions)
{
    for (size_t i = 0; i < subscriptions->count; i++) {
        if (subscriptions->interests[i].drained &&
            natsSubscription_DrainCompletionStatus(subscriptions->at[i]) == NATS_ILLEGAL_STATE) {
            return false;
        }
    }
    return true;
}

void er_subscriptions_free(er_subscriptions *subscriptions)
{
    for (size_t i = 0; i < subscriptions->count; i++) {
        natsSubscription_Destroy(subscriptions->at[i]);
        subscriptions->at[i] = NULL;
    }
}
