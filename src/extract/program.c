/*
 * program.c - see program.h.
 *
 * Three passes. The first notes what every file defines. The second finds the functions
 * that pass a parameter on to a log call or an error, until no more turn up; so
 * `fs.warn(…)` is known to log without being in a table. The third makes sites.
 */
#include "extract/program.h"

#include "extract/link.h"
#include "extract/list.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_ROUNDS 8

/* --- first pass: definitions ------------------------------------------------------- */

static er_slice scope_of_input(const er_input *input, er_slice package)
{
    if (package.len == 0) {
        return er_slice_string(input->language != NULL ? er_language_name(input->language) : "");
    }
    size_t end = input->path.len;
    while (end > 0 && input->path.at[end - 1] != '/') {
        end--;
    }
    return er_slice_sub(input->path, 0, end > 0 ? end - 1 : 0);
}

static er_status note(er_link *link, er_table *table, er_slice scope, er_slice name, er_fact_place place)
{
    if (er_table_get(table, (er_key){scope, name}) != ER_TABLE_NONE) {
        return ER_OK; /* the first one stays, as with build tags */
    }
    if (!er_list_room((void **)&link->places, &link->place_capacity, link->place_count, sizeof(place))) {
        return ER_NO_MEMORY;
    }
    link->places[link->place_count] = place;
    return er_table_put(table, (er_key){scope, name}, (uint32_t)link->place_count++);
}

static er_status note_forwarding(er_link *link, const er_fact *fact, er_fact_place place)
{
    for (uint32_t i = 0; i < fact->piece_count; i++) {
        if (fact->pieces[i].kind == ER_PIECE_PARAMETER || fact->pieces[i].kind == ER_PIECE_FIELD) {
            if (!er_list_room((void **)&link->forwarding, &link->forwarding_capacity, link->forwarding_count,
                              sizeof(place))) {
                return ER_NO_MEMORY;
            }
            link->forwarding[link->forwarding_count++] = place;
            return ER_OK;
        }
    }
    return ER_OK;
}

static er_status note_fact(er_link *link, uint32_t input, const er_fact *fact, er_fact_place place)
{
    er_slice scope = link->scopes[input];
    er_status status = ER_OK;
    if (fact->kind == ER_FACT_DEFINE) {
        status = note(link, &link->definitions, scope, fact->name, place);
    } else if (fact->kind == ER_FACT_TYPE) {
        status = note(link, &link->types, scope, fact->name, place);
    } else if (fact->kind == ER_FACT_CALL && fact->define.len > 0 && !fact->reason) {
        status = note(link, &link->definitions, scope, fact->define, place);
    }
    return status == ER_OK ? note_forwarding(link, fact, place) : status;
}

static er_status note_input(er_link *link, uint32_t input)
{
    const er_input *one = &link->program->inputs[input];
    er_fact_reader reader;
    if (one->facts.len == 0 || !er_facts_open(&reader, one->facts)) {
        return ER_OK;
    }
    link->scopes[input] = scope_of_input(one, reader.package);
    er_status status = ER_OK;
    if (reader.package.len > 0 && er_table_get(&link->packages, (er_key){reader.package, {0}}) == ER_TABLE_NONE) {
        status = er_table_put(&link->packages, (er_key){reader.package, {0}}, input);
    }
    er_fact fact;
    er_fact_place place = {input, (uint32_t)(reader.rest.at - one->facts.at)};
    while (status == ER_OK && er_fact_next(&reader, &fact)) {
        status = note_fact(link, input, &fact, place);
        place.offset = (uint32_t)(reader.rest.at - one->facts.at);
    }
    return status;
}

static er_status note_codes(er_link *link, er_fault *fault)
{
    er_slice prefix = ER_SLICE("New"), suffix = ER_SLICE("Error");
    er_status status = ER_OK;
    for (size_t i = 0; i < link->program->input_count && status == ER_OK; i++) {
        const er_input *one = &link->program->inputs[i];
        if (one->language != NULL || link->codes.count > 0) {
            continue;
        }
        link->codes_input = (uint32_t)i;
        status = er_codes_read(&link->codes, &link->program->arena, one->content, prefix, suffix, fault);
    }
    for (size_t i = 0; i < link->codes.count && status == ER_OK; i++) {
        status = er_table_put(&link->code_names, (er_key){link->codes.items[i].constant, {0}}, (uint32_t)i);
        if (status == ER_OK) {
            status = er_table_put(&link->code_names, (er_key){link->codes.items[i].constructor, {0}}, (uint32_t)i);
        }
    }
    return status;
}

/* --- second pass: what passes a text on ---------------------------------------------- */

static int rank_of(er_error_type type)
{
    static const int ranks[] = {[ER_LOG] = 0, [ER_EXCEPTION] = 1, [ER_PROTOCOL] = 2, [ER_API] = 3};
    return ranks[type];
}

/* A function that passes its parameter on in several ways counts as the gravest. */
static bool worse(er_raise *known, er_raise found)
{
    const er_raise before = *known;
    known->type = rank_of(found.type) > rank_of(known->type) ? found.type : known->type;
    known->severity = found.severity > known->severity ? found.severity : known->severity;
    known->format |= found.format;
    known->reason &= found.reason;
    known->limited &= found.limited;
    known->optional &= found.optional;
    return before.type != known->type || before.severity != known->severity || before.format != known->format ||
           before.reason != known->reason;
}

static er_status add_raiser(er_link *link, er_slice scope, const char *name, er_raise raise, bool *more)
{
    uint32_t at = er_table_get(&link->raisers, (er_key){scope, er_slice_string(name)});
    if (at != ER_TABLE_NONE) {
        *more |= worse(&link->raises[at], raise);
        return ER_OK;
    }
    er_slice key = er_arena_copy(&link->program->arena, er_slice_string(name));
    if (key.at == NULL || !er_list_room((void **)&link->raises, &link->raise_capacity, link->raise_count, sizeof(raise))) {
        return ER_NO_MEMORY;
    }
    *more = true;
    link->raises[link->raise_count] = raise;
    return er_table_put(&link->raisers, (er_key){scope, key}, (uint32_t)link->raise_count++);
}

static er_status forward(er_link *link, er_fact_place place, bool *more)
{
    er_fact fact;
    er_raise raise;
    er_slice facts = link->program->inputs[place.input].facts;
    er_fact_reader reader = {.rest = er_slice_sub(facts, place.offset, facts.len)};
    if (!er_fact_next(&reader, &fact) || !er_link_raise(link, place.input, &fact, &raise)) {
        return ER_OK;
    }
    er_status status = ER_OK;
    raise.reason |= fact.piece_count > 1;
    raise.format &= !raise.reason; /* a reason is a value of another format */
    for (uint32_t i = 0; i < fact.piece_count && status == ER_OK; i++) {
        const er_piece *piece = &fact.pieces[i];
        char name[256];
        if (piece->kind == ER_PIECE_PARAMETER) {
            snprintf(name, sizeof(name), "%.*s#%u", (int)piece->text.len, piece->text.at, piece->number);
        } else if (piece->kind == ER_PIECE_FIELD && fact.kind == ER_FACT_RETURN) {
            snprintf(name, sizeof(name), "%.*s.%.*s", (int)fact.name.len, fact.name.at, (int)piece->text.len,
                     piece->text.at);
        } else {
            continue;
        }
        status = add_raiser(link, link->scopes[place.input], name, raise, more);
    }
    return status;
}

static er_status find_raisers(er_link *link)
{
    er_status status = ER_OK;
    bool more = true;
    for (unsigned round = 0; round < MOST_ROUNDS && more && status == ER_OK; round++) {
        more = false;
        for (size_t i = 0; i < link->forwarding_count && status == ER_OK; i++) {
            status = forward(link, link->forwarding[i], &more);
        }
    }
    return status;
}

/* --- third pass: sites ---------------------------------------------------------------- */

static er_status find_message(er_link *link, er_slice text, er_slice code, uint32_t *index)
{
    er_program *program = link->program;
    *index = er_table_get(&link->message_of, (er_key){text, code});
    if (*index != ER_TABLE_NONE) {
        return ER_OK;
    }
    if (!er_list_room((void **)&program->messages, &program->message_capacity, program->message_count,
                      sizeof(er_message))) {
        return ER_NO_MEMORY;
    }
    er_message made = {.text = er_arena_copy(&program->arena, text), .code = code};
    if (made.text.at == NULL) {
        return ER_NO_MEMORY;
    }
    er_status status = er_rule_id(link->repo, made.text, code, made.id);
    if (status != ER_OK) {
        return status;
    }
    *index = (uint32_t)program->message_count;
    program->messages[program->message_count++] = made;
    return er_table_put(&link->message_of, (er_key){made.text, code}, *index);
}

static er_slice join_function(er_arena *arena, const er_fact *fact)
{
    if (fact->type.len == 0) {
        return fact->function;
    }
    char *out = er_arena_take(arena, fact->type.len + fact->function.len + 2);
    if (out == NULL) {
        return fact->function;
    }
    memcpy(out, fact->type.at, fact->type.len);
    out[fact->type.len] = '.';
    memcpy(out + fact->type.len + 1, fact->function.at, fact->function.len);
    return er_slice_of(out, fact->type.len + 1 + fact->function.len);
}

/* Names must differ: the second of a kind gets "_2". */
static const er_slice *copy_names(er_arena *arena, const er_slice *names, uint32_t count)
{
    er_slice *made = er_arena_take(arena, (count + 1) * sizeof(er_slice));
    for (uint32_t i = 0; i < count && made != NULL; i++) {
        char name[64];
        unsigned same = 1;
        for (uint32_t j = 0; j < i; j++) {
            same += er_slice_equal(names[j], names[i]);
        }
        int len = same > 1 ? snprintf(name, sizeof(name), "%.*s_%u", (int)names[i].len, names[i].at, same)
                           : snprintf(name, sizeof(name), "%.*s", (int)names[i].len, names[i].at);
        made[i] = er_arena_copy(arena, er_slice_of(name, len > 0 && (size_t)len < sizeof(name) ? (size_t)len : 0));
    }
    return made;
}

static er_status add_site(er_link *link, er_site site, er_slice text, er_slice code, const er_slice *names,
                          uint32_t count)
{
    er_program *program = link->program;
    er_status status = find_message(link, text, code, &site.message);
    if (status != ER_OK) {
        return status;
    }
    if (!er_list_room((void **)&program->sites, &program->site_capacity, program->site_count, sizeof(site))) {
        return ER_NO_MEMORY;
    }
    site.names = copy_names(&program->arena, names, count);
    site.name_count = count;
    if (site.names == NULL) {
        return ER_NO_MEMORY;
    }
    program->sites[program->site_count++] = site;
    return ER_OK;
}

static er_status add_unresolved(er_link *link, uint32_t input, const er_fact *fact, const char *reason)
{
    er_program *program = link->program;
    if (!er_list_room((void **)&program->unresolved, &program->unresolved_capacity, program->unresolved_count,
                      sizeof(er_unresolved))) {
        return ER_NO_MEMORY;
    }
    program->unresolved[program->unresolved_count++] =
        (er_unresolved){input, fact->line, join_function(&program->arena, fact), fact->name, reason};
    return ER_OK;
}

/* Inside a function that is a raiser itself, what it passes on comes from its callers. */
static bool is_passed_on(const er_link *link, uint32_t input, const er_fact *fact)
{
    for (uint32_t i = 0; i < fact->piece_count; i++) {
        if (fact->pieces[i].kind == ER_PIECE_PARAMETER || fact->pieces[i].kind == ER_PIECE_FIELD) {
            return true;
        }
    }
    const er_language *language = link->program->inputs[input].language;
    return er_language_rule(language, ER_RULE_RAISE, ER_SLICE("?"), fact->function) != NULL;
}

static er_slice class_of(const er_fact *fact, const er_text *text)
{
    if (fact->define.len > 0) {
        return fact->define;
    }
    if (fact->kind == ER_FACT_RETURN && !fact->reason) {
        return fact->name;
    }
    return text->error_class;
}

static er_status site_of_text(er_link *link, uint32_t input, const er_fact *fact, const er_raise *raise, er_text *text)
{
    er_link_text(link, input, fact, raise->format, text);
    er_slice bytes = er_slice_of(text->bytes, text->len);
    er_slice class = class_of(fact, text);
    bool loose = raise->reason && fact->kind != ER_FACT_FIELD;
    if (loose && raise->severity == ER_INFO) {
        return ER_OK;
    }
    bool words = loose ? er_link_is_reason(link->program->inputs[input].language, bytes) : er_link_has_word(bytes);
    if (!words && (fact->define.len == 0 || raise->reason || text->len == 0 || raise->optional)) {
        if (raise->reason || raise->optional || fact->kind == ER_FACT_RETURN || is_passed_on(link, input, fact)) {
            return ER_OK;
        }
        const char *why = text->reason != NULL ? text->reason : "a text without a word of its own";
        return add_unresolved(link, input, fact, why);
    }
    er_site site = {.input = input, .line = fact->line, .type = raise->type, .severity = raise->severity};
    site.reason = raise->reason;
    site.limited = raise->limited;
    site.defines = fact->define.len > 0 || (fact->kind == ER_FACT_RETURN && !raise->reason);
    site.status = fact->number;
    site.function = join_function(&link->program->arena, fact);
    site.error_class = class;
    return add_site(link, site, bytes, (er_slice){0}, text->names, text->name_count);
}

/* A sentinel's value that is passed on: another place of its message. */
static er_status site_of_use(er_link *link, uint32_t input, const er_fact *fact, er_text *text)
{
    er_fact definition;
    uint32_t where = 0;
    er_raise raise;
    if (!er_link_definition(link, input, fact->qualifier, fact->name, &definition, &where) ||
        definition.kind != ER_FACT_CALL || !er_link_raise(link, where, &definition, &raise)) {
        return ER_OK;
    }
    er_link_text(link, where, &definition, raise.format, text);
    if (text->len == 0) {
        return ER_OK;
    }
    er_site site = {.input = input, .line = fact->line, .type = raise.type, .severity = raise.severity};
    site.function = join_function(&link->program->arena, fact);
    site.error_class = fact->name;
    return add_site(link, site, er_slice_of(text->bytes, text->len), (er_slice){0}, text->names, text->name_count);
}

static void take_word(void *context, er_slice placeholder)
{
    er_text *text = context;
    if (text->name_count < ER_FACT_MAX_NAMES && placeholder.len > 2) {
        bool braced = placeholder.at[0] == '{';
        text->names[text->name_count++] = braced ? er_slice_sub(placeholder, 1, placeholder.len - 1) : ER_SLICE("value");
    }
}

static er_status add_code_site(er_link *link, const er_code *code, uint32_t input, uint32_t line, er_slice function,
                               er_text *text)
{
    text->name_count = 0;
    er_rule_placeholders(code->description, take_word, text);
    for (uint32_t i = 0; i < text->name_count; i++) {
        text->names[i] = er_slice_is(text->names[i], "err") ? ER_SLICE("error") : text->names[i];
    }
    er_site site = {.input = input, .line = line, .type = ER_API, .severity = ER_ERROR, .status = code->status};
    site.function = function;
    site.error_class = code->constant;
    return add_site(link, site, code->description, code->code, text->names, text->name_count);
}

static er_status site_of_code(er_link *link, uint32_t input, const er_fact *fact, er_text *text)
{
    uint32_t at = er_table_get(&link->code_names, (er_key){fact->name, {0}});
    if (at == ER_TABLE_NONE || er_slice_equal(fact->function, link->codes.items[at].constructor)) {
        return ER_OK;
    }
    return add_code_site(link, &link->codes.items[at], input, fact->line, join_function(&link->program->arena, fact),
                         text);
}

static er_status sites_of_input(er_link *link, uint32_t input, er_text *text)
{
    er_fact_reader reader;
    er_fact fact;
    er_raise raise;
    er_status status = ER_OK;
    er_slice facts = link->program->inputs[input].facts;
    if (facts.len == 0 || !er_facts_open(&reader, facts)) {
        return ER_OK;
    }
    while (status == ER_OK && er_fact_next(&reader, &fact)) {
        if (fact.kind == ER_FACT_USE) {
            status = site_of_use(link, input, &fact, text);
        } else if (fact.kind == ER_FACT_CODE) {
            status = site_of_code(link, input, &fact, text);
        } else if (er_link_raise(link, input, &fact, &raise)) {
            status = site_of_text(link, input, &fact, &raise, text);
        }
    }
    return status;
}

/* A code that nothing raises is still seen where it is defined. */
static er_status sites_of_codes(er_link *link, er_text *text)
{
    er_status status = ER_OK;
    for (size_t i = 0; i < link->codes.count && status == ER_OK; i++) {
        const er_code *code = &link->codes.items[i];
        if (er_table_get(&link->message_of, (er_key){code->description, code->code}) == ER_TABLE_NONE) {
            status = add_code_site(link, code, link->codes_input, code->line, (er_slice){0}, text);
        }
    }
    return status;
}

/* --- order ------------------------------------------------------------------------------ */

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
        if (last != NULL && last->message == one->message && last->input == one->input && last->line == one->line) {
            last->severity = one->severity > last->severity ? one->severity : last->severity;
            last->type = rank_of(one->type) > rank_of(last->type) ? one->type : last->type;
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
    message->type = rank_of(site->type) > rank_of(message->type) ? site->type : message->type;
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
    const er_site *x = (const er_site *)sites + left->first_site, *y = (const er_site *)sites + right->first_site;
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
            if (slug.status != ER_OK || er_table_get(&taken, (er_key){er_buffer_slice(&slug), {0}}) == ER_TABLE_NONE) {
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

static er_status put_in_order(er_program *program)
{
    if (program->site_count > 0) {
        qsort(program->sites, program->site_count, sizeof(er_site), compare_sites);
    }
    if (program->unresolved_count > 0) {
        qsort(program->unresolved, program->unresolved_count, sizeof(er_unresolved), compare_unresolved);
    }
    merge_sites(program);
    gather_messages(program);
    er_status status = renumber(program);
    return status == ER_OK ? give_slugs(program) : status;
}

/* --- the whole --------------------------------------------------------------------------- */

static er_status link_all(er_link *link, er_fault *fault)
{
    er_program *program = link->program;
    er_status status = note_codes(link, fault);
    for (size_t i = 0; i < program->input_count && status == ER_OK; i++) {
        status = note_input(link, (uint32_t)i);
    }
    if (status == ER_OK) {
        status = find_raisers(link);
    }
    er_text *text = er_alloc(sizeof(*text));
    if (text == NULL && status == ER_OK) {
        status = ER_NO_MEMORY;
    }
    for (size_t i = 0; i < program->input_count && status == ER_OK; i++) {
        status = sites_of_input(link, (uint32_t)i, text);
    }
    if (status == ER_OK) {
        status = sites_of_codes(link, text);
    }
    er_free(text);
    return status == ER_OK ? put_in_order(program) : status;
}

static void link_free(er_link *link)
{
    er_codes_free(&link->codes);
    er_table_free(&link->code_names);
    er_table_free(&link->packages);
    er_table_free(&link->definitions);
    er_table_free(&link->types);
    er_table_free(&link->raisers);
    er_table_free(&link->message_of);
    er_free(link->scopes);
    er_free(link->places);
    er_free(link->forwarding);
    er_free(link->raises);
}

er_status er_program_link(er_program *program, er_slice repo, const er_input *inputs, size_t count, er_fault *fault)
{
    *program = (er_program){.inputs = inputs, .input_count = count};
    er_arena_start(&program->arena);
    if (count > ER_PROGRAM_MAX_FILES) {
        return er_fault_set(fault, ER_TOO_LARGE, "%zu files, over the limit of %u", count, ER_PROGRAM_MAX_FILES);
    }
    er_fault why = {0};
    er_link link = {.program = program, .repo = repo};
    link.scopes = er_calloc(count + 1, sizeof(er_slice));
    er_status status = link.scopes != NULL ? link_all(&link, &why) : ER_NO_MEMORY;
    if (status != ER_OK) {
        if (why.status == ER_OK) {
            er_fault_set(&why, status, "no memory to link the files");
        } else if (link.codes_input < count) {
            char path[256];
            snprintf(path, sizeof(path), "%.*s", (int)inputs[link.codes_input].path.len, inputs[link.codes_input].path.at);
            er_fault_file(&why, path);
        }
        if (fault != NULL) {
            *fault = why;
        }
        er_program_free(program);
    }
    link_free(&link);
    return status;
}

void er_program_free(er_program *program)
{
    er_arena_free(&program->arena);
    er_free(program->sites);
    er_free(program->messages);
    er_free(program->unresolved);
    *program = (er_program){0};
}

const er_message *er_program_by_id(const er_program *program, const char *id)
{
    for (size_t i = 0; i < program->message_count; i++) {
        if (strcmp(program->messages[i].id, id) == 0) {
            return &program->messages[i];
        }
    }
    return NULL;
}
