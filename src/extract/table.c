#include "extract/table.h"

#include "base/memory.h"

void er_table_start(er_table *table)
{
    *table = (er_table){0};
}

void er_table_free(er_table *table)
{
    er_free(table->keys);
    er_free(table->values);
    *table = (er_table){0};
}

static uint64_t mix(uint64_t hash, er_slice part)
{
    for (size_t i = 0; i < part.len; i++) {
        hash = (hash ^ (unsigned char)part.at[i]) * 0x100000001b3u;
    }
    return (hash ^ 0xff) * 0x100000001b3u;
}

static uint64_t hash_key(er_key key)
{
    uint64_t hash = mix(mix(0xcbf29ce484222325u, key.first), key.second);
    return hash ^ (hash >> 29);
}

/* The key's slot, or the free one where it would stand. At most three quarters are taken. */
static size_t find_slot(const er_table *table, er_key key)
{
    size_t slot = (size_t)hash_key(key) & (table->slots - 1);
    while (table->values[slot] != ER_TABLE_NONE) {
        if (er_slice_equal(table->keys[slot].first, key.first) &&
            er_slice_equal(table->keys[slot].second, key.second)) {
            break;
        }
        slot = (slot + 1) & (table->slots - 1);
    }
    return slot;
}

uint32_t er_table_get(const er_table *table, er_key key)
{
    return table->slots > 0 ? table->values[find_slot(table, key)] : ER_TABLE_NONE;
}

static er_status table_grow(er_table *table)
{
    size_t slots = table->slots > 0 ? table->slots * 2 : 64;
    er_table larger = {er_calloc(slots, sizeof(er_key)), er_calloc(slots, sizeof(uint32_t)), slots, 0};
    if (larger.keys == NULL || larger.values == NULL) {
        er_table_free(&larger);
        return ER_NO_MEMORY;
    }
    memset(larger.values, 0xff, slots * sizeof(uint32_t));
    for (size_t i = 0; i < table->slots; i++) {
        if (table->values[i] != ER_TABLE_NONE) {
            size_t slot = find_slot(&larger, table->keys[i]);
            larger.keys[slot] = table->keys[i];
            larger.values[slot] = table->values[i];
        }
    }
    larger.count = table->count;
    er_table_free(table);
    *table = larger;
    return ER_OK;
}

er_status er_table_put(er_table *table, er_key key, uint32_t value)
{
    if ((table->count + 1) * 4 > table->slots * 3) {
        er_status status = table_grow(table);
        if (status != ER_OK) {
            return status;
        }
    }
    size_t slot = find_slot(table, key);
    if (table->values[slot] == ER_TABLE_NONE) {
        table->keys[slot] = key;
        table->count++;
    }
    table->values[slot] = value;
    return ER_OK;
}
