/*
 * bench_echo: the least that a service in nats.c can do. Replies to every request on
 * bench.echo.SENDING with the same bytes, until it is killed.
 */
#include "bench/link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_REPLY 1000000

typedef struct reply {
    char bytes[MAX_REPLY];
    int len;
} reply;

static void on_request(natsConnection *connection, natsSubscription *subscription, natsMsg *message,
                       void *context)
{
    const reply *own = context;
    (void)subscription;
    if (natsMsg_GetReply(message)) {
        (void)natsConnection_Publish(connection, natsMsg_GetReply(message), own->bytes, own->len);
    }
    natsMsg_Destroy(message);
}

int main(int argc, char **argv)
{
    static reply own;
    bench_sending sending;
    bench_link link;
    natsSubscription *subscription = NULL;
    char subject[64];
    long bytes = argc == 4 ? strtol(argv[3], NULL, 10) : 0;
    if (bytes < 1 || bytes > MAX_REPLY || !bench_sending_parse(argv[1], &sending)) {
        (void)fprintf(stderr, "usage: bench_echo buffered|asap|libuv URL BYTES\n");
        return 2;
    }
    own.len = (int)bytes;
    memset(own.bytes, 'e', (size_t)bytes);
    if (!bench_link_open(&link, sending, argv[2])) {
        return 1;
    }
    (void)snprintf(subject, sizeof subject, "bench.echo.%s", bench_sending_name(sending));
    natsStatus status = natsConnection_Subscribe(&subscription, link.connection, subject, on_request, &own);
    if (status != NATS_OK) {
        (void)fprintf(stderr, "bench_echo: %s\n", natsStatus_GetText(status));
        return 1;
    }
    for (;;) {
        (void)pause();
    }
}
