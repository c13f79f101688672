#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stdint.h>

#define FIRST_BLOCK ((size_t)4 << 10)
#define MAX_BLOCK   ((size_t)1 << 20) /* also the most that stays unused at the end */

struct er_arena_block {
    er_arena_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) char bytes[];
};

void er_arena_start(er_arena *arena)
{
    *arena = (er_arena){0};
}

void er_arena_free(er_arena *arena)
{
    for (er_arena_block *block = arena->blocks; block != NULL;) {
        er_arena_block *next = block->next;
        er_free(block);
        block = next;
    }
    *arena = (er_arena){0};
}

static er_arena_block *block_new(er_arena *arena, size_t size)
{
    if (size > SIZE_MAX - sizeof(er_arena_block)) {
        return NULL;
    }
    er_arena_block *block = er_alloc(sizeof(*block) + size);
    if (block != NULL) {
        block->next = NULL;
        block->used = 0;
        block->size = size;
        arena->held += sizeof(*block) + size;
    }
    return block;
}

/* A piece that is large beside the blocks gets one of its own, behind the newest,
   whose rest would otherwise be lost. */
static er_arena_block *block_for(er_arena *arena, size_t size)
{
    size_t usual = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    usual = usual > MAX_BLOCK ? MAX_BLOCK : usual;
    bool own = size > usual / 4;
    er_arena_block *block = block_new(arena, own ? size : usual);
    if (block == NULL) {
        return NULL;
    }
    if (own && arena->blocks != NULL) {
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    } else {
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

static char *take(er_arena *arena, size_t size, size_t alignment)
{
    er_arena_block *block = arena->blocks;
    size_t from = block ? (block->used + alignment - 1) / alignment * alignment : 0;
    if (block == NULL || from > block->size || size > block->size - from) {
        block = block_for(arena, size);
        from = 0;
    }
    if (block == NULL) {
        return NULL;
    }
    block->used = from + size;
    arena->used += size;
    return block->bytes + from;
}

void *er_arena_take(er_arena *arena, size_t size)
{
    return take(arena, size, alignof(max_align_t));
}

er_slice er_arena_copy(er_arena *arena, er_slice bytes)
{
    char *copy = bytes.len < SIZE_MAX ? take(arena, bytes.len + 1, 1) : NULL;
    if (copy == NULL) {
        return (er_slice){0};
    }
    if (bytes.len > 0) {
        memcpy(copy, bytes.at, bytes.len);
    }
    copy[bytes.len] = '\0';
    return er_slice_of(copy, bytes.len);
}
