/*
 * scan.c - see scan.h.
 *
 * Which functions pass a text on to a log call is known only when all files are
 * linked, so every argument that holds text, or a name that might, becomes a fact.
 */
#include "extract/scan.h"

#include "base/memory.h"
#include "extract/expression.h"
#include "extract/fact.h"
#include "extract/literal.h"

#include <stdio.h>

#define MOST_ARGUMENTS 10

struct er_scanner {
    TSParser *parser;
    TSQueryCursor *cursor;
};

typedef struct scan {
    const er_source *source;
    er_evaluator evaluator;
    er_buffer *out;
} scan;

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

/* --- where a place is ------------------------------------------------------------- */

static void set_function(const scan *one, TSNode node, er_fact *fact)
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
static void set_define(const scan *one, TSNode node, er_fact *fact)
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

static void set_text(er_fact *fact, const er_expression *value)
{
    memcpy(fact->pieces, value->pieces, sizeof(er_piece) * value->piece_count);
    fact->piece_count = value->piece_count;
    memcpy(fact->names, value->names, sizeof(er_slice) * value->name_count);
    fact->name_count = value->name_count;
    fact->format = value->format;
    fact->of_error = value->of_error;
}

/* --- texts of calls ----------------------------------------------------------------- */

typedef struct sink {
    scan *one;
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
static bool may_be_text(const scan *one, const er_expression *value)
{
    for (uint32_t i = 0; i < value->piece_count; i++) {
        const er_piece *piece = &value->pieces[i];
        bool named = piece->kind == ER_PIECE_NAME &&
                     (piece->qualifier.len > 0 || er_language_error_name(one->source->language, piece->text) ||
                      value->piece_count > 1);
        if (named || piece->kind == ER_PIECE_PARAMETER || piece->kind == ER_PIECE_FIELD ||
            (piece->kind == ER_PIECE_LITERAL && is_phrase(piece->text))) {
            return true;
        }
    }
    return false;
}

static void take_reason(void *context, const er_expression *value);

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
    set_text(&fact, value);
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

static void take_text(void *context, const er_expression *found)
{
    sink *to = context;
    er_expression value = *found;
    undress(to, &value);
    if (!to->wanted && !may_be_text(to->one, &value)) {
        return;
    }
    if (!ts_node_is_null(to->arguments) && !value.format) {
        er_expression_names(&to->one->evaluator, &value, to->arguments, to->argument + 1);
    }
    er_fact fact = to->fact;
    set_text(&fact, &value);
    fact.line = value.line > 0 ? value.line : fact.line;
    er_fact_write(to->one->out, &fact);
    take_reasons(to, &value);
}

static bool is_spread(const scan *one, TSNode arguments)
{
    uint32_t count = ts_node_named_child_count(arguments);
    return count > 0 &&
           er_source_role(one->source, ts_node_named_child(arguments, count - 1)) == ER_ROLE_SPREAD;
}

static uint32_t status_of(const scan *one, TSNode arguments, uint32_t argument)
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

static bool is_constructor(const scan *one, er_slice name)
{
    size_t count = 0;
    const er_rule *codes = er_language_rules(one->source->language, ER_RULE_CODES, &count);
    for (size_t i = 0; i < count; i++) {
        if (codes[i].to.len > 0 && name.len > codes[i].to.len + codes[i].suffix.len && er_slice_starts(name, codes[i].to) &&
            er_slice_equal(er_slice_sub(name, name.len - codes[i].suffix.len, name.len), codes[i].suffix)) {
            return true;
        }
    }
    return false;
}

static void write_constructor(scan *one, const er_found *call)
{
    er_fact fact = {.kind = ER_FACT_CODE, .line = er_source_line(call->node), .number = 1, .name = call->name};
    set_function(one, call->node, &fact);
    er_expression value = {0};
    er_expression_names(&one->evaluator, &value, call->body, 0);
    set_text(&fact, &value);
    er_fact_write(one->out, &fact);
}

/* An error's value that is passed on: an argument, a result, what a variable is set to. */
static void write_use(scan *one, TSNode node)
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
    set_function(one, node, &fact);
    er_fact_write(one->out, &fact);
}

static void write_uses(scan *one, const er_found *call)
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

static void scan_call(scan *one, const er_found *call)
{
    const er_language *language = one->source->language;
    const er_rule *rule = er_language_rule(language, ER_RULE_RAISE, call->qualifier, call->name);
    write_uses(one, call);
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
    to.fact = (er_fact){.kind = ER_FACT_CALL, .qualifier = call->qualifier, .name = call->name};
    to.fact.spread = is_spread(one, call->body);
    set_function(one, call->node, &to.fact);
    set_define(one, call->node, &to.fact);
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

/* --- types, returns, uses, codes ----------------------------------------------------- */

static void scan_type(scan *one, const er_found *type)
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

static void scan_literal(scan *one, const er_found *literal)
{
    if (!er_language_error_name(one->source->language, literal->name)) {
        return;
    }
    sink to = {.one = one};
    to.fact = (er_fact){.kind = ER_FACT_FIELD, .name = literal->name};
    set_function(one, literal->node, &to.fact);
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

static void scan_return(scan *one, const er_found *found)
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
    set_function(one, found->node, &to.fact);
    er_evaluate_all(&one->evaluator, found->node, take_text, &to);
}

static void scan_code(scan *one, const er_found *code)
{
    if (er_language_rule(one->source->language, ER_RULE_CODES, (er_slice){0}, code->qualifier) == NULL) {
        return;
    }
    er_fact fact = {.kind = ER_FACT_CODE, .line = er_source_line(code->node), .name = code->name};
    set_function(one, code->node, &fact);
    er_fact_write(one->out, &fact);
}

/* "409 Consumer Deleted\r\n…" behind a prefix: the text up to the end of the line. */
static void write_status(scan *one, TSNode literal, er_slice prefix, bool escapes)
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
    set_function(one, literal, &fact);
    er_fact_write(one->out, &fact);
}

/* Searched for as bytes: a query for every string literal would cost more than all the rest. */
static void write_status_lines(scan *one)
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

static bool raises(const scan *one, TSNode value)
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

static void write_defines(scan *one)
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
        set_text(&fact, &value);
        er_fact_write(one->out, &fact);
    }
}

static void scan_found(scan *one, const er_found *found)
{
    switch (found->kind) {
    case ER_FOUND_CALL:
        scan_call(one, found);
        break;
    case ER_FOUND_LITERAL:
        scan_literal(one, found);
        break;
    case ER_FOUND_TYPE:
        scan_type(one, found);
        break;
    case ER_FOUND_RETURN:
        scan_return(one, found);
        break;
    case ER_FOUND_USE:
        write_use(one, found->node);
        break;
    case ER_FOUND_CODE:
        scan_code(one, found);
        break;
    case ER_FOUND_RAISE_TYPE:
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
    scan one = {&source, {&source, &arena, ER_OK}, out};
    if (!source.skipped) {
        er_facts_begin(out, source.package);
        write_defines(&one);
        write_status_lines(&one);
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
