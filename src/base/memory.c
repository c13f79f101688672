#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Both are only ever touched by atomic operations, and no order between them and
   other memory matters. A countdown below 0 means that nothing fails. */
static _Atomic long fail_countdown = -1;
static _Atomic long made;

static bool fails(void)
{
    atomic_fetch_add_explicit(&made, 1, memory_order_relaxed);
    if (atomic_load_explicit(&fail_countdown, memory_order_relaxed) < 0) {
        return false;
    }
    return atomic_fetch_sub_explicit(&fail_countdown, 1, memory_order_relaxed) == 0;
}

void *er_alloc(size_t size)
{
    return fails() ? NULL : malloc(size ? size : 1);
}

void *er_calloc(size_t count, size_t size)
{
    if (count == 0 || size == 0) {
        count = size = 1;
    }
    return fails() || size > SIZE_MAX / count ? NULL : calloc(count, size);
}

void *er_realloc(void *memory, size_t size)
{
    return fails() ? NULL : realloc(memory, size ? size : 1);
}

void er_free(void *memory)
{
    free(memory);
}

char *er_strndup(const char *text, size_t length)
{
    if (length == SIZE_MAX) {
        return NULL;
    }
    char *copy = er_alloc(length + 1);
    if (copy == NULL) {
        return NULL;
    }
    if (length > 0) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    return copy;
}

long er_memory_fail_after(long countdown)
{
    atomic_store_explicit(&fail_countdown, countdown < 0 ? -1 : countdown, memory_order_relaxed);
    return atomic_exchange_explicit(&made, 0, memory_order_relaxed);
}
