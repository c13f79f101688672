/*
 * link.h - a connection to NATS in one of the ways in which nats.c can send.
 */
#ifndef ERRATA_BENCH_LINK_H
#define ERRATA_BENCH_LINK_H

#include <nats/nats.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

typedef enum bench_sending {
    BENCH_BUFFERED, /* a thread of the library writes what has gathered */
    BENCH_ASAP,     /* SendAsap: each publish writes */
    BENCH_LIBUV,    /* the libuv adapter that nats.c ships, with SendAsap */
    BENCH_SENDINGS
} bench_sending;

const char *bench_sending_name(bench_sending sending); /* "buffered", "asap", "libuv" */
bool bench_sending_parse(const char *text, bench_sending *sending);

typedef struct bench_link {
    natsConnection *connection; /* what it is for */
    /* private */
    bench_sending sending;
    const char *url;
    natsStatus status;
    pthread_t thread; /* runs the loop of BENCH_LIBUV */
    sem_t connected;
} bench_link;

/* False, with a message on standard error, when there is no connection. */
bool bench_link_open(bench_link *link, bench_sending sending, const char *url);
void bench_link_close(bench_link *link);

#endif
