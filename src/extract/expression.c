#include "extract/expression.h"

#include "extract/capture.h"
#include "extract/literal.h"

#define MOST_DEPTH  8
#define MOST_VALUES 24 /* of one variable */

bool er_expression_has(const er_expression *value, er_piece_kind kind)
{
    for (uint32_t i = 0; i < value->piece_count; i++) {
        if (value->pieces[i].kind == kind) {
            return true;
        }
    }
    return false;
}

bool er_expression_is(const er_expression *value, er_piece_kind kind)
{
    return value->piece_count == 1 && value->pieces[0].kind == kind;
}

/* --- pieces ----------------------------------------------------------------------- */

static void add_piece(er_expression *out, er_piece piece)
{
    if (out->piece_count < ER_FACT_MAX_PIECES) {
        out->pieces[out->piece_count++] = piece;
    } else { /* over the limit: the end of a text this long is a value to us */
        out->pieces[ER_FACT_MAX_PIECES - 1] = (er_piece){ER_PIECE_HOLE, 0, {0}, ER_SLICE("value")};
    }
}

static void add_literal(er_evaluator *evaluator, er_expression *out, er_slice text)
{
    if (text.at == NULL) {
        evaluator->status = ER_NO_MEMORY;
        return;
    }
    er_piece *last = out->piece_count > 0 ? &out->pieces[out->piece_count - 1] : NULL;
    if (last == NULL || last->kind != ER_PIECE_LITERAL) {
        add_piece(out, (er_piece){ER_PIECE_LITERAL, 0, {0}, text});
        return;
    }
    char *joined = er_arena_take(evaluator->arena, last->text.len + text.len + 1);
    if (joined == NULL) {
        evaluator->status = ER_NO_MEMORY;
        return;
    }
    memcpy(joined, last->text.at, last->text.len);
    memcpy(joined + last->text.len, text.at, text.len);
    last->text = er_slice_of(joined, last->text.len + text.len);
}

static er_slice checked(er_evaluator *evaluator, er_slice name)
{
    if (name.at == NULL) {
        evaluator->status = ER_NO_MEMORY;
        return ER_SLICE("value");
    }
    return name;
}

static er_slice name_of(er_evaluator *evaluator, TSNode node)
{
    return checked(evaluator, er_capture_name(evaluator->source, evaluator->arena, node));
}

static void add_hole(er_evaluator *evaluator, er_expression *out, TSNode node)
{
    add_piece(out, (er_piece){ER_PIECE_HOLE, 0, {0}, name_of(evaluator, node)});
}

void er_expression_names(er_evaluator *evaluator, er_expression *value, TSNode arguments, uint32_t first)
{
    uint32_t count = ts_node_is_null(arguments) ? 0 : ts_node_named_child_count(arguments);
    for (uint32_t i = first; i < count && value->name_count < ER_FACT_MAX_NAMES; i++) {
        TSNode argument = ts_node_named_child(arguments, i);
        value->names[value->name_count++] = name_of(evaluator, argument);
    }
}

/* --- local names ------------------------------------------------------------------ */

typedef struct local {
    const er_define *values[MOST_VALUES];
    size_t value_count;
    bool parameter; /* of a type that holds text */
    bool known;     /* a parameter of any type, a receiver or a local variable */
    uint32_t function;
    uint32_t number;
} local;

static bool holds_text(const er_source *source, TSNode parameter)
{
    size_t count = 0;
    const er_rule *types = er_language_rules(source->language, ER_RULE_STRING_TYPE, &count);
    er_slice type = er_source_text(source, er_source_field(parameter, "type"));
    for (size_t i = 0; i < count; i++) {
        if (er_slice_equal(types[i].name, type)) {
            return true;
        }
    }
    return count == 0;
}

/* Looks for the name in one entry of a parameter list; counts the names before it in *number. */
static bool find_in_entry(const er_source *source, TSNode entry, er_slice name, uint32_t *number)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < ts_node_child_count(entry); i++) {
        const char *field = ts_node_field_name_for_child(entry, i);
        if (field != NULL && strcmp(field, "name") == 0 &&
            er_source_role(source, ts_node_child(entry, i)) == ER_ROLE_NAME) {
            named++;
            ++*number;
            if (er_slice_equal(er_source_text(source, ts_node_child(entry, i)), name)) {
                return true;
            }
        }
    }
    if (named > 0) {
        return false;
    }
    er_slice declared = er_source_text(source, er_source_declared(source, entry));
    if (!er_slice_is(declared, "self") && !er_slice_is(declared, "cls")) {
        ++*number;
    }
    return er_slice_equal(declared, name);
}

static bool find_parameter(const er_source *source, const er_function *function, er_slice name, local *out)
{
    if (ts_node_is_null(function->parameters)) {
        return false;
    }
    uint32_t number = 0;
    for (uint32_t i = 0; i < ts_node_named_child_count(function->parameters); i++) {
        TSNode entry = ts_node_named_child(function->parameters, i);
        if (find_in_entry(source, entry, name, &number)) {
            out->known = true;
            out->parameter = holds_text(source, entry) && function->name.len > 0;
            out->number = number;
            return true;
        }
    }
    return false;
}

static void find_values(const er_source *source, uint32_t function, er_slice name, local *out)
{
    const er_function *around = &source->functions[er_source_outermost(source, function)];
    size_t low = 0, high = source->define_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->defines[middle].start < around->start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < source->define_count && source->defines[low].start < around->end; low++) {
        if (er_slice_equal(source->defines[low].name, name)) {
            out->known = true;
            if (out->value_count < MOST_VALUES && !ts_node_is_null(source->defines[low].value)) {
                out->values[out->value_count++] = &source->defines[low];
            }
        }
    }
}

static local find_local(const er_source *source, TSNode node)
{
    local found = {0};
    er_slice name = er_source_text(source, node);
    uint32_t at = er_source_function(source, ts_node_start_byte(node));
    if (at == ER_SOURCE_NONE) {
        return found;
    }
    for (uint32_t outer = at; outer != ER_SOURCE_NONE; outer = source->functions[outer].parent) {
        if (find_parameter(source, &source->functions[outer], name, &found)) {
            found.function = outer;
            break;
        }
        found.known |= er_slice_equal(source->functions[outer].self, name) && name.len > 0;
    }
    find_values(source, at, name, &found);
    return found;
}

/* --- evaluation ------------------------------------------------------------------- */

static void evaluate(er_evaluator *evaluator, TSNode node, unsigned depth, er_expression *out);

static void add_parameter(const er_source *source, const local *found, er_expression *out)
{
    const er_function *function = &source->functions[found->function];
    add_piece(out, (er_piece){ER_PIECE_PARAMETER, found->number, {0}, function->name});
}

static void evaluate_name(er_evaluator *evaluator, TSNode node, unsigned depth, er_expression *out)
{
    const er_source *source = evaluator->source;
    local found = find_local(source, node);
    if (found.parameter) {
        add_parameter(source, &found, out);
    } else if (found.value_count == 1) {
        if (out->line == 0 && !found.values[0]->constant && out->piece_count == 0) {
            out->line = er_source_line(found.values[0]->value);
        }
        evaluate(evaluator, found.values[0]->value, depth + 1, out);
    } else if (found.known) {
        add_hole(evaluator, out, node);
    } else {
        er_slice name = er_source_text(source, node);
        const er_rule *macro = er_language_rule(source->language, ER_RULE_TEXT, (er_slice){0}, name);
        if (macro != NULL) {
            add_literal(evaluator, out, macro->to);
        } else {
            add_piece(out, (er_piece){ER_PIECE_NAME, 0, {0}, name});
        }
    }
}

static TSNode member_operand(TSNode node)
{
    TSNode operand = er_source_field(node, "operand");
    operand = ts_node_is_null(operand) ? er_source_field(node, "object") : operand;
    return ts_node_is_null(operand) ? er_source_field(node, "argument") : operand;
}

static void evaluate_member(er_evaluator *evaluator, TSNode node, er_expression *out)
{
    const er_source *source = evaluator->source;
    TSNode operand = member_operand(node);
    er_slice field = er_source_last_name(source, node);
    if (er_source_role(source, operand) != ER_ROLE_NAME) {
        add_hole(evaluator, out, node);
        return;
    }
    er_slice object = er_source_text(source, operand);
    uint32_t function = er_source_function(source, ts_node_start_byte(node));
    if (function != ER_SOURCE_NONE && source->functions[function].self.len > 0 &&
        er_slice_equal(source->functions[function].self, object)) {
        add_piece(out, (er_piece){ER_PIECE_FIELD, 0, {0}, field});
        return;
    }
    local found = find_local(source, operand);
    if (found.known) {
        add_hole(evaluator, out, node);
    } else {
        add_piece(out, (er_piece){ER_PIECE_NAME, 0, object, field});
    }
}

static bool has_operator(TSNode node, const char *sign)
{
    TSNode found = er_source_field(node, "operator");
    return !ts_node_is_null(found) && strcmp(ts_node_type(found), sign) == 0;
}

/* Python's `"…%s" % (a, b)`. */
static void evaluate_percent(er_evaluator *evaluator, TSNode node, unsigned depth, er_expression *out)
{
    TSNode right = er_source_field(node, "right");
    evaluate(evaluator, er_source_field(node, "left"), depth + 1, out);
    out->format = true;
    if (er_source_role(evaluator->source, right) == ER_ROLE_LIST) {
        er_expression_names(evaluator, out, right, 0);
        out->arguments = right;
        out->first = 0;
    } else if (out->name_count < ER_FACT_MAX_NAMES) {
        out->names[out->name_count++] = name_of(evaluator, right);
    }
}

static void evaluate_concatenation(er_evaluator *evaluator, TSNode node, unsigned depth, er_expression *out)
{
    if (has_operator(node, "%")) {
        evaluate_percent(evaluator, node, depth, out);
        return;
    }
    if (!has_operator(node, "+")) {
        add_hole(evaluator, out, node);
        return;
    }
    evaluate(evaluator, er_source_field(node, "left"), depth + 1, out);
    evaluate(evaluator, er_source_field(node, "right"), depth + 1, out);
}

/* The text between the expressions of a template, and those. */
static void evaluate_template(er_evaluator *evaluator, TSNode node, er_expression *out)
{
    const er_source *source = evaluator->source;
    er_slice whole = er_source_text(source, node);
    size_t closing = 0;
    size_t at = er_literal_opening(whole, &closing);
    uint32_t base = ts_node_start_byte(node);
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (er_source_role(source, child) != ER_ROLE_HOLE) {
            continue;
        }
        size_t start = ts_node_start_byte(child) - base;
        if (start > at) {
            add_literal(evaluator, out, er_literal_decode(evaluator->arena, er_slice_sub(whole, at, start)));
        }
        add_hole(evaluator, out, child);
        at = ts_node_end_byte(child) - base;
    }
    if (whole.len - closing > at || out->piece_count == 0) {
        add_literal(evaluator, out,
                    er_literal_decode(evaluator->arena, er_slice_sub(whole, at, whole.len - closing)));
    }
}

typedef struct callee {
    er_slice qualifier;
    er_slice name;
    TSNode object;
    TSNode arguments;
    uint32_t count;
} callee;

static callee read_callee(const er_source *source, TSNode node)
{
    callee made = {0};
    TSNode function = er_source_field(node, "function");
    function = ts_node_is_null(function) ? er_source_field(node, "constructor") : function;
    made.arguments = er_source_field(node, "arguments");
    made.count = ts_node_is_null(made.arguments) ? 0 : ts_node_named_child_count(made.arguments);
    made.name = er_source_last_name(source, function);
    if (er_source_role(source, function) == ER_ROLE_MEMBER) {
        made.object = member_operand(function);
        made.qualifier = er_source_last_name(source, made.object);
    }
    return made;
}

static const er_rule *callee_rule(const er_source *source, er_rule_kind kind, const callee *call)
{
    return er_language_rule(source->language, kind, call->qualifier, call->name);
}

/* What a field of `"{…}".format(…)` is called: by its own name, or after the argument it numbers. */
static er_slice field_name(er_evaluator *evaluator, er_slice field, const callee *call, uint32_t *next)
{
    size_t len = 0;
    while (len < field.len && strchr(".[!:", field.at[len]) == NULL) {
        len++;
    }
    er_slice name = er_slice_sub(field, 0, len);
    if (len > 0 && (name.at[0] < '0' || name.at[0] > '9')) {
        return checked(evaluator, er_capture_of_word(evaluator->source->language, evaluator->arena, name));
    }
    uint32_t number = len > 0 ? (uint32_t)(name.at[0] - '0') : (*next)++;
    if (number < call->count) {
        return name_of(evaluator, ts_node_named_child(call->arguments, number));
    }
    return ER_SLICE("value");
}

static void fill_fields(er_evaluator *evaluator, er_slice text, const callee *call, uint32_t *next,
                        er_expression *out)
{
    size_t start = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool brace = text.at[i] == '{' || text.at[i] == '}';
        if (brace && i + 1 < text.len && text.at[i + 1] == text.at[i]) { /* doubled: itself */
            add_literal(evaluator, out, er_slice_sub(text, start, i + 1));
            start = ++i + 1;
            continue;
        }
        const char *end = text.at[i] == '{' ? memchr(text.at + i, '}', text.len - i) : NULL;
        if (end == NULL) {
            continue;
        }
        if (i > start) {
            add_literal(evaluator, out, er_slice_sub(text, start, i));
        }
        size_t close = (size_t)(end - text.at);
        er_slice name = field_name(evaluator, er_slice_sub(text, i + 1, close), call, next);
        add_piece(out, (er_piece){ER_PIECE_HOLE, 0, {0}, name});
        start = close + 1;
        i = close;
    }
    if (start < text.len) {
        add_literal(evaluator, out, er_slice_sub(text, start, text.len));
    }
}

static void evaluate_format_method(er_evaluator *evaluator, const callee *call, unsigned depth,
                                   er_expression *out)
{
    er_expression object = {0};
    uint32_t next = 0;
    evaluate(evaluator, call->object, depth + 1, &object);
    for (uint32_t i = 0; i < object.piece_count; i++) {
        if (object.pieces[i].kind == ER_PIECE_LITERAL) {
            fill_fields(evaluator, object.pieces[i].text, call, &next, out);
        } else {
            add_piece(out, object.pieces[i]);
        }
    }
}

static void evaluate_call(er_evaluator *evaluator, TSNode node, unsigned depth, er_expression *out)
{
    const er_source *source = evaluator->source;
    callee call = read_callee(source, node);
    const er_rule *rule = callee_rule(source, ER_RULE_FORMAT, &call);
    if (rule != NULL && rule->argument <= call.count) {
        evaluate(evaluator, ts_node_named_child(call.arguments, rule->argument - 1), depth + 1, out);
        er_expression_names(evaluator, out, call.arguments, rule->argument);
        out->format = true;
        out->arguments = call.arguments;
        out->first = rule->argument;
        return;
    }
    rule = callee_rule(source, ER_RULE_THROUGH, &call);
    if (rule != NULL && rule->argument <= call.count) {
        evaluate(evaluator, ts_node_named_child(call.arguments, rule->argument - 1), depth + 1, out);
        return;
    }
    if (!ts_node_is_null(call.object) &&
        er_language_rule(source->language, ER_RULE_FORMAT_METHOD, (er_slice){0}, call.name) != NULL) {
        evaluate_format_method(evaluator, &call, depth, out);
        return;
    }
    rule = er_language_rule(source->language, ER_RULE_TEXT_OF, (er_slice){0}, call.name);
    if (rule != NULL && call.count == 0 && !ts_node_is_null(call.object)) {
        out->of_error = true;
        evaluate(evaluator, call.object, depth + 1, out);
        return;
    }
    add_hole(evaluator, out, node);
}

/* `#define NAME "text"`: one literal and nothing else. */
static void evaluate_macro(er_evaluator *evaluator, TSNode node, er_expression *out)
{
    er_slice text = er_slice_trim(er_source_text(evaluator->source, node));
    size_t quotes = 0;
    for (size_t i = 0; i < text.len; i++) {
        quotes += text.at[i] == '"' && (i == 0 || text.at[i - 1] != '\\');
    }
    if (quotes == 2 && text.at[0] == '"' && text.at[text.len - 1] == '"') {
        add_literal(evaluator, out, er_literal_text(evaluator->arena, text, true));
    } else {
        add_hole(evaluator, out, node);
    }
}

static TSNode inner_of(TSNode node)
{
    TSNode inner = er_source_field(node, "operand");
    inner = ts_node_is_null(inner) ? er_source_field(node, "value") : inner;
    uint32_t count = ts_node_named_child_count(node);
    return ts_node_is_null(inner) && count > 0 ? ts_node_named_child(node, 0) : inner;
}

static void evaluate(er_evaluator *evaluator, TSNode node, unsigned depth, er_expression *out)
{
    if (ts_node_is_null(node) || depth > MOST_DEPTH) {
        add_piece(out, (er_piece){ER_PIECE_HOLE, 0, {0}, ER_SLICE("value")});
        return;
    }
    const er_source *source = evaluator->source;
    er_role role = er_source_role(source, node);
    switch (role) {
    case ER_ROLE_STRING:
    case ER_ROLE_RAW_STRING:
        add_literal(evaluator, out,
                    er_literal_text(evaluator->arena, er_source_text(source, node), role == ER_ROLE_STRING));
        break;
    case ER_ROLE_MACRO:
        evaluate_macro(evaluator, node, out);
        break;
    case ER_ROLE_TEMPLATE:
        evaluate_template(evaluator, node, out);
        break;
    case ER_ROLE_JOINED:
        for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
            evaluate(evaluator, ts_node_named_child(node, i), depth + 1, out);
        }
        break;
    case ER_ROLE_CONCATENATION:
        evaluate_concatenation(evaluator, node, depth, out);
        break;
    case ER_ROLE_INNER:
        evaluate(evaluator, inner_of(node), depth + 1, out);
        break;
    case ER_ROLE_NAME:
        evaluate_name(evaluator, node, depth, out);
        break;
    case ER_ROLE_MEMBER:
        evaluate_member(evaluator, node, out);
        break;
    case ER_ROLE_CALL:
        evaluate_call(evaluator, node, depth, out);
        break;
    default:
        add_hole(evaluator, out, node);
    }
}

void er_evaluate(er_evaluator *evaluator, TSNode node, er_expression *out)
{
    *out = (er_expression){0};
    evaluate(evaluator, node, 0, out);
}

/* --- all values ------------------------------------------------------------------- */

/* Goes through parentheses, conversions and `.Error()` to the name that decides; false where none does. */
static bool deciding_name(er_evaluator *evaluator, TSNode *node, bool *of_error)
{
    const er_source *source = evaluator->source;
    for (unsigned depth = 0; depth < MOST_DEPTH && !ts_node_is_null(*node); depth++) {
        er_role role = er_source_role(source, *node);
        if (role == ER_ROLE_NAME) {
            return true;
        }
        if (role == ER_ROLE_INNER) {
            *node = inner_of(*node);
            continue;
        }
        if (role != ER_ROLE_CALL) {
            return false;
        }
        callee call = read_callee(source, *node);
        const er_rule *rule = callee_rule(source, ER_RULE_THROUGH, &call);
        if (rule != NULL && rule->argument <= call.count) {
            *node = ts_node_named_child(call.arguments, rule->argument - 1);
        } else if (call.count == 0 && !ts_node_is_null(call.object) &&
                   er_language_rule(source->language, ER_RULE_TEXT_OF, (er_slice){0}, call.name) != NULL) {
            *of_error = true;
            *node = call.object;
        } else {
            return false;
        }
    }
    return false;
}

static void visit_values(er_evaluator *evaluator, const local *found, bool of_error,
                         er_expression_visit *visit, void *context)
{
    for (size_t i = 0; i < found->value_count; i++) {
        er_expression value = {0};
        if (!found->values[i]->constant) {
            value.line = er_source_line(found->values[i]->value);
        }
        value.of_error = of_error;
        evaluate(evaluator, found->values[i]->value, 1, &value);
        visit(context, &value);
    }
}

void er_evaluate_all(er_evaluator *evaluator, TSNode node, er_expression_visit *visit, void *context)
{
    const er_source *source = evaluator->source;
    if (er_source_role(source, node) == ER_ROLE_CHOICE) {
        TSNode yes = er_source_field(node, "consequence"), no = er_source_field(node, "alternative");
        if (ts_node_is_null(yes) && ts_node_named_child_count(node) == 3) { /* Python's: yes, condition, no */
            yes = ts_node_named_child(node, 0);
            no = ts_node_named_child(node, 2);
        }
        er_evaluate_all(evaluator, yes, visit, context);
        er_evaluate_all(evaluator, no, visit, context);
        return;
    }
    TSNode name = node;
    bool of_error = false;
    if (deciding_name(evaluator, &name, &of_error)) {
        local found = find_local(source, name);
        if (found.value_count > 1 || (found.value_count > 0 && found.parameter)) {
            visit_values(evaluator, &found, of_error, visit, context);
            if (found.parameter) {
                er_expression value = {.of_error = of_error};
                add_parameter(source, &found, &value);
                visit(context, &value);
            }
            return;
        }
    }
    er_expression value;
    er_evaluate(evaluator, node, &value);
    visit(context, &value);
}
