/*
 * slice.h - a borrowed run of bytes.
 *
 * A slice owns nothing, may hold any byte, does not end in a NUL, and is valid
 * as long as what it points into. An empty slice may have a NULL pointer.
 */
#ifndef ERRATA_BASE_SLICE_H
#define ERRATA_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct er_slice {
    const char *at;
    size_t len;
} er_slice;

/* A slice over a string literal. */
#define ER_SLICE(literal) ((er_slice){(literal), sizeof(literal) - 1})

static inline er_slice er_slice_of(const char *at, size_t len)
{
    return (er_slice){at, len};
}

/* NULL gives an empty slice. */
static inline er_slice er_slice_string(const char *text)
{
    return (er_slice){text, text ? strlen(text) : 0};
}

static inline bool er_slice_equal(er_slice a, er_slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static inline bool er_slice_is(er_slice a, const char *text)
{
    return er_slice_equal(a, er_slice_string(text));
}

/* Byte order, a shorter prefix first: <0, 0, >0. */
int er_slice_compare(er_slice a, er_slice b);
bool er_slice_starts(er_slice a, er_slice prefix);
er_slice er_slice_trim(er_slice a);                        /* without outer ASCII blanks */
er_slice er_slice_sub(er_slice a, size_t from, size_t to); /* from <= to <= a.len */

/* Length of the well-formed UTF-8 sequence at `at` (1 to 4), or 0 where there is none. */
size_t er_slice_utf8(er_slice a, size_t at);
/* How many bytes from the start are well-formed UTF-8; a.len when all are. */
size_t er_slice_utf8_prefix(er_slice a);

#endif
