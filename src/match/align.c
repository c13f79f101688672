#include "match/align.h"

#include "base/ascii.h"

#define NOWHERE      UINT32_MAX
#define SHORT_TEXT   512u /* bytes up to which a plain search is quicker than memmem */
#define BROKEN_LEAST 8u   /* bytes at an end of a broken piece that must be left */
#define OVERLAP_MOST 512u /* bytes of a cut piece that are looked for */

/* The state of one alignment. */
typedef struct aligner {
    const er_piece_pool *pool;
    const er_pattern *pattern;
    er_aligned_text in;
    er_range range;
    er_alignment *out;
    uint32_t count;                         /* pieces */
    er_group tail;                          /* group behind the last one */
    uint32_t ends[ER_MATCH_MAX_GROUPS + 2]; /* where each placed piece ends */
    uint32_t steps;                         /* searches left: a bound that only hostile text meets */
    bool hopeless;                          /* a piece is nowhere to the right: no later start can help */
} aligner;

/* `ends` is left as it is: it is written before it is read, and this runs for every candidate. */
static void start(aligner *a, const er_piece_pool *pool, const er_pattern *pattern, er_aligned_text in,
                  er_range range, er_alignment *out)
{
    bool open = in.folded && pattern->open_end;
    a->pool = pool;
    a->pattern = pattern;
    a->in = in;
    a->range = range;
    a->out = out;
    a->count = pattern->piece_count - (open ? 1u : 0u);
    a->tail = (er_group)(open ? pool->pieces[pattern->first_piece + a->count].before : pattern->tail);
    a->steps = 4 * (range.to - range.from) + 64;
    a->hopeless = false;
    out->group_count = 0;
    out->literal = 0;
    out->cut_start = out->cut_end = out->cut_through = out->skipped = false;
}

static er_slice piece_text(const aligner *a, uint32_t index)
{
    const er_piece *piece = &a->pool->pieces[a->pattern->first_piece + index];
    return a->in.folded ? er_piece_fold(a->pool, piece) : er_piece_raw(a->pool, piece);
}

static er_group group_before(const aligner *a, uint32_t index)
{
    return (er_group)a->pool->pieces[a->pattern->first_piece + index].before;
}

/* memmem sets up a table at each call; in a line, the first byte finds as fast without one. */
static const char *find_short(const char *from, const char *to, er_slice needle)
{
    const char *last = to - needle.len;
    for (const char *at = from; at <= last; at++) {
        at = memchr(at, needle.at[0], (size_t)(last - at) + 1);
        if (!at)
            return NULL;
        if (at[needle.len - 1] == needle.at[needle.len - 1] && memcmp(at, needle.at, needle.len) == 0)
            return at;
    }
    return NULL;
}

static uint32_t find(const aligner *a, uint32_t from, er_slice needle)
{
    if (from > a->range.to || a->range.to - from < needle.len)
        return NOWHERE;
    const char *base = a->in.text.at;
    uint32_t length = a->range.to - from;
    const char *at = length <= SHORT_TEXT ? find_short(base + from, base + a->range.to, needle)
                                          : memmem(base + from, length, needle.at, needle.len);
    return at ? (uint32_t)(at - base) : NOWHERE;
}

static bool stands_at(const aligner *a, uint32_t at, er_slice needle)
{
    return a->range.to - at >= needle.len && memcmp(a->in.text.at + at, needle.at, needle.len) == 0;
}

static uint32_t run_of(const aligner *a, uint32_t at, bool (*test)(int))
{
    uint32_t n = 0;
    while (at + n < a->range.to && test((unsigned char)a->in.text.at[at + n]))
        n++;
    return n;
}

/* How many bytes a group that is not (.+?) takes at `at`; 0 for none. */
static uint32_t take(const aligner *a, er_group kind, uint32_t at)
{
    uint32_t sign = at < a->range.to && a->in.text.at[at] == '-';
    switch (kind) {
    case ER_GROUP_CHAR:
        return at < a->range.to;
    case ER_GROUP_HEX:
        return run_of(a, at, er_is_hex);
    case ER_GROUP_BOOL:
        return stands_at(a, at, ER_SLICE("true")) ? 4 : stands_at(a, at, ER_SLICE("false")) ? 5 : 0;
    case ER_GROUP_INT:
    case ER_GROUP_NUMBER: {
        uint32_t digits = run_of(a, at + sign, er_is_digit);
        if (digits == 0)
            return 0;
        uint32_t length = sign + digits;
        if (kind == ER_GROUP_NUMBER && at + length < a->range.to && a->in.text.at[at + length] == '.') {
            uint32_t fraction = run_of(a, at + length + 1, er_is_digit);
            length += fraction ? fraction + 1 : 0;
        }
        return length;
    }
    default:
        return 0;
    }
}

/* Where a group that is not (.+?) and ends at `end` begins; NOWHERE for no such group. */
static uint32_t take_back(const aligner *a, er_group kind, uint32_t end)
{
    const char *text = a->in.text.at;
    uint32_t from = a->range.from, at = end;
    if (kind == ER_GROUP_CHAR)
        return end > from ? end - 1 : NOWHERE;
    if (kind == ER_GROUP_BOOL) {
        if (end - from >= 4 && memcmp(text + end - 4, "true", 4) == 0)
            return end - 4;
        return end - from >= 5 && memcmp(text + end - 5, "false", 5) == 0 ? end - 5 : NOWHERE;
    }
    bool (*test)(int) = kind == ER_GROUP_HEX ? er_is_hex : er_is_digit;
    while (at > from && test((unsigned char)text[at - 1]))
        at--;
    if (at == end)
        return NOWHERE;
    if (kind == ER_GROUP_NUMBER && at - from >= 2 && text[at - 1] == '.' &&
        er_is_digit((unsigned char)text[at - 2])) {
        at--;
        while (at > from && er_is_digit((unsigned char)text[at - 1]))
            at--;
    }
    if (kind != ER_GROUP_HEX && at > from && text[at - 1] == '-')
        at--;
    return at;
}

/* The place where the group before the first piece, which stands at `at`, begins. */
static uint32_t lead_start(const aligner *a, er_group kind, uint32_t at)
{
    if (kind == ER_GROUP_NONE)
        return at;
    if (kind != ER_GROUP_ANY)
        return take_back(a, kind, at);
    for (uint32_t i = a->range.start_count; i > 0; i--)
        if (a->range.starts[i - 1] < at)
            return a->range.starts[i - 1];
    return a->range.from < at ? a->range.from : NOWHERE;
}

static void set_group(aligner *a, uint32_t index, uint32_t start, uint32_t end)
{
    if (index < ER_MATCH_MAX_GROUPS) {
        a->out->groups[index] = (er_span){start, end};
        if (a->out->group_count <= index)
            a->out->group_count = index + 1;
    }
}

/* The number of the group before piece `index`, counting from 0. */
static uint32_t group_index(const aligner *a, uint32_t index)
{
    return index - (group_before(a, 0) == ER_GROUP_NONE);
}

static bool place_tail(aligner *a, uint32_t pos)
{
    er_group kind = a->tail;
    a->out->last_end = pos;
    uint32_t length = kind == ER_GROUP_ANY ? a->range.to - pos : take(a, kind, pos);
    a->out->whole.end = pos + length;
    if (kind == ER_GROUP_NONE)
        return true;
    if (length == 0)
        return false;
    set_group(a, (uint32_t)a->pattern->groups - 1, pos, pos + length);
    return true;
}

/* Tries piece `index` at the first place that its group allows; *star is the last (.+?) passed. */
static bool place_piece(aligner *a, uint32_t index, uint32_t *star)
{
    er_slice text = piece_text(a, index);
    uint32_t pos = a->ends[index - 1], at;
    er_group kind = group_before(a, index);
    if (kind == ER_GROUP_ANY) {
        *star = index;
        at = find(a, pos + 1, text);
        a->hopeless = at == NOWHERE;
    } else {
        uint32_t length = take(a, kind, pos);
        at = length && stands_at(a, pos + length, text) ? pos + length : NOWHERE;
    }
    if (at == NOWHERE)
        return false;
    set_group(a, group_index(a, index), pos, at);
    a->ends[index] = at + (uint32_t)text.len;
    return true;
}

/* Moves the piece behind the last (.+?) to its next place. */
static bool retry_star(aligner *a, uint32_t star)
{
    er_slice text = piece_text(a, star);
    uint32_t at = find(a, a->ends[star] - (uint32_t)text.len + 1, text);
    if (at == NOWHERE || a->steps-- == 0) {
        a->hopeless = true;
        return false;
    }
    set_group(a, group_index(a, star), a->ends[star - 1], at);
    a->ends[star] = at + (uint32_t)text.len;
    return true;
}

/* Everything behind the first piece, which ends at ends[0]. */
static bool place_rest(aligner *a)
{
    uint32_t count = a->count, star = 0;
    for (uint32_t i = 1; i <= count; i++) {
        bool placed = i < count ? place_piece(a, i, &star) : place_tail(a, a->ends[count - 1]);
        if (placed)
            continue;
        if (a->hopeless || star == 0 || !retry_star(a, star))
            return false;
        i = star;
    }
    return true;
}

static bool align_wild(aligner *a)
{
    uint32_t start = lead_start(a, ER_GROUP_ANY, a->range.to);
    if (start == NOWHERE)
        return false;
    a->out->whole.start = start;
    return place_tail(a, start);
}

static uint32_t literal_bytes(const aligner *a)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < a->count; i++)
        sum += (uint32_t)piece_text(a, i).len;
    return sum;
}

bool er_align(const er_piece_pool *pool, const er_pattern *pattern, er_aligned_text in, er_range range,
              er_alignment *out)
{
    aligner a;
    start(&a, pool, pattern, in, range, out);
    out->literal = literal_bytes(&a);
    if (a.count == 0)
        return align_wild(&a);
    er_slice first = piece_text(&a, 0);
    er_group lead = group_before(&a, 0);
    uint32_t at = find(&a, range.from + (lead != ER_GROUP_NONE), first);
    for (; at != NOWHERE && !a.hopeless && a.steps--; at = find(&a, at + 1, first)) {
        uint32_t start = lead_start(&a, lead, at);
        if (start == NOWHERE)
            continue;
        out->whole.start = start;
        if (lead != ER_GROUP_NONE)
            set_group(&a, 0, start, at);
        a.ends[0] = at + (uint32_t)first.len;
        if (place_rest(&a))
            return true;
    }
    return false;
}

/* The longest end of text[pos..to) that begins `piece`; its length. */
static uint32_t overlap_at_end(const aligner *a, uint32_t pos, er_slice piece)
{
    uint32_t left = a->range.to - pos;
    uint32_t most = (uint32_t)(piece.len < left ? piece.len : left);
    most = most < OVERLAP_MOST ? most : OVERLAP_MOST;
    for (uint32_t n = most; n > 0; n--)
        if (memcmp(a->in.text.at + a->range.to - n, piece.at, n) == 0)
            return n;
    return 0;
}

/* The longest end of `piece` that text[from..] begins with; its length. */
static uint32_t overlap_at_start(const aligner *a, er_slice piece)
{
    uint32_t left = a->range.to - a->range.from;
    uint32_t most = (uint32_t)(piece.len < left ? piece.len : left);
    most = most < OVERLAP_MOST ? most : OVERLAP_MOST;
    for (uint32_t n = most; n > 0; n--)
        if (memcmp(a->in.text.at + a->range.from, piece.at + piece.len - n, n) == 0)
            return n;
    return 0;
}

/* What is left of a piece that is broken in the middle. */
typedef struct er_broken {
    uint32_t left;  /* bytes; 0 for too few */
    uint32_t begin; /* where the first of them stands */
    uint32_t end;   /* where the last of them ends */
    bool headed;    /* its first bytes are there, */
    bool ended;     /* its last bytes are there */
} er_broken;

/* A piece broken by "...", a redaction or a slip: its first and its last bytes may still stand there. */
static er_broken broken_piece(const aligner *a, uint32_t pos, er_slice piece)
{
    er_broken b = {.begin = pos, .end = pos};
    if (piece.len < BROKEN_LEAST)
        return b;
    const char *text = a->in.text.at;
    uint32_t at = find(a, pos, er_slice_sub(piece, 0, BROKEN_LEAST));
    if (at != NOWHERE) {
        while (b.left < piece.len && at + b.left < a->range.to && text[at + b.left] == piece.at[b.left])
            b.left++;
        b.headed = true;
        b.begin = at;
        b.end = at + b.left;
    }
    uint32_t rest = (uint32_t)piece.len - b.left;
    at = rest < BROKEN_LEAST ? NOWHERE
                             : find(a, b.end, er_slice_sub(piece, piece.len - BROKEN_LEAST, piece.len));
    if (at == NOWHERE)
        return b;
    uint32_t back = BROKEN_LEAST;
    while (back < rest && at + BROKEN_LEAST > b.end + back &&
           text[at + BROKEN_LEAST - back - 1] == piece.at[piece.len - back - 1])
        back++;
    b.begin = b.headed ? b.begin : at + BROKEN_LEAST - back;
    b.end = at + BROKEN_LEAST;
    b.left += back;
    b.ended = true;
    return b;
}

/* A first piece that stands there whole, or of which an end or both ends do; false where its own end does
 * not. */
static bool place_damaged_first(aligner *a, uint32_t *pos)
{
    er_slice first = piece_text(a, 0);
    er_alignment *out = a->out;
    uint32_t at = find(a, a->range.from, first);
    out->whole.start = a->range.from;
    if (at != NOWHERE) {
        uint32_t start = lead_start(a, group_before(a, 0), at);
        out->whole.start = start == NOWHERE ? at : start;
        if (group_before(a, 0) != ER_GROUP_NONE && start != NOWHERE)
            set_group(a, 0, start, at);
        out->literal = (uint32_t)first.len;
        *pos = at + (uint32_t)first.len;
        return true;
    }
    uint32_t tail = overlap_at_start(a, first), head = overlap_at_end(a, a->range.from, first);
    er_broken broken = broken_piece(a, a->range.from, first);
    if (broken.left >= tail && broken.left > head) {
        out->literal = broken.left;
        out->skipped = true;
        out->whole.start = broken.begin;
        *pos = broken.end;
        return broken.ended;
    }
    out->literal = tail > head ? tail : head;
    out->cut_start = tail > head;
    out->cut_end = head > 1 && !out->cut_start;
    out->skipped = !out->cut_start && !out->cut_end;
    out->cut_through = !out->skipped;
    if (out->cut_end)
        out->whole.start = a->range.to - head;
    *pos = out->cut_start ? a->range.from + tail : out->cut_end ? a->range.to : a->range.from;
    return out->cut_start;
}

/* A later piece that is not there whole; returns where to go on, or NOWHERE when the text was cut. */
static uint32_t place_damaged(aligner *a, uint32_t index, uint32_t pos, bool *gap)
{
    er_slice text = piece_text(a, index);
    er_alignment *out = a->out;
    bool last = index + 1 == a->count;
    bool later = !last && find(a, pos, piece_text(a, index + 1)) != NOWHERE;
    er_broken broken = broken_piece(a, pos, text);
    uint32_t head = later ? 0 : overlap_at_end(a, pos, text);
    if (broken.left > head) {
        if (broken.headed && broken.begin > pos && !*gap)
            set_group(a, group_index(a, index), pos, broken.begin);
        out->literal += broken.left;
        out->skipped = true;
        *gap = !broken.ended;
        return broken.end;
    }
    out->skipped = out->skipped || later;
    if (head == 0 && !last) {
        *gap = true;
        return pos;
    }
    if (a->range.to - head > pos && !*gap)
        set_group(a, group_index(a, index), pos, a->range.to - head);
    out->literal += head;
    out->cut_through = head > 1;
    out->cut_end = true;
    return NOWHERE;
}

bool er_align_damaged(const er_piece_pool *pool, const er_pattern *pattern, er_aligned_text in,
                      er_range range, uint32_t least, er_alignment *out)
{
    aligner a;
    start(&a, pool, pattern, in, range, out);
    uint32_t pos = range.from;
    if (a.count == 0)
        return false;
    for (uint32_t g = 0; g < pattern->groups && g < ER_MATCH_MAX_GROUPS; g++)
        out->groups[g] = (er_span){NOWHERE, NOWHERE};
    bool gap = !place_damaged_first(&a, &pos); /* the piece before did not end where a group could begin */
    for (uint32_t i = 1; i < a.count && !out->cut_end; i++) {
        er_slice text = piece_text(&a, i);
        uint32_t at = find(&a, pos, text);
        if (at == NOWHERE) {
            uint32_t next = place_damaged(&a, i, pos, &gap);
            pos = next == NOWHERE ? range.to : next;
            continue;
        }
        if (at > pos && !gap)
            set_group(&a, group_index(&a, i), pos, at);
        out->literal += (uint32_t)text.len;
        pos = at + (uint32_t)text.len;
        gap = false;
    }
    out->last_end = out->whole.end = pos;
    if (!out->cut_end && a.tail != ER_GROUP_NONE && range.to > pos && !gap) {
        uint32_t length = a.tail == ER_GROUP_ANY ? range.to - pos : take(&a, a.tail, pos);
        if (length)
            set_group(&a, (uint32_t)pattern->groups - 1, pos, pos + length);
        out->whole.end = pos + length;
    }
    return out->literal >= least && out->whole.end > out->whole.start;
}
