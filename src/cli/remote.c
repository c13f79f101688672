#include "cli/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TIMEOUT_NS (INT64_C(5) * 1000 * 1000 * 1000)
#define NS_IN_MS           INT64_C(1000000)
#define SUBJECT_SIZE       512

/* One question; what is NULL was not made yet. */
typedef struct question {
    const er_settings *settings;
    char subject[SUBJECT_SIZE];
    char servers[512]; /* without user information */
    int64_t timeout_ms;
    natsOptions *options;
    natsConnection *connection;
    natsSubscription *inbox;
    natsMsg *request;
    natsMsg *reply;
} question;

/* The library's own prints to standard error; what it would print is asked for where it matters. */
static void ignore_error(natsConnection *connection, natsSubscription *subscription, natsStatus status,
                         void *closure)
{
    (void)connection;
    (void)subscription;
    (void)status;
    (void)closure;
}

/* What the library said last on this thread, without the place in its source, "(conn.c:758): ". */
static const char *last_error(void)
{
    const char *text = nats_GetLastError(NULL);
    const char *end = text != NULL && text[0] == '(' ? strstr(text, "): ") : NULL;
    return end != NULL ? end + 3 : text != NULL ? text : "no reason given";
}

static er_status no_connection(const question *ask, natsStatus status, er_fault *fault)
{
    er_status result = er_connection_status(status);
    if (status == NATS_NO_SERVER)
        return er_fault_set(fault, result, "no NATS server answers at %s", ask->servers);
    if (status == NATS_CONNECTION_AUTH_FAILED)
        return er_fault_set(fault, result, "the NATS server at %s refuses these credentials", ask->servers);
    if (status == NATS_SSL_ERROR)
        return er_fault_set(fault, result, "TLS with %s failed: %s", ask->servers, last_error());
    return er_fault_set(fault, result, "no connection to %s: %s", ask->servers, natsStatus_GetText(status));
}

static er_status connect_to(question *ask, er_fault *fault)
{
    er_status result = er_connection_options(&ask->options, &ask->settings->service.connection, fault);
    if (result != ER_OK)
        return result;
    natsStatus status = natsOptions_SetAllowReconnect(ask->options, false);
    if (status == NATS_OK)
        status = natsOptions_SetErrorHandler(ask->options, ignore_error, NULL);
    if (status == NATS_OK)
        status = natsConnection_Connect(&ask->connection, ask->options);
    return status == NATS_OK ? ER_OK : no_connection(ask, status, fault);
}

/* The library makes inboxes with a prefix of one's own only for its own requests. */
static natsStatus new_inbox(const question *ask, char out[SUBJECT_SIZE])
{
    static const char usual[] = "_INBOX";
    const char *prefix = ask->settings->service.connection.inbox_prefix;
    natsInbox *made = NULL;
    natsStatus status = natsInbox_Create(&made);
    if (status != NATS_OK)
        return status;
    (void)snprintf(out, SUBJECT_SIZE, "%s%s", prefix != NULL ? prefix : usual, made + sizeof(usual) - 1);
    natsInbox_Destroy(made);
    return NATS_OK;
}

static er_status make_request(question *ask, er_slice body, bool page, er_fault *fault)
{
    char inbox[SUBJECT_SIZE];
    int64_t most = natsConnection_GetMaxPayload(ask->connection);
    if (most > 0 && body.len > (size_t)most)
        return er_fault_set(fault, ER_BAD_USAGE, "the text has %zu bytes, and %s takes %lld at most",
                            body.len, ask->servers, (long long)most);
    natsStatus status = new_inbox(ask, inbox);
    if (status == NATS_OK)
        status = natsConnection_SubscribeSync(&ask->inbox, ask->connection, inbox);
    if (status == NATS_OK)
        status = natsMsg_Create(&ask->request, ask->subject, inbox, body.at, (int)body.len);
    if (status == NATS_OK && page)
        status = natsMsgHeader_Set(ask->request, "Accept", "text/plain");
    return status == NATS_OK ? ER_OK : no_connection(ask, status, fault);
}

/* The server's complaint about a permission comes before its answer to a ping, so after the flush it is here.
 */
static er_status send_request(question *ask, er_fault *fault)
{
    const char *said = NULL;
    natsStatus status = natsConnection_PublishMsg(ask->connection, ask->request);
    if (status == NATS_OK)
        status = natsConnection_FlushTimeout(ask->connection, ask->timeout_ms);
    if (natsConnection_GetLastError(ask->connection, &said) == NATS_NOT_PERMITTED)
        return er_fault_set(fault, ER_DENIED, "the server at %s says: %s", ask->servers,
                            said != NULL ? said : "denied");
    return status == NATS_OK ? ER_OK : no_connection(ask, status, fault);
}

static er_status await_reply(question *ask, er_fault *fault)
{
    natsStatus status = natsSubscription_NextMsg(&ask->reply, ask->inbox, ask->timeout_ms);
    if (status == NATS_NO_RESPONDERS)
        return er_fault_set(fault, ER_NO_CONNECTION, "no errata service answers on %s at %s", ask->subject,
                            ask->servers);
    if (status == NATS_TIMEOUT)
        return er_fault_set(fault, ER_TIMEOUT, "no reply from %s at %s within %lld ms", ask->subject,
                            ask->servers, (long long)ask->timeout_ms);
    return status == NATS_OK ? ER_OK : no_connection(ask, status, fault);
}

/* The code of the microservice protocol; a header that holds no such number counts as a fault of the service.
 */
static int reply_code(natsMsg *reply)
{
    const char *code = NULL;
    const char *description = NULL;
    bool failed = natsMsgHeader_Get(reply, "Nats-Service-Error", &description) == NATS_OK;
    if (natsMsgHeader_Get(reply, "Nats-Service-Error-Code", &code) != NATS_OK || code == NULL)
        return failed ? 500 : 0;
    char *end = NULL;
    long number = strtol(code, &end, 10);
    return end != code && *end == '\0' && number >= 400 && number <= 599 ? (int)number : 500;
}

static er_status take_reply(er_remote_reply *out, const question *ask, er_fault *fault)
{
    int len = natsMsg_GetDataLength(ask->reply);
    out->code = reply_code(ask->reply);
    er_buffer_add(&out->body, er_slice_of(natsMsg_GetData(ask->reply), len > 0 ? (size_t)len : 0));
    return out->body.status == ER_OK ? ER_OK
                                     : er_fault_set(fault, out->body.status, "the reply is too large");
}

static void end(question *ask)
{
    natsMsg_Destroy(ask->reply);
    natsMsg_Destroy(ask->request);
    natsSubscription_Destroy(ask->inbox);
    natsConnection_Destroy(ask->connection);
    natsOptions_Destroy(ask->options);
}

er_status er_remote_ask(er_remote_reply *out, const er_settings *settings, const char *endpoint,
                        er_slice request, bool page, er_fault *fault)
{
    const er_connection_settings *to = &settings->service.connection;
    question ask = {.settings = settings};
    int64_t timeout_ns = to->timeout_ns > 0 ? to->timeout_ns : DEFAULT_TIMEOUT_NS;
    ask.timeout_ms = (timeout_ns + NS_IN_MS - 1) / NS_IN_MS;
    (void)snprintf(ask.subject, sizeof(ask.subject), "%s.%s", settings->prefix, endpoint);
    (void)er_connection_redact(to->server, ask.servers, sizeof(ask.servers));
    out->code = 0;
    er_buffer_start(&out->body, ER_REMOTE_MAX_REPLY);
    er_status status = connect_to(&ask, fault);
    if (status == ER_OK)
        status = make_request(&ask, request, page, fault);
    if (status == ER_OK)
        status = send_request(&ask, fault);
    if (status == ER_OK)
        status = await_reply(&ask, fault);
    if (status == ER_OK)
        status = take_reply(out, &ask, fault);
    end(&ask);
    if (status != ER_OK)
        er_buffer_free(&out->body);
    return status;
}

void er_remote_reply_free(er_remote_reply *reply)
{
    er_buffer_free(&reply->body);
}
