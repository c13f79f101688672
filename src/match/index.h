/*
 * index.h - which patterns may stand in a text, from rare pieces of eight bytes.
 *
 * Each pattern is entered under a few grams of its folded literals: the rarest
 * of each stretch, up to four, so that a line that lost one part is still found
 * by another. A bit filter in front of the table answers for nearly every place
 * of a text that no pattern has anything there. Patterns without nine literal
 * bytes in a row are entered under grams of four; those without five are "loose".
 */
#ifndef ERRATA_MATCH_INDEX_H
#define ERRATA_MATCH_INDEX_H

#include "match/fold.h"
#include "match/pattern.h"

#define ER_GRAM       8u
#define ER_SHORT_GRAM 4u

#define ER_PICKS_MOST 2u /* places of a pattern that it is entered for */

typedef struct er_posting {
    uint32_t rule;
    uint32_t fold;     /* the folded piece, in the pool: here as well, to spare two look-ups a hit */
    uint16_t fold_len; /* its bytes */
    uint16_t offset;   /* of the gram in it */
    uint8_t pick;      /* which of the pattern's places this is, from 0 */
    uint8_t picks;     /* how many it has: a text that holds the pattern hits all of them */
    int8_t side;       /* where `beside` stands: behind the gram 1, before it -1, nowhere 0 */
    uint32_t beside;   /* hash of the eight folded bytes there */
} er_posting;

/* The rule of a hit where the text names an error code ("err_code", "code=", "jerr"). */
#define ER_CODE_NAME UINT32_MAX

typedef struct er_index er_index;

/* With `codes`, the names of error codes are found as well, as rule ER_CODE_NAME. */
er_status er_index_build(er_index **out, const er_piece_pool *pool, const er_pattern *patterns,
                         uint32_t count, bool codes) ER_MUST_CHECK;
void er_index_free(er_index **index);
size_t er_index_memory(const er_index *index);

/* Rules that have no gram. */
const uint32_t *er_index_loose(const er_index *index, uint32_t *count);

/*
 * Reports every place of `folded` (with ER_FOLD_SLACK zero bytes behind it) whose gram
 * is entered. Where many patterns share a gram, as they do in a large catalog, only
 * those whose bytes beside it stand there too are reported, one at a time: the list
 * is read in order, and nothing of a pattern is touched until it is likely.
 */
typedef void er_index_hit(void *context, uint32_t at, const er_posting *postings, uint32_t count);
void er_index_scan(const er_index *index, const char *folded, uint32_t length, er_index_hit *hit,
                   void *context);

#endif
