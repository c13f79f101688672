/*
 * From a text to its explanation: lines, values with escapes, messages over
 * several lines, the most telling of several, causes, and what came near.
 */
#include "match/engine.h"

#include "base/ascii.h"
#include "base/memory.h"

#define FINDINGS_MOST    256u
#define CLASS_LEAST      6u /* letters of an identifier that names an error */
#define CLASS_CONFIDENCE 0.8
#define BLOCK_LINES      16u   /* lines that one message may take */
#define WHOLE_TEXT_MOST  8192u /* bytes of a text whose parts may tell of one error */

/* What one message of the text turned out to be. */
typedef struct finding {
    er_solution solution;
    er_problem problem;
} finding;

typedef struct explainer {
    er_scratch *scratch;
    finding *findings;
    uint32_t count;
} explainer;

static const er_candidate *best(const er_solution *solution)
{
    return solution->count ? &solution->candidates[0] : NULL;
}

static uint32_t first_hit_from(const er_scratch *scratch, const er_view *view, uint32_t offset)
{
    uint32_t place = er_fold_place(view->text, view->blocks, offset), low = 0, high = view->hit_count;
    const er_hit *hits = scratch->hits + view->first_hit;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (hits[mid].at < place)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The hits of a view that stand in [from, to): a run, since they are in rising order. */
static void hits_within(const er_scratch *scratch, const er_view *view, er_problem *problem)
{
    uint32_t first = view->hit_count && problem->from ? first_hit_from(scratch, view, problem->from) : 0;
    uint32_t last = view->hit_count;
    if (last && problem->to < view->text.len)
        last = first_hit_from(scratch, view, problem->to);
    problem->first_hit = view->first_hit + first;
    problem->hit_count = last - first;
}

static bool better(const explainer *e, const er_solution *a, const er_solution *b)
{
    if (!a->count || !b->count)
        return a->count > 0;
    return er_candidate_compare(e->scratch->matcher, &a->candidates[0], &b->candidates[0]) < 0;
}

static void explain_view(explainer *e, const er_view *view, er_solution *only);

/* A value with its escapes undone, as a text of its own; NULL where memory is short. */
static const er_view *unescape(explainer *e, const er_view *parent, er_span value)
{
    er_scratch *scratch = e->scratch;
    er_slice raw = er_slice_sub(parent->text, value.start, value.end);
    char *text = er_scratch_take(scratch, raw.len + 4);
    uint32_t *map = er_scratch_take(scratch, (raw.len + 4) * sizeof *map);
    if (!text || !map)
        return NULL;
    size_t length = er_quote_unescape(raw, text, map);
    for (size_t i = 0; i <= length; i++)
        map[i] = er_view_origin(parent, value.start + map[i]) - parent->base;
    return er_view_make(scratch, er_slice_of(text, length), map, parent->base, parent->depth + 1);
}

static void solve_unescaped(explainer *e, const er_view *view, er_solution *out)
{
    out->count = 0;
    if (view)
        explain_view(e, view, out);
    for (uint32_t i = 0; i < out->count; i++)
        if (out->candidates[i].fit == ER_FIT_WHOLE)
            out->candidates[i].fit = ER_FIT_WHOLE_VALUE;
}

/* Where in `view` the byte is that stands at `at` in its parent. */
static uint32_t place_in(const er_view *view, const er_view *parent, uint32_t at)
{
    uint32_t origin = er_view_origin(parent, at), low = 0, high = (uint32_t)view->text.len;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (er_view_origin(view, mid) < origin)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static er_span span_in(const er_view *view, const er_view *parent, er_span span)
{
    if (span.start == UINT32_MAX)
        return span;
    return (er_span){place_in(view, parent, span.start), place_in(view, parent, span.end)};
}

/*
 * What a code outside the value decided (a JSON reply's err_code) was found in the
 * value as it stands: it is moved to the value without escapes.
 */
static void move_decided(explainer *e, const er_view *view, er_span value, er_candidate *c)
{
    er_span *groups = er_scratch_take(e->scratch, (c->group_count + 1u) * sizeof *groups);
    er_framing *framing = er_scratch_take(e->scratch, sizeof *framing);
    if (!view || !groups || !framing || !c->decided || c->span.start < value.start || c->span.end > value.end)
        return;
    for (uint32_t g = 0; g < c->group_count; g++)
        groups[g] = span_in(view, c->view, c->groups[g]);
    *framing = *c->framing;
    framing->level = framing->time = framing->kind = framing->name = (er_span){0, 0};
    c->span = span_in(view, c->view, c->span);
    c->literals = span_in(view, c->view, c->literals);
    c->groups = groups;
    c->framing = framing;
    c->view = view;
}

/* Values of the line that hold escapes: one of them may be what the line is about. */
static void try_unescaped(explainer *e, const er_problem *line, er_solution *solution)
{
    const er_view *view = line->view;
    const char *from = view->text.at + line->from;
    if (view->depth >= ER_ESCAPES_MOST || !memchr(from, '\\', line->to - line->from))
        return;
    er_quote quotes[ER_QUOTE_MOST];
    uint32_t count = er_quote_find(view->text, line->from, line->to, quotes), reach = line->from, tried = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!quotes[i].escaped || quotes[i].inside.start < reach)
            continue;
        er_solution inner;
        const er_view *value = unescape(e, view, quotes[i].inside);
        solve_unescaped(e, value, &inner);
        reach = quotes[i].inside.end;
        tried++;
        if (better(e, &inner, solution))
            *solution = inner;
        else if (solution->count && solution->candidates[0].view == view)
            move_decided(e, value, quotes[i].inside, &solution->candidates[0]);
    }
    /* Escaped quotes outside any value: a sink wrote the whole line as a value and its quotes were lost. */
    const er_candidate *c = best(solution);
    bool loose =
        memmem(from, line->to - line->from, "\\\"", 2) || memmem(from, line->to - line->from, "\\u00", 4);
    if (loose && tried == 0 && (!c || c->care != ER_CARE_EXACT || c->fit < ER_FIT_WHOLE_VALUE)) {
        er_solution inner;
        solve_unescaped(e, unescape(e, view, (er_span){line->from, line->to}), &inner);
        if (better(e, &inner, solution))
            *solution = inner;
    }
}

static uint32_t line_end(const er_view *view, uint32_t from)
{
    if (!(view->marks & ER_MARK_LINES))
        return (uint32_t)view->text.len;
    const char *end = memchr(view->text.at + from, '\n', view->text.len - from);
    return end ? (uint32_t)(end - view->text.at) : (uint32_t)view->text.len;
}

/* Where a message that goes on behind its line stops: before a line that begins an entry, or a blank one. */
static uint32_t block_end(const er_view *view, uint32_t to)
{
    uint32_t end = to;
    for (uint32_t lines = 0; lines < BLOCK_LINES && end < view->text.len; lines++) {
        uint32_t from = end + 1, next;
        if (from >= view->text.len)
            break;
        next = line_end(view, from);
        er_framing framing;
        er_frame_read(view->text, from, next, &framing);
        if (framing.from == framing.to || framing.header)
            break;
        end = next;
    }
    return end;
}

/* A message may be broken over lines: solve the block when the line alone says too little. */
static uint32_t try_block(explainer *e, er_problem *line, er_solution *solution)
{
    const er_view *view = line->view;
    const er_candidate *c = best(solution);
    er_slice text = er_slice_trim(er_slice_sub(view->text, line->from, line->to));
    bool open = text.len > 0 && text.at[text.len - 1] == ':';
    if (line->to >= view->text.len || (c && !open && c->care != ER_CARE_DAMAGED && c->fit != ER_FIT_INSIDE))
        return line->to;
    er_problem block = *line;
    block.to = block_end(view, line->to);
    if (block.to == line->to)
        return line->to;
    hits_within(e->scratch, view, &block);
    er_solution whole;
    er_solve(e->scratch, &block, &whole);
    if (whole.count && whole.candidates[0].span.start >= line->to)
        return line->to; /* a later line says that by itself */
    bool same = c && whole.count && whole.candidates[0].rule == c->rule;
    if (!(open && same) && !better(e, &whole, solution))
        return line->to;
    *solution = whole;
    *line = block;
    uint32_t reach = best(solution)->span.end;
    return reach > line->from ? line_end(view, reach > view->text.len ? (uint32_t)view->text.len : reach)
                              : line->to;
}

static bool told_already(const explainer *e, const er_candidate *c)
{
    for (uint32_t i = 0; i < e->count; i++)
        if (best(&e->findings[i].solution)->rule == c->rule)
            return true;
    return false;
}

static void add_finding(explainer *e, const er_problem *problem, const er_solution *solution)
{
    if (!solution->count || e->count == FINDINGS_MOST || told_already(e, best(solution)))
        return;
    e->findings[e->count++] = (finding){*solution, *problem};
}

/* The offset of a tail of clients' error handlers, " on connection [12]", or `to`. */
static uint32_t handler_tail(er_slice text, uint32_t from, uint32_t to)
{
    static const char tail[] = " on connection [";
    const char *found = memmem(text.at + from, to - from, tail, sizeof tail - 1);
    if (!found)
        return to;
    uint32_t start = (uint32_t)(found - text.at), at = start + (uint32_t)sizeof tail - 1, digits = at;
    while (at < to && er_is_digit((unsigned char)text.at[at]))
        at++;
    return at > digits && at < to && text.at[at] == ']' ? start : to;
}

/* A message that nothing accounts for as a whole: without what an error handler put behind it. */
static void try_without_tail(explainer *e, const er_problem *line, er_solution *solution)
{
    if (solution->count && best(solution)->fit >= ER_FIT_WHOLE_VALUE)
        return;
    er_problem message = *line;
    message.to = handler_tail(line->view->text, line->from, line->to);
    if (message.to == line->to)
        return;
    er_solution found;
    hits_within(e->scratch, message.view, &message);
    er_solve(e->scratch, &message, &found);
    if (better(e, &found, solution))
        *solution = found;
}

/* Solves one entry: a line, or a part of one that holds several; returns where it ends. */
static uint32_t explain_entry(explainer *e, const er_view *view, uint32_t from, uint32_t to)
{
    er_problem problem = {.view = view, .from = from, .to = to};
    er_solution solution = {0};
    hits_within(e->scratch, view, &problem);
    er_solve(e->scratch, &problem, &solution);
    if (view->marks & ER_MARK_BACKSLASH)
        try_unescaped(e, &problem, &solution);
    try_without_tail(e, &problem, &solution);
    uint32_t end = problem.hit_count ? try_block(e, &problem, &solution) : to;
    add_finding(e, &problem, &solution);
    return end;
}

static void explain_lines(explainer *e, const er_view *view)
{
    for (uint32_t from = 0; from < view->text.len;) {
        uint32_t to = line_end(view, from);
        if (to == from) {
            from++;
            continue;
        }
        uint32_t entry = view->hit_count ? er_frame_next_entry(view->text, from, to) : to;
        bool several = entry > from && entry < to;
        uint32_t end = explain_entry(e, view, from, several ? entry : to);
        from = several && end == entry ? entry : end + 1;
    }
}

static const finding *most_telling(const explainer *e);

/* A value that was unescaped: its lines, and the most telling of them alone. */
static void explain_view(explainer *e, const er_view *view, er_solution *only)
{
    explainer inner = {e->scratch, er_scratch_take(e->scratch, FINDINGS_MOST * sizeof(finding)), 0};
    only->count = 0;
    if (!inner.findings)
        return;
    explain_lines(&inner, view);
    const finding *found = most_telling(&inner);
    if (found)
        *only = found->solution;
}

/*
 * One error may be told over several lines, the code in one and the words in
 * another: where a code stands alone, look at the whole text.
 */
static void join_codes(explainer *e, const er_view *view)
{
    bool alone = false;
    for (uint32_t i = 0; i < e->count; i++) {
        const er_candidate *c = best(&e->findings[i].solution);
        alone = alone || c->by_code_alone || (c->decided && c->literal == 0);
    }
    if (!alone || view->text.len > WHOLE_TEXT_MOST || !memchr(view->text.at, '\n', view->text.len))
        return;
    er_problem problem = {.view = view, .from = 0, .to = (uint32_t)view->text.len};
    er_solution solution;
    hits_within(e->scratch, view, &problem);
    er_solve(e->scratch, &problem, &solution);
    const er_candidate *c = best(&solution);
    if (!c || !c->decided || c->by_code_alone)
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        const er_candidate *other = best(&e->findings[i].solution);
        bool part = other->by_code_alone || other->rule == c->rule ||
                    (other->decided && other->literal == 0) ||
                    (other->span.start >= c->span.start && other->span.end <= c->span.end);
        if (!part)
            e->findings[kept++] = e->findings[i];
    }
    e->count = kept;
    add_finding(e, &problem, &solution);
}

/* Whether a finding is sure enough to be weighed by severity. */
static int certainty(const er_candidate *c)
{
    if (c->strength == ER_CATCH_ALL)
        return 0;
    if (c->decided && !c->by_code_alone)
        return 4;
    if (c->by_code_alone)
        return 1;
    if (c->care == ER_CARE_DAMAGED || c->fit == ER_FIT_INSIDE)
        return 2;
    return 4;
}

static bool tells_more(const explainer *e, const finding *a, const finding *b)
{
    const er_candidate *x = best(&a->solution), *y = best(&b->solution);
    const er_rule *rules = e->scratch->matcher->rules;
    if (certainty(x) != certainty(y))
        return certainty(x) > certainty(y);
    if (rules[x->rule].severity != rules[y->rule].severity)
        return rules[x->rule].severity > rules[y->rule].severity;
    if (x->fit != y->fit)
        return x->fit > y->fit;
    return x->literal > y->literal; /* otherwise the first to come */
}

static const finding *most_telling(const explainer *e)
{
    const finding *found = NULL;
    for (uint32_t i = 0; i < e->count; i++)
        if (!found || tells_more(e, &e->findings[i], found))
            found = &e->findings[i];
    return found;
}

static er_slice slice_of(const er_view *view, er_span span)
{
    return span.start < span.end ? er_slice_sub(view->text, span.start, span.end) : (er_slice){"", 0};
}

static uint32_t line_number(er_slice text, size_t offset)
{
    uint32_t line = 1;
    for (const char *at = text.at, *end = text.at + offset; at < end; at++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            break;
        line++;
    }
    return line;
}

static void fill_frame(const er_scratch *scratch, const er_candidate *c, er_match *out)
{
    const er_framing *f = c->framing;
    out->frame.level = f->level_code[0] ? er_slice_of(f->level_code, 3) : (er_slice){0};
    out->frame.time = slice_of(c->view, f->time);
    out->frame.kind = slice_of(c->view, f->kind);
    out->frame.name = slice_of(c->view, f->name);
    if (out->frame.level.len && out->frame.time.len)
        return;
    er_slice text = scratch->query->text;
    const char *from = out->start ? memrchr(text.at, '\n', out->start) : NULL;
    size_t start = from ? (size_t)(from - text.at) + 1 : 0;
    const char *to = memchr(text.at + out->start, '\n', text.len - out->start);
    size_t end = to ? (size_t)(to - text.at) : text.len;
    er_frame_fields(er_slice_sub(text, start, end), &out->frame.level, &out->frame.time);
}

/* A candidate as the caller sees it. */
static bool write_match(er_scratch *scratch, const er_candidate *c, bool ambiguous, er_match *out)
{
    er_capture *captures = er_scratch_take(scratch, (c->group_count + 1u) * sizeof *captures);
    if (!captures)
        return false;
    *out = (er_match){.rule = c->rule, .confidence = c->confidence, .captures = captures};
    out->start = er_view_origin(c->view, c->span.start);
    out->end = c->span.end > c->span.start ? er_view_origin(c->view, c->span.end - 1) + 1 : out->start;
    /* The last byte may stand for an escape of several: the span ends where the next byte's place begins. */
    if (c->view->origin && c->span.end > c->span.start) {
        uint32_t next = er_view_origin(c->view, c->span.end);
        out->end = c->view->depth > 0 ? next : out->end;
    }
    out->line = scratch->lines ? line_number(scratch->query->text, out->start) : 1;
    out->text = slice_of(c->view, c->span);
    out->status = ambiguous ? ER_MATCH_AMBIGUOUS
                  : c->fit >= ER_FIT_WHOLE_VALUE && c->care != ER_CARE_DAMAGED && !c->by_code_alone
                      ? ER_MATCH_EXACT
                      : ER_MATCH_PARTIAL;
    for (uint32_t g = 0; g < c->group_count; g++) {
        if (c->groups[g].start == UINT32_MAX)
            continue;
        captures[out->capture_count++] = (er_capture){g + 1, slice_of(c->view, c->groups[g])};
    }
    fill_frame(scratch, c, out);
    return true;
}

/* Explains the captures of `c`, outermost first; stops at ER_MATCH_MAX_CAUSES. */
static void find_causes(er_scratch *scratch, const er_candidate *c, uint32_t *rules, unsigned depth,
                        er_match *causes, uint32_t *count)
{
    rules[depth - 1] = c->rule;
    for (uint32_t g = 0; g < c->group_count && *count < ER_MATCH_MAX_CAUSES && depth < ER_MATCH_MAX_CAUSES;
         g++) {
        er_span span = c->groups[g];
        if (span.start == UINT32_MAX || span.end - span.start < 4)
            continue;
        er_problem problem = {
            .view = c->view, .from = span.start, .to = span.end, .depth = depth, .excluded = rules};
        er_solution solution;
        hits_within(scratch, c->view, &problem);
        er_solve(scratch, &problem, &solution);
        if (solution.count == 0 ||
            !write_match(scratch, &solution.candidates[0], solution.ambiguous, &causes[*count]))
            continue;
        ++*count;
        if (solution.more)
            find_causes(scratch, &solution.candidates[0], rules, depth + 1, causes, count);
    }
}

static bool is_cause(const er_explanation *out, uint32_t rule)
{
    for (uint32_t i = 0; i < out->cause_count; i++)
        if (out->causes[i].rule == rule)
            return true;
    return false;
}

static void write_alternatives(er_scratch *scratch, const er_solution *solution, unsigned limit,
                               er_explanation *out)
{
    er_suggestion *list = er_scratch_take(scratch, (limit + 1u) * sizeof *list);
    if (!list)
        return;
    out->alternatives = list;
    for (uint32_t i = 1; i < solution->count && out->alternative_count < limit; i++) {
        const er_candidate *c = &solution->candidates[i];
        if (is_cause(out, c->rule))
            continue;
        double confidence = c->confidence < out->match.confidence ? c->confidence : out->match.confidence;
        list[out->alternative_count++] = (er_suggestion){c->rule, confidence};
    }
}

static void write_others(er_scratch *scratch, const explainer *e, const finding *chosen, unsigned limit,
                         er_explanation *out)
{
    er_match *list = er_scratch_take(scratch, (limit + 1u) * sizeof *list);
    if (!list)
        return;
    out->others = list;
    for (uint32_t i = 0; i < e->count && out->other_count < limit; i++) {
        const er_candidate *c = best(&e->findings[i].solution);
        if (&e->findings[i] == chosen || is_cause(out, c->rule))
            continue;
        if (write_match(scratch, c, e->findings[i].solution.ambiguous, &list[out->other_count]))
            out->other_count++;
    }
}

static void write_found(er_scratch *scratch, const explainer *e, const finding *chosen, unsigned limit,
                        er_explanation *out)
{
    const er_solution *solution = &chosen->solution;
    uint32_t rules[ER_MATCH_MAX_CAUSES + 1];
    er_match *causes = er_scratch_take(scratch, ER_MATCH_MAX_CAUSES * sizeof *causes);
    if (!causes || !write_match(scratch, best(solution), solution->ambiguous, &out->match))
        return;
    out->found = true;
    out->causes = causes;
    if (solution->more)
        find_causes(scratch, best(solution), rules, 1, causes, &out->cause_count);
    write_alternatives(scratch, solution, limit, out);
    write_others(scratch, e, chosen, limit, out);
}

/*
 * A text that is nothing but the identifier of an error (ErrNoResponders,
 * nats.ErrTimeout): what a debugger or a %T shows.
 */
static void explain_class(explainer *e, const er_view *view)
{
    er_slice name = er_slice_trim(view->text);
    const char *dot = name.len ? memrchr(name.at, '.', name.len) : NULL;
    if (dot)
        name = er_slice_sub(name, (size_t)(dot - name.at) + 1, name.len);
    const uint32_t *rules;
    uint32_t count = name.len >= CLASS_LEAST ? er_class_rules(e->scratch->matcher, name, &rules) : 0;
    er_framing *framing = count ? er_scratch_take(e->scratch, sizeof *framing) : NULL;
    er_candidate *list = framing ? er_scratch_take(e->scratch, ER_SOLVE_MOST * sizeof *list) : NULL;
    if (!list)
        return;
    uint32_t from = (uint32_t)(name.at - view->text.at), to = from + (uint32_t)name.len, kept = 0;
    *framing = (er_framing){.from = from, .to = to, .starts = {from}, .start_count = 1};
    for (uint32_t i = 0; i < count && kept < ER_SOLVE_MOST; i++) {
        if (e->scratch->repo != UINT32_MAX && e->scratch->matcher->repo_of[rules[i]] != e->scratch->repo)
            continue;
        list[kept++] = (er_candidate){.rule = rules[i],
                                      .view = view,
                                      .span = {from, to},
                                      .framing = framing,
                                      .strength = ER_STRONG,
                                      .fit = ER_FIT_SET_OFF,
                                      .care = ER_CARE_EXACT,
                                      .by_code_alone = true,
                                      .confidence = CLASS_CONFIDENCE};
    }
    er_solution solution = {list, kept, kept > 1, false};
    er_problem problem = {.view = view, .from = from, .to = to};
    add_finding(e, &problem, &solution);
}

static void write_nearest(er_scratch *scratch, unsigned limit, er_explanation *out)
{
    er_suggestion *list = er_scratch_take(scratch, (limit + 1u) * sizeof *list);
    if (!list)
        return;
    out->nearest = list;
    out->nearest_count =
        er_nearest_find(scratch->matcher->nearest, scratch->matcher->rules, scratch->query->text,
                        scratch->query->repo, scratch->nearest, list, limit);
}

/* Rooms whose size is that of the catalog: made when a scratch first meets it. */
static er_status fit_matcher(er_scratch *scratch, const er_matcher *matcher)
{
    if (scratch->rule_count >= matcher->count && scratch->evidence)
        return ER_OK;
    size_t count = matcher->count + 1u;
    er_evidence *evidence = er_calloc(count, sizeof *evidence);
    er_nearest_room room = {er_calloc(count, sizeof *room.scores), er_calloc(count, sizeof *room.touched)};
    if (!evidence || !room.scores || !room.touched) {
        er_free(evidence);
        er_free(room.scores);
        er_free(room.touched);
        return ER_NO_MEMORY;
    }
    er_free(scratch->evidence);
    er_free(scratch->nearest.scores);
    er_free(scratch->nearest.touched);
    scratch->evidence = evidence;
    scratch->nearest = room;
    scratch->rule_count = matcher->count;
    scratch->stamp = 0;
    return ER_OK;
}

static uint32_t wanted_repo(const er_matcher *matcher, er_slice repo)
{
    if (repo.len == 0)
        return UINT32_MAX;
    for (uint32_t r = 0; r < matcher->count; r++)
        if (er_slice_equal(matcher->rules[r].repo, repo))
            return matcher->repo_of[r];
    return UINT32_MAX - 1; /* a number that no rule has */
}

static er_status begin(er_scratch *scratch, const er_matcher *matcher, const er_query *query)
{
    scratch->query = query;
    scratch->matcher = matcher;
    er_scratch_rewind(scratch);
    scratch->hit_count = 0;
    scratch->work = ER_WORK_MOST;
    scratch->failed = false;
    scratch->repo = wanted_repo(matcher, query->repo);
    return fit_matcher(scratch, matcher);
}

/* The text as it came, or without its colours. */
static const er_view *first_view(er_scratch *scratch, er_slice text)
{
    const er_view *view = er_view_make(scratch, text, NULL, 0, 0);
    if (!view || !(view->marks & ER_MARK_COLOUR))
        return view;
    char *bare = er_scratch_take(scratch, text.len + 1);
    uint32_t *map = er_scratch_take(scratch, (text.len + 1) * sizeof *map);
    if (!bare || !map)
        return NULL;
    size_t length = er_quote_uncolour(text, bare, map);
    if (length == text.len)
        return view;
    scratch->hit_count = 0;
    return er_view_make(scratch, er_slice_of(bare, length), map, 0, 0);
}

er_status er_explain(const er_matcher *matcher, er_scratch *scratch, const er_query *query,
                     er_explanation *out)
{
    *out = (er_explanation){0};
    if (query->text.len > ER_MATCH_MAX_TEXT)
        return ER_TOO_LARGE;
    unsigned limit = query->limit < ER_MATCH_MAX_LISTED ? query->limit : ER_MATCH_MAX_LISTED;
    er_status status = begin(scratch, matcher, query);
    if (status != ER_OK || query->text.len == 0)
        return status;
    const er_view *view = first_view(scratch, query->text);
    explainer e = {scratch, er_scratch_take(scratch, FINDINGS_MOST * sizeof(finding)), 0};
    if (!view || !e.findings)
        return ER_NO_MEMORY;
    scratch->lines = view->marks & ER_MARK_LINES;
    explain_lines(&e, view);
    join_codes(&e, view);
    if (e.count == 0)
        explain_class(&e, view);
    const finding *chosen = most_telling(&e);
    if (chosen)
        write_found(scratch, &e, chosen, limit, out);
    else if (limit)
        write_nearest(scratch, limit, out);
    return scratch->failed ? ER_NO_MEMORY : ER_OK;
}
