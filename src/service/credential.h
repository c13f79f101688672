/*
 * credential.h - what a connection setting refers to, and the NKeys in it.
 *
 * As for the `nats` command a setting may be the thing itself or say where it
 * is: `file://PATH`, `env://NAME`, or `data:;base64,…`. `op://` and `nsc://`
 * start other programs and are refused by name. Functions append to `out`,
 * whose ceiling bounds what is read, and put a NUL behind it that is not
 * counted. Faults are ER_BAD_USAGE, name the setting, and never hold a secret.
 * Thread safe.
 */
#ifndef ERRATA_SERVICE_CREDENTIAL_H
#define ERRATA_SERVICE_CREDENTIAL_H

#include "base/buffer.h"
#include "base/status.h"

#define ER_CREDENTIAL_MAX   (64u * 1024u) /* bytes of a credentials or key file */
#define ER_NKEY_SEED_SIZE   59            /* 58 characters and a NUL */
#define ER_NKEY_PUBLIC_SIZE 57            /* 56 characters and a NUL */

/* A path: `~`, $NAME and ${NAME} are filled in, `file://` is taken off. That
   the file can be read is checked. */
er_status er_credential_path(const char *setting, const char *value, er_buffer *out,
                             er_fault *fault) ER_MUST_CHECK;

/* A value such as a password: itself, or what it refers to without the line ends behind it. */
er_status er_credential_value(const char *setting, const char *value, er_buffer *out,
                              er_fault *fault) ER_MUST_CHECK;

/* The content of a file such as one with credentials: `value` is its path unless it refers to another place.
 */
er_status er_credential_content(const char *setting, const char *value, er_buffer *out,
                                er_fault *fault) ER_MUST_CHECK;

/* Whether `value` is a path (with or without `file://`) rather than a reference elsewhere. */
bool er_credential_is_path(const char *value);

/* The home folder of the account, else $HOME; NULL where there is neither or it
   does not fit. The account goes first, as it does for the `nats` command. */
const char *er_credential_home(char *out, size_t size);

/* Overwrites and frees what held a secret. */
void er_credential_wipe(er_buffer *secret);

/* The user seed in a key file or a credentials file: ER_BAD_INPUT where there is none. */
er_status er_nkey_seed(er_slice content, char out[ER_NKEY_SEED_SIZE]) ER_MUST_CHECK;

/* The public key of a user seed; ER_BAD_INPUT where it is not one (form, checksum, kind). */
er_status er_nkey_public(const char *seed, char out[ER_NKEY_PUBLIC_SIZE]) ER_MUST_CHECK;

#endif
