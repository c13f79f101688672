/*
 * definitions.c - the first pass of linking: what every file defines, and where.
 */
#include "extract/link.h"
#include "extract/list.h"

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
    if (fact->kind == ER_FACT_LITERAL || fact->kind == ER_FACT_ENTRY) {
        char key[256];
        bool entry = fact->kind == ER_FACT_ENTRY;
        er_slice name =
            er_link_numbered(key, sizeof(key), entry ? fact->qualifier : fact->name, fact->argument);
        name = er_arena_copy(&link->program->arena, name);
        status = name.at != NULL ? note(link, entry ? &link->entries : &link->texts, scope, name, place)
                                 : ER_NO_MEMORY;
        if (status == ER_OK && entry) {
            status = note(link, &link->definitions, scope, fact->name, place);
        }
    }
    return status == ER_OK ? note_forwarding(link, fact, place) : status;
}

er_status er_link_input(er_link *link, uint32_t input)
{
    const er_input *one = &link->program->inputs[input];
    er_fact_reader reader;
    if (one->facts.len == 0 || !er_facts_open(&reader, one->facts)) {
        return ER_OK;
    }
    link->scopes[input] = scope_of_input(one, reader.package);
    er_status status = ER_OK;
    if (reader.package.len > 0 &&
        er_table_get(&link->packages, (er_key){reader.package, {0}}) == ER_TABLE_NONE) {
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

er_status er_link_codes(er_link *link, er_fault *fault)
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
            status =
                er_table_put(&link->code_names, (er_key){link->codes.items[i].constructor, {0}}, (uint32_t)i);
        }
    }
    return status;
}
