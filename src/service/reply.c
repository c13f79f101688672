/*
 * reply.c - publishing a reply, good or bad.
 */
#include "service/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

void er_reply_header_text(const char *text, char *out, size_t size)
{
    size_t at = 0;
    for (; text[at] != '\0' && at + 1 < size; at++) {
        unsigned char c = (unsigned char)text[at];
        out[at] = c < 0x20 || c == 0x7f ? ' ' : text[at];
    }
    out[at] = '\0';
}

static natsStatus publish_error(natsConnection *connection, const char *subject, const er_reply *reply)
{
    natsMsg *message = NULL;
    char description[sizeof reply->description];
    char code[12];
    er_reply_header_text(reply->description, description, sizeof description);
    snprintf(code, sizeof code, "%d", reply->code);
    natsStatus status = natsMsg_Create(&message, subject, NULL, reply->body.at, (int)reply->body.len);
    if (status == NATS_OK) {
        status = natsMsgHeader_Set(message, ER_HEADER_ERROR, description);
    }
    if (status == NATS_OK) {
        status = natsMsgHeader_Set(message, ER_HEADER_ERROR_CODE, code);
    }
    if (status == NATS_OK) {
        status = natsConnection_PublishMsg(connection, message);
    }
    natsMsg_Destroy(message);
    return status;
}

natsStatus er_reply_publish(natsConnection *connection, const char *subject, const er_reply *reply)
{
    if (reply->body.len > INT32_MAX) {
        return NATS_MAX_PAYLOAD;
    }
    if (reply->code != 0) {
        return publish_error(connection, subject, reply);
    }
    return natsConnection_Publish(connection, subject, reply->body.at, (int)reply->body.len);
}

er_form er_reply_form(natsMsg *message)
{
    const char **keys = NULL;
    int count = 0;
    const char *accept = NULL;
    if (natsMsgHeader_Keys(message, &keys, &count) != NATS_OK) {
        return ER_FORM_JSON; /* no headers, or none that can be read */
    }
    for (int i = 0; i < count && accept == NULL; i++) {
        if (strcasecmp(keys[i], "Accept") == 0) {
            (void)natsMsgHeader_Get(message, keys[i], &accept);
        }
    }
    er_form form = er_form_accepted(accept);
    free((void *)keys);
    return form;
}
