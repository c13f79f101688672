/*
 * buffer.h - a growing byte buffer with a declared ceiling.
 *
 * Failure is sticky: once an append would pass the ceiling or memory runs out,
 * the buffer keeps what it had, takes nothing more, and er_buffer_status says
 * why; so a writer appends freely and checks once at the end. A cleared buffer
 * keeps its memory, which is how a warm thread stops allocating.
 */
#ifndef ERRATA_BASE_BUFFER_H
#define ERRATA_BASE_BUFFER_H

#include "base/slice.h"
#include "base/status.h"

typedef struct er_buffer {
    char *at; /* owned; not ended by a NUL */
    size_t len;
    size_t capacity;
    size_t ceiling; /* most bytes it may hold */
    er_status status;
} er_buffer;

/* No allocation happens until the first append. */
void er_buffer_start(er_buffer *buffer, size_t ceiling);
void er_buffer_free(er_buffer *buffer);  /* usable again after er_buffer_start */
void er_buffer_clear(er_buffer *buffer); /* length 0, status ER_OK, memory kept */

void er_buffer_add(er_buffer *buffer, er_slice bytes);
void er_buffer_add_string(er_buffer *buffer, const char *text); /* NULL adds nothing */
void er_buffer_add_char(er_buffer *buffer, char c);
void er_buffer_add_uint(er_buffer *buffer, unsigned long long value);
void er_buffer_format(er_buffer *buffer, const char *format, ...) ER_PRINTF(2, 3);
/* Room for `more` bytes at buffer->at + buffer->len, or NULL. The caller adds to len. */
char *er_buffer_reserve(er_buffer *buffer, size_t more);

static inline er_slice er_buffer_slice(const er_buffer *buffer)
{
    return er_slice_of(buffer->at, buffer->len);
}

#endif
