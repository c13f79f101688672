/*
 * literal.h - the text of a string literal.
 */
#ifndef ERRATA_EXTRACT_LITERAL_H
#define ERRATA_EXTRACT_LITERAL_H

#include "base/arena.h"

/*
 * The text between the delimiters of a literal as it stands in the source: quotes
 * of one or three, behind a prefix of letters (Python's r, b, f; C's L, u8). With
 * `escapes`, those that Go, C, Python and JavaScript share are decoded; an unknown
 * one is the character itself. Borrowed from `source` where nothing was decoded, else
 * in the arena; a slice whose `at` is NULL without memory.
 */
er_slice er_literal_text(er_arena *arena, er_slice source, bool escapes);
/* The same for a part that has no delimiters. */
er_slice er_literal_decode(er_arena *arena, er_slice inside);
/* How long the prefix and opening delimiter are; the closing one is `*closing`. */
size_t er_literal_opening(er_slice source, size_t *closing);

#endif
