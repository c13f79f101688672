/*
 * servers.c - where to connect.
 *
 * A server that was told of has no user information; like nats.c, which adds
 * that of the configured URL to it, the list adds that of the first one.
 */
#include "service/servers.h"

#include <stdlib.h>

#define LIST_CEILING (64u * 1024u)
#define TEXT_CEILING (256u * 1024u)

void er_servers_start(er_servers *servers, const char *configured)
{
    servers->configured = configured;
    servers->learned = 0;
    er_buffer_start(&servers->list, LIST_CEILING);
    er_buffer_start(&servers->text, TEXT_CEILING);
}

void er_servers_free(er_servers *servers)
{
    er_buffer_free(&servers->list);
    er_buffer_free(&servers->text);
}

static bool known(const er_servers *servers, const char *url)
{
    for (size_t at = 0; at < servers->list.len; at += strlen(servers->list.at + at) + 1) {
        if (strcmp(servers->list.at + at, url) == 0) {
            return true;
        }
    }
    return false;
}

static void forget_oldest(er_servers *servers)
{
    size_t gone = strlen(servers->list.at) + 1;
    memmove(servers->list.at, servers->list.at + gone, servers->list.len - gone);
    servers->list.len -= gone;
    servers->learned--;
}

static void add(er_servers *servers, const char *url)
{
    if (known(servers, url) || strchr(url, ',') != NULL) {
        return;
    }
    if (servers->learned == ER_SERVERS_LEARNED) {
        forget_oldest(servers);
    }
    size_t length = strlen(url) + 1;
    char *place = er_buffer_reserve(&servers->list, length);
    if (place != NULL) {
        memcpy(place, url, length);
        servers->list.len += length;
        servers->learned++;
    }
}

void er_servers_learn(er_servers *servers, natsConnection *connection)
{
    char **urls = NULL;
    int count = 0;
    if (natsConnection_GetDiscoveredServers(connection, &urls, &count) != NATS_OK) {
        return;
    }
    for (int i = 0; i < count; i++) {
        add(servers, urls[i]);
        free(urls[i]);
    }
    free((void *)urls);
}

/* "user:password@" of the first configured URL, or nothing. */
static er_slice user_information(const char *configured)
{
    er_slice first = er_slice_of(configured, strcspn(configured, ","));
    const char *scheme = strstr(configured, "://");
    size_t from = scheme != NULL && scheme < first.at + first.len ? (size_t)(scheme - configured) + 3 : 0;
    const char *at = memrchr(first.at + from, '@', first.len - from);
    return at != NULL ? er_slice_sub(first, from, (size_t)(at - first.at) + 1) : (er_slice){0};
}

static void add_learned(er_servers *servers, const char *url)
{
    const char *scheme = strstr(url, "://");
    er_buffer_add_string(&servers->text, ",nats://");
    er_buffer_add(&servers->text, user_information(servers->configured));
    er_buffer_add_string(&servers->text, scheme != NULL ? scheme + 3 : url);
}

const char *er_servers_text(er_servers *servers)
{
    if (servers->learned == 0 || servers->configured == NULL) {
        return servers->configured;
    }
    er_buffer_clear(&servers->text);
    er_buffer_add_string(&servers->text, servers->configured);
    for (size_t at = 0; at < servers->list.len; at += strlen(servers->list.at + at) + 1) {
        add_learned(servers, servers->list.at + at);
    }
    er_buffer_add_char(&servers->text, '\0');
    return servers->text.status == ER_OK ? servers->text.at : servers->configured;
}
