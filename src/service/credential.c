#include "service/credential.h"

#include "base/file.h"

#include <ctype.h>
#include <openssl/evp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* Version bytes of the nkeys format; five bits make a letter. */
#define NKEY_SEED 0x90 /* S */
#define NKEY_USER 0xA0 /* U */
#define NKEY_RAW  36   /* two prefix bytes, 32 of seed, two of checksum */

typedef enum reference {
    REFERENCE_NONE,
    REFERENCE_FILE,
    REFERENCE_ENV,
    REFERENCE_DATA,
    REFERENCE_OTHER
} reference;

static const struct scheme {
    const char *prefix;
    reference kind;
} schemes[] = {
    {"file://", REFERENCE_FILE}, {"env://", REFERENCE_ENV},   {"data:", REFERENCE_DATA},
    {"op://", REFERENCE_OTHER},  {"nsc://", REFERENCE_OTHER},
};

/* What `value` refers to; `rest` gets what stands behind the scheme. */
static reference reference_of(const char *value, const char **rest)
{
    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        size_t len = strlen(schemes[i].prefix);
        if (strncasecmp(value, schemes[i].prefix, len) == 0) {
            *rest = value + len;
            return schemes[i].kind;
        }
    }
    *rest = value;
    return REFERENCE_NONE;
}

bool er_credential_is_path(const char *value)
{
    const char *rest;
    reference kind = reference_of(value, &rest);
    return kind == REFERENCE_NONE || kind == REFERENCE_FILE;
}

static er_status wrong(er_fault *fault, const char *setting, const char *reason)
{
    (void)er_fault_set(fault, ER_BAD_USAGE, "%s", reason);
    er_fault_member(fault, setting);
    return ER_BAD_USAGE;
}

static er_status refused(er_fault *fault, const char *setting)
{
    return wrong(fault, setting, "refers to another program (op://, nsc://), which errata does not start");
}

/* Puts the NUL behind the content. */
static er_status ended(er_buffer *out, er_fault *fault, const char *setting)
{
    char *end = er_buffer_reserve(out, 1);
    if (out->status == ER_TOO_LARGE)
        return wrong(fault, setting, "is too long");
    if (end == NULL)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    *end = '\0';
    return ER_OK;
}

const char *er_credential_home(char *out, size_t size)
{
    char memory[4096];
    struct passwd entry;
    struct passwd *found = NULL;
    const char *home = NULL;
    if (getpwuid_r(getuid(), &entry, memory, sizeof(memory), &found) == 0 && found != NULL)
        home = found->pw_dir;
    if (home == NULL || home[0] == '\0')
        home = getenv("HOME");
    if (home == NULL || home[0] == '\0' || strlen(home) >= size)
        return NULL;
    memcpy(out, home, strlen(home) + 1);
    return out;
}

/* Appends the value of the variable whose name begins at `at`, behind the `$`; returns where to go on. */
static const char *expand_variable(const char *at, er_buffer *out)
{
    char name[128];
    bool braced = *at == '{';
    const char *from = braced ? at + 1 : at;
    size_t len = 0;
    while (isalnum((unsigned char)from[len]) || from[len] == '_')
        len++;
    if (len == 0 || len >= sizeof(name) || (braced && from[len] != '}')) {
        er_buffer_add_char(out, '$');
        return at;
    }
    memcpy(name, from, len);
    name[len] = '\0';
    er_buffer_add_string(out, getenv(name));
    return from + len + (braced ? 1 : 0);
}

static void expand(const char *path, er_buffer *out)
{
    if (*path == '~') {
        char home[1024];
        er_buffer_add_string(out, er_credential_home(home, sizeof(home)) != NULL ? home : "~");
        path++;
    }
    while (*path != '\0') {
        if (*path == '$') {
            path = expand_variable(path + 1, out);
        } else {
            er_buffer_add_char(out, *path++);
        }
    }
}

/* A fault of reading becomes one of the setting that named the file. */
static er_status unreadable(er_status status, er_fault *fault, const char *setting)
{
    if (status == ER_NO_MEMORY)
        return status;
    if (fault != NULL)
        fault->status = ER_BAD_USAGE;
    er_fault_member(fault, setting);
    return ER_BAD_USAGE;
}

er_status er_credential_path(const char *setting, const char *value, er_buffer *out, er_fault *fault)
{
    const char *rest;
    reference kind = reference_of(value, &rest);
    if (kind == REFERENCE_OTHER)
        return refused(fault, setting);
    if (kind != REFERENCE_NONE && kind != REFERENCE_FILE)
        return wrong(fault, setting, "must be the path of a file");
    expand(rest, out);
    er_status status = ended(out, fault, setting);
    if (status != ER_OK)
        return status;

    er_buffer content;
    er_buffer_start(&content, ER_CREDENTIAL_MAX * 16); /* a CA bundle is larger than a key */
    status = er_file_read(out->at, &content, fault);
    er_credential_wipe(&content);
    return status == ER_OK ? ER_OK : unreadable(status, fault, setting);
}

static er_status read_path(const char *setting, const char *value, er_buffer *out, er_fault *fault)
{
    er_buffer path;
    er_buffer_start(&path, ER_CREDENTIAL_MAX);
    expand(value, &path);
    er_status status = ended(&path, fault, setting);
    if (status == ER_OK) {
        status = er_file_read(path.at, out, fault);
        if (status != ER_OK)
            status = unreadable(status, fault, setting);
    }
    er_buffer_free(&path);
    return status == ER_OK ? ended(out, fault, setting) : status;
}

static er_status read_variable(const char *setting, const char *name, er_buffer *out, er_fault *fault)
{
    const char *value = name[0] != '\0' ? getenv(name) : NULL;
    if (value == NULL || value[0] == '\0')
        return wrong(fault, setting, "refers to an environment variable that is not set");
    er_buffer_add_string(out, value);
    return ended(out, fault, setting);
}

/* Whether the part of a data: URI before the comma asks for base64. */
static bool says_base64(const char *from, const char *comma)
{
    static const char word[] = ";base64";
    size_t len = sizeof(word) - 1;
    for (const char *at = from; at + len <= comma; at++) {
        if (memcmp(at, word, len) == 0 && (at[len] == ',' || at[len] == ';'))
            return true;
    }
    return false;
}

/* EVP_DecodeBlock counts padding as zero bytes; they are taken off here. */
static er_status read_data(const char *setting, const char *rest, er_buffer *out, er_fault *fault)
{
    const char *comma = strchr(rest, ',');
    if (comma == NULL || !says_base64(rest, comma))
        return wrong(fault, setting, "must have the form data:;base64,…");
    const char *text = comma + 1;
    size_t len = strlen(text);
    if (len == 0 || len % 4 != 0 || len > ER_CREDENTIAL_MAX)
        return wrong(fault, setting, "holds no base64 text, or too much of it");
    size_t padding = text[len - 1] != '=' ? 0 : text[len - 2] != '=' ? 1 : 2;
    char *into = er_buffer_reserve(out, len / 4 * 3);
    if (into == NULL)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    int got = EVP_DecodeBlock((unsigned char *)into, (const unsigned char *)text, (int)len);
    if (got < 0)
        return wrong(fault, setting, "holds a character that is not of base64");
    out->len += (size_t)got - padding;
    return ended(out, fault, setting);
}

static er_status resolve(const char *setting, const char *value, reference bare, er_buffer *out,
                         er_fault *fault)
{
    const char *rest;
    reference kind = reference_of(value, &rest);
    switch (kind == REFERENCE_NONE ? bare : kind) {
    case REFERENCE_FILE:
        return read_path(setting, rest, out, fault);
    case REFERENCE_ENV:
        return read_variable(setting, rest, out, fault);
    case REFERENCE_DATA:
        return read_data(setting, rest, out, fault);
    case REFERENCE_OTHER:
        return refused(fault, setting);
    case REFERENCE_NONE:
        break;
    }
    er_buffer_add_string(out, value);
    return ended(out, fault, setting);
}

er_status er_credential_value(const char *setting, const char *value, er_buffer *out, er_fault *fault)
{
    const char *rest;
    er_status status = resolve(setting, value, REFERENCE_NONE, out, fault);
    if (status != ER_OK || reference_of(value, &rest) == REFERENCE_NONE)
        return status;
    while (out->len > 0 && (out->at[out->len - 1] == '\n' || out->at[out->len - 1] == '\r'))
        out->len--;
    return ended(out, fault, setting);
}

er_status er_credential_content(const char *setting, const char *value, er_buffer *out, er_fault *fault)
{
    return resolve(setting, value, REFERENCE_FILE, out, fault);
}

void er_credential_wipe(er_buffer *secret)
{
    if (secret->at != NULL)
        explicit_bzero(secret->at, secret->capacity);
    er_buffer_free(secret);
}

/* The seed is the line that begins with SU: alone in a key file, between two markers in a credentials file.
 */
er_status er_nkey_seed(er_slice content, char out[ER_NKEY_SEED_SIZE])
{
    size_t from = 0;
    while (from < content.len) {
        const char *newline = memchr(content.at + from, '\n', content.len - from);
        size_t to = newline != NULL ? (size_t)(newline - content.at) : content.len;
        er_slice line = er_slice_trim(er_slice_sub(content, from, to));
        if (line.len == ER_NKEY_SEED_SIZE - 1 && er_slice_starts(line, ER_SLICE("SU"))) {
            memcpy(out, line.at, line.len);
            out[line.len] = '\0';
            return ER_OK;
        }
        from = to + 1;
    }
    return ER_BAD_INPUT;
}

static const char base32_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/* Without padding; bits left over at the end must be zero. Returns the length, or 0. */
static size_t base32_decode(const char *text, unsigned char *out, size_t most)
{
    uint32_t bits = 0;
    unsigned held = 0;
    size_t len = 0;
    for (; *text != '\0'; text++) {
        const char *letter = strchr(base32_letters, *text);
        if (letter == NULL)
            return 0;
        bits = bits << 5 | (uint32_t)(letter - base32_letters);
        held += 5;
        if (held >= 8) {
            if (len == most)
                return 0;
            held -= 8;
            out[len++] = (unsigned char)(bits >> held);
            bits &= (1u << held) - 1u;
        }
    }
    return bits == 0 ? len : 0;
}

static void base32_encode(const unsigned char *bytes, size_t len, char *out)
{
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < len; i++) {
        bits = bits << 8 | bytes[i];
        for (held += 8; held >= 5; held -= 5)
            *out++ = base32_letters[bits >> (held - 5) & 31u];
        bits &= (1u << held) - 1u;
    }
    if (held > 0)
        *out++ = base32_letters[bits << (5 - held) & 31u];
    *out = '\0';
}

/* CRC-16/XMODEM: polynomial 0x1021, from zero. */
static uint16_t checksum(const unsigned char *bytes, size_t len)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < len; i++) {
        crc ^= (uint32_t)bytes[i] << 8;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x8000u ? crc << 1 ^ 0x1021u : crc << 1;
    }
    return (uint16_t)crc;
}

static bool ed25519_public(const unsigned char seed[32], unsigned char out[32])
{
    size_t len = 32;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, seed, 32);
    bool made = key != NULL && EVP_PKEY_get_raw_public_key(key, out, &len) == 1 && len == 32;
    EVP_PKEY_free(key);
    return made;
}

er_status er_nkey_public(const char *seed, char out[ER_NKEY_PUBLIC_SIZE])
{
    unsigned char raw[NKEY_RAW];
    unsigned char key[1 + 32 + 2] = {NKEY_USER};
    bool good = strlen(seed) == ER_NKEY_SEED_SIZE - 1 &&
                base32_decode(seed, raw, sizeof(raw)) == sizeof(raw) &&
                checksum(raw, NKEY_RAW - 2) == (uint16_t)(raw[NKEY_RAW - 2] | raw[NKEY_RAW - 1] << 8) &&
                (raw[0] & 0xF8) == NKEY_SEED && (unsigned char)(raw[0] << 5 | raw[1] >> 3) == NKEY_USER &&
                ed25519_public(raw + 2, key + 1);
    explicit_bzero(raw, sizeof(raw));
    if (!good)
        return ER_BAD_INPUT;
    uint16_t crc = checksum(key, 33);
    key[33] = (unsigned char)(crc & 0xFF);
    key[34] = (unsigned char)(crc >> 8);
    base32_encode(key, sizeof(key), out);
    return ER_OK;
}
