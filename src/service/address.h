/*
 * address.h - the list of servers: checked, and handed to libnats.
 *
 * er_connection_redact, which prints such a list without its secrets, is
 * implemented beside it.
 */
#ifndef ERRATA_SERVICE_ADDRESS_H
#define ERRATA_SERVICE_ADDRESS_H

#include "base/status.h"

#include <nats/nats.h>

#define ER_ADDRESS_MAX 64 /* servers in one list */

/* Takes one URL or several, comma-separated (NULL: nats://127.0.0.1:4222), with nats://, tls:// or no
   scheme; tls:// turns TLS on. ER_BAD_USAGE names the setting `server` and quotes nothing of the URL. */
er_status er_address_add(natsOptions *options, const char *servers, er_fault *fault) ER_MUST_CHECK;

#endif
