/*
 * memory.h - the one door to the heap.
 *
 * A thin layer over malloc, so that a test can make the n-th allocation fail
 * and walk n until the operation succeeds. Thread safe. All results are
 * released with er_free.
 */
#ifndef ERRATA_BASE_MEMORY_H
#define ERRATA_BASE_MEMORY_H

#include <stddef.h>

void *er_alloc(size_t size);                       /* NULL on failure; contents undefined */
void *er_calloc(size_t count, size_t size);        /* NULL on failure or overflow; zeroed */
void *er_realloc(void *memory, size_t size);       /* NULL on failure, `memory` stays valid */
void er_free(void *memory);                        /* NULL is allowed */
char *er_strndup(const char *text, size_t length); /* NULL on failure; ends in a NUL */

/*
 * For tests: the allocation after `countdown` more successful ones fails, once.
 * A negative countdown switches the failing off. Returns how many allocations
 * were made since the last call. Process-wide; not for use beside other threads.
 */
long er_memory_fail_after(long countdown);

#endif
