#include "match/index.h"

#include "base/memory.h"

#define GRAMS_PER_PATTERN 4u
#define GRAM_STRETCH      14u /* grams that one entry stands for */

typedef struct slot {
    uint64_t gram; /* 0: empty; folded text holds no zero byte */
    uint32_t first, count;
} slot;

struct er_index {
    uint64_t *filter;
    unsigned filter_shift; /* 64 less the bits of a filter place */
    slot *slots;
    unsigned slot_shift;
    uint32_t slot_mask;
    er_posting *postings;
    uint32_t posting_count;
    uint32_t *loose;
    uint32_t loose_count;
    bool has_short;
    size_t memory;
};

/* What is needed while building only. */
typedef struct builder {
    const er_piece_pool *pool;
    const er_pattern *patterns;
    uint32_t count;
    uint32_t *frequency; /* how often a gram's bucket was met: an estimate is enough to choose by */
    unsigned frequency_shift;
    struct entry {
        uint64_t gram;
        er_posting posting;
    } *entries;
    size_t entry_count, entry_capacity;
    uint32_t *loose;
    uint32_t loose_count, loose_capacity;
} builder;

static inline uint64_t mix(uint64_t gram)
{
    return gram * UINT64_C(0x9E3779B97F4A7C15);
}

static inline uint64_t load(const char *at)
{
    uint64_t gram;
    memcpy(&gram, at, sizeof gram);
    return gram;
}

/* The first four bytes in text order, whatever the machine's byte order. */
static inline uint64_t load_short(const char *at)
{
    uint32_t gram;
    memcpy(&gram, at, sizeof gram);
    return gram;
}

static unsigned bits_for(size_t places)
{
    unsigned bits = 6;
    while (bits < 32 && ((size_t)1 << bits) < places)
        bits++;
    return bits;
}

static uint64_t gram_at(const char *text, bool shorter)
{
    return shorter ? load_short(text) : load(text);
}

/* Longest folded piece decides which kind of gram a pattern is entered under; 0: none. */
static uint32_t gram_size(const builder *b, const er_pattern *pattern)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < pattern->piece_count; i++) {
        uint32_t length = b->pool->pieces[pattern->first_piece + i].fold_len;
        longest = length > longest ? length : longest;
    }
    return longest >= ER_GRAM ? ER_GRAM : longest >= ER_SHORT_GRAM ? ER_SHORT_GRAM : 0;
}

static void count_grams(builder *b)
{
    for (uint32_t r = 0; r < b->count; r++) {
        uint32_t size = gram_size(b, &b->patterns[r]);
        for (uint32_t i = 0; size && i < b->patterns[r].piece_count; i++) {
            er_slice text = er_piece_fold(b->pool, &b->pool->pieces[b->patterns[r].first_piece + i]);
            for (size_t at = 0; at + size <= text.len; at++)
                b->frequency[mix(gram_at(text.at + at, size == ER_SHORT_GRAM)) >> b->frequency_shift]++;
        }
    }
}

static er_status add_entry(builder *b, uint64_t gram, er_posting posting)
{
    if (b->entry_count == b->entry_capacity) {
        size_t more = b->entry_capacity ? 2 * b->entry_capacity : 1024;
        struct entry *grown = er_realloc(b->entries, more * sizeof *grown);
        if (!grown)
            return ER_NO_MEMORY;
        b->entries = grown;
        b->entry_capacity = more;
    }
    b->entries[b->entry_count++] = (struct entry){gram, posting};
    return ER_OK;
}

static er_status add_loose(builder *b, uint32_t rule)
{
    if (b->loose_count == b->loose_capacity) {
        uint32_t more = b->loose_capacity ? 2 * b->loose_capacity : 16;
        uint32_t *grown = er_realloc(b->loose, more * sizeof *grown);
        if (!grown)
            return ER_NO_MEMORY;
        b->loose = grown;
        b->loose_capacity = more;
    }
    b->loose[b->loose_count++] = rule;
    return ER_OK;
}

/* Enters the rarest gram of each stretch of a pattern. */
static er_status enter_pattern(builder *b, uint32_t rule)
{
    const er_pattern *pattern = &b->patterns[rule];
    uint32_t size = gram_size(b, pattern), total = 0;
    if (size == 0)
        return add_loose(b, rule);
    for (uint32_t i = 0; i < pattern->piece_count; i++) {
        uint32_t length = b->pool->pieces[pattern->first_piece + i].fold_len;
        total += length >= size ? length - size + 1 : 0;
    }
    uint32_t picks = (total + GRAM_STRETCH - 1) / GRAM_STRETCH;
    picks = picks > GRAMS_PER_PATTERN ? GRAMS_PER_PATTERN : picks;
    uint32_t seen = 0, picked = 0, best = UINT32_MAX;
    uint64_t best_gram = 0;
    er_posting best_posting = {0};
    for (uint32_t i = 0; i < pattern->piece_count; i++) {
        er_slice text = er_piece_fold(b->pool, &b->pool->pieces[pattern->first_piece + i]);
        for (size_t at = 0; at + size <= text.len; at++) {
            uint64_t gram = gram_at(text.at + at, size == ER_SHORT_GRAM);
            uint32_t often = b->frequency[mix(gram) >> b->frequency_shift];
            if (often < best) {
                best = often;
                best_gram = gram;
                best_posting = (er_posting){rule, (uint16_t)i, (uint16_t)at};
            }
            if (++seen == (uint64_t)total * (picked + 1) / picks) {
                if (add_entry(b, best_gram, best_posting) != ER_OK)
                    return ER_NO_MEMORY;
                picked++;
                best = UINT32_MAX;
            }
        }
    }
    return ER_OK;
}

/* Folded as the text is. "errorcode" and its kin hold "code". */
static er_status enter_code_names(builder *b)
{
    static const char *const names[] = {"code", "jerr"};
    er_status status = ER_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == ER_OK; i++)
        status = add_entry(b, load_short(names[i]), (er_posting){ER_CODE_NAME, 0, 0});
    return status;
}

static uint32_t slot_of(const er_index *index, uint64_t gram)
{
    uint32_t at = (uint32_t)(mix(gram) >> index->slot_shift);
    while (index->slots[at].gram != 0 && index->slots[at].gram != gram)
        at = (at + 1) & index->slot_mask;
    return at;
}

/* Two passes over the entries: how many each gram has, then where they go. */
static void fill_slots(er_index *index, const builder *b)
{
    for (size_t i = 0; i < b->entry_count; i++) {
        uint64_t gram = b->entries[i].gram, place = mix(gram) >> index->filter_shift;
        slot *s = &index->slots[slot_of(index, gram)];
        s->gram = gram;
        s->count++;
        index->filter[place >> 6] |= UINT64_C(1) << (place & 63);
        index->has_short |= gram <= UINT32_MAX;
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i <= index->slot_mask; i++) {
        index->slots[i].first = first;
        first += index->slots[i].count;
        index->slots[i].count = 0;
    }
    for (size_t i = 0; i < b->entry_count; i++) {
        slot *s = &index->slots[slot_of(index, b->entries[i].gram)];
        index->postings[s->first + s->count++] = b->entries[i].posting;
    }
}

static er_status make_tables(er_index *index, builder *b)
{
    unsigned filter_bits = bits_for(b->entry_count * 32), slot_bits = bits_for(b->entry_count * 2);
    size_t filter_bytes = ((size_t)1 << filter_bits) / 8, slot_count = (size_t)1 << slot_bits;
    index->filter = er_calloc(1, filter_bytes);
    index->slots = er_calloc(slot_count, sizeof *index->slots);
    index->postings = er_alloc((b->entry_count + 1) * sizeof *index->postings);
    if (!index->filter || !index->slots || !index->postings)
        return ER_NO_MEMORY;
    index->filter_shift = 64 - filter_bits;
    index->slot_shift = 64 - slot_bits;
    index->slot_mask = (uint32_t)(slot_count - 1);
    index->posting_count = (uint32_t)b->entry_count;
    index->loose = b->loose;
    index->loose_count = b->loose_count;
    b->loose = NULL;
    fill_slots(index, b);
    index->memory = sizeof *index + filter_bytes + slot_count * sizeof *index->slots +
                    b->entry_count * sizeof *index->postings + b->loose_capacity * sizeof *index->loose;
    return ER_OK;
}

er_status er_index_build(er_index **out, const er_piece_pool *pool, const er_pattern *patterns, uint32_t count,
                         bool codes)
{
    builder b = {.pool = pool, .patterns = patterns, .count = count};
    unsigned bits = bits_for(pool->bytes.len + 1024);
    bits = bits > 24 ? 24 : bits;
    b.frequency_shift = 64 - bits;
    b.frequency = er_calloc((size_t)1 << bits, sizeof *b.frequency);
    er_index *index = er_calloc(1, sizeof *index);
    er_status status = b.frequency && index ? ER_OK : ER_NO_MEMORY;
    if (status == ER_OK)
        count_grams(&b);
    for (uint32_t r = 0; r < count && status == ER_OK; r++)
        status = enter_pattern(&b, r);
    if (status == ER_OK && codes)
        status = enter_code_names(&b);
    if (status == ER_OK)
        status = make_tables(index, &b);
    er_free(b.frequency);
    er_free(b.entries);
    er_free(b.loose);
    if (status != ER_OK)
        er_index_free(&index);
    *out = index;
    return status;
}

void er_index_free(er_index **index)
{
    if (*index) {
        er_free((*index)->filter);
        er_free((*index)->slots);
        er_free((*index)->postings);
        er_free((*index)->loose);
    }
    er_free(*index);
    *index = NULL;
}

size_t er_index_memory(const er_index *index)
{
    return index->memory;
}

const uint32_t *er_index_loose(const er_index *index, uint32_t *count)
{
    *count = index->loose_count;
    return index->loose;
}

static void report(const er_index *index, uint64_t gram, uint32_t at, er_index_hit *hit, void *context)
{
    const slot *s = &index->slots[slot_of(index, gram)];
    if (s->count)
        hit(context, at, index->postings + s->first, s->count);
}

static inline bool may_hold(const er_index *index, uint64_t gram)
{
    uint64_t place = mix(gram) >> index->filter_shift;
    return index->filter[place >> 6] >> (place & 63) & 1;
}

void er_index_scan(const er_index *index, const char *folded, uint32_t length, er_index_hit *hit, void *context)
{
    for (uint32_t at = 0; at < length; at++) {
        uint64_t gram = load(folded + at);
        if (may_hold(index, gram))
            report(index, gram, at, hit, context);
        if (index->has_short && may_hold(index, load_short(folded + at)))
            report(index, load_short(folded + at), at, hit, context);
    }
}
