#define PCRE2_CODE_UNIT_WIDTH 8
#include "match/regex.h"

#include "base/memory.h"
#include "match/matcher.h"

#include <pcre2.h>

struct er_regex {
    pcre2_code *code;
    uint32_t groups;
};

struct er_regex_room {
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *stack;
};

#define JIT_STACK_START (32u * 1024u)
#define JIT_STACK_MOST  (512u * 1024u)

static void *pcre_alloc(size_t size, void *context)
{
    (void)context;
    return er_alloc(size);
}

static void pcre_free(void *memory, void *context)
{
    (void)context;
    er_free(memory);
}

static er_status compile_fault(er_fault *fault, int error, size_t offset)
{
    PCRE2_UCHAR text[160] = "unknown error";
    pcre2_get_error_message(error, text, sizeof text);
    er_status status =
        error == PCRE2_ERROR_NOMEMORY || error == PCRE2_ERROR_HEAP_FAILED ? ER_NO_MEMORY : ER_BAD_INPUT;
    er_fault_set(fault, status, "the pattern does not compile: %s", (const char *)text);
    er_fault_offset(fault, offset);
    return status;
}

static er_status compile_code(er_regex *regex, er_slice source, bool caseless, bool anchor_end,
                              pcre2_compile_context *context, er_fault *fault)
{
    uint32_t options = PCRE2_DOTALL | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C |
                       (caseless ? PCRE2_CASELESS : 0) | (anchor_end ? PCRE2_ENDANCHORED : 0);
    int error = 0;
    PCRE2_SIZE offset = 0;
    regex->code = pcre2_compile((PCRE2_SPTR)source.at, source.len, options, &error, &offset, context);
    if (!regex->code)
        return compile_fault(fault, error, offset);
    pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &regex->groups);
    if (regex->groups > ER_MATCH_MAX_GROUPS)
        return er_fault_set(fault, ER_BAD_INPUT, "the pattern has %u groups; at most %u are allowed",
                            regex->groups, ER_MATCH_MAX_GROUPS);
    /* Without JIT (an architecture that has none) matching is slower and just as right. */
    (void)pcre2_jit_compile(regex->code, PCRE2_JIT_COMPLETE);
    return ER_OK;
}

er_status er_regex_compile(er_regex **out, er_slice source, bool caseless, bool anchor_end, er_fault *fault)
{
    *out = NULL;
    if (source.len > ER_MATCH_MAX_PATTERN)
        return er_fault_set(fault, ER_BAD_INPUT, "the pattern has %zu bytes; at most %u are allowed",
                            source.len, ER_MATCH_MAX_PATTERN);
    const char *nul = source.len ? memchr(source.at, '\0', source.len) : NULL;
    if (nul) {
        er_fault_set(fault, ER_BAD_INPUT, "the pattern holds a NUL byte");
        er_fault_offset(fault, (size_t)(nul - source.at));
        return ER_BAD_INPUT;
    }
    pcre2_general_context *memory = pcre2_general_context_create(pcre_alloc, pcre_free, NULL);
    pcre2_compile_context *context = memory ? pcre2_compile_context_create(memory) : NULL;
    er_regex *regex = er_calloc(1, sizeof *regex);
    er_status status = ER_NO_MEMORY;
    if (!memory || !context || !regex) {
        er_fault_set(fault, status, "out of memory");
        goto done;
    }
    status = compile_code(regex, source, caseless, anchor_end, context, fault);
done:
    pcre2_compile_context_free(context);
    pcre2_general_context_free(memory);
    if (status != ER_OK)
        er_regex_free(&regex);
    *out = regex;
    return status;
}

void er_regex_free(er_regex **regex)
{
    if (*regex)
        pcre2_code_free((*regex)->code);
    er_free(*regex);
    *regex = NULL;
}

uint32_t er_regex_groups(const er_regex *regex)
{
    return regex->groups;
}

size_t er_regex_memory(const er_regex *regex)
{
    size_t code = 0, jit = 0;
    pcre2_pattern_info(regex->code, PCRE2_INFO_SIZE, &code);
    pcre2_pattern_info(regex->code, PCRE2_INFO_JITSIZE, &jit);
    return sizeof *regex + code + jit;
}

er_status er_regex_room_new(er_regex_room **out)
{
    er_regex_room *room = er_calloc(1, sizeof *room);
    pcre2_general_context *memory = pcre2_general_context_create(pcre_alloc, pcre_free, NULL);
    if (room && memory) {
        room->data = pcre2_match_data_create(ER_MATCH_MAX_GROUPS + 1, memory);
        room->context = pcre2_match_context_create(memory);
        room->stack = pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MOST, memory);
    }
    pcre2_general_context_free(memory);
    *out = room;
    if (!room || !room->data || !room->context || !room->stack) {
        er_regex_room_free(out);
        return ER_NO_MEMORY;
    }
    pcre2_set_match_limit(room->context, ER_REGEX_MATCH_LIMIT);
    pcre2_set_depth_limit(room->context, ER_REGEX_DEPTH_LIMIT);
    pcre2_set_heap_limit(room->context, ER_REGEX_HEAP_LIMIT);
    pcre2_jit_stack_assign(room->context, NULL, room->stack);
    return ER_OK;
}

void er_regex_room_free(er_regex_room **room)
{
    if (!*room)
        return;
    pcre2_match_data_free((*room)->data);
    pcre2_match_context_free((*room)->context);
    if ((*room)->stack)
        pcre2_jit_stack_free((*room)->stack);
    er_free(*room);
    *room = NULL;
}

er_regex_outcome er_regex_match(const er_regex *regex, er_regex_room *room, er_slice text, size_t from,
                                size_t to, size_t *spans)
{
    /* The subject starts at `from`, so that ^ and look-behinds see the region alone. */
    const char *subject = text.at + from;
    int found = pcre2_match(regex->code, (PCRE2_SPTR)subject, to - from, 0, 0, room->data, room->context);
    if (found == PCRE2_ERROR_NOMATCH)
        return ER_REGEX_NO_MATCH;
    if (found < 0)
        return ER_REGEX_LIMIT;
    const PCRE2_SIZE *ovector = pcre2_get_ovector_pointer(room->data);
    for (uint32_t i = 0; i <= regex->groups; i++) {
        bool set = i < (uint32_t)found && ovector[2 * i] != PCRE2_UNSET;
        spans[2 * i] = set ? ovector[2 * i] + from : SIZE_MAX;
        spans[2 * i + 1] = set ? ovector[2 * i + 1] + from : SIZE_MAX;
    }
    return ER_REGEX_MATCH;
}
