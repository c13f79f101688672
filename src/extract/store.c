#include "extract/store.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"
#include "extract/fact.h"
#include "extract/grammar.h"
#include "extract/list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "facts"

/* Facts are worth what the query files and the scanner made of them: both stand in the head. */
static er_status make_head(char head[128])
{
    const er_slice parts[] = {er_slice_string(er_query_go), er_slice_string(er_query_c),
                              er_slice_string(er_query_python), er_slice_string(er_query_javascript),
                              er_slice_string(er_query_typescript)};
    char digest[ER_DIGEST_TEXT_SIZE];
    er_status status = er_digest_sha256(parts, sizeof(parts) / sizeof(parts[0]), digest);
    if (status == ER_OK) {
        snprintf(head, 128, "errata facts %d %s\n", ER_FACT_VERSION, digest);
    }
    return status;
}

static bool take_number(er_slice *rest, uint32_t *value)
{
    if (rest->len < 4) {
        return false;
    }
    const unsigned char *at = (const unsigned char *)rest->at;
    *value = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    *rest = er_slice_sub(*rest, 4, rest->len);
    return true;
}

static bool take_text(er_slice *rest, er_slice *text)
{
    uint32_t len = 0;
    if (!take_number(rest, &len) || len > rest->len) {
        return false;
    }
    *text = er_slice_sub(*rest, 0, len);
    *rest = er_slice_sub(*rest, len, rest->len);
    return true;
}

static er_status add(er_store *store, er_slice name, er_slice facts)
{
    if (!er_list_room((void **)&store->items, &store->capacity, store->count, sizeof(store->items[0]))) {
        return ER_NO_MEMORY;
    }
    store->items[store->count].name = name;
    store->items[store->count].facts = facts;
    return er_table_put(&store->by_name, (er_key){name, {0}}, (uint32_t)store->count++);
}

/* Reads entries up to the first damage; what stands before it is whole. */
static er_status read_kept(er_store *store)
{
    char head[128];
    er_status status = make_head(head);
    er_slice rest = er_buffer_slice(&store->kept), first = er_slice_string(head);
    if (status != ER_OK || !er_slice_starts(rest, first)) {
        return status;
    }
    rest = er_slice_sub(rest, first.len, rest.len);
    er_slice name, facts;
    while (status == ER_OK && take_text(&rest, &name) && take_text(&rest, &facts)) {
        status = add(store, name, facts);
    }
    return status;
}

er_status er_store_open(er_store *store, const char *folder)
{
    *store = (er_store){0};
    er_arena_start(&store->arena);
    er_buffer_start(&store->kept, ER_STORE_MAX_BYTES);
    char path[4096];
    if (folder == NULL || snprintf(path, sizeof(path), "%s/" FILE_NAME, folder) >= (int)sizeof(path)) {
        return ER_OK;
    }
    if (er_file_read(path, &store->kept, NULL) != ER_OK) {
        return ER_OK; /* no cache yet, or none that can be read */
    }
    er_status status = read_kept(store);
    if (status != ER_OK) {
        er_store_free(store);
    }
    return status;
}

bool er_store_get(const er_store *store, er_slice name, er_slice *facts)
{
    uint32_t at = er_table_get(&store->by_name, (er_key){name, {0}});
    if (at == ER_TABLE_NONE) {
        return false;
    }
    *facts = store->items[at].facts;
    return true;
}

er_status er_store_put(er_store *store, er_slice name, er_slice facts)
{
    er_slice own_name = er_arena_copy(&store->arena, name);
    er_slice own_facts = er_arena_copy(&store->arena, facts);
    store->changed = true;
    return own_name.at != NULL && own_facts.at != NULL ? add(store, own_name, own_facts) : ER_NO_MEMORY;
}

static bool write_number(FILE *to, size_t value)
{
    const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8),
                                   (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    return fwrite(bytes, 1, 4, to) == 4;
}

static bool write_text(FILE *to, er_slice text)
{
    return write_number(to, text.len) && (text.len == 0 || fwrite(text.at, 1, text.len, to) == text.len);
}

static bool write_all(const er_store *store, const char *head, FILE *to)
{
    bool good = fputs(head, to) >= 0;
    for (size_t i = 0; i < store->count && good; i++) {
        good = write_text(to, store->items[i].name) && write_text(to, store->items[i].facts);
    }
    return good;
}

er_status er_store_save(er_store *store, const char *folder, er_fault *fault)
{
    char path[4096], part[4096], head[128];
    if (folder == NULL || !store->changed) {
        return ER_OK;
    }
    er_status status = make_head(head);
    if (status != ER_OK || snprintf(path, sizeof(path), "%s/" FILE_NAME, folder) >= (int)sizeof(path) ||
        snprintf(part, sizeof(part), "%s/" FILE_NAME ".part", folder) >= (int)sizeof(part)) {
        return er_fault_set(fault, ER_BAD_USAGE, "the cache folder's name is too long");
    }
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        er_fault_set(fault, ER_SYSTEM, "%s", strerror(errno));
        er_fault_file(fault, folder);
        return ER_SYSTEM;
    }
    FILE *to = fopen(part, "we");
    bool good = to != NULL && write_all(store, head, to);
    good = (to == NULL || fclose(to) == 0) && good;
    if (!good || rename(part, path) != 0) {
        er_fault_set(fault, ER_SYSTEM, "%s", strerror(errno));
        er_fault_file(fault, path);
        unlink(part);
        return ER_SYSTEM;
    }
    store->changed = false;
    return ER_OK;
}

void er_store_free(er_store *store)
{
    er_buffer_free(&store->kept);
    er_arena_free(&store->arena);
    er_table_free(&store->by_name);
    er_free(store->items);
    *store = (er_store){0};
}
