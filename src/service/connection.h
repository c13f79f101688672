/*
 * connection.h - how to reach a NATS server: settings, and the options made of them.
 *
 * The settings are those of the `nats` command (v0.5), by the same names. A
 * setting that is NULL or 0 was not given. All strings are owned by whoever
 * made the settings (cli/settings) and must outlive the connection. Secrets
 * (password, token, jwt, seed) are never logged nor put into a fault.
 */
#ifndef ERRATA_SERVICE_CONNECTION_H
#define ERRATA_SERVICE_CONNECTION_H

#include "base/status.h"

#include <nats/nats.h>
#include <stdint.h>

typedef struct er_connection_settings {
    const char *server; /* one URL or several, comma-separated; NULL: nats://127.0.0.1:4222 */
    const char *user;
    const char *password;
    const char *token;
    const char *creds; /* path of a credentials file */
    const char *nkey;  /* path of a file with an NKey seed */
    const char *jwt;   /* a user JWT, with `seed` */
    const char *seed;
    const char *tls_cert;
    const char *tls_key;
    const char *tls_ca;
    bool tls_first;
    int64_t timeout_ns; /* of connecting and of one request; 0: 5 s */
    const char *inbox_prefix;
    const char *name; /* the connection's name as the server shows it */
} er_connection_settings;

/*
 * Options with credentials, TLS and servers filled in; the caller adds
 * callbacks and reconnect behaviour, and destroys them with natsOptions_Destroy.
 * ER_BAD_USAGE names the setting that is wrong (a file that can not be read, a
 * JWT without a seed).
 */
er_status er_connection_options(natsOptions **out, const er_connection_settings *settings,
                                er_fault *fault) ER_MUST_CHECK;

/* The er_status that a failure to connect or to ask stands for. */
er_status er_connection_status(natsStatus status);

/* A URL list without user information, for logs: "nats://127.0.0.1:4222". Always ends in a NUL. */
const char *er_connection_redact(const char *servers, char *out, size_t size);

#endif
