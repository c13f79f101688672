/*
 * fold.h - text reduced to what survives a careless paste.
 *
 * Folding lowers ASCII letters and drops blanks, line breaks, quotes (ASCII and
 * typographic), ticks and backslashes. Two texts that differ only in case,
 * blanks, quotes or one level of escaping fold to the same bytes, so one index
 * over folded text finds clean and damaged lines alike.
 */
#ifndef ERRATA_MATCH_FOLD_H
#define ERRATA_MATCH_FOLD_H

#include "base/slice.h"

#include <stdint.h>

/* What a byte folds to; 0 where it is dropped. A lead byte of a typographic quote
   (0xE2) folds to itself here and is looked at by er_fold. */
extern const unsigned char er_fold_table[256];

/*
 * Folds `text` into `out` (room for text.len + ER_FOLD_SLACK bytes) and writes
 * for each folded byte the offset it came from into `map` (text.len + 1
 * entries, NULL allowed); map[result] is text.len. The ER_FOLD_SLACK bytes
 * behind the result are zero, so that eight bytes can be read from anywhere.
 */
#define ER_FOLD_SLACK 16
size_t er_fold(er_slice text, char *out, uint32_t *map);

#endif
