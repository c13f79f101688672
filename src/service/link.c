/*
 * link.c - a NATS connection on a libuv loop.
 *
 * nats.c attaches and closes sockets from whichever thread notices (the one
 * that connects, its reconnect thread, the loop). libuv handles belong to the
 * loop's thread, so both become operations in a short queue that the loop runs
 * in order. A socket is closed by the loop too, after its poll handle: otherwise
 * its number could be given out again while libuv still watches it.
 */
#include "service/link.h"

#include "base/memory.h"

#include <stdatomic.h>

/* Each attach brings one close, and attaching is refused when there is no room for both. */
#define LINK_OPERATIONS 16

typedef enum link_operation_kind { LINK_ATTACH, LINK_CLOSE } link_operation_kind;

typedef struct link_operation {
    link_operation_kind kind;
    natsSock socket;
} link_operation;

struct er_link {
    uv_loop_t *loop;
    uv_thread_t thread; /* the loop's */
    uv_async_t wake;
    er_link_turn *turn;
    void *context;
    er_link_done *done;
    void *done_context;

    uv_mutex_t lock; /* guards the fields down to the blank line */
    natsConnection *connection;
    natsSock socket; /* attached last */
    link_operation operations[LINK_OPERATIONS];
    size_t operation_count;
    bool attached;
    bool detached;

    /* nats.c holds bytes that were not written yet. It sets this when it has
       something and clears it when all is written; a write event with nothing to
       write would be taken for a closed socket. */
    atomic_bool wanted;

    /* of the loop's thread */
    uv_poll_t *poll; /* NULL while there is no socket */
    bool turning;    /* on_poll or on_wake runs, and flushes at its end */
    bool blocked;    /* the socket was full; libuv is asked for writability */
    bool paused;     /* too much waits; libuv is not asked for input. Implies blocked */
};

static bool on_loop(const er_link *link)
{
    uv_thread_t self = uv_thread_self();
    return uv_thread_equal(&self, &link->thread) != 0;
}

static void free_poll(uv_handle_t *handle)
{
    er_free(handle);
}

static void on_poll(uv_poll_t *poll, int status, int events);

static void watch(er_link *link)
{
    int events = (link->paused ? 0 : UV_READABLE) | (link->blocked ? UV_WRITABLE : 0);
    uv_poll_start(link->poll, events, on_poll); /* fails only for a handle that closes */
}

/* --- operations --- */

static void run_attach(er_link *link, natsSock socket)
{
    uv_poll_t *poll = er_alloc(sizeof *poll);
    if (poll == NULL || uv_poll_init_socket(link->loop, poll, socket) != 0) {
        /* Without a handle nothing would ever be read: let the server's end, or nats.c's
           own pings, find the connection dead, and connect anew. */
        er_free(poll);
        return;
    }
    poll->data = link;
    link->poll = poll;
    link->blocked = false;
    link->paused = false;
    watch(link);
}

static void run_close(er_link *link, natsSock socket)
{
    if (link->poll != NULL) {
        uv_close((uv_handle_t *)link->poll, free_poll);
        link->poll = NULL;
    }
    natsConnection_ProcessCloseEvent(&socket);
}

static void run_operations(er_link *link)
{
    link_operation operations[LINK_OPERATIONS];
    uv_mutex_lock(&link->lock);
    size_t count = link->operation_count;
    for (size_t i = 0; i < count; i++) {
        operations[i] = link->operations[i];
    }
    link->operation_count = 0;
    uv_mutex_unlock(&link->lock);
    for (size_t i = 0; i < count; i++) {
        if (operations[i].kind == LINK_ATTACH) {
            run_attach(link, operations[i].socket);
        } else {
            run_close(link, operations[i].socket);
        }
    }
}

/* --- what nats.c calls, with the connection's lock held --- */

static natsStatus on_attach(void **user, void *context, natsConnection *connection, natsSock socket)
{
    er_link *link = context;
    natsStatus status = NATS_OK;
    uv_mutex_lock(&link->lock);
    if (link->operation_count + 2 > LINK_OPERATIONS) {
        status = NATS_NO_MEMORY; /* the loop hangs; nats.c tries again later */
    } else {
        link->operations[link->operation_count++] = (link_operation){LINK_ATTACH, socket};
        link->connection = connection;
        link->socket = socket;
        link->attached = true;
        *user = link;
    }
    uv_mutex_unlock(&link->lock);
    uv_async_send(&link->wake);
    return status;
}

/* nats.c removes reading only to have the socket closed, and never adds it. */
static natsStatus on_read(void *user, bool add)
{
    er_link *link = user;
    if (add) {
        return NATS_OK;
    }
    uv_mutex_lock(&link->lock);
    link->operations[link->operation_count++] = (link_operation){LINK_CLOSE, link->socket};
    uv_mutex_unlock(&link->lock);
    if (on_loop(link)) {
        run_operations(link);
    } else {
        uv_async_send(&link->wake);
    }
    return NATS_OK;
}

static natsStatus on_write(void *user, bool add)
{
    er_link *link = user;
    atomic_store(&link->wanted, add);
    if (add && (!on_loop(link) || !link->turning)) {
        uv_async_send(&link->wake);
    }
    return NATS_OK;
}

static natsStatus on_detach(void *user)
{
    er_link *link = user;
    uv_mutex_lock(&link->lock);
    link->detached = true;
    uv_async_send(&link->wake); /* under the lock: the link may go as soon as it is idle */
    uv_mutex_unlock(&link->lock);
    return NATS_OK;
}

/* --- the loop --- */

static natsConnection *connection_of(er_link *link)
{
    uv_mutex_lock(&link->lock);
    natsConnection *connection = link->connection;
    uv_mutex_unlock(&link->lock);
    return connection;
}

/* After a write: what is left waits for room, and above the high water reading waits too. */
static void settle(er_link *link, natsConnection *connection)
{
    bool blocked = atomic_load(&link->wanted);
    bool paused = blocked && natsConnection_Buffered(connection) > ER_LINK_HIGH_WATER;
    if (blocked != link->blocked || paused != link->paused) {
        link->blocked = blocked;
        link->paused = paused;
        watch(link);
    }
}

static void write_pending(er_link *link, natsConnection *connection)
{
    if (atomic_load(&link->wanted)) {
        natsConnection_ProcessWriteEvent(connection);
    }
    if (link->poll != NULL) { /* a failed write closes the socket */
        settle(link, connection);
    }
}

void er_link_flush(er_link *link)
{
    if (link->poll == NULL || !atomic_load(&link->wanted)) {
        return;
    }
    natsConnection *connection = connection_of(link);
    if (link->blocked) {
        settle(link, connection);
    } else {
        write_pending(link, connection);
    }
}

bool er_link_full(const er_link *link)
{
    return link->paused;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    er_link *link = poll->data;
    link->turning = true;
    if (status != 0 || (events & UV_READABLE) != 0) {
        natsConnection_ProcessReadEvent(connection_of(link));
    }
    if (status != 0 && link->poll == poll) {
        /* libuv has stopped watching a socket with an error. What came before the error is
           still there to be read, and only the read after it finds the error. */
        watch(link);
    }
    if ((events & UV_WRITABLE) != 0 && link->poll == poll) {
        write_pending(link, connection_of(link));
    }
    link->turn(link->context);
    er_link_flush(link);
    link->turning = false;
}

static void on_wake(uv_async_t *wake)
{
    er_link *link = wake->data;
    link->turning = true;
    run_operations(link);
    er_link_flush(link);
    link->turn(link->context);
    er_link_flush(link);
    link->turning = false; /* er_link_free in the turn leaves the memory until the loop comes round */
}

void er_link_wake(er_link *link)
{
    uv_async_send(&link->wake);
}

natsStatus er_link_install(er_link *link, natsOptions *options)
{
    return natsOptions_SetEventLoop(options, link, on_attach, on_read, on_write, on_detach);
}

/* --- life --- */

er_status er_link_new(er_link **out, uv_loop_t *loop, er_link_turn *turn, void *context)
{
    er_link *link = er_calloc(1, sizeof *link);
    if (link == NULL) {
        return ER_NO_MEMORY;
    }
    link->loop = loop;
    link->thread = uv_thread_self();
    link->turn = turn;
    link->context = context;
    link->socket = -1;
    if (uv_mutex_init(&link->lock) != 0) {
        er_free(link);
        return ER_NO_MEMORY;
    }
    if (uv_async_init(loop, &link->wake, on_wake) != 0) {
        uv_mutex_destroy(&link->lock);
        er_free(link);
        return ER_SYSTEM;
    }
    link->wake.data = link;
    *out = link;
    return ER_OK;
}

bool er_link_idle(er_link *link)
{
    uv_mutex_lock(&link->lock);
    bool idle = (!link->attached || link->detached) && link->operation_count == 0;
    uv_mutex_unlock(&link->lock);
    return idle;
}

static void free_link(uv_handle_t *handle)
{
    er_link *link = handle->data;
    er_link_done *done = link->done;
    void *context = link->done_context;
    uv_mutex_destroy(&link->lock);
    er_free(link);
    if (done != NULL) {
        done(context);
    }
}

void er_link_free(er_link **link, er_link_done *done, void *context)
{
    er_link *gone = *link;
    *link = NULL;
    if (gone != NULL) {
        gone->done = done;
        gone->done_context = context;
        uv_close((uv_handle_t *)&gone->wake, free_link);
    }
}
