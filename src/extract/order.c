/*
 * order.c - the sites of a program in their order: one place once, messages together,
 * each with a slug of its own.
 */
#include "base/memory.h"
#include "extract/link.h"

#include <stdlib.h>

int er_program_rank(er_error_type type)
{
    static const int ranks[] = {[ER_LOG] = 0, [ER_EXCEPTION] = 1, [ER_PROTOCOL] = 2, [ER_API] = 3};
    return ranks[type];
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Sites of a message together; its definition first, then places where it is a message of
   its own, then those where it is a reason; in each by file and line. */
static int compare_sites(const void *a, const void *b)
{
    const er_site *left = a, *right = b;
    int order = compare_numbers(left->message, right->message);
    order = order != 0 ? order : (int)right->defines - (int)left->defines;
    order = order != 0 ? order : (int)left->reason - (int)right->reason;
    order = order != 0 ? order : compare_numbers(left->input, right->input);
    order = order != 0 ? order : compare_numbers(left->line, right->line);
    return order != 0 ? order : compare_numbers(right->severity, left->severity);
}

static void merge_sites(er_program *program)
{
    size_t kept = 0;
    for (size_t i = 0; i < program->site_count; i++) {
        er_site *last = kept > 0 ? &program->sites[kept - 1] : NULL;
        const er_site *one = &program->sites[i];
        if (last != NULL && last->message == one->message && last->input == one->input &&
            last->line == one->line) {
            last->severity = one->severity > last->severity ? one->severity : last->severity;
            last->type = er_program_rank(one->type) > er_program_rank(last->type) ? one->type : last->type;
            last->status = last->status > 0 ? last->status : one->status;
            continue;
        }
        program->sites[kept++] = *one;
    }
    program->site_count = kept;
}

/* The places that are listed twice, as definition and as use, count once: the first stays. */
static bool is_listed(const er_program *program, size_t from, size_t to, const er_site *site)
{
    for (size_t i = from; i < to; i++) {
        if (program->sites[i].input == site->input && program->sites[i].line == site->line) {
            return true;
        }
    }
    return false;
}

static void describe_message(er_message *message, const er_site *site, bool first)
{
    if (first) {
        message->type = site->type;
        message->severity = site->severity;
    }
    message->severity = site->severity > message->severity ? site->severity : message->severity;
    message->type = er_program_rank(site->type) > er_program_rank(message->type) ? site->type : message->type;
    message->status = message->status > 0 ? message->status : site->status;
    if (message->error_class.len == 0) {
        message->error_class = site->error_class;
    }
}

static void gather_messages(er_program *program)
{
    size_t kept = 0;
    for (size_t i = 0; i < program->site_count;) {
        size_t start = kept;
        er_message *message = &program->messages[program->sites[i].message];
        size_t end = i;
        while (end < program->site_count && program->sites[end].message == program->sites[i].message) {
            if (!is_listed(program, start, kept, &program->sites[end])) {
                describe_message(message, &program->sites[end], kept == start);
                program->sites[kept] = program->sites[end];
                program->sites[kept].first = kept == start;
                kept++;
            }
            end++;
        }
        message->first_site = (uint32_t)start;
        message->site_count = (uint32_t)(kept - start);
        i = end;
    }
    program->site_count = kept;
}

static int compare_messages(const void *a, const void *b, void *sites)
{
    const er_message *left = a, *right = b;
    const er_site *x = (const er_site *)sites + left->first_site,
                  *y = (const er_site *)sites + right->first_site;
    int order = compare_numbers(x->input, y->input);
    order = order != 0 ? order : compare_numbers(x->line, y->line);
    order = order != 0 ? order : er_slice_compare(left->text, right->text);
    return order != 0 ? order : er_slice_compare(left->code, right->code);
}

static er_status renumber(er_program *program)
{
    if (program->message_count == 0) {
        return ER_OK;
    }
    qsort_r(program->messages, program->message_count, sizeof(er_message), compare_messages, program->sites);
    er_site *sites = er_alloc((program->site_count + 1) * sizeof(er_site));
    if (sites == NULL) {
        return ER_NO_MEMORY;
    }
    size_t used = 0;
    for (size_t i = 0; i < program->message_count; i++) {
        er_message *message = &program->messages[i];
        for (uint32_t j = 0; j < message->site_count; j++) {
            sites[used] = program->sites[message->first_site + j];
            sites[used++].message = (uint32_t)i;
        }
        message->first_site = (uint32_t)(used - message->site_count);
    }
    er_free(program->sites);
    program->sites = sites;
    program->site_capacity = program->site_count + 1;
    return ER_OK;
}

/* Where two slugs would be equal, the second to come gets "-2". */
static er_status give_slugs(er_program *program)
{
    er_table taken;
    er_buffer slug;
    er_table_start(&taken);
    er_buffer_start(&slug, 256);
    er_status status = ER_OK;
    for (size_t i = 0; i < program->message_count && status == ER_OK; i++) {
        er_message *message = &program->messages[i];
        size_t len = 0;
        for (unsigned number = 1;; number++) {
            if (number == 1) {
                er_buffer_clear(&slug);
                er_rule_slug(message->text, message->error_class, &slug);
                len = slug.len;
            } else {
                slug.len = len;
                er_buffer_format(&slug, "-%u", number);
            }
            if (slug.status != ER_OK ||
                er_table_get(&taken, (er_key){er_buffer_slice(&slug), {0}}) == ER_TABLE_NONE) {
                break;
            }
        }
        message->slug = er_arena_copy(&program->arena, er_buffer_slice(&slug));
        status = slug.status != ER_OK ? slug.status : message->slug.at == NULL ? ER_NO_MEMORY : ER_OK;
        if (status == ER_OK) {
            status = er_table_put(&taken, (er_key){message->slug, {0}}, (uint32_t)i);
        }
    }
    er_buffer_free(&slug);
    er_table_free(&taken);
    return status;
}

static int compare_unresolved(const void *a, const void *b)
{
    const er_unresolved *left = a, *right = b;
    int order = compare_numbers(left->input, right->input);
    return order != 0 ? order : compare_numbers(left->line, right->line);
}

/* A variable with several values, or a call that two patterns match, is one place. */
static void merge_unresolved(er_program *program)
{
    size_t kept = 0;
    for (size_t i = 0; i < program->unresolved_count; i++) {
        const er_unresolved *one = &program->unresolved[i];
        const er_unresolved *last = kept > 0 ? &program->unresolved[kept - 1] : NULL;
        if (last == NULL || last->input != one->input || last->line != one->line ||
            last->reason != one->reason) {
            program->unresolved[kept++] = *one;
        }
    }
    program->unresolved_count = kept;
}

er_status er_program_order(er_program *program)
{
    if (program->site_count > 0) {
        qsort(program->sites, program->site_count, sizeof(er_site), compare_sites);
    }
    if (program->unresolved_count > 0) {
        qsort(program->unresolved, program->unresolved_count, sizeof(er_unresolved), compare_unresolved);
    }
    merge_unresolved(program);
    merge_sites(program);
    gather_messages(program);
    er_status status = renumber(program);
    return status == ER_OK ? give_slugs(program) : status;
}
