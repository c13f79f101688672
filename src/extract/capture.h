/*
 * capture.h - the name that is proposed for a capture, from the expression that fills it.
 *
 * `acc.Name` gives `account`, `len(peers)` `peers_count`, a literal `value`. A name is
 * 1 to ER_CAPTURE_MAX characters of a-z, 0-9 and _, and begins with a letter.
 */
#ifndef ERRATA_EXTRACT_CAPTURE_H
#define ERRATA_EXTRACT_CAPTURE_H

#include "extract/source.h"

#define ER_CAPTURE_MAX 32

/* In the arena; "value" where nothing better is known. Its `at` is NULL without memory. */
er_slice er_capture_name(const er_source *source, er_arena *arena, TSNode expression);
/* The same for an identifier alone, as in "{err}". */
er_slice er_capture_of_word(const er_language *language, er_arena *arena, er_slice word);

#endif
