#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/memory.h"
#include "bench/contender.h"

#include <pcre2.h>

typedef struct state {
    pcre2_code **codes; /* NULL where the pattern was refused */
    size_t count;
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
} state;

static void end(void *opaque)
{
    state *own = opaque;
    if (!own) {
        return;
    }
    for (size_t i = 0; own->codes && i < own->count; i++) {
        pcre2_code_free(own->codes[i]);
    }
    er_free(own->codes);
    pcre2_match_data_free(own->data);
    pcre2_match_context_free(own->context);
    pcre2_jit_stack_free(own->stack);
    er_free(own);
}

static pcre2_code *compile(er_slice pattern)
{
    int error;
    PCRE2_SIZE at;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern.at, pattern.len, 0, &error, &at, NULL);
    if (code && pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) != 0) {
        pcre2_code_free(code);
        code = NULL;
    }
    return code;
}

static void *build(const er_rule *rules, size_t count, size_t *refused)
{
    state *own = er_calloc(1, sizeof *own);
    *refused = 0;
    if (!own) {
        return NULL;
    }
    own->count = count;
    own->codes = er_calloc(count, sizeof(*own->codes));
    own->data = pcre2_match_data_create(ER_MATCH_MAX_GROUPS + 1, NULL);
    own->context = pcre2_match_context_create(NULL);
    own->stack = pcre2_jit_stack_create((size_t)32 << 10, (size_t)1 << 20, NULL);
    if (!own->codes || !own->data || !own->context || !own->stack) {
        end(own);
        return NULL;
    }
    pcre2_jit_stack_assign(own->context, NULL, own->stack);
    for (size_t i = 0; i < count; i++) {
        own->codes[i] = compile(rules[i].pattern);
        *refused += own->codes[i] == NULL;
    }
    return own;
}

static size_t match(void *opaque, er_slice line, uint32_t rule, bool *found)
{
    state *own = opaque;
    size_t matches = 0;
    *found = false;
    for (size_t i = 0; i < own->count; i++) {
        if (own->codes[i] && pcre2_jit_match(own->codes[i], (PCRE2_SPTR)line.at, line.len, 0, 0, own->data,
                                             own->context) >= 0) {
            matches++;
            *found = *found || i == rule;
        }
    }
    return matches;
}

const bench_contender bench_pcre2 = {"PCRE2 loop, JIT", build, match, end};
