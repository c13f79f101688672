#include "match/engine.h"

#include "base/memory.h"

#define RUN_LEAST 12u    /* folded bytes around a gram that must agree where the piece is not whole */
#define HITS_MOST 65536u /* in one query: a bound that only hostile text meets */

/* What the scan of one view needs at each hit. */
typedef struct scan {
    er_scratch *scratch;
    const er_view *view;
    er_posting last;     /* the last one that was a hit, */
    uint32_t last_place; /* and where its piece begins: neighbours in the same piece say nothing new */
} scan;

static bool grow_hits(er_scratch *scratch)
{
    uint32_t more = 2 * scratch->hit_capacity;
    er_hit *grown = er_realloc(scratch->hits, more * sizeof *grown);
    if (!grown) {
        scratch->failed = true;
        return false;
    }
    scratch->hits = grown;
    scratch->hit_capacity = more;
    return true;
}

static void add_hit(er_scratch *scratch, er_hit hit)
{
    if (scratch->hit_count >= HITS_MOST ||
        (scratch->hit_count == scratch->hit_capacity && !grow_hits(scratch)))
        return;
    scratch->hits[scratch->hit_count++] = hit;
}

/* How many bytes agree, from the ends of `a` and `b` backwards, at most `most`. */
static uint32_t agree_back(const char *a, const char *b, uint32_t most)
{
    uint32_t n = 0;
    while (n < most && a[-1 - (ptrdiff_t)n] == b[-1 - (ptrdiff_t)n])
        n++;
    return n;
}

static uint32_t agree(const char *a, const char *b, uint32_t most)
{
    uint32_t n = 0;
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

/*
 * How much of the piece that a gram at `at` belongs to stands around it. A gram that
 * stands there by chance is dropped here, before anything is aligned.
 */
static bool worth_a_look(const er_matcher *matcher, const er_view *view, uint32_t at,
                         const er_posting *posting, er_hit *hit)
{
    er_slice piece = er_slice_of(matcher->pieces.bytes.at + posting->fold, posting->fold_len);
    const char *want = piece.at + posting->offset, *text = view->fold + at;
    uint32_t ahead = (uint32_t)piece.len - posting->offset, left = view->fold_len - at;
    hit->intact =
        at >= posting->offset && left >= ahead && memcmp(text - posting->offset, piece.at, piece.len) == 0;
    uint32_t run = (uint32_t)piece.len;
    if (!hit->intact)
        run = agree(text, want, ahead < left ? ahead : left) +
              agree_back(text, want, at < posting->offset ? at : posting->offset);
    hit->run = (uint8_t)(run < UINT8_MAX ? run : UINT8_MAX);
    return hit->intact || run >= RUN_LEAST;
}

/* "code" or "jerr" where the text names a code. */
static void take_name(scan *s, uint32_t at, const er_posting *posting)
{
    uint32_t start = at - (posting->offset < at ? posting->offset : at);
    add_hit(s->scratch, (er_hit){.rule = ER_CODE_NAME, .at = start});
}

static void take_hit(void *context, uint32_t at, const er_posting *postings, uint32_t count)
{
    scan *s = context;
    const er_matcher *matcher = s->scratch->matcher;
    for (uint32_t i = 0; i < count; i++) {
        const er_posting *p = &postings[i];
        if (p->rule == ER_CODE_NAME) {
            take_name(s, at, p);
            continue;
        }
        if (s->last.rule == p->rule && s->last.pick == p->pick && s->last_place == at - p->offset)
            continue;
        if (s->scratch->repo != UINT32_MAX && matcher->repo_of[p->rule] != s->scratch->repo)
            continue;
        er_hit hit = {.rule = p->rule, .at = at, .pick = p->pick, .picks = p->picks};
        if (!worth_a_look(matcher, s->view, at, p, &hit))
            continue;
        /* What er_solve asks for next: in a large catalog it is in no cache. */
        __builtin_prefetch(&s->scratch->evidence[p->rule], 1);
        __builtin_prefetch(&matcher->patterns[p->rule]);
        s->last = *p;
        s->last_place = at - p->offset;
        add_hit(s->scratch, hit);
    }
}

er_view *er_view_make(er_scratch *scratch, er_slice text, const uint32_t *origin, uint32_t base,
                      unsigned depth)
{
    er_view *view = er_scratch_take(scratch, sizeof *view);
    char *fold = er_scratch_take(scratch, text.len + 2 * ER_FOLD_SLACK);
    uint32_t *blocks = er_scratch_take(scratch, ER_FOLD_BLOCKS(text.len) * sizeof *blocks);
    if (!view || !fold || !blocks)
        return NULL;
    *view = (er_view){
        .text = text, .origin = origin, .base = base, .fold = fold, .blocks = blocks, .depth = depth};
    view->fold_len = (uint32_t)er_fold(text, fold, blocks, &view->marks);
    view->first_hit = scratch->hit_count;
    scan s = {scratch, view, {.rule = ER_CODE_NAME}, 0};
    er_index_scan(scratch->matcher->index, fold, view->fold_len, take_hit, &s);
    view->hit_count = scratch->hit_count - view->first_hit;
    return view;
}

uint32_t er_view_origin(const er_view *view, uint32_t at)
{
    return view->base + (view->origin ? view->origin[at] : at);
}
