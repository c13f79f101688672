#include "catalog/catalog.h"

#include "base/memory.h"
#include "catalog/build.h"

#include <assert.h>

void er_catalog_free(er_catalog **catalog)
{
    er_catalog *old = *catalog;
    *catalog = NULL;
    if (old == NULL) {
        return;
    }
    er_arena_free(&old->arena);
    er_free(old->records);
    er_free(old->by_id.keys);
    er_free(old->by_place.keys);
    er_free(old->by_slug.keys);
    er_free(old->by_code.keys);
    er_free(old->repos);
    er_free(old);
}

size_t er_catalog_count(const er_catalog *catalog)
{
    return catalog->count;
}

const er_record *er_catalog_record(const er_catalog *catalog, size_t index)
{
    assert(index < catalog->count);
    return &catalog->records[index];
}

const er_record *er_catalog_by_id(const er_catalog *catalog, er_slice id)
{
    const er_index *index = &catalog->by_id;
    uint32_t hash = er_index_hash(id, (er_slice){0});
    for (size_t at = er_index_find(index, hash); er_index_has(index, at, hash); at++) {
        const er_record *record = &catalog->records[er_index_record(index, at)];
        if (er_slice_equal(record->id, id)) {
            return record;
        }
    }
    return NULL;
}

const er_record *er_catalog_by_repo_slug(const er_catalog *catalog, er_slice repo, er_slice slug)
{
    const er_index *index = &catalog->by_place;
    uint32_t hash = er_index_hash(repo, slug);
    for (size_t at = er_index_find(index, hash); er_index_has(index, at, hash); at++) {
        const er_record *record = &catalog->records[er_index_record(index, at)];
        if (er_slice_equal(record->repo, repo) && er_slice_equal(record->slug, slug)) {
            return record;
        }
    }
    return NULL;
}

size_t er_catalog_by_slug(const er_catalog *catalog, er_slice slug, const er_record **out, size_t most)
{
    const er_index *index = &catalog->by_slug;
    uint32_t hash = er_index_hash(slug, (er_slice){0});
    size_t count = 0;
    for (size_t at = er_index_find(index, hash); er_index_has(index, at, hash); at++) {
        const er_record *record = &catalog->records[er_index_record(index, at)];
        if (er_slice_equal(record->slug, slug)) {
            if (count < most) {
                out[count] = record;
            }
            count++;
        }
    }
    return count;
}

size_t er_catalog_by_code(const er_catalog *catalog, er_slice code, const er_record **out, size_t most)
{
    const er_index *index = &catalog->by_code;
    uint32_t hash = er_index_hash(code, (er_slice){0});
    size_t count = 0;
    for (size_t at = er_index_find(index, hash); er_index_has(index, at, hash); at++) {
        const er_record *record = &catalog->records[er_index_record(index, at)];
        if (er_slice_equal(record->code, code)) {
            if (count < most) {
                out[count] = record;
            }
            count++;
        }
    }
    return count;
}

er_slice er_catalog_dataset_version(const er_catalog *catalog)
{
    return catalog->dataset_version;
}

const char *er_catalog_hash(const er_catalog *catalog)
{
    return catalog->hash;
}

size_t er_catalog_memory(const er_catalog *catalog)
{
    size_t keys = 4 * catalog->count; /* that of codes is mostly not filled */
    return sizeof(*catalog) + catalog->arena.held + catalog->count * sizeof(*catalog->records) +
           keys * sizeof(uint64_t) + catalog->repo_count * sizeof(*catalog->repos);
}

size_t er_catalog_repo_count(const er_catalog *catalog)
{
    return catalog->repo_count;
}

er_slice er_catalog_repo(const er_catalog *catalog, size_t index, size_t *records)
{
    assert(index < catalog->repo_count);
    if (records != NULL) {
        *records = catalog->repos[index].records;
    }
    return catalog->repos[index].name;
}
