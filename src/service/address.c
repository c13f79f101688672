#include "service/address.h"

#include "base/buffer.h"
#include "base/json.h"
#include "service/connection.h"
#include "service/credential.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_SERVER "nats://127.0.0.1:4222"

/* Where what is printed goes on behind the user information that ends before `at` ('@'). The scheme
   nearest to it is kept; without one all is dropped, since a password may hold a comma. */
static const char *scheme_end(const char *from, const char *at)
{
    const char *end = from;
    for (const char *p = from; p + 3 <= at; p++) {
        if (memcmp(p, "://", 3) == 0)
            end = p + 3;
    }
    return end;
}

const char *er_connection_redact(const char *servers, char *out, size_t size)
{
    size_t len = 0;
    const char *from = servers != NULL ? servers : DEFAULT_SERVER;
    if (size == 0)
        return out;
    for (const char *at; from[0] != '\0'; from = at + 1) {
        at = strchr(from, '@');
        const char *end = at != NULL ? scheme_end(from, at) : from + strlen(from);
        for (const char *p = from; p < end && len + 1 < size; p++)
            out[len++] = iscntrl((unsigned char)*p) ? '?' : *p;
        if (at == NULL)
            break;
    }
    out[len] = '\0';
    return out;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool percent_decode(er_slice text, er_buffer *out)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] != '%') {
            er_buffer_add_char(out, text.at[i]);
            continue;
        }
        if (text.len - i < 3 || hex_digit(text.at[i + 1]) < 0 || hex_digit(text.at[i + 2]) < 0)
            return false;
        char c = (char)(hex_digit(text.at[i + 1]) * 16 + hex_digit(text.at[i + 2]));
        if (c == '\0')
            return false;
        er_buffer_add_char(out, c);
        i += 2;
    }
    return true;
}

static void percent_encode(er_slice text, er_buffer *out)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (isalnum(c) || strchr("-._~", c) != NULL) {
            er_buffer_add_char(out, (char)c);
        } else {
            er_buffer_format(out, "%%%02X", c);
        }
    }
}

/*
 * libnats puts user, password, token and name into the JSON of CONNECT as they
 * are, so that a quote in a password ends the connection, or adds members to
 * it. So they are given to it escaped already; in a URL, inside the percent code.
 */
static bool add_user_part(er_slice part, er_buffer *out)
{
    er_buffer plain;
    er_buffer escaped;
    er_buffer_start(&plain, ER_CREDENTIAL_MAX);
    er_buffer_start(&escaped, ER_CREDENTIAL_MAX * 6);
    bool good = percent_decode(part, &plain);
    if (good) {
        er_json_write_inside(&escaped, er_buffer_slice(&plain));
        percent_encode(er_buffer_slice(&escaped), out);
    }
    if (plain.status != ER_OK || escaped.status != ER_OK)
        out->status = ER_NO_MEMORY;
    er_credential_wipe(&plain);
    er_credential_wipe(&escaped);
    return good;
}

static bool add_user_info(er_slice info, er_buffer *out)
{
    const char *colon = info.len > 0 ? memchr(info.at, ':', info.len) : NULL;
    size_t user = colon != NULL ? (size_t)(colon - info.at) : info.len;
    if (!add_user_part(er_slice_sub(info, 0, user), out))
        return false;
    if (colon != NULL) {
        er_buffer_add_char(out, ':');
        if (!add_user_part(er_slice_sub(info, user + 1, info.len), out))
            return false;
    }
    er_buffer_add_char(out, '@');
    return true;
}

/* "host", "host:4222", "[::1]:4222": a name without blanks, a port from 1 to 65535. */
static const char *host_fault(er_slice host)
{
    if (host.len == 0 || host.at[0] == ':')
        return "has a URL without a host";
    size_t from = 0;
    for (size_t i = 0; i < host.len; i++) {
        unsigned char c = (unsigned char)host.at[i];
        if (c <= ' ' || c == 127 || strchr("/?#\\\"", c) != NULL)
            return "has a URL with a path, a blank or a sign that no host has";
        if (c == ']')
            from = i;
    }
    const char *colon = memchr(host.at + from, ':', host.len - from);
    if (colon == NULL)
        return NULL;
    long port = 0;
    const char *end = host.at + host.len;
    for (const char *p = colon + 1; p < end; p++) {
        if (!isdigit((unsigned char)*p) || (port = port * 10 + (*p - '0')) > 65535)
            return "has a URL whose port is not a number from 1 to 65535";
    }
    return port > 0 ? NULL : "has a URL whose port is not a number from 1 to 65535";
}

/* One URL, checked and made safe for the library; returns what is wrong with it, or NULL. */
static const char *add_server(er_slice url, er_buffer *out, bool *tls)
{
    size_t scheme = 0;
    for (size_t i = 0; scheme == 0 && i + 3 <= url.len; i++) {
        if (memcmp(url.at + i, "://", 3) == 0)
            scheme = i + 3;
    }
    while (url.len > scheme && url.at[url.len - 1] == '/')
        url.len--;
    if (scheme == 6 && strncasecmp(url.at, "tls", 3) == 0) {
        *tls = true;
    } else if (scheme != 0 && (scheme != 7 || strncasecmp(url.at, "nats", 4) != 0)) {
        return "has a URL with a scheme other than nats:// and tls://";
    }
    const char *at = memrchr(url.at + scheme, '@', url.len - scheme);
    size_t host = at != NULL ? (size_t)(at - url.at) + 1 : scheme;
    const char *fault = host_fault(er_slice_sub(url, host, url.len));
    if (fault != NULL)
        return fault;
    er_buffer_add_string(out, "nats://");
    if (at != NULL && at != url.at + scheme && !add_user_info(er_slice_sub(url, scheme, host - 1), out))
        return "has a URL whose user information holds a bad % code";
    er_buffer_add(out, er_slice_sub(url, host, url.len));
    er_buffer_add_char(out, '\0');
    return NULL;
}

static er_status set_servers(natsOptions *options, const er_buffer *urls, size_t count, er_fault *fault)
{
    const char *list[ER_ADDRESS_MAX];
    const char *at = urls->at;
    for (size_t i = 0; i < count; i++) {
        list[i] = at;
        at += strlen(at) + 1;
    }
    return natsOptions_SetServers(options, list, (int)count) == NATS_OK
               ? ER_OK
               : er_fault_set(fault, ER_NO_MEMORY, "out of memory");
}

er_status er_address_add(natsOptions *options, const char *servers, er_fault *fault)
{
    er_buffer urls;
    size_t count = 0;
    bool tls = false;
    const char *reason = NULL;
    er_status status = ER_OK;
    er_slice rest = er_slice_string(servers != NULL ? servers : DEFAULT_SERVER);
    er_buffer_start(&urls, ER_CREDENTIAL_MAX);
    while (reason == NULL && rest.len > 0) {
        const char *comma = memchr(rest.at, ',', rest.len);
        size_t len = comma != NULL ? (size_t)(comma - rest.at) : rest.len;
        er_slice url = er_slice_trim(er_slice_sub(rest, 0, len));
        rest = er_slice_sub(rest, comma != NULL ? len + 1 : len, rest.len);
        if (url.len == 0)
            continue;
        reason = count == ER_ADDRESS_MAX ? "names too many servers" : add_server(url, &urls, &tls);
        count++;
    }
    if (reason == NULL && count == 0)
        reason = "names no server";
    if (reason != NULL) {
        status = er_fault_set(fault, ER_BAD_USAGE, "%s", reason);
        er_fault_member(fault, "server");
    } else if (urls.status != ER_OK) {
        status = er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    } else {
        status = set_servers(options, &urls, count, fault);
    }
    if (status == ER_OK && tls && natsOptions_SetSecure(options, true) != NATS_OK)
        status = er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    er_credential_wipe(&urls);
    return status;
}
