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

/* U+2018, U+2019, U+201C, U+201D. */
static bool typographic_quote(const unsigned char *at, size_t left)
{
    return left >= 3 && at[1] == 0x80 && (at[2] == 0x98 || at[2] == 0x99 || at[2] == 0x9C || at[2] == 0x9D);
}

size_t er_fold(er_slice text, char *out, uint32_t *map)
{
    const unsigned char *in = (const unsigned char *)text.at;
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = in[i];
        if (c == 0xE2 && typographic_quote(in + i, text.len - i)) {
            i += 2;
            continue;
        }
        unsigned char folded = er_fold_table[c];
        out[n] = (char)folded;
        if (map)
            map[n] = (uint32_t)i;
        n += folded != 0;
    }
    if (map)
        map[n] = (uint32_t)text.len;
    memset(out + n, 0, ER_FOLD_SLACK);
    return n;
}
