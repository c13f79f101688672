#include "bench/link.h"

#include <nats/adapters/libuv.h>
#include <stdio.h>
#include <string.h>

static const char *const names[BENCH_SENDINGS] = {"buffered", "asap", "libuv"};

const char *bench_sending_name(bench_sending sending)
{
    return names[sending];
}

bool bench_sending_parse(const char *text, bench_sending *sending)
{
    for (int i = 0; i < BENCH_SENDINGS; i++) {
        if (strcmp(text, names[i]) == 0) {
            *sending = (bench_sending)i;
            return true;
        }
    }
    return false;
}

static natsStatus connect_with(bench_link *link, uv_loop_t *loop)
{
    natsOptions *options = NULL;
    natsStatus status = natsOptions_Create(&options);
    if (status == NATS_OK) {
        status = natsOptions_SetURL(options, link->url);
    }
    if (status == NATS_OK) {
        status = natsOptions_SetSendAsap(options, link->sending != BENCH_BUFFERED);
    }
    if (status == NATS_OK && loop) {
        status = natsOptions_SetEventLoop(options, loop, natsLibuv_Attach, natsLibuv_Read, natsLibuv_Write,
                                          natsLibuv_Detach);
    }
    if (status == NATS_OK) {
        status = natsConnection_Connect(&link->connection, options);
    }
    natsOptions_Destroy(options);
    return status;
}

/* The adapter wants the connection to be made by the loop's own thread. The loop ends when
   the connection is destroyed, since it has no other handle. */
static void *run_loop(void *context)
{
    bench_link *link = context;
    uv_loop_t loop;
    if (uv_loop_init(&loop) != 0) {
        link->status = NATS_ERR;
        (void)sem_post(&link->connected);
        return NULL;
    }
    natsLibuv_SetThreadLocalLoop(&loop);
    link->status = connect_with(link, &loop);
    (void)sem_post(&link->connected);
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    (void)uv_loop_close(&loop);
    return NULL;
}

bool bench_link_open(bench_link *link, bench_sending sending, const char *url)
{
    *link = (bench_link){.sending = sending, .url = url};
    if (sending != BENCH_LIBUV) {
        link->status = connect_with(link, NULL);
    } else {
        natsLibuv_Init();
        if (sem_init(&link->connected, 0, 0) != 0 ||
            pthread_create(&link->thread, NULL, run_loop, link) != 0) {
            return false;
        }
        while (sem_wait(&link->connected) != 0) {
        }
        if (link->status != NATS_OK) {
            (void)pthread_join(link->thread, NULL);
        }
    }
    if (link->status != NATS_OK) {
        (void)fprintf(stderr, "bench: %s: %s\n", url, natsStatus_GetText(link->status));
    }
    return link->status == NATS_OK;
}

void bench_link_close(bench_link *link)
{
    if (!link->connection) {
        return;
    }
    natsConnection_Destroy(link->connection);
    link->connection = NULL;
    if (link->sending == BENCH_LIBUV) {
        (void)pthread_join(link->thread, NULL);
        (void)sem_destroy(&link->connected);
    }
}
