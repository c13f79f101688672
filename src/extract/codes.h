/*
 * codes.h - error codes that a JSON file defines, as nats-server's errors.json.
 *
 * An array of objects with `constant`, `code` (an HTTP status), `error_code` and
 * `description`; other members are passed over.
 */
#ifndef ERRATA_EXTRACT_CODES_H
#define ERRATA_EXTRACT_CODES_H

#include "base/arena.h"

#include <stdint.h>

#define ER_CODES_FILE "errors.json"
#define ER_CODES_MAX  10000u

typedef struct er_code {
    er_slice constant;    /* "JSStreamNotFoundErr" */
    er_slice constructor; /* "NewJSStreamNotFoundError" */
    er_slice code;        /* "10059" */
    er_slice description;
    uint32_t status; /* 0: none */
    uint32_t line;   /* of the constant, from 1 */
} er_code;

typedef struct er_codes {
    er_code *items; /* owned */
    size_t count, capacity;
} er_codes;

/*
 * Reads a file's text; texts go into the arena. ER_BAD_INPUT, with the offset, when
 * it is not JSON; a file of another form gives no codes. `prefix` and `suffix` stand
 * round a constructor's stem, which is the constant without "Err", "ErrF", "ErrorF" or "F".
 */
er_status er_codes_read(er_codes *codes, er_arena *arena, er_slice text, er_slice prefix, er_slice suffix,
                        er_fault *fault) ER_MUST_CHECK;
void er_codes_free(er_codes *codes);

#endif
