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

/* --- second pass: what passes a text on ---------------------------------------------- */

/* A function that passes its parameter on in several ways counts as the gravest. */
static bool worse(er_raise *known, er_raise found)
{
    const er_raise before = *known;
    known->type = er_program_rank(found.type) > er_program_rank(known->type) ? found.type : known->type;
    known->severity = found.severity > known->severity ? found.severity : known->severity;
    known->reason &= found.reason;
    known->limited &= found.limited;
    known->optional &= found.optional;
    return before.type != known->type || before.severity != known->severity || before.reason != known->reason;
}

static er_status add_raiser(er_link *link, er_slice scope, const char *name, er_raise raise, bool *more)
{
    uint32_t at = er_table_get(&link->raisers, (er_key){scope, er_slice_string(name)});
    if (at != ER_TABLE_NONE) {
        *more |= worse(&link->raises[at], raise);
        return ER_OK;
    }
    er_slice key = er_arena_copy(&link->program->arena, er_slice_string(name));
    if (key.at == NULL ||
        !er_list_room((void **)&link->raises, &link->raise_capacity, link->raise_count, sizeof(raise))) {
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

static er_slice join_function(er_link *link, const er_fact *fact)
{
    er_arena *arena = &link->program->arena;
    if (fact->type.len == 0) {
        return fact->function;
    }
    char *out = er_arena_take(arena, fact->type.len + fact->function.len + 2);
    if (out == NULL) {
        link->status = ER_NO_MEMORY;
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
        made[i] =
            er_arena_copy(arena, er_slice_of(name, len > 0 && (size_t)len < sizeof(name) ? (size_t)len : 0));
        if (made[i].at == NULL) {
            return NULL;
        }
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
        (er_unresolved){input, fact->line, join_function(link, fact), fact->name, reason};
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

/* The constant that numbers a text of a table. */
static er_slice class_of_entry(const er_link *link, uint32_t input, const er_fact *fact)
{
    char key[256];
    er_slice name = er_link_numbered(key, sizeof(key), fact->name, fact->argument);
    uint32_t at = er_table_get(&link->entries, (er_key){link->scopes[input], name});
    if (at == ER_TABLE_NONE) {
        return (er_slice){0};
    }
    er_fact entry;
    er_slice facts = link->program->inputs[link->places[at].input].facts;
    er_fact_reader reader = {.rest = er_slice_sub(facts, link->places[at].offset, facts.len)};
    return er_fact_next(&reader, &entry) ? entry.name : (er_slice){0};
}

static er_slice class_of(const er_link *link, uint32_t input, const er_fact *fact, const er_text *text)
{
    const er_rule *rule =
        er_language_rule(link->program->inputs[input].language, ER_RULE_RAISE, fact->qualifier, fact->name);
    if (fact->kind == ER_FACT_LITERAL) {
        return class_of_entry(link, input, fact);
    }
    if (fact->kind == ER_FACT_CALL && !fact->reason && fact->field.len > 0) {
        return fact->field;
    }
    if (fact->kind == ER_FACT_CALL && !fact->reason && rule != NULL && rule->typed) {
        return fact->type;
    }
    if (fact->define.len > 0) {
        return fact->define;
    }
    if (fact->kind == ER_FACT_RETURN && !fact->reason) {
        return fact->name;
    }
    return text->error_class;
}

static er_status site_of_text(er_link *link, uint32_t input, const er_fact *fact, const er_raise *raise,
                              er_text *text)
{
    er_link_text(link, input, fact, text);
    er_slice bytes = er_slice_of(text->bytes, text->len);
    er_slice class = class_of(link, input, fact, text);
    bool loose = raise->reason && fact->kind != ER_FACT_FIELD;
    if (loose && raise->severity == ER_INFO) {
        return ER_OK;
    }
    bool words =
        loose ? er_link_is_reason(link->program->inputs[input].language, bytes) : er_link_has_word(bytes);
    if (!words && (fact->define.len == 0 || raise->reason || text->len == 0 || raise->optional)) {
        if (raise->reason || raise->optional || fact->kind == ER_FACT_RETURN ||
            is_passed_on(link, input, fact)) {
            return ER_OK;
        }
        const char *why = text->reason != NULL ? text->reason : "a text without a word of its own";
        return add_unresolved(link, input, fact, why);
    }
    er_site site = {.input = input, .line = fact->line, .type = raise->type, .severity = raise->severity};
    site.reason = raise->reason;
    site.limited = raise->limited;
    site.defines = fact->define.len > 0 || (fact->kind == ER_FACT_RETURN && !raise->reason) ||
                   fact->kind == ER_FACT_LITERAL;
    site.status = fact->number;
    site.function = join_function(link, fact);
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
    er_link_text(link, where, &definition, text);
    if (text->len == 0) {
        return ER_OK;
    }
    er_site site = {.input = input, .line = fact->line, .type = raise.type, .severity = raise.severity};
    site.function = join_function(link, fact);
    site.error_class = fact->name;
    return add_site(link, site, er_slice_of(text->bytes, text->len), (er_slice){0}, text->names,
                    text->name_count);
}

static void take_word(void *context, er_slice placeholder)
{
    er_text *text = context;
    if (text->name_count < ER_FACT_MAX_NAMES && placeholder.len > 2) {
        bool braced = placeholder.at[0] == '{';
        text->names[text->name_count++] =
            braced ? er_slice_sub(placeholder, 1, placeholder.len - 1) : ER_SLICE("value");
    }
}

static er_status add_code_site(er_link *link, const er_code *code, uint32_t input, uint32_t line,
                               er_slice function, er_text *text)
{
    text->name_count = 0;
    er_rule_placeholders(code->description, take_word, text);
    for (uint32_t i = 0; i < text->name_count; i++) {
        text->names[i] = er_slice_is(text->names[i], "err") ? ER_SLICE("error") : text->names[i];
    }
    er_site site = {
        .input = input, .line = line, .type = ER_API, .severity = ER_ERROR, .status = code->status};
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
    return add_code_site(link, &link->codes.items[at], input, fact->line, join_function(link, fact), text);
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

/* --- the whole --------------------------------------------------------------------------- */

static er_status link_all(er_link *link, er_fault *fault)
{
    er_program *program = link->program;
    er_status status = er_link_codes(link, fault);
    for (size_t i = 0; i < program->input_count && status == ER_OK; i++) {
        status = er_link_input(link, (uint32_t)i);
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
    status = status == ER_OK ? link->status : status;
    return status == ER_OK ? er_program_order(program) : status;
}

static void link_free(er_link *link)
{
    er_codes_free(&link->codes);
    er_table_free(&link->code_names);
    er_table_free(&link->packages);
    er_table_free(&link->definitions);
    er_table_free(&link->types);
    er_table_free(&link->texts);
    er_table_free(&link->entries);
    er_table_free(&link->raisers);
    er_table_free(&link->message_of);
    er_free(link->scopes);
    er_free(link->places);
    er_free(link->forwarding);
    er_free(link->raises);
}

er_status er_program_link(er_program *program, er_slice repo, const er_input *inputs, size_t count,
                          er_fault *fault)
{
    *program = (er_program){.inputs = inputs, .input_count = count};
    er_arena_start(&program->arena);
    if (count > ER_PROGRAM_MAX_FILES) {
        return er_fault_set(fault, ER_TOO_LARGE, "%zu files, over the limit of %u", count,
                            ER_PROGRAM_MAX_FILES);
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
            snprintf(path, sizeof(path), "%.*s", (int)inputs[link.codes_input].path.len,
                     inputs[link.codes_input].path.at);
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
