#include "match/fold.h"

/* clang-format off */
#define K(c) [c] = (c)
#define ROW(c) K(c), K((c) + 1), K((c) + 2), K((c) + 3), K((c) + 4), K((c) + 5), K((c) + 6), K((c) + 7)
#define UP(c) [(c) - 32] = (c)
const unsigned char er_fold_table[256] = {
    K('!'), K('#'), K('$'), K('%'), K('&'), K('('), K(')'), K('*'), K('+'), K(','), K('-'), K('.'), K('/'),
    K('0'), K('1'), K('2'), K('3'), K('4'), K('5'), K('6'), K('7'), K('8'), K('9'),
    K(':'), K(';'), K('<'), K('='), K('>'), K('?'), K('@'), K('['), K(']'), K('^'), K('_'),
    UP('a'), UP('b'), UP('c'), UP('d'), UP('e'), UP('f'), UP('g'), UP('h'), UP('i'), UP('j'), UP('k'),
    UP('l'), UP('m'), UP('n'), UP('o'), UP('p'), UP('q'), UP('r'), UP('s'), UP('t'), UP('u'), UP('v'),
    UP('w'), UP('x'), UP('y'), UP('z'),
    K('a'), K('b'), K('c'), K('d'), K('e'), K('f'), K('g'), K('h'), K('i'), K('j'), K('k'), K('l'), K('m'),
    K('n'), K('o'), K('p'), K('q'), K('r'), K('s'), K('t'), K('u'), K('v'), K('w'), K('x'), K('y'), K('z'),
    K('{'), K('|'), K('}'), K('~'),
    ROW(0x80), ROW(0x88), ROW(0x90), ROW(0x98), ROW(0xA0), ROW(0xA8), ROW(0xB0), ROW(0xB8),
    ROW(0xC0), ROW(0xC8), ROW(0xD0), ROW(0xD8), ROW(0xE0), ROW(0xE8), ROW(0xF0), ROW(0xF8),
};
/* clang-format on */

/* The length of U+00A0 or of a typographic quote (U+2018, U+2019, U+201C, U+201D), which are dropped whole;
 * else 0. */
static size_t dropped_sequence(const unsigned char *at, size_t left)
{
    if (at[0] == 0xC2)
        return left >= 2 && at[1] == 0xA0 ? 2 : 0;
    bool quote = at[0] == 0xE2 && left >= 3 && at[1] == 0x80 &&
                 (at[2] == 0x98 || at[2] == 0x99 || at[2] == 0x9C || at[2] == 0x9D);
    return quote ? 3 : 0;
}

static inline bool may_be_dropped(unsigned char c)
{
    return __builtin_expect(c == 0xE2 || c == 0xC2, 0);
}

static unsigned mark_of(unsigned char c)
{
    switch (c) {
    case '\\':
        return ER_MARK_BACKSLASH;
    case '"':
    case '\'':
    case '`':
        return ER_MARK_QUOTE;
    case '\x1b':
        return ER_MARK_COLOUR;
    case '\n':
        return ER_MARK_LINES;
    default:
        return 0;
    }
}

/* Folds text[from..to); a sequence that is dropped may reach over `to`, and *skip says by how much. */
static size_t fold_bytes(er_slice text, size_t from, size_t to, size_t *skip, char *out, unsigned *marks)
{
    const unsigned char *in = (const unsigned char *)text.at;
    size_t n = 0, i = from + *skip;
    for (; i < to; i++) {
        unsigned char c = in[i];
        if (may_be_dropped(c)) {
            *marks |= ER_MARK_COLOUR;
            size_t length = dropped_sequence(in + i, text.len - i);
            if (length) {
                i += length - 1;
                continue;
            }
        }
        unsigned char folded = er_fold_table[c];
        out[n] = (char)folded;
        n += folded != 0;
        if (folded == 0)
            *marks |= mark_of(c);
    }
    *skip = i - to;
    return n;
}

#if defined(__x86_64__)
#include <immintrin.h>

/*
 * Sixteen bytes at once: what is dropped is found by comparing, and pext closes the
 * gaps. About a sixth of the instructions of the loop above, which takes over for
 * blocks that hold the first byte of a longer sequence that may be dropped.
 */
__attribute__((target("bmi2,sse4.1,popcnt"))) static size_t fold_block(__m128i bytes, char *out,
                                                                       unsigned *marks)
{
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x20)), bytes);
    __m128i quote =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\'')));
    __m128i tick = _mm_or_si128(quote, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('`')));
    __m128i slash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    __m128i other = _mm_or_si128(slash, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F)));
    __m128i drop = _mm_or_si128(_mm_or_si128(control, tick), other);
    __m128i line = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
    __m128i colour = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x1b));
    *marks |=
        (_mm_movemask_epi8(tick) ? ER_MARK_QUOTE : 0) | (_mm_movemask_epi8(slash) ? ER_MARK_BACKSLASH : 0) |
        (_mm_movemask_epi8(colour) ? ER_MARK_COLOUR : 0) | (_mm_movemask_epi8(line) ? ER_MARK_LINES : 0);
    __m128i above = _mm_cmpgt_epi8(bytes, _mm_set1_epi8('A' - 1)),
            below = _mm_cmplt_epi8(bytes, _mm_set1_epi8('Z' + 1));
    __m128i lower = _mm_add_epi8(bytes, _mm_and_si128(_mm_and_si128(above, below), _mm_set1_epi8(0x20)));
    __m128i keep = _mm_xor_si128(drop, _mm_set1_epi8(-1));
    unsigned long long low_keep = (unsigned long long)_mm_cvtsi128_si64(keep);
    unsigned long long high_keep = (unsigned long long)_mm_extract_epi64(keep, 1);
    unsigned long long low = _pext_u64((unsigned long long)_mm_cvtsi128_si64(lower), low_keep);
    unsigned long long high = _pext_u64((unsigned long long)_mm_extract_epi64(lower, 1), high_keep);
    size_t first = (size_t)_mm_popcnt_u64(low_keep) / 8;
    memcpy(out, &low, sizeof low);
    memcpy(out + first, &high, sizeof high);
    return first + (size_t)_mm_popcnt_u64(high_keep) / 8;
}

__attribute__((target("bmi2,sse4.1,popcnt"))) static size_t fold_wide(er_slice text, char *out,
                                                                      uint32_t *blocks, unsigned *marks)
{
    size_t n = 0, skip = 0, block = 0, i = 0;
    for (; i + ER_FOLD_BLOCK <= text.len; i += ER_FOLD_BLOCK) {
        __m128i bytes = _mm_loadu_si128((const void *)(text.at + i));
        if (blocks)
            blocks[block++] = (uint32_t)n;
        __m128i lead = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)0xE2)),
                                    _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)0xC2)));
        if (skip || _mm_movemask_epi8(lead))
            n += fold_bytes(text, i, i + ER_FOLD_BLOCK, &skip, out + n, marks);
        else
            n += fold_block(bytes, out + n, marks);
    }
    if (blocks)
        blocks[block++] = (uint32_t)n;
    n += fold_bytes(text, i, text.len, &skip, out + n, marks);
    if (blocks)
        blocks[block] = (uint32_t)n;
    return n;
}

static bool wide(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("sse4.1") &&
           __builtin_cpu_supports("popcnt");
}
#else
static size_t fold_wide(er_slice text, char *out, uint32_t *blocks, unsigned *marks)
{
    (void)text, (void)out, (void)blocks, (void)marks;
    return 0;
}

static bool wide(void)
{
    return false;
}
#endif

static size_t fold_plain(er_slice text, char *out, uint32_t *blocks, unsigned *marks)
{
    size_t n = 0, skip = 0, block = 0, i = 0;
    for (; i + ER_FOLD_BLOCK <= text.len; i += ER_FOLD_BLOCK) {
        if (blocks)
            blocks[block++] = (uint32_t)n;
        n += fold_bytes(text, i, i + ER_FOLD_BLOCK, &skip, out + n, marks);
    }
    if (blocks)
        blocks[block++] = (uint32_t)n;
    n += fold_bytes(text, i, text.len, &skip, out + n, marks);
    if (blocks)
        blocks[block] = (uint32_t)n;
    return n;
}

size_t er_fold(er_slice text, char *out, uint32_t *blocks, unsigned *marks)
{
    unsigned seen = 0;
    size_t n = wide() ? fold_wide(text, out, blocks, &seen) : fold_plain(text, out, blocks, &seen);
    if (marks)
        *marks = seen;
    memset(out + n, 0, ER_FOLD_SLACK);
    return n;
}

/* Where a block really begins: a quote that began in the block before reaches over the border. */
static size_t block_start(er_slice text, size_t block)
{
    size_t start = block * ER_FOLD_BLOCK;
    const unsigned char *in = (const unsigned char *)text.at;
    for (size_t back = 1; back <= 2 && back <= start; back++) {
        bool may = start - back < text.len && may_be_dropped(in[start - back]);
        size_t length = may ? dropped_sequence(in + start - back, text.len - start + back) : 0;
        if (length > back)
            return start + length - back;
    }
    return start;
}

uint32_t er_fold_origin(er_slice text, const uint32_t *blocks, uint32_t at)
{
    size_t last = text.len / ER_FOLD_BLOCK, block = at / ER_FOLD_BLOCK;
    while (block < last && blocks[block + 1] <= at)
        block++;
    const unsigned char *in = (const unsigned char *)text.at;
    uint32_t n = blocks[block];
    for (size_t i = block_start(text, block); i < text.len; i++) {
        size_t length = may_be_dropped(in[i]) ? dropped_sequence(in + i, text.len - i) : 0;
        if (length) {
            i += length - 1;
            continue;
        }
        if (er_fold_table[in[i]] != 0 && n++ == at)
            return (uint32_t)i;
    }
    return (uint32_t)text.len;
}

uint32_t er_fold_place(er_slice text, const uint32_t *blocks, uint32_t offset)
{
    size_t block = offset / ER_FOLD_BLOCK;
    const unsigned char *in = (const unsigned char *)text.at;
    uint32_t n = blocks[block];
    for (size_t i = block_start(text, block); i < offset; i++) {
        size_t length = may_be_dropped(in[i]) ? dropped_sequence(in + i, text.len - i) : 0;
        if (length) {
            i += length - 1;
            continue;
        }
        n += er_fold_table[in[i]] != 0;
    }
    return n;
}
