/*
 * declaration.c - facts that no call gives: what a file defines, and texts that stand apart.
 */
#include "extract/literal.h"
#include "extract/scanning.h"

#include <stdio.h>

/* --- where a place is -------------------------------------------------------------- */

void er_scan_function(const er_scan *one, TSNode node, er_fact *fact)
{
    uint32_t inner = er_source_function(one->source, ts_node_start_byte(node));
    uint32_t outer = er_source_outermost(one->source, inner);
    if (outer == ER_SOURCE_NONE) {
        return;
    }
    fact->type = one->source->functions[outer].type;
    fact->function = one->source->functions[outer].name;
}

/* The package-level name whose whole value the node is: `var ErrX = errors.New(…)`. */
void er_scan_define(const er_scan *one, TSNode node, er_fact *fact)
{
    const er_source *source = one->source;
    uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
    size_t low = 0, high = source->define_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->defines[middle].start <= start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low > 0; low--) {
        const er_define *define = &source->defines[low - 1];
        if (define->function != ER_SOURCE_NONE) {
            return;
        }
        if (ts_node_is_null(define->value) || ts_node_end_byte(define->value) < start) {
            return;
        }
        if (ts_node_start_byte(define->value) == start && ts_node_end_byte(define->value) == end) {
            fact->define = define->name;
            return;
        }
    }
}

/* A composite literal counts as the value of an error's name when it stands anywhere in it:
   `var ErrX = &apiError{…}`. */
void er_scan_define_around(const er_scan *one, TSNode node, er_fact *fact)
{
    uint32_t start = ts_node_start_byte(node);
    for (size_t i = 0; i < one->source->define_count; i++) {
        const er_define *define = &one->source->defines[i];
        if (define->start > start) {
            return;
        }
        if (define->function == ER_SOURCE_NONE && !ts_node_is_null(define->value) &&
            ts_node_end_byte(define->value) > start &&
            er_language_error_name(one->source->language, define->name)) {
            fact->define = define->name;
        }
    }
}

void er_scan_text(er_fact *fact, const er_expression *value)
{
    memcpy(fact->pieces, value->pieces, sizeof(er_piece) * value->piece_count);
    fact->piece_count = value->piece_count;
    memcpy(fact->names, value->names, sizeof(er_slice) * value->name_count);
    fact->name_count = value->name_count;
    fact->of_error = value->of_error;
}

/* --- types, codes, tables ------------------------------------------------------------ */

void er_scan_type(er_scan *one, const er_found *type)
{
    if (!er_language_error_name(one->source->language, type->name)) {
        return;
    }
    er_fact fact = {.kind = ER_FACT_TYPE, .line = er_source_line(type->node), .name = type->name};
    for (uint32_t i = 0; i < ts_node_named_child_count(type->body); i++) {
        TSNode field = ts_node_named_child(type->body, i);
        bool named = false;
        for (uint32_t j = 0; j < ts_node_child_count(field); j++) {
            const char *name = ts_node_field_name_for_child(field, j);
            if (name != NULL && strcmp(name, "name") == 0 && fact.name_count < ER_FACT_MAX_NAMES &&
                ts_node_is_named(ts_node_child(field, j))) {
                fact.names[fact.name_count++] = er_source_text(one->source, ts_node_child(field, j));
                named = true;
            }
        }
        if (!named && fact.name_count < ER_FACT_MAX_NAMES) { /* embedded: called after its type */
            fact.names[fact.name_count++] = er_source_last_name(one->source, field);
        }
    }
    er_fact_write(one->out, &fact);
}

void er_scan_code(er_scan *one, const er_found *code)
{
    if (er_language_rule(one->source->language, ER_RULE_CODES, (er_slice){0}, code->qualifier) == NULL) {
        return;
    }
    er_fact fact = {.kind = ER_FACT_CODE, .line = er_source_line(code->node), .name = code->name};
    er_scan_function(one, code->node, &fact);
    er_fact_write(one->out, &fact);
}

/* The texts of an array that a table names. */
void er_scan_table(er_scan *one, const er_found *table)
{
    if (er_language_rule(one->source->language, ER_RULE_TEXT_TABLE, (er_slice){0}, table->name) == NULL) {
        return;
    }
    uint32_t number = 0;
    for (uint32_t i = 0; i < ts_node_named_child_count(table->body); i++) {
        TSNode entry = ts_node_named_child(table->body, i);
        er_role role = er_source_role(one->source, entry);
        if (role != ER_ROLE_STRING && role != ER_ROLE_JOINED) {
            continue; /* a comment */
        }
        er_expression value;
        er_evaluate(&one->evaluator, entry, &value);
        er_fact fact = {.kind = ER_FACT_LITERAL,
                        .line = er_source_line(entry),
                        .argument = ++number,
                        .name = table->name};
        er_scan_text(&fact, &value);
        er_fact_write(one->out, &fact);
    }
}

/* The constants that number them. One with a value of its own goes on from there. */
void er_scan_enum(er_scan *one, const er_found *list)
{
    size_t count = 0;
    const er_rule *tables = er_language_rules(one->source->language, ER_RULE_TEXT_TABLE, &count);
    for (size_t t = 0; t < count; t++) {
        if (!er_slice_equal(tables[t].to, list->name)) {
            continue;
        }
        uint32_t number = 0;
        for (uint32_t i = 0; i < ts_node_named_child_count(list->body); i++) {
            TSNode entry = ts_node_named_child(list->body, i);
            TSNode name = er_source_field(entry, "name");
            er_slice value = er_source_text(one->source, er_source_field(entry, "value"));
            unsigned given = 0;
            char digits[16];
            if (ts_node_is_null(name)) {
                continue;
            }
            snprintf(digits, sizeof(digits), "%.*s", (int)value.len, value.at != NULL ? value.at : "");
            number = sscanf(digits, "%u", &given) == 1 ? given + 1 : number + 1;
            er_fact fact = {.kind = ER_FACT_ENTRY, .line = er_source_line(entry), .argument = number};
            fact.qualifier = tables[t].name;
            fact.name = er_source_text(one->source, name);
            er_fact_write(one->out, &fact);
        }
    }
}

/* "409 Consumer Deleted\r\n…" behind a prefix: the text up to the end of the line. */
static void write_status(er_scan *one, TSNode literal, er_slice prefix, bool escapes)
{
    er_slice text = er_literal_text(one->evaluator.arena, er_source_text(one->source, literal), escapes);
    if (text.at == NULL || text.len < prefix.len + 5 || !er_slice_starts(text, prefix)) {
        return;
    }
    text = er_slice_sub(text, prefix.len, text.len);
    size_t end = 0;
    while (end < text.len && text.at[end] != '\r' && text.at[end] != '\n') {
        end++;
    }
    unsigned status = 0;
    char digits[4] = {text.at[0], text.at[1], text.at[2], '\0'};
    if (sscanf(digits, "%3u", &status) != 1 || status < 400 || status > 599 || end < 5 || text.at[3] != ' ') {
        return;
    }
    er_fact fact = {.kind = ER_FACT_STATUS, .line = er_source_line(literal), .number = status};
    fact.pieces[0] = (er_piece){ER_PIECE_LITERAL, 0, {0}, er_slice_sub(text, 4, end)};
    fact.piece_count = 1;
    er_scan_function(one, literal, &fact);
    er_fact_write(one->out, &fact);
}

/* Searched for as bytes: a query for every string literal would cost more than all the rest. */
void er_scan_status_lines(er_scan *one)
{
    size_t count = 0;
    const er_rule *prefixes = er_language_rules(one->source->language, ER_RULE_STATUS_LINE, &count);
    er_slice content = one->source->content;
    TSNode root = ts_tree_root_node(one->source->tree);
    for (size_t i = 0; i < count; i++) {
        er_slice prefix = prefixes[i].name;
        const char *at = content.len > 0 ? memmem(content.at, content.len, prefix.at, prefix.len) : NULL;
        while (at != NULL) {
            uint32_t byte = (uint32_t)(at - content.at);
            TSNode node = ts_node_named_descendant_for_byte_range(root, byte, byte + 1);
            er_role role = er_source_role(one->source, node);
            if (role == ER_ROLE_NONE && !ts_node_is_null(node)) { /* the literal's inside */
                node = ts_node_parent(node);
                role = er_source_role(one->source, node);
            }
            if (role == ER_ROLE_STRING || role == ER_ROLE_RAW_STRING) {
                write_status(one, node, prefix, role == ER_ROLE_STRING);
            }
            size_t next = byte + prefix.len;
            at = memmem(content.at + next, content.len - next, prefix.at, prefix.len);
        }
    }
}

static bool raises(const er_scan *one, TSNode value)
{
    if (er_source_role(one->source, value) != ER_ROLE_CALL) {
        return false;
    }
    TSNode function = er_source_field(value, "function");
    TSNode object = er_source_field(function, "operand");
    er_slice qualifier = ts_node_is_null(object) ? (er_slice){0} : er_source_last_name(one->source, object);
    return er_language_rule(one->source->language, ER_RULE_RAISE, qualifier,
                            er_source_last_name(one->source, function)) != NULL;
}

void er_scan_defines(er_scan *one)
{
    for (size_t i = 0; i < one->source->define_count; i++) {
        const er_define *define = &one->source->defines[i];
        if (define->function != ER_SOURCE_NONE || ts_node_is_null(define->value)) {
            continue;
        }
        if (raises(one, define->value)) {
            continue; /* a sentinel: its call says more */
        }
        er_expression value;
        er_evaluate(&one->evaluator, define->value, &value);
        if (!er_expression_has(&value, ER_PIECE_LITERAL) || er_expression_has(&value, ER_PIECE_HOLE)) {
            continue;
        }
        er_fact fact = {.kind = ER_FACT_DEFINE, .line = er_source_line(define->value), .name = define->name};
        er_scan_text(&fact, &value);
        er_fact_write(one->out, &fact);
    }
}
