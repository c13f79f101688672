#include "match/index.h"

#include "base/memory.h"

#define GRAM_STRETCH  10u    /* grams that one entry stands for */
#define MANY_POSTINGS 6u     /* of one gram, from which on the bytes beside it are asked for */
#define FAR_POSTINGS  50000u /* of an index that no near cache holds */
#define PASSED_MOST   32u    /* places that are looked up together */
#define STARTS_BITS   22u    /* 512 KiB at most: what stays in the second cache beside a large catalog */

typedef struct slot {
    uint64_t gram; /* 0: empty; folded text holds no zero byte */
    uint32_t first, count;
} slot;

struct er_index {
    uint64_t *starts;      /* bits of the first four bytes of every gram: the test that each place meets */
    unsigned starts_shift; /* 32 less the bits of a place in it */
    uint64_t *filter;      /* bits of whole grams, for the places that pass */
    unsigned filter_shift; /* 64 less the bits of a place in it */
    slot *slots;
    unsigned slot_shift;
    uint32_t slot_mask;
    const char *pool; /* where the pieces' bytes are */
    er_posting *postings;
    uint32_t posting_count;
    uint32_t *loose;
    uint32_t loose_count;
    bool has_short;
    size_t memory;
};

typedef struct entry {
    uint64_t gram;
    er_posting posting;
} entry;

/* What is needed while building only. */
typedef struct builder {
    const er_piece_pool *pool;
    const er_pattern *patterns;
    uint32_t count;
    uint32_t *frequency; /* how often a gram's bucket was met: an estimate is enough to choose by */
    unsigned frequency_shift;
    entry *entries;
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

static inline uint32_t load_short(const char *at)
{
    uint32_t gram;
    memcpy(&gram, at, sizeof gram);
    return gram;
}

static inline uint32_t mix_short(uint32_t gram)
{
    return gram * UINT32_C(0x9E3779B1);
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

/*
 * Longest folded piece decides which kind of gram a pattern is entered under; 0: none.
 * A text is looked at in steps of two bytes, so each gram is entered with the one
 * behind it, and a piece needs a byte more than a gram has.
 */
static uint32_t gram_size(const builder *b, const er_pattern *pattern)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < pattern->piece_count; i++) {
        uint32_t length = b->pool->pieces[pattern->first_piece + i].fold_len;
        longest = length > longest ? length : longest;
    }
    return longest > ER_GRAM ? ER_GRAM : longest > ER_SHORT_GRAM ? ER_SHORT_GRAM : 0;
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
        entry *grown = er_realloc(b->entries, more * sizeof *grown);
        if (!grown)
            return ER_NO_MEMORY;
        b->entries = grown;
        b->entry_capacity = more;
    }
    b->entries[b->entry_count++] = (entry){gram, posting};
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

static uint32_t often(const builder *b, const char *at, bool shorter)
{
    return b->frequency[mix(gram_at(at, shorter)) >> b->frequency_shift];
}

/* A pair of neighbouring grams, and how often the more frequent one was met. */
typedef struct pick {
    const char *text;
    uint32_t often;
    er_posting posting;
} pick;

/* Hashes the bytes beside a gram of a piece. Of the two sides the one that the piece has. */
static void note_beside(er_posting *posting, const char *gram)
{
    posting->side = posting->offset + 2u * ER_GRAM <= posting->fold_len ? 1
                    : posting->offset >= ER_GRAM                        ? -1
                                                                        : 0;
    if (posting->side)
        posting->beside = (uint32_t)(mix(load(posting->side > 0 ? gram + ER_GRAM : gram - ER_GRAM)) >> 32);
}

static er_status enter_pick(builder *b, const pick *p, bool shorter)
{
    er_posting first = p->posting, next = p->posting;
    next.offset++;
    if (!shorter) {
        note_beside(&first, p->text);
        note_beside(&next, p->text + 1);
    }
    er_status status = add_entry(b, gram_at(p->text, shorter), first);
    return status == ER_OK ? add_entry(b, gram_at(p->text + 1, shorter), next) : status;
}

/* Pairs that begin in a piece. */
static uint32_t pairs_in(er_slice text, uint32_t size)
{
    return text.len > size ? (uint32_t)text.len - size : 0;
}

/* Enters the rarest pair of each stretch of a pattern. */
static er_status enter_pattern(builder *b, uint32_t rule)
{
    const er_pattern *pattern = &b->patterns[rule];
    uint32_t size = gram_size(b, pattern), total = 0, seen = 0, picked = 0;
    bool shorter = size == ER_SHORT_GRAM;
    pick best = {.often = UINT32_MAX};
    if (size == 0)
        return add_loose(b, rule);
    for (uint32_t i = 0; i < pattern->piece_count; i++)
        total += pairs_in(er_piece_fold(b->pool, &b->pool->pieces[pattern->first_piece + i]), size);
    uint32_t picks = (total + GRAM_STRETCH - 1) / GRAM_STRETCH;
    picks = picks > ER_PICKS_MOST ? ER_PICKS_MOST : picks;
    for (uint32_t i = 0; i < pattern->piece_count; i++) {
        er_slice text = er_piece_fold(b->pool, &b->pool->pieces[pattern->first_piece + i]);
        for (uint32_t at = 0; at < pairs_in(text, size); at++) {
            uint32_t one = often(b, text.at + at, shorter), two = often(b, text.at + at + 1, shorter);
            uint32_t worse = one > two ? one : two;
            if (worse < best.often)
                best = (pick){text.at + at,
                              worse,
                              {.rule = rule,
                               .fold = (uint32_t)(text.at - b->pool->bytes.at),
                               .fold_len = (uint16_t)text.len,
                               .offset = (uint16_t)at,
                               .pick = (uint8_t)picked,
                               .picks = (uint8_t)picks}};
            if (++seen < (uint64_t)total * (picked + 1) / picks)
                continue;
            if (enter_pick(b, &best, shorter) != ER_OK)
                return ER_NO_MEMORY;
            picked++;
            best.often = UINT32_MAX;
        }
    }
    return ER_OK;
}

/* "code" and "jerr" before a number, at either step; what they end in does not matter. */
static er_status enter_code_names(builder *b)
{
    static const char *const names[] = {"code", "jerr"};
    static const char behind[] = "=:1-";
    er_status status = ER_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char next[5] = {names[i][1], names[i][2], names[i][3], 0, 0};
        if (status == ER_OK)
            status = add_entry(b, load_short(names[i]), (er_posting){.rule = ER_CODE_NAME});
        for (size_t k = 0; behind[k] && status == ER_OK; k++) {
            next[3] = behind[k];
            status = add_entry(b, load_short(next), (er_posting){.rule = ER_CODE_NAME, .offset = 1});
        }
    }
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
        char bytes[sizeof gram];
        memcpy(bytes, &gram, sizeof gram);
        uint32_t start =
            mix_short(load_short(gram > UINT32_MAX ? bytes : (const char *)&(uint32_t){(uint32_t)gram}));
        start >>= index->starts_shift;
        index->starts[start >> 6] |= UINT64_C(1) << (start & 63);
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
    unsigned starts_bits = bits_for(b->entry_count * 16);
    starts_bits = starts_bits > STARTS_BITS ? STARTS_BITS : starts_bits;
    index->starts = er_calloc(1, ((size_t)1 << starts_bits) / 8);
    index->starts_shift = 32 - starts_bits;
    index->filter = er_calloc(1, filter_bytes);
    index->slots = er_calloc(slot_count, sizeof *index->slots);
    index->postings = er_alloc((b->entry_count + 1) * sizeof *index->postings);
    if (!index->starts || !index->filter || !index->slots || !index->postings)
        return ER_NO_MEMORY;
    index->filter_shift = 64 - filter_bits;
    index->slot_shift = 64 - slot_bits;
    index->slot_mask = (uint32_t)(slot_count - 1);
    index->posting_count = (uint32_t)b->entry_count;
    index->pool = b->pool->bytes.at;
    index->loose = b->loose;
    index->loose_count = b->loose_count;
    b->loose = NULL;
    fill_slots(index, b);
    index->memory = sizeof *index + ((size_t)1 << starts_bits) / 8 + filter_bytes +
                    slot_count * sizeof *index->slots + b->entry_count * sizeof *index->postings +
                    b->loose_capacity * sizeof *index->loose;
    return ER_OK;
}

er_status er_index_build(er_index **out, const er_piece_pool *pool, const er_pattern *patterns,
                         uint32_t count, bool codes)
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
        er_free((*index)->starts);
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

/* A long list: only postings whose bytes beside the gram agree. */
static void report_likely(const er_index *index, const slot *s, const char *folded, uint32_t at,
                          er_index_hit *hit, void *context)
{
    uint32_t behind = (uint32_t)(mix(load(folded + at + ER_GRAM)) >> 32);
    uint32_t before = at >= ER_GRAM ? (uint32_t)(mix(load(folded + at - ER_GRAM)) >> 32) : 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const er_posting *p = &index->postings[s->first + i];
        if (p->side == 0 || p->beside == (p->side > 0 ? behind : before))
            hit(context, at, p, 1);
    }
}

static inline bool may_start(const er_index *index, const char *at)
{
    uint32_t place = mix_short(load_short(at)) >> index->starts_shift;
    return index->starts[place >> 6] >> (place & 63) & 1;
}

static inline bool may_hold(const er_index *index, uint64_t gram)
{
    uint64_t place = mix(gram) >> index->filter_shift;
    return index->filter[place >> 6] >> (place & 63) & 1;
}

/* Places of a text that passed the filters, in their order. */
typedef struct passed {
    uint64_t gram[PASSED_MOST];
    uint32_t at[PASSED_MOST];
    uint32_t count;
} passed;

static void report_slot(const er_index *index, const slot *s, const char *folded, uint32_t at,
                        er_index_hit *hit, void *context)
{
    if (s->count > MANY_POSTINGS)
        report_likely(index, s, folded, at, hit, context);
    else if (s->count)
        hit(context, at, index->postings + s->first, s->count);
}

static inline void pass(const er_index *index, passed *list, uint64_t gram, uint32_t at)
{
    list->gram[list->count] = gram;
    list->at[list->count++] = at;
    __builtin_prefetch(&index->slots[mix(gram) >> index->slot_shift]);
}

/*
 * Looks the places up in three rounds, so that what the next one needs is on its way from
 * memory while one goes on: in a large catalog nearly each look-up is a miss.
 */
static void report(const er_index *index, passed *list, const char *folded, er_index_hit *hit, void *context)
{
    const slot *slots[PASSED_MOST];
    for (uint32_t i = 0; i < list->count; i++) {
        slots[i] = &index->slots[slot_of(index, list->gram[i])];
        __builtin_prefetch(&index->postings[slots[i]->first]);
    }
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = 0; slots[i]->count <= MANY_POSTINGS && k < slots[i]->count; k++)
            __builtin_prefetch(index->pool + index->postings[slots[i]->first + k].fold);
    for (uint32_t i = 0; i < list->count; i++)
        report_slot(index, slots[i], folded, list->at[i], hit, context);
    list->count = 0;
}

/* A small index is in the caches: each place is looked up as it comes. */
static void scan_near(const er_index *index, const char *folded, uint32_t length, er_index_hit *hit,
                      void *context)
{
    for (uint32_t at = 0; at < length; at += 2) {
        if (__builtin_expect(!may_start(index, folded + at), 1))
            continue;
        uint64_t gram = load(folded + at);
        if (may_hold(index, gram))
            report_slot(index, &index->slots[slot_of(index, gram)], folded, at, hit, context);
        gram = load_short(folded + at);
        if (index->has_short && may_hold(index, gram))
            report_slot(index, &index->slots[slot_of(index, gram)], folded, at, hit, context);
    }
}

static void scan_far(const er_index *index, const char *folded, uint32_t length, er_index_hit *hit,
                     void *context)
{
    passed list;
    list.count = 0;
    for (uint32_t at = 0; at < length; at += 2) {
        if (__builtin_expect(!may_start(index, folded + at), 1))
            continue;
        uint64_t gram = load(folded + at);
        if (may_hold(index, gram))
            pass(index, &list, gram, at);
        if (index->has_short && may_hold(index, load_short(folded + at)))
            pass(index, &list, load_short(folded + at), at);
        if (list.count > PASSED_MOST - 2)
            report(index, &list, folded, hit, context);
    }
    report(index, &list, folded, hit, context);
}

void er_index_scan(const er_index *index, const char *folded, uint32_t length, er_index_hit *hit,
                   void *context)
{
    if (index->posting_count > FAR_POSTINGS)
        scan_far(index, folded, length, hit, context);
    else
        scan_near(index, folded, length, hit, context);
}
