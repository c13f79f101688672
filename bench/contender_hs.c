#include "base/memory.h"
#include "bench/contender.h"

#include <hs/hs.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct state {
    hs_database_t *database;
    hs_scratch_t *scratch;
} state;

/* What it is handed over to compile. */
typedef struct patterns {
    char **texts;
    unsigned *flags;
    unsigned *ids;
    unsigned count;
} patterns;

static void end(void *opaque)
{
    state *own = opaque;
    if (own) {
        (void)hs_free_scratch(own->scratch);
        (void)hs_free_database(own->database);
        er_free(own);
    }
}

static void patterns_free(patterns *all)
{
    for (unsigned i = 0; all->texts && i < all->count; i++) {
        er_free(all->texts[i]);
    }
    er_free(all->texts);
    er_free(all->flags);
    er_free(all->ids);
}

static bool patterns_copy(patterns *all, const er_rule *rules, size_t count, size_t *refused)
{
    all->texts = er_calloc(count, sizeof(*all->texts));
    all->flags = er_calloc(count, sizeof *all->flags);
    all->ids = er_calloc(count, sizeof *all->ids);
    if (!all->texts || !all->flags || !all->ids) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        hs_expr_info_t *info = NULL;
        hs_compile_error_t *error = NULL;
        char *text = er_strndup(rules[i].pattern.at, rules[i].pattern.len);
        if (!text) {
            return false;
        }
        if (hs_expression_info(text, HS_FLAG_SINGLEMATCH, &info, &error) != HS_SUCCESS) {
            ++*refused;
            (void)hs_free_compile_error(error);
            er_free(text);
            continue;
        }
        free(info);
        all->texts[all->count] = text;
        all->flags[all->count] = HS_FLAG_SINGLEMATCH; /* one report a pattern: the least work */
        all->ids[all->count++] = (unsigned)i;
    }
    return true;
}

static void *build(const er_rule *rules, size_t count, size_t *refused)
{
    patterns all = {0};
    hs_compile_error_t *error = NULL;
    state *own = er_calloc(1, sizeof *own);
    *refused = 0;
    if (!own || !patterns_copy(&all, rules, count, refused)) {
        goto failed;
    }
    if (hs_compile_multi((const char *const *)all.texts, all.flags, all.ids, all.count, HS_MODE_BLOCK, NULL,
                         &own->database, &error) != HS_SUCCESS) {
        (void)fprintf(stderr, "Vectorscan: %s\n", error->message);
        (void)hs_free_compile_error(error);
        goto failed;
    }
    if (hs_alloc_scratch(own->database, &own->scratch) != HS_SUCCESS) {
        goto failed;
    }
    patterns_free(&all);
    return own;
failed:
    patterns_free(&all);
    end(own);
    return NULL;
}

typedef struct report {
    size_t matches;
    uint32_t rule;
    bool found;
} report;

static int on_match(unsigned id, unsigned long long from, unsigned long long to, unsigned flags,
                    void *context)
{
    report *seen = context;
    (void)from;
    (void)to;
    (void)flags;
    seen->matches++;
    seen->found = seen->found || id == seen->rule;
    return 0;
}

static size_t match(void *opaque, er_slice line, uint32_t rule, bool *found)
{
    state *own = opaque;
    report seen = {0, rule, false};
    (void)hs_scan(own->database, line.at, (unsigned)line.len, 0, own->scratch, on_match, &seen);
    *found = seen.found;
    return seen.matches;
}

const bench_contender bench_hs = {"Vectorscan, block", build, match, end};
