#include "match/engine.h"

#include "base/memory.h"

#define BLOCK_SIZE    (64u * 1024u)
#define HITS_AT_FIRST 256u

struct er_scratch_block {
    er_scratch_block *next;
    size_t size, used;
    max_align_t bytes[];
};

er_status er_scratch_new(er_scratch **out)
{
    er_scratch *scratch = er_calloc(1, sizeof *scratch);
    *out = scratch;
    if (!scratch)
        return ER_NO_MEMORY;
    er_status status = er_regex_room_new(&scratch->room);
    scratch->hits = er_alloc(HITS_AT_FIRST * sizeof *scratch->hits);
    scratch->hit_capacity = HITS_AT_FIRST;
    if (!scratch->hits)
        status = ER_NO_MEMORY;
    if (status != ER_OK)
        er_scratch_free(out);
    return status;
}

void er_scratch_free(er_scratch **scratch)
{
    if (!*scratch)
        return;
    er_regex_room_free(&(*scratch)->room);
    for (er_scratch_block *block = (*scratch)->blocks, *next; block; block = next) {
        next = block->next;
        er_free(block);
    }
    er_free((*scratch)->hits);
    er_free((*scratch)->evidence);
    er_free((*scratch)->nearest.scores);
    er_free((*scratch)->nearest.touched);
    er_free(*scratch);
    *scratch = NULL;
}

static er_scratch_block *add_block(er_scratch *scratch, size_t size)
{
    size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    er_scratch_block *block = er_alloc(sizeof *block + room);
    if (!block) {
        scratch->failed = true;
        return NULL;
    }
    *block = (er_scratch_block){.size = room};
    if (scratch->current) {
        block->next = scratch->current->next;
        scratch->current->next = block;
    } else {
        scratch->blocks = block;
    }
    return block;
}

void *er_scratch_take(er_scratch *scratch, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    er_scratch_block *block = scratch->current ? scratch->current : scratch->blocks;
    while (block && block->size - block->used < size) {
        block = block->next;
        if (block)
            block->used = 0;
    }
    if (!block)
        block = add_block(scratch, size);
    if (!block)
        return NULL;
    scratch->current = block;
    void *memory = (char *)block->bytes + block->used;
    block->used += size;
    return memory;
}

void er_scratch_rewind(er_scratch *scratch)
{
    scratch->current = NULL;
    if (scratch->blocks)
        scratch->blocks->used = 0;
}

uint32_t er_scratch_stamp(er_scratch *scratch)
{
    if (++scratch->stamp == 0) { /* once in four billion */
        memset(scratch->evidence, 0, scratch->rule_count * sizeof *scratch->evidence);
        scratch->stamp = 1;
    }
    return scratch->stamp;
}
