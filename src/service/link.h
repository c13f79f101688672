/*
 * link.h - a NATS connection on a libuv loop.
 *
 * nats.c leaves reading and writing of its socket to an event loop through
 * four callbacks (natsOptions_SetEventLoop). The adapter that it ships for
 * libuv was tried first; this one takes its place because
 *
 * - its first attach must happen on the loop's thread, so that connecting
 *   blocks the loop, and with it signals, for as long as a server is silent;
 * - it asks libuv for writability before each write: two epoll_ctl and one more
 *   epoll_wait a reply. Here what one turn of the loop published is written at
 *   the end of the turn, and libuv is asked only when the socket is full;
 * - after an error on the socket it reads once; where more was waiting than one
 *   read takes, the connection then hangs until a ping goes unanswered. Seen
 *   with a slow consumer that the server had cut off;
 * - it reads on while the socket takes no more, and nats.c then keeps replies
 *   in memory without a limit. Here reading pauses at ER_LINK_HIGH_WATER, so
 *   that the server's flow control does its work.
 *
 * A link serves one natsConnection. Functions are for the loop's thread, save
 * er_link_wake and the callbacks that nats.c calls with its own lock held.
 */
#ifndef ERRATA_SERVICE_LINK_H
#define ERRATA_SERVICE_LINK_H

#include "base/status.h"

#include <nats/nats.h>
#include <uv.h>

#define ER_LINK_HIGH_WATER (1024 * 1024) /* bytes that wait to be written: reading pauses above */

typedef struct er_link er_link;

/* Called after input was parsed, after room to write came, and after er_link_wake. */
typedef void er_link_turn(void *context);

er_status er_link_new(er_link **out, uv_loop_t *loop, er_link_turn *turn, void *context) ER_MUST_CHECK;
/* Has the connection that is made of `options` use the link; before connecting. */
natsStatus er_link_install(er_link *link, natsOptions *options);
void er_link_wake(er_link *link); /* any thread */
/* Writes what was published. The turn calls it at its end, and earlier when much came together. */
void er_link_flush(er_link *link);
/* The socket takes no more: publish nothing until the next turn. */
bool er_link_full(const er_link *link);
/* No callback of nats.c's will come any more: it never attached, or it detached. */
bool er_link_idle(er_link *link);
/* Needs er_link_idle; `done` is called, on the loop, when the memory is gone. */
typedef void er_link_done(void *context);
void er_link_free(er_link **link, er_link_done *done, void *context);

#endif
