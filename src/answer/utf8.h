/*
 * utf8.h - text from anywhere, one character at a time, made fit to be seen.
 *
 * Pages hold texts that come from log lines and from catalogs of others. A
 * character that a terminal would act on, or that makes text look like other
 * text, is written as an escape: `\x1b`, `\u202e`; so is a byte that is not UTF-8.
 */
#ifndef ERRATA_ANSWER_UTF8_H
#define ERRATA_ANSWER_UTF8_H

#include "base/buffer.h"
#include "base/slice.h"

#include <stdint.h>

/* Bytes of the character at text.at[at], and its code point; 0 where the bytes are not UTF-8. */
size_t er_utf8_read(er_slice text, size_t at, uint32_t *rune);
/* C0, DEL, C1, line and paragraph separators, and the marks that change the direction of writing. */
bool er_utf8_is_control(uint32_t rune);
/* Columns on a terminal: 0, 1 or 2. */
unsigned er_utf8_columns(uint32_t rune);

/* Whether all of it is UTF-8 without control characters. */
bool er_utf8_is_plain(er_slice text);

/* Writes the character at text.at[at] as it is or as an escape; a NULL `out` only
   counts. Returns how many bytes it was (1 where they are not UTF-8); `columns` is
   what was added to the line. */
size_t er_utf8_show_one(er_buffer *out, er_slice text, size_t at, unsigned *columns);
/* All of it on one line: line feeds and tabs are escaped too. Returns the columns. */
unsigned er_utf8_show(er_buffer *out, er_slice text);

#endif
