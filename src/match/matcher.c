#include "match/engine.h"

#include "base/memory.h"

#include <stdlib.h>

const char *er_match_status_name(er_match_status status)
{
    static const char *const names[] = {"exact", "partial", "ambiguous"};
    return names[status];
}

er_status er_pattern_check(er_slice pattern, uint32_t *groups, er_fault *fault)
{
    er_piece_pool pool;
    er_pattern parsed = {0};
    er_piece_pool_start(&pool);
    er_status status = er_pattern_parse(pattern, &pool, &parsed);
    er_piece_pool_free(&pool);
    if (status == ER_NO_MEMORY)
        return er_fault_set(fault, status, "out of memory");
    if (status == ER_OK && !parsed.regex && parsed.groups <= ER_MATCH_MAX_GROUPS && pattern.len > 0) {
        if (groups)
            *groups = parsed.groups;
        return ER_OK;
    }
    if (pattern.len == 0)
        return er_fault_set(fault, ER_BAD_INPUT, "the pattern is empty");
    er_regex *regex = NULL;
    status = er_regex_compile(&regex, pattern, false, false, fault);
    if (status == ER_OK && groups)
        *groups = er_regex_groups(regex);
    er_regex_free(&regex);
    return status;
}

/* Compiles what is finer than the rule; its number of groups comes from PCRE2. */
static er_status compile_finer(er_matcher *matcher, uint32_t rule, er_fault *fault)
{
    er_pattern *pattern = &matcher->patterns[rule];
    er_slice source = matcher->rules[rule].pattern;
    if (!matcher->regexes)
        matcher->regexes = er_calloc(matcher->count, sizeof(er_regex *));
    if (!matcher->caseless)
        matcher->caseless = er_calloc(matcher->count, sizeof(er_regex *));
    if (!matcher->regexes || !matcher->caseless)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    er_status status = er_regex_compile(&matcher->regexes[rule], source, false, pattern->any_end, fault);
    if (status == ER_OK)
        status = er_regex_compile(&matcher->caseless[rule], source, true, pattern->any_end, fault);
    if (status != ER_OK)
        return status;
    pattern->groups = (uint16_t)er_regex_groups(matcher->regexes[rule]);
    matcher->memory += er_regex_memory(matcher->regexes[rule]) + er_regex_memory(matcher->caseless[rule]);
    return ER_OK;
}

static er_status parse_patterns(er_matcher *matcher, size_t *bad_rule, er_fault *fault)
{
    for (uint32_t r = 0; r < matcher->count; r++) {
        er_pattern *pattern = &matcher->patterns[r];
        er_slice source = matcher->rules[r].pattern;
        er_status status = er_pattern_parse(source, &matcher->pieces, pattern);
        if (status == ER_NO_MEMORY)
            return er_fault_set(fault, status, "out of memory");
        if (status != ER_OK || source.len == 0 || (!pattern->regex && pattern->groups > ER_MATCH_MAX_GROUPS))
            status = er_pattern_check(source, NULL, fault);
        else if (pattern->regex)
            status = compile_finer(matcher, r, fault);
        if (status != ER_OK) {
            if (bad_rule)
                *bad_rule = r;
            return status;
        }
    }
    return ER_OK;
}

static int by_repo(const void *a, const void *b, void *context)
{
    const er_rule *rules = context;
    return er_slice_compare(rules[*(const uint32_t *)a].repo, rules[*(const uint32_t *)b].repo);
}

static int by_code(const void *a, const void *b, void *context)
{
    const er_rule *rules = context;
    const er_rule *x = &rules[*(const uint32_t *)a], *y = &rules[*(const uint32_t *)b];
    int order = er_slice_compare(x->code, y->code);
    return order ? order : er_slice_compare(x->id, y->id);
}

static int by_class(const void *a, const void *b, void *context)
{
    const er_rule *rules = context;
    const er_rule *x = &rules[*(const uint32_t *)a], *y = &rules[*(const uint32_t *)b];
    int order = er_slice_compare(x->error_class, y->error_class);
    if (order == 0)
        order = er_slice_compare(x->repo, y->repo);
    return order ? order : er_slice_compare(x->id, y->id);
}

static void sort_rules(const er_matcher *matcher, uint32_t *order, size_t count,
                       int (*compare)(const void *, const void *, void *))
{
    union {
        const er_rule *in;
        void *out;
    } rules = {matcher->rules}; /* qsort_r's context is not const */
    qsort_r(order, count, sizeof *order, compare, rules.out);
}

static er_status number_repos(er_matcher *matcher)
{
    uint32_t *order = er_alloc((matcher->count + 1u) * sizeof *order);
    if (!order)
        return ER_NO_MEMORY;
    for (uint32_t r = 0; r < matcher->count; r++)
        order[r] = r;
    sort_rules(matcher, order, matcher->count, by_repo);
    for (uint32_t i = 0, number = 0; i < matcher->count; i++) {
        if (i > 0 && !er_slice_equal(matcher->rules[order[i]].repo, matcher->rules[order[i - 1]].repo))
            number++;
        matcher->repo_of[order[i]] = number;
    }
    er_free(order);
    return ER_OK;
}

static er_status list_codes(er_matcher *matcher)
{
    for (uint32_t r = 0; r < matcher->count; r++)
        matcher->code_count += matcher->rules[r].code.len > 0;
    matcher->by_code = er_alloc((matcher->code_count + 1u) * sizeof *matcher->by_code);
    if (!matcher->by_code)
        return ER_NO_MEMORY;
    uint32_t n = 0;
    for (uint32_t r = 0; r < matcher->count; r++)
        if (matcher->rules[r].code.len)
            matcher->by_code[n++] = r;
    sort_rules(matcher, matcher->by_code, n, by_code);
    return ER_OK;
}

static er_status list_classes(er_matcher *matcher)
{
    for (uint32_t r = 0; r < matcher->count; r++)
        matcher->class_count += matcher->rules[r].error_class.len > 0;
    matcher->by_class = er_alloc((matcher->class_count + 1u) * sizeof *matcher->by_class);
    if (!matcher->by_class)
        return ER_NO_MEMORY;
    uint32_t n = 0;
    for (uint32_t r = 0; r < matcher->count; r++)
        if (matcher->rules[r].error_class.len)
            matcher->by_class[n++] = r;
    sort_rules(matcher, matcher->by_class, n, by_class);
    return ER_OK;
}

static er_status list_blind(er_matcher *matcher)
{
    for (int pass = 0; pass < 2; pass++) {
        uint32_t n = 0;
        for (uint32_t r = 0; r < matcher->count; r++) {
            if (!matcher->patterns[r].regex || matcher->patterns[r].piece_count > 0)
                continue;
            if (pass)
                matcher->blind[n] = r;
            n++;
        }
        matcher->blind_count = n;
        if (pass == 0 && !(matcher->blind = er_alloc((n + 1u) * sizeof *matcher->blind)))
            return ER_NO_MEMORY;
    }
    return ER_OK;
}

er_status er_matcher_build(er_matcher **out, const er_rule *rules, size_t count, size_t *bad_rule,
                           er_fault *fault)
{
    *out = NULL;
    if (count > INT32_MAX)
        return er_fault_set(fault, ER_TOO_LARGE, "%zu rules are more than a matcher holds", count);
    er_matcher *matcher = er_calloc(1, sizeof *matcher);
    if (!matcher)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    matcher->rules = rules;
    matcher->count = (uint32_t)count;
    er_piece_pool_start(&matcher->pieces);
    matcher->patterns = er_calloc(count + 1, sizeof *matcher->patterns);
    matcher->repo_of = er_alloc((count + 1) * sizeof *matcher->repo_of);
    er_status status =
        matcher->patterns && matcher->repo_of ? ER_OK : er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    if (status == ER_OK)
        status = parse_patterns(matcher, bad_rule, fault);
    if (status == ER_OK && (number_repos(matcher) != ER_OK || list_codes(matcher) != ER_OK ||
                            list_classes(matcher) != ER_OK || list_blind(matcher) != ER_OK ||
                            er_index_build(&matcher->index, &matcher->pieces, matcher->patterns,
                                           matcher->count, matcher->code_count > 0) != ER_OK ||
                            er_nearest_build(&matcher->nearest, rules, matcher->count) != ER_OK))
        status = er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    if (status != ER_OK)
        er_matcher_free(&matcher);
    *out = matcher;
    return status;
}

void er_matcher_free(er_matcher **matcher)
{
    er_matcher *m = *matcher;
    if (!m)
        return;
    for (uint32_t r = 0; r < m->count; r++) {
        if (m->regexes)
            er_regex_free(&m->regexes[r]);
        if (m->caseless)
            er_regex_free(&m->caseless[r]);
    }
    er_piece_pool_free(&m->pieces);
    er_free(m->patterns);
    er_free(m->regexes);
    er_free(m->caseless);
    er_free(m->repo_of);
    er_free(m->by_code);
    er_free(m->by_class);
    er_free(m->blind);
    er_index_free(&m->index);
    er_nearest_free(&m->nearest);
    er_free(m);
    *matcher = NULL;
}

size_t er_matcher_memory(const er_matcher *matcher)
{
    size_t finer = matcher->regexes ? 2 * sizeof(er_regex *) : 0;
    return sizeof *matcher + matcher->memory + matcher->pieces.bytes.capacity +
           matcher->pieces.capacity * sizeof(er_piece) +
           matcher->count * (sizeof(er_pattern) + sizeof(uint32_t) + finer) +
           (matcher->code_count + matcher->class_count) * sizeof(uint32_t) + er_index_memory(matcher->index) +
           er_nearest_memory(matcher->nearest);
}
