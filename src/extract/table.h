/*
 * table.h - strings to numbers: a hash table that only grows.
 *
 * Keys are borrowed and must outlive the table. Of one thread.
 */
#ifndef ERRATA_EXTRACT_TABLE_H
#define ERRATA_EXTRACT_TABLE_H

#include "base/slice.h"
#include "base/status.h"

#include <stdint.h>

#define ER_TABLE_NONE UINT32_MAX

/* A key of two parts, such as package and name; the second may be empty. */
typedef struct er_key {
    er_slice first;
    er_slice second;
} er_key;

typedef struct er_table {
    er_key *keys;
    uint32_t *values; /* ER_TABLE_NONE where the slot is free */
    size_t slots;     /* a power of two, or 0 */
    size_t count;
} er_table;

void er_table_start(er_table *table); /* allocates nothing */
void er_table_free(er_table *table);

/* ER_TABLE_NONE where the key is unknown. */
uint32_t er_table_get(const er_table *table, er_key key);
/* Sets the key's value, which must not be ER_TABLE_NONE, over one that was there. */
er_status er_table_put(er_table *table, er_key key, uint32_t value) ER_MUST_CHECK;

#endif
