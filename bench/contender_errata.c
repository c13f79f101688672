#include "base/memory.h"
#include "bench/contender.h"

#include <stdio.h>

typedef struct state {
    er_matcher *matcher;
    er_scratch *scratch;
} state;

static void end(void *opaque)
{
    state *own = opaque;
    if (own) {
        er_matcher_free(&own->matcher);
        er_scratch_free(&own->scratch);
        er_free(own);
    }
}

static void *build(const er_rule *rules, size_t count, size_t *refused)
{
    er_fault fault;
    size_t bad = 0;
    state *own = er_calloc(1, sizeof *own);
    *refused = 0;
    if (!own || er_scratch_new(&own->scratch) != ER_OK) {
        end(own);
        return NULL;
    }
    if (er_matcher_build(&own->matcher, rules, count, &bad, &fault) != ER_OK) {
        (void)fprintf(stderr, "errata: rule %zu: %s\n", bad, fault.reason);
        end(own);
        return NULL;
    }
    return own;
}

static size_t match(void *opaque, er_slice line, uint32_t rule, bool *found)
{
    state *own = opaque;
    er_explanation explanation;
    const er_query query = {.text = line};
    *found = false;
    if (er_explain(own->matcher, own->scratch, &query, &explanation) != ER_OK || !explanation.found) {
        return 0;
    }
    *found = explanation.match.rule == rule;
    return 1;
}

size_t bench_errata_memory(const void *opaque)
{
    const state *own = opaque;
    return er_matcher_memory(own->matcher);
}

const bench_contender bench_errata = {"errata", build, match, end};
