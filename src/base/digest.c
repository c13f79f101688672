#include "base/digest.h"

#include <openssl/evp.h>

er_status er_digest_sha256(const er_slice *parts, size_t count, char out[ER_DIGEST_TEXT_SIZE])
{
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[32];
    er_status status = ER_NO_MEMORY;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context == NULL || EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1) {
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len > 0 && EVP_DigestUpdate(context, parts[i].at, parts[i].len) != 1) {
            goto done;
        }
    }
    if (EVP_DigestFinal_ex(context, digest, NULL) != 1) {
        goto done;
    }
    for (size_t i = 0; i < sizeof(digest); i++) {
        out[2 * i] = hex[digest[i] >> 4];
        out[2 * i + 1] = hex[digest[i] & 15];
    }
    out[2 * sizeof(digest)] = '\0';
    status = ER_OK;
done:
    EVP_MD_CTX_free(context);
    return status;
}
