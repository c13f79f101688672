/*
 * align.h - a pattern of the rule laid along a text, in linear time.
 *
 * What PCRE2 would find with leftmost, lazy groups, without its backtracking: a
 * piece that follows a (.+?) need only be looked for to the right of the last
 * one, because an earlier choice never helps a later one. tests/match compare
 * the two on random patterns and texts.
 */
#ifndef ERRATA_MATCH_ALIGN_H
#define ERRATA_MATCH_ALIGN_H

#include "match/matcher.h"
#include "match/pattern.h"

/* The text's bytes, and which of the two forms of the pieces they are compared with. */
typedef struct er_aligned_text {
    er_slice text;
    bool folded;
} er_aligned_text;

typedef struct er_span {
    uint32_t start, end;
} er_span;

typedef struct er_alignment {
    er_span whole;
    er_span groups[ER_MATCH_MAX_GROUPS]; /* start == end == UINT32_MAX: took no part */
    uint32_t group_count;
    uint32_t literal;  /* bytes of the text that literals account for */
    uint32_t last_end; /* where the last piece that was found ends */
    bool cut_end;      /* the text ended before the pattern did */
    bool cut_start;    /* the text began after the pattern did */
    bool cut_through;  /* the cut goes through a piece, of which two bytes or more are left */
    bool skipped;      /* a piece in the middle was not there */
} er_alignment;

/*
 * Where a message may begin inside text[from..to): offsets in rising order, the
 * first one being `from`. A leading group begins at the last of them that leaves
 * it at least one byte.
 */
typedef struct er_range {
    uint32_t from, to;
    const uint32_t *starts;
    uint32_t start_count;
} er_range;

/* A trailing (.+?) reaches to range.to. Not for regexes. */
bool er_align(const er_piece_pool *pool, const er_pattern *pattern, er_aligned_text in, er_range range,
              er_alignment *out);

/*
 * As er_align for a text that is damaged: its end or its beginning is missing,
 * or a piece of the middle is. Succeeds where at least `least` literal bytes
 * were found in the right order.
 */
bool er_align_damaged(const er_piece_pool *pool, const er_pattern *pattern, er_aligned_text in,
                      er_range range, uint32_t least, er_alignment *out);

#endif
