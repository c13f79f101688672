/*
 * store.h - facts by the hash of the content they were read from, kept between runs.
 *
 * In memory while it is open; a cache folder holds one file of them, which is read whole
 * and written whole. A file that is damaged, or of another version, is as good as none.
 */
#ifndef ERRATA_EXTRACT_STORE_H
#define ERRATA_EXTRACT_STORE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "extract/table.h"

#define ER_STORE_MAX_BYTES ((size_t)1 << 30)

typedef struct er_store {
    er_buffer kept;   /* the file's bytes; facts of an earlier run point into it */
    er_arena arena;   /* facts of this run */
    er_table by_name; /* "HASH LANGUAGE" to a place */
    struct er_stored {
        er_slice name;
        er_slice facts;
    } * items;
    size_t count, capacity;
    bool changed;
} er_store;

/* `folder` NULL: nothing is kept. Only memory can fail. */
er_status er_store_open(er_store *store, const char *folder) ER_MUST_CHECK;
/* Makes the folder where it is missing, and writes only what changed. */
er_status er_store_save(er_store *store, const char *folder, er_fault *fault) ER_MUST_CHECK;
void er_store_free(er_store *store);

/* false where there are none; facts may be empty. */
bool er_store_get(const er_store *store, er_slice name, er_slice *facts);
er_status er_store_put(er_store *store, er_slice name, er_slice facts) ER_MUST_CHECK;

#endif
