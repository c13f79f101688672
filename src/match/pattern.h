/*
 * pattern.h - a message pattern taken apart.
 *
 * A pattern that follows the catalog's rule is literal text with one group
 * between: it becomes a list of pieces, each a literal and the kind of group
 * before it, which align.h matches in linear time. Anything finer stays a
 * regular expression, and only its literal runs become pieces, for the index.
 */
#ifndef ERRATA_MATCH_PATTERN_H
#define ERRATA_MATCH_PATTERN_H

#include "base/buffer.h"
#include "base/slice.h"
#include "base/status.h"

#include <stdint.h>

typedef enum er_group {
    ER_GROUP_NONE,
    ER_GROUP_ANY,    /* (.+?) */
    ER_GROUP_INT,    /* (-?\d+) */
    ER_GROUP_HEX,    /* ([0-9a-fA-F]+) */
    ER_GROUP_NUMBER, /* (-?\d+(?:\.\d+)?) */
    ER_GROUP_BOOL,   /* (true|false) */
    ER_GROUP_CHAR    /* (.) */
} er_group;

/* A literal, as it stands and folded, in the pattern pool. Never empty as it stands. */
typedef struct er_piece {
    uint32_t raw, fold;         /* offsets in the pool */
    uint16_t raw_len, fold_len; /* bytes */
    uint8_t before;             /* er_group between the previous piece and this one */
} er_piece;

typedef struct er_pattern {
    uint32_t first_piece; /* in the piece pool */
    uint16_t piece_count;
    uint16_t letters; /* letters and digits of all literals: how much the pattern says */
    uint16_t literal; /* bytes of all literals */
    uint16_t groups;
    uint8_t tail;  /* er_group behind the last piece */
    bool regex;    /* finer than the rule: PCRE2 decides */
    bool foldable; /* can be matched over folded text */
    bool open_end; /* folded, the last piece is empty and the group before it is the tail */
    bool any_end;  /* ends in (.+?) */
    uint8_t words; /* words of the literals, at most 255 */
} er_pattern;

/* Where the pieces of many patterns are kept. */
typedef struct er_piece_pool {
    er_buffer bytes;
    er_piece *pieces; /* owned */
    uint32_t count, capacity;
} er_piece_pool;

void er_piece_pool_start(er_piece_pool *pool);
void er_piece_pool_free(er_piece_pool *pool);

/* Takes `source` apart and adds its pieces. ER_TOO_LARGE or ER_NO_MEMORY only: what is
   no pattern of the rule becomes a regex, and whether that compiles is regex.h's to say. */
er_status er_pattern_parse(er_slice source, er_piece_pool *pool, er_pattern *out) ER_MUST_CHECK;

static inline er_slice er_piece_raw(const er_piece_pool *pool, const er_piece *piece)
{
    return er_slice_of(pool->bytes.at + piece->raw, piece->raw_len);
}

static inline er_slice er_piece_fold(const er_piece_pool *pool, const er_piece *piece)
{
    return er_slice_of(pool->bytes.at + piece->fold, piece->fold_len);
}

#endif
