/*
 * scan.c - see scan.h.
 *
 * Which functions pass a text on to a log call is known only when all files are
 * linked, so every argument that holds text, or a name that might, becomes a fact.
 */
#include "extract/scan.h"

#include "base/memory.h"
#include "extract/scanning.h"

#include <stdio.h>

#define MOST_ARGUMENTS 10

struct er_scanner {
    TSParser *parser;
    TSQueryCursor *cursor;
};

er_status er_scanner_make(er_scanner **out, er_fault *fault)
{
    er_scanner *made = er_calloc(1, sizeof(*made));
    if (made != NULL) {
        made->parser = ts_parser_new();
        made->cursor = ts_query_cursor_new();
    }
    if (made == NULL || made->parser == NULL || made->cursor == NULL) {
        er_scanner_free(&made);
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for a parser");
    }
    *out = made;
    return ER_OK;
}

void er_scanner_free(er_scanner **scanner)
{
    if (*scanner != NULL) {
        if ((*scanner)->parser != NULL) {
            ts_parser_delete((*scanner)->parser);
        }
        if ((*scanner)->cursor != NULL) {
            ts_query_cursor_delete((*scanner)->cursor);
        }
        er_free(*scanner);
    }
    *scanner = NULL;
}

/* --- texts of calls ----------------------------------------------------------------- */

typedef struct sink {
    er_scan *one;
    er_fact fact; /* what is known without the text */
    TSNode arguments;
    uint32_t argument; /* from 0, the one that is looked at */
    bool wanted;       /* a table says that it is the text: what can not be resolved counts */
    unsigned depth;
} sink;

/* Letters and a blank or a placeholder: a word alone is a key or a name far more often. */
static bool is_phrase(er_slice text)
{
    bool letter = false, blank = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        letter |= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        blank |= c == ' ' || c == '%' || c == '{';
    }
    return letter && blank;
}

/* Whether a text may come to be a message: a phrase, or what only the linker can look up. */
static bool may_be_text(const er_scan *one, const er_expression *value)
{
    for (uint32_t i = 0; i < value->piece_count; i++) {
        const er_piece *piece = &value->pieces[i];
        bool named = piece->kind == ER_PIECE_NAME &&
                     (piece->qualifier.len > 0 ||
                      er_language_error_name(one->source->language, piece->text) || value->piece_count > 1);
        if (named || piece->kind == ER_PIECE_PARAMETER || piece->kind == ER_PIECE_FIELD ||
            (piece->kind == ER_PIECE_LITERAL && is_phrase(piece->text))) {
            return true;
        }
    }
    return false;
}

static void take_reason(void *context, const er_expression *value);
static void take_text(void *context, const er_expression *found);

/* What fills the placeholders of a text: each may be a reason with words of its own. */
static void take_reasons(sink *to, const er_expression *value)
{
    TSNode arguments = ts_node_is_null(value->arguments) ? to->arguments : value->arguments;
    uint32_t first = ts_node_is_null(value->arguments) ? to->argument + 1 : value->first;
    uint32_t count = ts_node_is_null(arguments) ? 0 : ts_node_named_child_count(arguments);
    sink inner = *to;
    inner.depth++;
    for (uint32_t i = first; i < count && i < first + MOST_ARGUMENTS && inner.depth < 3; i++) {
        TSNode argument = ts_node_named_child(arguments, i);
        inner.arguments = (TSNode){0};
        inner.argument = 0;
        inner.fact.line = er_source_line(argument);
        er_evaluate_all(&to->one->evaluator, argument, take_reason, &inner);
    }
}

static void take_reason(void *context, const er_expression *value)
{
    sink *to = context;
    if (er_expression_is(value, ER_PIECE_NAME) || !may_be_text(to->one, value)) {
        return;
    }
    er_fact fact = to->fact;
    er_scan_text(&fact, value);
    fact.reason = true;
    fact.line = value->line > 0 ? value->line : fact.line;
    er_fact_write(to->one->out, &fact);
    take_reasons(to, value);
}

/* A format that is dressed before it is passed on with its arguments as they came,
   `Sprintf("Filestore [%s] %s", name, format), args...`, is the parameter. */
static void undress(sink *to, er_expression *value)
{
    if (!to->fact.spread || ts_node_is_null(value->arguments)) {
        return;
    }
    uint32_t count = ts_node_named_child_count(value->arguments);
    for (uint32_t i = value->first; i < count; i++) {
        er_expression argument;
        er_evaluate(&to->one->evaluator, ts_node_named_child(value->arguments, i), &argument);
        if (er_expression_is(&argument, ER_PIECE_PARAMETER)) {
            argument.line = value->line;
            *value = argument;
            return;
        }
    }
}

/* "%s" alone: the text is what fills it. Returns whether it was. */
static bool take_filled(sink *to, const er_expression *value)
{
    bool alone = er_expression_is(value, ER_PIECE_LITERAL) &&
                 (er_slice_is(value->pieces[0].text, "%s") || er_slice_is(value->pieces[0].text, "%v"));
    TSNode arguments = ts_node_is_null(value->arguments) ? to->arguments : value->arguments;
    uint32_t first = ts_node_is_null(value->arguments) ? to->argument + 1 : value->first;
    if (!alone || to->depth > 2 || ts_node_is_null(arguments) ||
        ts_node_named_child_count(arguments) <= first) {
        return false;
    }
    sink inner = *to;
    inner.depth++;
    inner.arguments = (TSNode){0};
    er_evaluate_all(&to->one->evaluator, ts_node_named_child(arguments, first), take_text, &inner);
    return true;
}

static void take_text(void *context, const er_expression *found)
{
    sink *to = context;
    er_expression value = *found;
    undress(to, &value);
    if (take_filled(to, &value)) {
        return;
    }
    if (!to->wanted && !may_be_text(to->one, &value)) {
        return;
    }
    if (!ts_node_is_null(to->arguments) && !value.format) {
        er_expression_names(&to->one->evaluator, &value, to->arguments, to->argument + 1);
    }
    er_fact fact = to->fact;
    er_scan_text(&fact, &value);
    fact.line = value.line > 0 ? value.line : fact.line;
    er_fact_write(to->one->out, &fact);
    take_reasons(to, &value);
}

static bool is_spread(const er_scan *one, TSNode arguments)
{
    uint32_t count = ts_node_named_child_count(arguments);
    return count > 0 &&
           er_source_role(one->source, ts_node_named_child(arguments, count - 1)) == ER_ROLE_SPREAD;
}

static uint32_t status_of(const er_scan *one, TSNode arguments, uint32_t argument)
{
    if (argument == 0 || argument > ts_node_named_child_count(arguments)) {
        return 0;
    }
    er_slice text = er_source_text(one->source, ts_node_named_child(arguments, argument - 1));
    uint32_t status = 0;
    for (size_t i = 0; i < text.len && i < 4; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return 0;
        }
        status = status * 10 + (uint32_t)(text.at[i] - '0');
    }
    return status;
}

static bool is_constructor(const er_scan *one, er_slice name)
{
    size_t count = 0;
    const er_rule *codes = er_language_rules(one->source->language, ER_RULE_CODES, &count);
    for (size_t i = 0; i < count; i++) {
        if (codes[i].to.len > 0 && name.len > codes[i].to.len + codes[i].suffix.len &&
            er_slice_starts(name, codes[i].to) &&
            er_slice_equal(er_slice_sub(name, name.len - codes[i].suffix.len, name.len), codes[i].suffix)) {
            return true;
        }
    }
    return false;
}

static void write_constructor(er_scan *one, const er_found *call)
{
    er_fact fact = {
        .kind = ER_FACT_CODE, .line = er_source_line(call->node), .number = 1, .name = call->name};
    er_scan_function(one, call->node, &fact);
    er_expression value = {0};
    er_expression_names(&one->evaluator, &value, call->body, 0);
    er_scan_text(&fact, &value);
    er_fact_write(one->out, &fact);
}

/* An error's value that is passed on: an argument, a result, what a variable is set to. */
static void write_use(er_scan *one, TSNode node)
{
    er_slice name = er_source_last_name(one->source, node);
    if (!er_language_error_name(one->source->language, name) || er_slice_is(name, "err")) {
        return;
    }
    er_expression value;
    er_evaluate(&one->evaluator, node, &value);
    if (!er_expression_is(&value, ER_PIECE_NAME)) {
        return;
    }
    er_fact fact = {.kind = ER_FACT_USE, .line = er_source_line(node)};
    fact.qualifier = value.pieces[0].qualifier;
    fact.name = value.pieces[0].text;
    er_scan_function(one, node, &fact);
    er_fact_write(one->out, &fact);
}

static void write_uses(er_scan *one, const er_found *call)
{
    if (er_language_rule(one->source->language, ER_RULE_COMPARES, call->qualifier, call->name) != NULL) {
        return;
    }
    uint32_t count = ts_node_named_child_count(call->body);
    for (uint32_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
        TSNode argument = ts_node_named_child(call->body, i);
        er_role role = er_source_role(one->source, argument);
        if (role == ER_ROLE_NAME || role == ER_ROLE_MEMBER) {
            write_use(one, argument);
        }
    }
}

/* Whether the call is one that the row means: `fprintf(stderr, …)`. */
static bool holds(const er_scan *one, const er_rule *rule, TSNode arguments)
{
    if (rule->when == 0) {
        return true;
    }
    return ts_node_named_child_count(arguments) >= rule->when &&
           er_slice_equal(er_source_text(one->source, ts_node_named_child(arguments, rule->when - 1)),
                          rule->when_text);
}

static void scan_call(er_scan *one, const er_found *call)
{
    const er_language *language = one->source->language;
    const er_rule *rule = er_language_rule(language, ER_RULE_RAISE, call->qualifier, call->name);
    write_uses(one, call);
    if (rule != NULL && !holds(one, rule, call->body)) {
        return;
    }
    if (rule == NULL && (er_language_rule(language, ER_RULE_FORMAT, call->qualifier, call->name) != NULL ||
                         er_language_rule(language, ER_RULE_THROUGH, call->qualifier, call->name) != NULL ||
                         er_language_rule(language, ER_RULE_COMPARES, call->qualifier, call->name) != NULL)) {
        return;
    }
    if (is_constructor(one, call->name)) {
        write_constructor(one, call);
    }
    uint32_t count = ts_node_named_child_count(call->body);
    sink to = {.one = one, .arguments = call->body};
    to.fact = (er_fact){
        .kind = ER_FACT_CALL, .qualifier = call->qualifier, .name = call->name, .field = call->class};
    to.fact.spread = is_spread(one, call->body);
    er_scan_function(one, call->node, &to.fact);
    er_scan_define(one, call->node, &to.fact);
    to.fact.number = rule != NULL ? status_of(one, call->body, rule->status) : 0;
    for (uint32_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
        TSNode argument = ts_node_named_child(call->body, i);
        to.wanted = rule != NULL && rule->argument == i + 1;
        if (rule != NULL && !to.wanted) {
            continue; /* what fills the placeholders is looked at as reasons */
        }
        to.argument = i;
        to.fact.argument = i + 1;
        to.fact.line = er_source_line(call->node);
        er_evaluate_all(&one->evaluator, argument, take_text, &to);
    }
}

/* --- literals and returns ----------------------------------------------------- */

static void scan_literal(er_scan *one, const er_found *literal)
{
    if (!er_language_error_name(one->source->language, literal->name)) {
        return;
    }
    sink to = {.one = one};
    to.fact = (er_fact){.kind = ER_FACT_FIELD, .name = literal->name};
    er_scan_function(one, literal->node, &to.fact);
    er_scan_define_around(one, literal->node, &to.fact);
    for (uint32_t i = 0; i < ts_node_named_child_count(literal->body) && i < MOST_ARGUMENTS; i++) {
        TSNode value = ts_node_named_child(literal->body, i);
        to.fact.argument = i + 1;
        to.fact.field = (er_slice){0};
        to.fact.line = er_source_line(literal->node);
        if (er_source_role(one->source, value) == ER_ROLE_PAIR) {
            to.fact.field = er_source_text(one->source, ts_node_named_child(value, 0));
            to.fact.line = er_source_line(value);
            value = ts_node_named_child(value, 1);
        }
        er_evaluate_all(&one->evaluator, value, take_text, &to);
    }
}

static void scan_return(er_scan *one, const er_found *found)
{
    uint32_t function = er_source_function(one->source, ts_node_start_byte(found->node));
    if (function == ER_SOURCE_NONE || one->source->functions[function].type.len == 0 ||
        er_language_rule(one->source->language, ER_RULE_DESCRIBES, (er_slice){0},
                         one->source->functions[function].name) == NULL) {
        return;
    }
    sink to = {.one = one, .wanted = true};
    to.fact = (er_fact){.kind = ER_FACT_RETURN, .line = er_source_line(found->node)};
    to.fact.name = one->source->functions[function].type;
    er_scan_function(one, found->node, &to.fact);
    er_evaluate_all(&one->evaluator, found->node, take_text, &to);
}

static void scan_found(er_scan *one, const er_found *found)
{
    switch (found->kind) {
    case ER_FOUND_CALL:
        scan_call(one, found);
        break;
    case ER_FOUND_LITERAL:
        scan_literal(one, found);
        break;
    case ER_FOUND_TYPE:
        er_scan_type(one, found);
        break;
    case ER_FOUND_RETURN:
        scan_return(one, found);
        break;
    case ER_FOUND_USE:
        write_use(one, found->node);
        break;
    case ER_FOUND_CODE:
        er_scan_code(one, found);
        break;
    case ER_FOUND_TABLE:
        er_scan_table(one, found);
        break;
    case ER_FOUND_ENUM:
        er_scan_enum(one, found);
        break;
    }
}

er_status er_scan_file(er_scanner *scanner, const er_language *language, er_slice content, er_buffer *out,
                       uint32_t *error_line, er_fault *fault)
{
    er_source source;
    er_status status = er_source_parse(&source, language, scanner->parser, scanner->cursor, content, fault);
    if (status != ER_OK) {
        return status;
    }
    if (error_line != NULL) {
        *error_line = source.has_error ? source.error_at.row + 1 : 0;
    }
    er_arena arena;
    er_arena_start(&arena);
    er_scan one = {&source, {&source, &arena, ER_OK}, out};
    if (!source.skipped) {
        er_facts_begin(out, source.package);
        er_scan_defines(&one);
        er_scan_status_lines(&one);
        for (size_t i = 0; i < source.found_count; i++) {
            scan_found(&one, &source.found[i]);
        }
    }
    status = one.evaluator.status != ER_OK ? one.evaluator.status : out->status;
    er_arena_free(&arena);
    er_source_free(&source);
    if (status != ER_OK) {
        er_fault_set(fault, status, "the file says more than can be held");
    }
    return status;
}
