#include "match/engine.h"

#include "base/memory.h"

#define RUN_LEAST 12u /* folded bytes around a gram that must agree where the piece is not whole */
#define HITS_MOST 65536u /* in one query: a bound that only hostile text meets */

/* What the scan of one view needs at each hit. */
typedef struct scan {
    er_scratch *scratch;
    const er_view *view;
} scan;

static bool grow_hits(er_scratch *scratch)
{
    uint32_t more = scratch->hit_capacity ? 2 * scratch->hit_capacity : 256;
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
    if (scratch->hit_count >= HITS_MOST || (scratch->hit_count == scratch->hit_capacity && !grow_hits(scratch)))
        return;
    scratch->hits[scratch->hit_count++] = hit;
}

/*
 * How much of the piece that a gram at `at` belongs to stands around it. A gram that
 * stands there by chance is dropped here, before anything is aligned.
 */
static bool worth_a_look(const er_matcher *matcher, const er_view *view, uint32_t at, const er_posting *posting,
                         bool *intact)
{
    uint32_t index = matcher->patterns[posting->rule].first_piece + posting->piece;
    er_slice piece = er_piece_fold(&matcher->pieces, &matcher->pieces.pieces[index]);
    const char *text = view->fold + at, *want = piece.at + posting->offset;
    uint32_t left = view->fold_len - at, most = (uint32_t)piece.len - posting->offset, run = 0, back = 0;
    most = most < left ? most : left;
    while (run < most && text[run] == want[run])
        run++;
    most = at < posting->offset ? at : posting->offset;
    while (back < most && text[-1 - (ptrdiff_t)back] == want[-1 - (ptrdiff_t)back])
        back++;
    *intact = run + back == piece.len;
    return *intact || run + back >= RUN_LEAST;
}

static void take_hit(void *context, uint32_t at, const er_posting *postings, uint32_t count)
{
    const scan *s = context;
    const er_matcher *matcher = s->scratch->matcher;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rule = postings[i].rule;
        bool intact = true;
        if (rule != ER_CODE_NAME && s->scratch->repo != UINT32_MAX && matcher->repo_of[rule] != s->scratch->repo)
            continue;
        if (rule == ER_CODE_NAME || worth_a_look(matcher, s->view, at, &postings[i], &intact))
            add_hit(s->scratch, (er_hit){rule, s->view->map[at] & 0x7FFFFFFFu, intact});
    }
}

er_view *er_view_make(er_scratch *scratch, er_slice text, const uint32_t *origin, uint32_t base, unsigned depth)
{
    er_view *view = er_scratch_take(scratch, sizeof *view);
    char *fold = er_scratch_take(scratch, text.len + ER_FOLD_SLACK);
    uint32_t *map = er_scratch_take(scratch, (text.len + 1) * sizeof *map);
    if (!view || !fold || !map)
        return NULL;
    *view = (er_view){.text = text, .origin = origin, .base = base, .fold = fold, .map = map, .depth = depth};
    view->fold_len = (uint32_t)er_fold(text, fold, map);
    view->first_hit = scratch->hit_count;
    scan s = {scratch, view};
    er_index_scan(scratch->matcher->index, fold, view->fold_len, take_hit, &s);
    view->hit_count = scratch->hit_count - view->first_hit;
    return view;
}

uint32_t er_view_origin(const er_view *view, uint32_t at)
{
    return view->base + (view->origin ? view->origin[at] : at);
}
