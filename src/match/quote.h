/*
 * quote.h - quoted values inside a line, and text with its escapes undone.
 */
#ifndef ERRATA_MATCH_QUOTE_H
#define ERRATA_MATCH_QUOTE_H

#include "match/align.h"

#define ER_QUOTE_MOST 48 /* values of one line that are looked at */

typedef struct er_quote {
    er_span inside; /* between the quotes; to the end of the text where the closing one is missing */
    bool escaped;   /* holds a backslash escape, and its quotes are double ones */
    bool closed;
} er_quote;

/*
 * Finds quoted values ("…", '…', `…`) of text[from..to), nested ones of another
 * kind included, in the order in which they open. Apostrophes inside words are
 * none, and a key ("…":) is passed over.
 */
uint32_t er_quote_find(er_slice text, uint32_t from, uint32_t to, er_quote quotes[ER_QUOTE_MOST]);

/*
 * Undoes one level of JSON-like escapes (\" \\ \/ \n \t \r \b \f \uXXXX; others stay
 * as they are). `out` and `map` need text.len (+1) entries; map gives the offset
 * in `text` of each byte, map[result] is text.len.
 */
size_t er_quote_unescape(er_slice text, char *out, uint32_t *map);

/*
 * Takes ANSI colour sequences away, also where the escape byte became U+2190
 * ("←[31m"). Buffers as above. Returns text.len when there was none, and then
 * leaves `out` and `map` alone.
 */
size_t er_quote_uncolour(er_slice text, char *out, uint32_t *map);

#endif
