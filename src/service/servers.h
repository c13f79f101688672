/*
 * servers.h - where to connect: the servers that were configured, and those that a cluster told of.
 *
 * Every connection is a new one (session.h says why), so what nats.c learned
 * from one is carried over to the next here. Of the loop's thread.
 */
#ifndef ERRATA_SERVICE_SERVERS_H
#define ERRATA_SERVICE_SERVERS_H

#include "base/buffer.h"

#include <nats/nats.h>

#define ER_SERVERS_LEARNED 32 /* most that are kept; the oldest goes first */

typedef struct er_servers {
    const char *configured; /* as in the settings; NULL for the default */
    size_t learned;         /* URLs in the list that were told of */
    er_buffer list;         /* URLs, each ended by a NUL, oldest first */
    er_buffer text;         /* configured and learned, comma-separated */
} er_servers;

void er_servers_start(er_servers *servers, const char *configured);
void er_servers_free(er_servers *servers);
/* Adds what `connection` was told. Where memory is short nothing is learned. */
void er_servers_learn(er_servers *servers, natsConnection *connection);
/* The setting `server` for the next connection; valid until the next call. It may hold what is secret. */
const char *er_servers_text(er_servers *servers);

#endif
