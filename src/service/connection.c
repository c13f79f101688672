#include "service/connection.h"

#include "base/buffer.h"
#include "base/json.h"
#include "service/address.h"
#include "service/credential.h"

#include <string.h>

#define DEFAULT_TIMEOUT_NS (INT64_C(5) * 1000 * 1000 * 1000)
#define NS_IN_MS           INT64_C(1000000)

static er_status wrong(er_fault *fault, const char *setting, const char *reason)
{
    (void)er_fault_set(fault, ER_BAD_USAGE, "%s", reason);
    er_fault_member(fault, setting);
    return ER_BAD_USAGE;
}

/* The library's own text is not taken over: it may quote a URL with its password. */
static er_status failed(er_fault *fault, const char *setting, natsStatus status)
{
    if (status == NATS_OK)
        return ER_OK;
    if (status == NATS_NO_MEMORY)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    return wrong(fault, setting, natsStatus_GetText(status));
}

er_status er_connection_status(natsStatus status)
{
    switch (status) {
    case NATS_OK:
        return ER_OK;
    case NATS_NO_MEMORY:
        return ER_NO_MEMORY;
    case NATS_TIMEOUT:
        return ER_TIMEOUT;
    case NATS_CONNECTION_AUTH_FAILED:
    case NATS_NOT_PERMITTED:
        return ER_DENIED;
    case NATS_MAX_PAYLOAD:
        return ER_TOO_LARGE;
    case NATS_INVALID_ARG:
    case NATS_INVALID_SUBJECT:
    case NATS_ILLEGAL_STATE:
        return ER_BAD_USAGE;
    case NATS_SYS_ERROR:
    case NATS_FAILED_TO_INITIALIZE:
    case NATS_NOT_INITIALIZED:
        return ER_SYSTEM;
    default:
        return ER_NO_CONNECTION;
    }
}

/* The value behind `setting`, escaped for the library's CONNECT; address.c says why. */
static er_status escaped_value(const char *setting, const char *value, er_buffer *out, er_fault *fault)
{
    er_buffer plain;
    er_buffer_start(&plain, ER_CREDENTIAL_MAX);
    er_status status = er_credential_value(setting, value, &plain, fault);
    if (status == ER_OK) {
        er_json_write_inside(out, er_buffer_slice(&plain));
        er_buffer_add_char(out, '\0');
        if (out->status != ER_OK)
            status = er_fault_set(fault, out->status, "out of memory");
    }
    er_credential_wipe(&plain);
    return status;
}

static er_status add_user(natsOptions *options, const er_connection_settings *settings, er_fault *fault)
{
    er_buffer user;
    er_buffer password;
    er_buffer_start(&user, ER_CREDENTIAL_MAX * 6);
    er_buffer_start(&password, ER_CREDENTIAL_MAX * 6);
    er_json_write_inside(&user, er_slice_string(settings->user));
    er_buffer_add_char(&user, '\0');
    er_status status = ER_OK;
    if (settings->password != NULL)
        status = escaped_value("password", settings->password, &password, fault);
    if (status == ER_OK && user.status != ER_OK)
        status = er_fault_set(fault, user.status, "out of memory");
    if (status == ER_OK)
        status = failed(fault, "user", natsOptions_SetUserInfo(options, user.at, password.at));
    er_credential_wipe(&user);
    er_credential_wipe(&password);
    return status;
}

static er_status add_token(natsOptions *options, const char *value, er_fault *fault)
{
    er_buffer token;
    er_buffer_start(&token, ER_CREDENTIAL_MAX * 6);
    er_status status = escaped_value("token", value, &token, fault);
    if (status == ER_OK)
        status = failed(fault, "token", natsOptions_SetToken(options, token.at));
    er_credential_wipe(&token);
    return status;
}

/* A file is left to the library, which reads it again at each connect, so that it can be renewed. */
static er_status add_creds(natsOptions *options, const char *value, er_fault *fault)
{
    er_buffer content;
    char seed[ER_NKEY_SEED_SIZE];
    er_buffer_start(&content, ER_CREDENTIAL_MAX);
    er_status status = er_credential_content("creds", value, &content, fault);
    if (status == ER_OK && er_nkey_seed(er_buffer_slice(&content), seed) != ER_OK)
        status = wrong(fault, "creds", "holds no user seed (a line that begins with SU)");
    if (status == ER_OK && er_credential_is_path(value)) {
        er_credential_wipe(&content);
        er_buffer_start(&content, ER_CREDENTIAL_MAX);
        status = er_credential_path("creds", value, &content, fault);
        if (status == ER_OK)
            status =
                failed(fault, "creds", natsOptions_SetUserCredentialsFromFiles(options, content.at, NULL));
    } else if (status == ER_OK) {
        status = failed(fault, "creds", natsOptions_SetUserCredentialsFromMemory(options, content.at));
    }
    explicit_bzero(seed, sizeof(seed));
    er_credential_wipe(&content);
    return status;
}

static er_status read_seed(const char *value, char seed[ER_NKEY_SEED_SIZE], er_fault *fault)
{
    er_buffer content;
    er_buffer_start(&content, ER_CREDENTIAL_MAX);
    er_status status = er_credential_content("nkey", value, &content, fault);
    if (status == ER_OK && er_nkey_seed(er_buffer_slice(&content), seed) != ER_OK)
        status = wrong(fault, "nkey", "holds no user seed (a line that begins with SU)");
    er_credential_wipe(&content);
    return status;
}

/* Signs the server's nonce. `closure` is the setting, which outlives the connection: the key is
   read when it is needed and is not held in between. */
static natsStatus sign_nonce(char **error, unsigned char **signature, int *length, const char *nonce,
                             void *closure)
{
    char seed[ER_NKEY_SEED_SIZE];
    natsStatus status = NATS_CONNECTION_AUTH_FAILED;
    (void)error;
    if (read_seed(closure, seed, NULL) == ER_OK)
        status = nats_Sign(seed, nonce, signature, length);
    explicit_bzero(seed, sizeof(seed));
    return status;
}

static er_status add_nkey(natsOptions *options, const char *value, er_fault *fault)
{
    char seed[ER_NKEY_SEED_SIZE];
    char key[ER_NKEY_PUBLIC_SIZE];
    er_status status = read_seed(value, seed, fault);
    if (status == ER_OK && er_nkey_public(seed, key) != ER_OK)
        status = wrong(fault, "nkey", "holds a seed whose checksum or kind is wrong");
    if (status == ER_OK) {
        union {
            const char *setting;
            void *closure;
        } pass = {value};
        status = failed(fault, "nkey", natsOptions_SetNKey(options, key, sign_nonce, pass.closure));
    }
    explicit_bzero(seed, sizeof(seed));
    return status;
}

/* The form of a credentials file, which is what the library takes from memory. */
static void write_creds(er_buffer *out, er_slice jwt, const char *seed)
{
    er_buffer_add_string(out, "-----BEGIN NATS USER JWT-----\n");
    er_buffer_add(out, jwt);
    er_buffer_add_string(out, "\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n");
    er_buffer_add_string(out, seed);
    er_buffer_add_string(out, "\n------END USER NKEY SEED------\n");
    er_buffer_add_char(out, '\0');
}

static er_status add_jwt(natsOptions *options, const er_connection_settings *settings, er_fault *fault)
{
    er_buffer jwt;
    er_buffer secret;
    er_buffer creds;
    char seed[ER_NKEY_SEED_SIZE];
    er_buffer_start(&jwt, ER_CREDENTIAL_MAX);
    er_buffer_start(&secret, ER_CREDENTIAL_MAX);
    er_buffer_start(&creds, ER_CREDENTIAL_MAX * 3);
    er_status status = er_credential_value("jwt", settings->jwt, &jwt, fault);
    if (status == ER_OK)
        status = er_credential_value("seed", settings->seed, &secret, fault);
    if (status == ER_OK && er_nkey_seed(er_buffer_slice(&secret), seed) != ER_OK)
        status = wrong(fault, "seed", "is not a user seed (it begins with SU)");
    if (status == ER_OK &&
        (!er_slice_starts(er_buffer_slice(&jwt), ER_SLICE("ey")) || memchr(jwt.at, '\n', jwt.len) != NULL))
        status = wrong(fault, "jwt", "is not a JWT (a file is given as file://PATH)");
    if (status == ER_OK) {
        write_creds(&creds, er_buffer_slice(&jwt), seed);
        status = creds.status != ER_OK
                     ? er_fault_set(fault, creds.status, "out of memory")
                     : failed(fault, "jwt", natsOptions_SetUserCredentialsFromMemory(options, creds.at));
    }
    explicit_bzero(seed, sizeof(seed));
    er_credential_wipe(&jwt);
    er_credential_wipe(&secret);
    er_credential_wipe(&creds);
    return status;
}

/* One kind of credential is used, the first of user, creds, nkey, jwt, as the `nats` command does;
   a token goes beside it. */
static er_status add_credentials(natsOptions *options, const er_connection_settings *settings,
                                 er_fault *fault)
{
    er_status status = ER_OK;
    if (settings->user != NULL) {
        status = add_user(options, settings, fault);
    } else if (settings->creds != NULL) {
        status = add_creds(options, settings->creds, fault);
    } else if (settings->nkey != NULL) {
        status = add_nkey(options, settings->nkey, fault);
    } else if (settings->jwt != NULL && settings->seed != NULL) {
        status = add_jwt(options, settings, fault);
    } else if (settings->jwt != NULL) {
        status = wrong(fault, "jwt", "needs a seed beside it");
    } else if (settings->seed != NULL) {
        status = wrong(fault, "seed", "needs a jwt beside it");
    } else if (settings->password != NULL) {
        status = wrong(fault, "password", "needs a user beside it");
    }
    if (status == ER_OK && settings->token != NULL)
        status = add_token(options, settings->token, fault);
    return status;
}

static er_status tls_path(const char *setting, const char *value, er_buffer *out, er_fault *fault)
{
    er_buffer_start(out, ER_CREDENTIAL_MAX);
    return er_credential_path(setting, value, out, fault);
}

static er_status add_certificate(natsOptions *options, const er_connection_settings *settings,
                                 er_fault *fault)
{
    er_buffer cert;
    er_buffer key;
    if (settings->tls_cert == NULL || settings->tls_key == NULL)
        return wrong(fault, settings->tls_cert == NULL ? "tlskey" : "tlscert",
                     settings->tls_cert == NULL ? "needs tlscert beside it" : "needs tlskey beside it");
    er_buffer_start(&key, ER_CREDENTIAL_MAX);
    er_status status = tls_path("tlscert", settings->tls_cert, &cert, fault);
    if (status == ER_OK)
        status = tls_path("tlskey", settings->tls_key, &key, fault);
    if (status == ER_OK && natsOptions_LoadCertificatesChain(options, cert.at, key.at) != NATS_OK) {
        status = wrong(fault, "tlscert", "is not a certificate in PEM, or tlskey is not its key");
        er_fault_file(fault, cert.at);
    }
    er_buffer_free(&cert);
    er_buffer_free(&key);
    return status;
}

static er_status add_authority(natsOptions *options, const char *value, er_fault *fault)
{
    er_buffer path;
    er_status status = tls_path("tlsca", value, &path, fault);
    if (status == ER_OK && natsOptions_LoadCATrustedCertificates(options, path.at) != NATS_OK) {
        status = wrong(fault, "tlsca", "holds no certificate in PEM");
        er_fault_file(fault, path.at);
    }
    er_buffer_free(&path);
    return status;
}

/* A certificate or an authority asks for TLS by itself, as it does for the `nats` command. */
static er_status add_tls(natsOptions *options, const er_connection_settings *settings, er_fault *fault)
{
    er_status status = ER_OK;
    bool certificate = settings->tls_cert != NULL || settings->tls_key != NULL;
    if (certificate)
        status = add_certificate(options, settings, fault);
    if (status == ER_OK && settings->tls_ca != NULL)
        status = add_authority(options, settings->tls_ca, fault);
    if (status == ER_OK && (certificate || settings->tls_ca != NULL))
        status = failed(fault, "tlsca", natsOptions_SetSecure(options, true));
    if (status == ER_OK && settings->tls_first)
        status = failed(fault, "tlsfirst", natsOptions_TLSHandshakeFirst(options));
    return status;
}

static er_status add_rest(natsOptions *options, const er_connection_settings *settings, er_fault *fault)
{
    er_buffer name;
    er_buffer_start(&name, ER_CREDENTIAL_MAX);
    int64_t timeout_ns = settings->timeout_ns > 0 ? settings->timeout_ns : DEFAULT_TIMEOUT_NS;
    int64_t timeout_ms = (timeout_ns + NS_IN_MS - 1) / NS_IN_MS;
    er_status status = failed(fault, "timeout", natsOptions_SetTimeout(options, timeout_ms));
    if (status == ER_OK && settings->inbox_prefix != NULL &&
        natsOptions_SetCustomInboxPrefix(options, settings->inbox_prefix) != NATS_OK)
        status = wrong(fault, "inbox-prefix", "is not a subject");
    if (status == ER_OK && settings->name != NULL) {
        er_json_write_inside(&name, er_slice_string(settings->name));
        er_buffer_add_char(&name, '\0');
        status = name.status != ER_OK ? er_fault_set(fault, name.status, "out of memory")
                                      : failed(fault, "name", natsOptions_SetName(options, name.at));
    }
    er_buffer_free(&name);
    return status;
}

er_status er_connection_options(natsOptions **out, const er_connection_settings *settings, er_fault *fault)
{
    natsOptions *options = NULL;
    if (natsOptions_Create(&options) != NATS_OK)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    er_status status = er_address_add(options, settings->server, fault);
    if (status == ER_OK)
        status = add_credentials(options, settings, fault);
    if (status == ER_OK)
        status = add_tls(options, settings, fault);
    if (status == ER_OK)
        status = add_rest(options, settings, fault);
    if (status == ER_OK) {
        *out = options;
    } else {
        natsOptions_Destroy(options);
    }
    return status;
}
