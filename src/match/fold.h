/*
 * fold.h - text reduced to what survives a careless paste.
 *
 * Folding lowers ASCII letters and drops blanks (U+00A0 too), line breaks, quotes
 * (ASCII and typographic), ticks and backslashes. Two texts that differ only in case,
 * blanks, quotes or one level of escaping fold to the same bytes, so one index
 * over folded text finds clean and damaged lines alike.
 */
#ifndef ERRATA_MATCH_FOLD_H
#define ERRATA_MATCH_FOLD_H

#include "base/slice.h"

#include <stdint.h>

/* What a byte folds to; 0 where it is dropped. The first byte of a longer sequence folds to
   itself here and is looked at by er_fold. */
extern const unsigned char er_fold_table[256];

#define ER_FOLD_SLACK 16
#define ER_FOLD_BLOCK 16 /* bytes of text between two entries of `blocks` */

/* How many entries `blocks` has for a text of `length` bytes. */
#define ER_FOLD_BLOCKS(length) ((length) / ER_FOLD_BLOCK + 2)

/*
 * Folds `text` into `out`, which has room for text.len + ER_FOLD_SLACK bytes, and
 * returns the length; ER_FOLD_SLACK zero bytes stand behind it, so that eight
 * bytes can be read from anywhere. `blocks` (NULL allowed) gets how many folded
 * bytes stand before each block of text, for the two functions below; `marks`
 * (NULL allowed) which signs the text holds.
 */
size_t er_fold(er_slice text, char *out, uint32_t *blocks, unsigned *marks);

/* What er_fold saw on its way, so that nobody need look again. */
#define ER_MARK_QUOTE     1u /* one of " ' ` */
#define ER_MARK_BACKSLASH 2u
#define ER_MARK_COLOUR    4u /* an escape byte, or what may be U+2190 in its place */
#define ER_MARK_LINES     8u /* a line feed */

/* The offset in `text` that the folded byte at `at` came from; text.len where there is none. */
uint32_t er_fold_origin(er_slice text, const uint32_t *blocks, uint32_t at);

/* How many folded bytes stand before text[offset]. */
uint32_t er_fold_place(er_slice text, const uint32_t *blocks, uint32_t offset);

#endif
