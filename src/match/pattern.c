#include "match/pattern.h"

#include "base/memory.h"
#include "match/fold.h"
#include "match/matcher.h"

#include "base/ascii.h"

static const struct {
    const char *text;
    er_group kind;
} group_forms[] = {
    {"(.+?)", ER_GROUP_ANY},          {"(-?\\d+)", ER_GROUP_INT},
    {"([0-9a-fA-F]+)", ER_GROUP_HEX}, {"(-?\\d+(?:\\.\\d+)?)", ER_GROUP_NUMBER},
    {"(true|false)", ER_GROUP_BOOL},  {"(.)", ER_GROUP_CHAR},
};

/* One pass over a pattern. `literal` gathers the run that is being read. */
typedef struct parse {
    er_slice source;
    size_t at;
    char literal[ER_MATCH_MAX_PATTERN];
    size_t literal_len;
    er_group before;      /* group that was read just before the run */
    uint32_t empty_folds; /* pieces of which folding leaves nothing */
    er_piece_pool *pool;
    er_pattern *out;
    er_status status;
} parse;

void er_piece_pool_start(er_piece_pool *pool)
{
    er_buffer_start(&pool->bytes, (size_t)UINT32_MAX - 1);
    pool->pieces = NULL;
    pool->count = pool->capacity = 0;
}

void er_piece_pool_free(er_piece_pool *pool)
{
    er_buffer_free(&pool->bytes);
    er_free(pool->pieces);
    pool->pieces = NULL;
    pool->count = pool->capacity = 0;
}

static er_piece *add_piece(er_piece_pool *pool)
{
    if (pool->count == pool->capacity) {
        uint32_t more = pool->capacity ? pool->capacity + pool->capacity / 2 : 64;
        er_piece *grown = er_realloc(pool->pieces, more * sizeof *grown);
        if (!grown)
            return NULL;
        pool->pieces = grown;
        pool->capacity = more;
    }
    return &pool->pieces[pool->count++];
}

static void count_text(er_pattern *out, er_slice text)
{
    bool in_word = false; /* "nats-server" is one word */
    for (size_t i = 0; i < text.len; i++) {
        bool letter = er_is_alnum((unsigned char)text.at[i]) || (unsigned char)text.at[i] >= 0x80;
        if (letter)
            out->letters++;
        if (letter && !in_word && out->words < UINT8_MAX)
            out->words++;
        in_word = letter || (in_word && !er_is_blank((unsigned char)text.at[i]));
    }
    out->literal = (uint16_t)(out->literal + text.len);
}

/* Ends the run that is being read: it becomes a piece. */
static void end_literal(parse *p)
{
    if (p->literal_len == 0 || p->status != ER_OK)
        return;
    er_slice text = er_slice_of(p->literal, p->literal_len);
    er_piece *piece = add_piece(p->pool);
    uint32_t raw = (uint32_t)p->pool->bytes.len;
    er_buffer_add(&p->pool->bytes, text);
    char *room = er_buffer_reserve(&p->pool->bytes, text.len + ER_FOLD_SLACK);
    if (!piece || !room) {
        p->status = p->pool->bytes.status != ER_OK ? p->pool->bytes.status : ER_NO_MEMORY;
        return;
    }
    size_t folded = er_fold(text, room, NULL, NULL);
    p->pool->bytes.len += folded;
    *piece =
        (er_piece){raw, raw + (uint32_t)text.len, (uint16_t)text.len, (uint16_t)folded, (uint8_t)p->before};
    p->out->piece_count++;
    p->empty_folds += folded == 0;
    count_text(p->out, text);
    p->literal_len = 0;
    p->before = ER_GROUP_NONE;
}

/* A group of the rule at the place, or ER_GROUP_NONE. */
static er_group known_group(const parse *p, size_t *length)
{
    er_slice rest = er_slice_sub(p->source, p->at, p->source.len);
    for (size_t i = 0; i < sizeof group_forms / sizeof *group_forms; i++) {
        er_slice form = er_slice_string(group_forms[i].text);
        if (er_slice_starts(rest, form)) {
            *length = form.len;
            return group_forms[i].kind;
        }
    }
    return ER_GROUP_NONE;
}

/* The byte that an escape stands for, or -1 where it is a class or an assertion. */
static int escaped_byte(char c)
{
    if (c == 'n')
        return '\n';
    if (c == 't')
        return '\t';
    return c == '\0' || er_is_alnum((unsigned char)c) ? -1 : (unsigned char)c;
}

static bool quantifier_follows(const parse *p, size_t at)
{
    if (at >= p->source.len)
        return false;
    char c = p->source.at[at];
    if (c == '{')
        return at + 1 < p->source.len &&
               (er_is_digit((unsigned char)p->source.at[at + 1]) || p->source.at[at + 1] == ',');
    return c == '*' || c == '+' || c == '?';
}

/* Reads one literal byte; false where something else stands there. */
static bool read_literal(parse *p)
{
    char c = p->source.at[p->at];
    size_t length = 1;
    if (c == '\\') {
        int byte = p->at + 1 < p->source.len ? escaped_byte(p->source.at[p->at + 1]) : -1;
        if (byte < 0)
            return false;
        c = (char)byte;
        length = 2;
    } else if (strchr("(.*+?[|^$)", c) || c == '\0') {
        return false;
    } else if (c == '{' && quantifier_follows(p, p->at)) {
        return false;
    }
    if (quantifier_follows(p, p->at + length))
        return false;
    p->literal[p->literal_len++] = c;
    p->at += length;
    return true;
}

/* The whole source by the rule; false as soon as something finer is met. */
static bool parse_rule(parse *p)
{
    while (p->at < p->source.len && p->status == ER_OK) {
        size_t length = 0;
        er_group kind = known_group(p, &length);
        if (kind == ER_GROUP_NONE) {
            if (!read_literal(p))
                return false;
            continue;
        }
        if (quantifier_follows(p, p->at + length))
            return false;
        end_literal(p);
        if (p->before != ER_GROUP_NONE)
            return false; /* two groups side by side: PCRE2 knows how to share */
        p->before = kind;
        p->out->groups++;
        p->at += length;
    }
    uint32_t before_last = p->empty_folds;
    end_literal(p);
    p->out->tail = (uint8_t)p->before;
    /* The closing quote of a last %q folds to nothing: then its group is the tail of the folded pattern. */
    p->out->open_end =
        p->empty_folds > before_last && p->out->tail == ER_GROUP_NONE && p->out->piece_count > 1;
    p->out->foldable = p->empty_folds == p->out->open_end;
    return true;
}

/* Letters that a regex says, for its strength: all but those of escapes. */
static void count_regex(er_pattern *out, er_slice source)
{
    out->letters = out->words = 0;
    out->literal = 0;
    for (size_t i = 0; i < source.len; i++) {
        if (source.at[i] == '\\') {
            i++;
            continue;
        }
        out->letters += er_is_alnum((unsigned char)source.at[i]);
        out->words = (uint8_t)(out->words + (source.at[i] == ' ' && out->words < UINT8_MAX));
    }
    out->words++;
}

/*
 * A group that may take the byte next to it would need backtracking inside it
 * ("(-?\d+)5", "7(-?\d+)", "x(.)"): leave those to PCRE2.
 */
static bool group_takes(er_group kind, char c)
{
    switch (kind) {
    case ER_GROUP_INT:
        return er_is_digit((unsigned char)c) || c == '-';
    case ER_GROUP_NUMBER:
        return er_is_digit((unsigned char)c) || c == '-' || c == '.';
    case ER_GROUP_HEX:
        return er_is_hex((unsigned char)c);
    default:
        return false;
    }
}

static bool groups_are_apart(const er_piece_pool *pool, const er_pattern *pattern)
{
    for (uint16_t i = 0; i < pattern->piece_count; i++) {
        const er_piece *piece = &pool->pieces[pattern->first_piece + i];
        er_slice raw = er_piece_raw(pool, piece);
        er_slice fold = er_piece_fold(pool, piece);
        if (group_takes(piece->before, raw.at[0]) || (fold.len && group_takes(piece->before, fold.at[0])))
            return false;
    }
    return true;
}

/* How long the next item of a class is: an escape, [:alpha:], or one byte. */
static size_t class_item(const parse *p)
{
    er_slice rest = er_slice_sub(p->source, p->at, p->source.len);
    if (rest.at[0] == '\\')
        return 2;
    const char *end =
        rest.len > 2 && rest.at[0] == '[' && rest.at[1] == ':' ? memmem(rest.at, rest.len, ":]", 2) : NULL;
    return end ? (size_t)(end - rest.at) + 2 : 1;
}

/* Jumps over what is no literal: a class, a group, an escape, a lone sign. */
static void skip_construct(parse *p)
{
    int depth = 0;
    do {
        char c = p->source.at[p->at++];
        if (c == '\\' && p->at < p->source.len) {
            p->at++;
        } else if (c == '(') {
            depth++;
        } else if (c == ')' && depth > 0) {
            depth--;
        } else if (c == '[') {
            if (p->at < p->source.len && p->source.at[p->at] == '^')
                p->at++;
            if (p->at < p->source.len && p->source.at[p->at] == ']')
                p->at++;
            while (p->at < p->source.len && p->source.at[p->at] != ']')
                p->at += class_item(p);
            p->at++;
        }
    } while (depth > 0 && p->at < p->source.len);
    while (p->at < p->source.len && quantifier_follows(p, p->at)) {
        if (p->source.at[p->at] == '{')
            while (p->at < p->source.len && p->source.at[p->at] != '}')
                p->at++;
        p->at++;
    }
    if (p->at > p->source.len)
        p->at = p->source.len;
}

/* An escape that begins more than two bytes (\x41, \p{L}, \1), so that what follows is no literal. */
static bool long_escape(const parse *p)
{
    return p->source.at[p->at] == '\\' && p->at + 1 < p->source.len &&
           er_is_alnum((unsigned char)p->source.at[p->at + 1]) &&
           strchr("dDwWsSbBAzZrhHvVRNKGQE", p->source.at[p->at + 1]) == NULL;
}

/* Keeps the literal runs that every match holds; a top-level alternative leaves none. */
static void parse_regex(parse *p)
{
    while (p->at < p->source.len && p->status == ER_OK) {
        if (p->source.at[p->at] == '|' || long_escape(p)) {
            p->literal_len = 0;
            p->pool->count = p->out->first_piece;
            p->out->piece_count = 0;
            return;
        }
        if (read_literal(p))
            continue;
        end_literal(p);
        p->before = ER_GROUP_ANY;
        skip_construct(p);
    }
    end_literal(p);
}

er_status er_pattern_parse(er_slice source, er_piece_pool *pool, er_pattern *out)
{
    if (source.len > ER_MATCH_MAX_PATTERN)
        return ER_TOO_LARGE;
    size_t bytes = pool->bytes.len;
    *out = (er_pattern){.first_piece = pool->count};
    parse p = {.source = source, .pool = pool, .out = out, .status = ER_OK};
    bool plain = parse_rule(&p);
    if (p.status == ER_OK && (!plain || !groups_are_apart(pool, out))) {
        pool->count = out->first_piece;
        pool->bytes.len = bytes;
        *out = (er_pattern){.first_piece = pool->count, .regex = true};
        p.at = p.literal_len = 0;
        p.before = ER_GROUP_NONE;
        parse_regex(&p);
        if (out->piece_count == 0)
            count_regex(out, source);
    }
    out->any_end = (source.len >= 5 && memcmp(source.at + source.len - 5, "(.+?)", 5) == 0) ||
                   (out->regex && memmem(source.at, source.len, "(.+?)|", 6));
    return p.status;
}
