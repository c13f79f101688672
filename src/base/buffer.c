#include "base/buffer.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>

#define FIRST_CAPACITY ((size_t)256)

void er_buffer_start(er_buffer *buffer, size_t ceiling)
{
    *buffer = (er_buffer){.ceiling = ceiling};
}

void er_buffer_free(er_buffer *buffer)
{
    er_free(buffer->at);
    *buffer = (er_buffer){.ceiling = buffer->ceiling};
}

void er_buffer_clear(er_buffer *buffer)
{
    buffer->len = 0;
    buffer->status = ER_OK;
}

char *er_buffer_reserve(er_buffer *buffer, size_t more)
{
    if (buffer->status != ER_OK) {
        return NULL;
    }
    if (more <= buffer->capacity - buffer->len && buffer->at != NULL) {
        return buffer->at + buffer->len;
    }
    if (more > buffer->ceiling - buffer->len) {
        buffer->status = ER_TOO_LARGE;
        return NULL;
    }
    size_t needed = buffer->len + more;
    size_t capacity = buffer->capacity ? buffer->capacity : FIRST_CAPACITY;
    while (capacity < needed) {
        capacity = capacity > buffer->ceiling / 2 ? buffer->ceiling : capacity * 2;
    }
    if (capacity > buffer->ceiling) {
        capacity = buffer->ceiling;
    }
    char *grown = er_realloc(buffer->at, capacity);
    if (grown == NULL) {
        buffer->status = ER_NO_MEMORY;
        return NULL;
    }
    buffer->at = grown;
    buffer->capacity = capacity;
    return grown + buffer->len;
}

void er_buffer_add(er_buffer *buffer, er_slice bytes)
{
    char *room = bytes.len ? er_buffer_reserve(buffer, bytes.len) : NULL;
    if (room != NULL) {
        memcpy(room, bytes.at, bytes.len);
        buffer->len += bytes.len;
    }
}

void er_buffer_add_string(er_buffer *buffer, const char *text)
{
    er_buffer_add(buffer, er_slice_string(text));
}

void er_buffer_add_char(er_buffer *buffer, char c)
{
    er_buffer_add(buffer, er_slice_of(&c, 1));
}

void er_buffer_add_uint(er_buffer *buffer, unsigned long long value)
{
    char digits[24];
    size_t from = sizeof(digits);
    do {
        digits[--from] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    er_buffer_add(buffer, er_slice_of(digits + from, sizeof(digits) - from));
}

/* vsnprintf wants room for a NUL that the buffer does not keep, and which may lie
   above the ceiling; so long texts are formatted aside. */
void er_buffer_format(er_buffer *buffer, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (length < 0) {
        buffer->status = buffer->status ? buffer->status : ER_SYSTEM;
        return;
    }
    if ((size_t)length < sizeof(text)) {
        er_buffer_add(buffer, er_slice_of(text, (size_t)length));
        return;
    }
    char *longer = er_alloc((size_t)length + 1);
    if (longer == NULL) {
        buffer->status = buffer->status ? buffer->status : ER_NO_MEMORY;
        return;
    }
    va_start(arguments, format);
    vsnprintf(longer, (size_t)length + 1, format, arguments);
    va_end(arguments);
    er_buffer_add(buffer, er_slice_of(longer, (size_t)length));
    er_free(longer);
}
