/*
 * list.h - room for one more in a growing array.
 *
 *     if (!er_list_room((void **)&sites, &capacity, count, sizeof(*sites))) return ER_NO_MEMORY;
 *     sites[count++] = site;
 */
#ifndef ERRATA_EXTRACT_LIST_H
#define ERRATA_EXTRACT_LIST_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Makes *items hold at least count + 1; false, and nothing changed, without memory. */
static inline bool er_list_room(void **items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) {
        return true;
    }
    size_t more = *capacity > 0 ? *capacity * 2 : 16;
    if (more > SIZE_MAX / size) {
        return false;
    }
    void *moved = er_realloc(*items, more * size);
    if (moved == NULL) {
        return false;
    }
    *items = moved;
    *capacity = more;
    return true;
}

#endif
