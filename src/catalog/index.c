/* index.c - from the records as they came to a catalog: order, uniqueness, indexes. */
#include "base/memory.h"
#include "catalog/build.h"

#include <stdlib.h>

uint32_t er_index_hash(er_slice a, er_slice b)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, folded */
    for (size_t i = 0; i < a.len; i++) {
        hash = (hash ^ (unsigned char)a.at[i]) * UINT64_C(0x100000001b3);
    }
    hash = (hash ^ '\n') * UINT64_C(0x100000001b3);
    for (size_t i = 0; i < b.len; i++) {
        hash = (hash ^ (unsigned char)b.at[i]) * UINT64_C(0x100000001b3);
    }
    return (uint32_t)(hash ^ (hash >> 32));
}

size_t er_index_find(const er_index *index, uint32_t hash)
{
    size_t low = 0;
    size_t high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((uint32_t)(index->keys[middle] >> 32) < hash) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static int key_order(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* What a record is found by. */
typedef struct lookup {
    er_slice a, b;
} lookup;

typedef lookup lookup_of(const er_record *record);

static lookup id_of(const er_record *record)
{
    return (lookup){record->id, {0}};
}

static lookup place_of(const er_record *record)
{
    return (lookup){record->repo, record->slug};
}

static lookup slug_of(const er_record *record)
{
    return (lookup){record->slug, {0}};
}

static lookup code_of(const er_record *record)
{
    return (lookup){record->code, {0}};
}

static lookup_of *const lookups[] = {id_of, place_of, slug_of, code_of};
enum { BY_ID, BY_PLACE, BY_SLUG, BY_CODE, BY_COUNT };

/* ---- Order ---- */

/* The place of a loaded record in the catalog's order. */
typedef struct place {
    uint32_t repo; /* rank among the repos */
    uint32_t from; /* in the list of loaded records */
    uint64_t id;   /* its 16 digits as a number, which orders as their bytes do */
    /* Computed while the list is gone through in the order of memory: in the catalog's
       order nearly every record would be a cache miss, once for each index. */
    uint32_t hash[BY_COUNT];
    bool has_code;
} place;

static uint64_t id_number(er_slice id)
{
    uint64_t number = 0;
    for (size_t i = 0; i < id.len; i++) {
        char digit = id.at[i];
        number = number << 4 | (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return number;
}

static int place_order(const void *a, const void *b)
{
    const place *left = a;
    const place *right = b;
    if (left->repo != right->repo) {
        return left->repo < right->repo ? -1 : 1;
    }
    if (left->id != right->id) {
        return left->id < right->id ? -1 : 1;
    }
    return (left->from > right->from) - (left->from < right->from);
}

static int repo_order(const void *a, const void *b)
{
    const er_repo *left = a;
    const er_repo *right = b;
    return er_slice_compare(left->name, right->name);
}

/* Distinct repos by an open hash table that holds places in `repos`, plus one. */
typedef struct repo_table {
    uint32_t *slots;
    size_t mask;
    er_repo *repos;
    size_t count;
} repo_table;

static er_status repo_table_start(repo_table *table, size_t records)
{
    size_t slots = 16;
    while (slots < records * 2) {
        slots *= 2;
    }
    *table = (repo_table){.mask = slots - 1};
    table->slots = er_calloc(slots, sizeof(*table->slots));
    return table->slots ? ER_OK : ER_NO_MEMORY;
}

static er_status repo_table_add(repo_table *table, er_slice name)
{
    size_t slot = er_index_hash(name, (er_slice){0}) & table->mask;
    while (table->slots[slot] != 0) {
        er_repo *repo = &table->repos[table->slots[slot] - 1];
        if (er_slice_equal(repo->name, name)) {
            repo->records++;
            return ER_OK;
        }
        slot = (slot + 1) & table->mask;
    }
    if ((table->count & (table->count - 1)) == 0) { /* full at each power of two */
        size_t capacity = table->count ? table->count * 2 : 1;
        er_repo *grown = er_realloc(table->repos, capacity * sizeof(*grown));
        if (grown == NULL) {
            return ER_NO_MEMORY;
        }
        table->repos = grown;
    }
    table->repos[table->count++] = (er_repo){name, 1};
    table->slots[slot] = (uint32_t)table->count;
    return ER_OK;
}

/* Fills catalog->repos, in byte order. */
static er_status collect_repos(er_loading *loading)
{
    repo_table table;
    er_status status = repo_table_start(&table, loading->count);
    for (size_t i = 0; status == ER_OK && i < loading->count; i++) {
        status = repo_table_add(&table, loading->records[i].record.repo);
    }
    er_free(table.slots);
    loading->catalog->repos = table.repos;
    loading->catalog->repo_count = table.count;
    if (table.count > 0) {
        qsort(table.repos, table.count, sizeof(*table.repos), repo_order);
    }
    return status;
}

static uint32_t repo_rank(const er_catalog *catalog, er_slice name)
{
    const er_repo wanted = {name, 0};
    const er_repo *found =
        bsearch(&wanted, catalog->repos, catalog->repo_count, sizeof(*catalog->repos), repo_order);
    return (uint32_t)(found - catalog->repos);
}

static er_status sort_places(const er_loading *loading, place **out)
{
    place *places = er_alloc(loading->count * sizeof(*places));
    if (places == NULL) {
        return ER_NO_MEMORY;
    }
    for (size_t i = 0; i < loading->count; i++) {
        const er_record *record = &loading->records[i].record;
        places[i] = (place){.repo = repo_rank(loading->catalog, record->repo),
                            .from = (uint32_t)i,
                            .id = id_number(record->id),
                            .has_code = record->code.len > 0};
        for (int by = 0; by < BY_COUNT; by++) {
            lookup found = lookups[by](record);
            places[i].hash[by] = er_index_hash(found.a, found.b);
        }
    }
    if (loading->count > 0) {
        qsort(places, loading->count, sizeof(*places), place_order);
    }
    *out = places;
    return ER_OK;
}

/* ---- Uniqueness ---- */

static er_status report_double(er_loading *loading, const er_loaded *later, const er_loaded *earlier, bool id)
{
    const er_record *record = &later->record;
    er_fault fault;
    er_fault_set(&fault, ER_BAD_INPUT, "%s is in the catalog already: %s, at byte %zu",
                 id ? "this id" : "this slug, of the same repo,", earlier->record.file.at,
                 id ? earlier->id_at : earlier->slug_at);
    er_fault_file(&fault, record->file.at);
    er_fault_record(&fault, record->id.at, record->id.len);
    er_fault_member(&fault, id ? "record.id" : "record.slug");
    er_fault_offset(&fault, id ? later->id_at : later->slug_at);
    return er_loading_report(loading, &fault);
}

/* The fault is that of the document that came later; which one it is the same as is
   looked for among those with the same hash, nearly always one. */
static er_status check_unique(er_loading *loading, const place *places, const er_index *index, lookup_of *of,
                              bool id)
{
    const er_record *records = loading->catalog->records;
    er_status status = ER_OK;
    for (size_t i = 1; status == ER_OK && i < index->count; i++) {
        uint32_t hash = (uint32_t)(index->keys[i] >> 32);
        uint32_t one = er_index_record(index, i);
        lookup wanted = of(&records[one]);
        for (size_t j = i; j > 0 && er_index_has(index, j - 1, hash); j--) {
            uint32_t other = er_index_record(index, j - 1);
            lookup found = of(&records[other]);
            if (er_slice_equal(wanted.a, found.a) && er_slice_equal(wanted.b, found.b)) {
                uint32_t from = places[one].from;
                uint32_t to = places[other].from;
                status = report_double(loading, &loading->records[from > to ? from : to],
                                       &loading->records[from > to ? to : from], id);
                break;
            }
        }
    }
    return status;
}

/* ---- What depends on all records ---- */

static er_status reduce_guides(er_loading *loading, const place *places)
{
    er_catalog *catalog = loading->catalog;
    er_status status = ER_OK;
    for (size_t i = 0; status == ER_OK && i < catalog->count; i++) {
        er_slice related = loading->records[places[i].from].related;
        if (related.len > 0) {
            status = er_guide_reduce(&catalog->records[i], related, catalog, &loading->scratch);
        }
    }
    return status;
}

/* Over each record and its guide, as they are sent: what is equal here answers equally. */
static er_status hash_records(er_catalog *catalog)
{
    er_slice *parts = er_alloc(2 * catalog->count * sizeof(*parts));
    if (parts == NULL) {
        return ER_NO_MEMORY;
    }
    for (size_t i = 0; i < catalog->count; i++) {
        parts[2 * i] = catalog->records[i].json;
        parts[2 * i + 1] = catalog->records[i].guide_json;
    }
    er_status status = er_digest_sha256(parts, 2 * catalog->count, catalog->hash);
    er_free(parts);
    return status;
}

static er_status gather(er_loading *loading, const place *places)
{
    er_catalog *catalog = loading->catalog;
    catalog->records = er_alloc(loading->count * sizeof(*catalog->records));
    if (catalog->records == NULL) {
        return ER_NO_MEMORY;
    }
    catalog->count = loading->count;
    for (size_t i = 0; i < catalog->count; i++) {
        catalog->records[i] = loading->records[places[i].from].record;
    }
    bool single = catalog->count == 1 && catalog->records[0].dataset_version.len > 0;
    catalog->dataset_version = single ? catalog->records[0].dataset_version : loading->newest;
    return ER_OK;
}

static er_status build_index(er_index *index, const place *places, size_t count, int by)
{
    index->keys = er_alloc(count * sizeof(*index->keys));
    if (index->keys == NULL) {
        return ER_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        if (by != BY_CODE || places[i].has_code) {
            index->keys[index->count++] = (uint64_t)places[i].hash[by] << 32 | i;
        }
    }
    if (index->count > 0) {
        qsort(index->keys, index->count, sizeof(*index->keys), key_order);
    }
    return ER_OK;
}

static er_status build_indexes(er_catalog *catalog, const place *places)
{
    er_index *const indexes[] = {&catalog->by_id, &catalog->by_place, &catalog->by_slug, &catalog->by_code};
    er_status status = ER_OK;
    for (int by = 0; status == ER_OK && by < BY_COUNT; by++) {
        status = build_index(indexes[by], places, catalog->count, by);
    }
    return status;
}

er_status er_loading_index(er_loading *loading)
{
    er_catalog *catalog = loading->catalog;
    place *places = NULL;
    er_status status = collect_repos(loading);
    if (status == ER_OK) {
        status = sort_places(loading, &places);
    }
    if (status == ER_OK) {
        status = gather(loading, places);
    }
    if (status == ER_OK) {
        status = build_indexes(catalog, places);
    }
    if (status == ER_OK) {
        status = check_unique(loading, places, &catalog->by_id, id_of, true);
    }
    if (status == ER_OK) {
        status = check_unique(loading, places, &catalog->by_place, place_of, false);
    }
    if (status == ER_OK) {
        status = reduce_guides(loading, places);
    }
    er_free(places);
    er_free(loading->records);
    loading->records = NULL;
    loading->count = loading->capacity = 0;
    if (status == ER_OK) {
        status = hash_records(catalog);
    }
    return status;
}
