#include "bench/flight.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bench/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATIENCE_S  5
#define REPLY_SIZE  96
#define PREFIX_SIZE (REPLY_SIZE - 8)

typedef struct slot {
    char reply[REPLY_SIZE]; /* the subject that its replies come to */
    int64_t sent_ns;
} slot;

struct bench_flight {
    natsConnection *connection;
    natsSubscription *subscription;
    size_t prefix; /* bytes of a reply subject before the slot's number */
    slot slots[BENCH_MAX_FLIGHT];

    pthread_mutex_t lock; /* guards what follows, against the callback's thread */
    pthread_cond_t ended;
    const bench_order *order; /* NULL between runs: what comes late is dropped */
    int64_t stop_ns;
    int64_t last_ns;
    size_t sent;
    size_t received;
    size_t wrong;
    int size; /* of the first reply */
    uint32_t latencies[BENCH_MAX_REQUESTS];
};

/* Under the lock. */
static void send_next(bench_flight *flight, size_t number, int64_t now)
{
    const bench_order *order = flight->order;
    flight->slots[number].sent_ns = now;
    flight->sent++;
    (void)natsConnection_PublishRequest(flight->connection, order->subject, flight->slots[number].reply,
                                        order->request.at, (int)order->request.len);
}

static void take_reply(bench_flight *flight, natsMsg *message)
{
    size_t number = strtoul(natsMsg_GetSubject(message) + flight->prefix, NULL, 10);
    int64_t now = er_clock_monotonic_ns();
    if (!flight->order || number >= flight->order->in_flight) {
        return;
    }
    if (flight->received == 0) {
        flight->size = natsMsg_GetDataLength(message);
    }
    flight->wrong += natsMsg_IsNoResponders(message) || natsMsg_GetDataLength(message) != flight->size;
    flight->latencies[flight->received++] = (uint32_t)((now - flight->slots[number].sent_ns) & UINT32_MAX);
    if (flight->sent < flight->order->requests && now < flight->stop_ns) {
        send_next(flight, number, now);
    } else if (flight->received == flight->sent) {
        flight->last_ns = now;
        (void)pthread_cond_signal(&flight->ended);
    }
}

static void on_reply(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                     void *context)
{
    bench_flight *flight = context;
    (void)connection;
    (void)subscription;
    (void)pthread_mutex_lock(&flight->lock);
    take_reply(flight, message);
    (void)pthread_mutex_unlock(&flight->lock);
    natsMsg_Destroy(message);
}

bool bench_flight_start(bench_flight **out, bench_link *link)
{
    natsInbox *inbox = NULL;
    char subject[REPLY_SIZE];
    bench_flight *flight = er_calloc(1, sizeof *flight);
    *out = flight;
    if (!flight) {
        return false;
    }
    (void)pthread_mutex_init(&flight->lock, NULL);
    (void)pthread_cond_init(&flight->ended, NULL);
    flight->connection = link->connection;
    natsStatus status = natsInbox_Create(&inbox);
    if (status == NATS_OK) {
        flight->prefix = strlen(inbox) + 1;
        (void)snprintf(subject, sizeof subject, "%.*s.*", PREFIX_SIZE, inbox);
        for (unsigned i = 0; i < BENCH_MAX_FLIGHT; i++) {
            (void)snprintf(flight->slots[i].reply, REPLY_SIZE, "%.*s.%u", PREFIX_SIZE, inbox, i);
        }
        status =
            natsConnection_Subscribe(&flight->subscription, flight->connection, subject, on_reply, flight);
    }
    natsInbox_Destroy(inbox);
    if (status != NATS_OK) {
        (void)fprintf(stderr, "bench: %s\n", natsStatus_GetText(status));
    }
    return status == NATS_OK;
}

void bench_flight_free(bench_flight **flight)
{
    if (*flight) {
        natsSubscription_Destroy((*flight)->subscription);
        (void)pthread_cond_destroy(&(*flight)->ended);
        (void)pthread_mutex_destroy(&(*flight)->lock);
        er_free(*flight);
        *flight = NULL;
    }
}

static bool wait_for_end(bench_flight *flight, int64_t time_ns)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S + time_ns / 1000000000;
    int status = 0;
    while (flight->received < flight->sent && status == 0) {
        status = pthread_cond_timedwait(&flight->ended, &flight->lock, &until);
    }
    return flight->received == flight->sent;
}

bool bench_flight_run(bench_flight *flight, const bench_order *order, bench_result *result)
{
    (void)pthread_mutex_lock(&flight->lock);
    int64_t start = er_clock_monotonic_ns();
    flight->order = order;
    flight->stop_ns = start + order->time_ns;
    flight->sent = 0;
    flight->received = 0;
    flight->wrong = 0;
    for (size_t i = 0; i < order->in_flight && i < order->requests; i++) {
        send_next(flight, i, er_clock_monotonic_ns());
    }
    bool good = wait_for_end(flight, order->time_ns);
    flight->order = NULL;
    result->replies = flight->received;
    result->wrong = flight->wrong;
    result->per_second = (double)flight->received * 1e9 / (double)(flight->last_ns - start + 1);
    result->median_us = bench_percentile(flight->latencies, flight->received, 0.5) / 1e3;
    result->p99_us = bench_percentile(flight->latencies, flight->received, 0.99) / 1e3;
    (void)pthread_mutex_unlock(&flight->lock);
    return good;
}
