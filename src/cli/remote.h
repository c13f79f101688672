/*
 * remote.h - one question to the service over NATS.
 */
#ifndef ERRATA_CLI_REMOTE_H
#define ERRATA_CLI_REMOTE_H

#include "base/buffer.h"
#include "cli/settings.h"

typedef struct er_remote_reply {
    int code;       /* 0 for a good reply, else that of the header Nats-Service-Error-Code */
    er_buffer body; /* er_remote_reply_free ends it */
} er_remote_reply;

#define ER_REMOTE_MAX_REPLY ((size_t)64 << 20) /* the most that a server lets through */

/*
 * Connects, asks PREFIX.endpoint, waits for one reply, closes. `page` asks for
 * the text form. ER_NO_CONNECTION also when no service answers on the subject;
 * ER_DENIED for credentials and permissions, with what the server said.
 */
er_status er_remote_ask(er_remote_reply *out, const er_settings *settings, const char *endpoint,
                        er_slice request, bool page, er_fault *fault) ER_MUST_CHECK;
void er_remote_reply_free(er_remote_reply *reply);

#endif
