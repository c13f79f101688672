/*
 * build.h - how a catalog is put together. Internal to the catalog.
 *
 * load.c reads files into an er_loading: a list of records as they came. index.c
 * turns the list into the catalog: order, uniqueness, indexes, what depends on all
 * records. catalog.c answers from it.
 */
#ifndef ERRATA_CATALOG_BUILD_H
#define ERRATA_CATALOG_BUILD_H

#include "base/arena.h"
#include "base/buffer.h"
#include "catalog/catalog.h"
#include "catalog/document.h"

/*
 * An index is one sorted array of 64-bit keys: the hash of what is looked up in the
 * upper half, the place of the record in the lower. So all records that share a
 * hash stand together in catalog order, and a record costs 8 bytes an index. The
 * texts are compared on look-up; they are not kept again.
 */
typedef struct er_index {
    uint64_t *keys;
    size_t count;
} er_index;

typedef struct er_repo {
    er_slice name;
    size_t records;
} er_repo;

struct er_catalog {
    er_arena arena; /* everything that a record's slices point to */
    er_record *records;
    size_t count;
    er_index by_id;
    er_index by_place; /* repo and slug */
    er_index by_slug;
    er_index by_code;
    er_repo *repos;
    size_t repo_count;
    er_slice dataset_version;
    char hash[ER_DIGEST_TEXT_SIZE];
};

/* A record as it was read, and where, for the faults that only show later. */
typedef struct er_loaded {
    er_record record;
    er_slice related; /* the value in its guide_json; empty for none */
    size_t id_at;     /* offsets in the file */
    size_t slug_at;
} er_loaded;

typedef struct er_loading {
    er_catalog *catalog;
    er_loaded *records;
    size_t count;
    size_t capacity;
    er_slice newest;    /* analyzedAt or contentChangedAt, in the arena */
    er_buffer document; /* a file, or a window on a bundle */
    er_buffer scratch;
    er_slice file; /* in the arena: the one being read */
    const er_catalog_options *options;
    er_fault *fault;
    er_status first; /* of the faults that were reported */
} er_loading;

/*
 * Reports a fault. Without a sink, or when memory ran out, it returns the fault's
 * status and loading ends; with one it returns ER_OK and loading goes on.
 */
er_status er_loading_report(er_loading *loading, const er_fault *fault) ER_MUST_CHECK;

/* Moves the list into the catalog. The list is empty afterwards, also on failure. */
er_status er_loading_index(er_loading *loading) ER_MUST_CHECK;

/* Where the values of the guide's members stand in guide_json; a length of 0 for none. */
typedef struct er_guide_places {
    size_t at[ER_GUIDE_COUNT];
    size_t len[ER_GUIDE_COUNT];
} er_guide_places;

/* Appends the compact guide without its examples, its own members by their plain names. */
void er_guide_compact(er_slice guide, er_buffer *out, er_guide_places *places);
/* Sets capture_names, commands, first_release and last_release from guide_json. ER_NO_MEMORY. */
er_status er_guide_decode(er_record *record, const er_guide_places *places, er_arena *arena) ER_MUST_CHECK;
/* Takes out of guide_json, in place, what is in `related` (its value) but not in the catalog. */
er_status er_guide_reduce(er_record *record, er_slice related, const er_catalog *catalog,
                          er_buffer *scratch) ER_MUST_CHECK;

/* Decodes the inside of a JSON string: itself where it has no escape, else a copy in
   the arena. A slice whose `at` is NULL when memory ran out. */
er_slice er_text_decode(er_slice raw, er_arena *arena);

uint32_t er_index_hash(er_slice a, er_slice b); /* of `a`, a line feed, `b` */
/* The first key that has this hash, or index->count. */
size_t er_index_find(const er_index *index, uint32_t hash);
static inline bool er_index_has(const er_index *index, size_t at, uint32_t hash)
{
    return at < index->count && (uint32_t)(index->keys[at] >> 32) == hash;
}
static inline uint32_t er_index_record(const er_index *index, size_t at)
{
    return (uint32_t)index->keys[at];
}

#endif
