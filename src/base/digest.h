/*
 * digest.h - SHA-256, by OpenSSL's libcrypto (which libnats needs anyway).
 */
#ifndef ERRATA_BASE_DIGEST_H
#define ERRATA_BASE_DIGEST_H

#include "base/slice.h"
#include "base/status.h"

#define ER_DIGEST_TEXT_SIZE 65 /* 64 hex digits and a NUL */

/* Over all parts as if they were joined. ER_NO_MEMORY when OpenSSL fails. */
er_status er_digest_sha256(const er_slice *parts, size_t count, char out[ER_DIGEST_TEXT_SIZE]) ER_MUST_CHECK;

#endif
