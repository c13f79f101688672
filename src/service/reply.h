/*
 * reply.h - publishing a reply, good or bad.
 */
#ifndef ERRATA_SERVICE_REPLY_H
#define ERRATA_SERVICE_REPLY_H

#include "answer/answer.h"

#include <nats/nats.h>

#define ER_HEADER_ERROR      "Nats-Service-Error"
#define ER_HEADER_ERROR_CODE "Nats-Service-Error-Code"

/*
 * Publishes `reply` to `subject`; one with a code bears the microservice's error
 * headers. NATS_MAX_PAYLOAD when it is more than the server takes; nothing was
 * published then.
 */
natsStatus er_reply_publish(natsConnection *connection, const char *subject, const er_reply *reply);

/* Copies `text` as the value of a header: one line, no control characters, cut rather than overflowing. */
void er_reply_header_text(const char *text, char *out, size_t size);

/* The form that the message's Accept header asks for; the header's name in any case. */
er_form er_reply_form(natsMsg *message);

#endif
