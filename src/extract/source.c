#include "extract/source.h"

#include "base/memory.h"
#include "extract/list.h"

#include <stdlib.h>

#define MOST_CAPTURES 16
#define MOST_DEPTH    8

er_slice er_source_text(const er_source *source, TSNode node)
{
    if (ts_node_is_null(node)) {
        return (er_slice){0};
    }
    return er_slice_sub(source->content, ts_node_start_byte(node), ts_node_end_byte(node));
}

er_role er_source_role(const er_source *source, TSNode node)
{
    return ts_node_is_null(node) ? ER_ROLE_NONE : er_language_role(source->language, ts_node_symbol(node));
}

TSNode er_source_field(TSNode node, const char *field)
{
    return ts_node_child_by_field_name(node, field, (uint32_t)strlen(field));
}

uint32_t er_source_line(TSNode node)
{
    return ts_node_start_point(node).row + 1;
}

er_slice er_source_last_name(const er_source *source, TSNode node)
{
    er_slice text = er_source_text(source, node);
    size_t end = text.len;
    while (end > 0 && (text.at[end - 1] == ')' || text.at[end - 1] == ']')) {
        char open = text.at[end - 1] == ')' ? '(' : '[';
        while (end > 0 && text.at[end - 1] != open) {
            end--;
        }
        end = end > 0 ? end - 1 : 0;
    }
    size_t start = end;
    while (start > 0 && text.at[start - 1] != '.' && text.at[start - 1] != '>' && text.at[start - 1] != '(' &&
           text.at[start - 1] != '*' && text.at[start - 1] != '&') {
        start--;
    }
    return er_slice_sub(text, start, end);
}

TSNode er_source_declared(const er_source *source, TSNode node)
{
    for (unsigned depth = 0; depth < MOST_DEPTH && !ts_node_is_null(node); depth++) {
        if (er_source_role(source, node) == ER_ROLE_NAME) {
            return node;
        }
        TSNode inner = er_source_field(node, "declarator");
        inner = ts_node_is_null(inner) ? er_source_field(node, "pattern") : inner;
        inner = ts_node_is_null(inner) ? er_source_field(node, "name") : inner;
        if (ts_node_is_null(inner) && er_source_role(source, node) == ER_ROLE_PARAMETER &&
            ts_node_named_child_count(node) > 0) {
            inner = ts_node_named_child(node, 0);
        }
        node = inner;
    }
    return (TSNode){0};
}

/* --- what the query found ---------------------------------------------------------- */

typedef struct match {
    TSNode nodes[ER_CAPTURE_COUNT];
    bool has[ER_CAPTURE_COUNT];
} match;

static er_status add_function(er_source *source, const match *one, bool inner)
{
    TSNode node = one->nodes[inner ? ER_CAPTURE_FUNCTION_INNER : ER_CAPTURE_FUNCTION];
    if (!er_list_room((void **)&source->functions, &source->function_capacity, source->function_count,
                      sizeof(er_function))) {
        return ER_NO_MEMORY;
    }
    er_function *made = &source->functions[source->function_count++];
    *made = (er_function){ts_node_start_byte(node),
                          ts_node_end_byte(node),
                          ER_SOURCE_NONE,
                          inner,
                          {0},
                          {0},
                          {0},
                          one->nodes[ER_CAPTURE_FUNCTION_PARAMETERS]};
    made->name = er_source_text(source, one->nodes[ER_CAPTURE_FUNCTION_NAME]);
    made->type = er_source_text(source, one->nodes[ER_CAPTURE_FUNCTION_TYPE]);
    made->self = er_source_text(source, one->nodes[ER_CAPTURE_FUNCTION_SELF]);
    return ER_OK;
}

static er_status add_define(er_source *source, TSNode at, TSNode name, TSNode value, bool constant)
{
    if (!er_list_room((void **)&source->defines, &source->define_capacity, source->define_count,
                      sizeof(er_define))) {
        return ER_NO_MEMORY;
    }
    TSNode declared = er_source_declared(source, name);
    source->defines[source->define_count++] =
        (er_define){ts_node_start_byte(at), ER_SOURCE_NONE, constant,
                    er_source_text(source, ts_node_is_null(declared) ? name : declared), value};
    return ER_OK;
}

static bool is_list(const er_source *source, TSNode node)
{
    return er_source_role(source, node) == ER_ROLE_LIST;
}

/* The names on the left: children of a list, or every child in the field `name`. */
static size_t collect_names(const er_source *source, TSNode define, TSNode names[MOST_CAPTURES])
{
    static const char *const fields[] = {"left", "name", "declarator", NULL};
    size_t count = 0;
    for (size_t i = 0; fields[i] != NULL && count == 0; i++) {
        TSNode left = er_source_field(define, fields[i]);
        if (is_list(source, left)) {
            for (uint32_t j = 0; j < ts_node_named_child_count(left) && count < MOST_CAPTURES; j++) {
                names[count++] = ts_node_named_child(left, j);
            }
        } else if (!ts_node_is_null(left)) {
            for (uint32_t j = 0; j < ts_node_child_count(define) && count < MOST_CAPTURES; j++) {
                const char *field = ts_node_field_name_for_child(define, j);
                if (field != NULL && strcmp(field, fields[i]) == 0 &&
                    ts_node_is_named(ts_node_child(define, j))) {
                    names[count++] = ts_node_child(define, j);
                }
            }
        }
    }
    return count;
}

static er_status add_defines(er_source *source, TSNode define, bool constant)
{
    TSNode names[MOST_CAPTURES];
    size_t count = collect_names(source, define, names);
    TSNode right = er_source_field(define, "right");
    if (ts_node_is_null(right)) {
        right = er_source_field(define, "value");
    }
    bool list = is_list(source, right);
    uint32_t values = list ? ts_node_named_child_count(right) : 1;
    er_status status = ER_OK;
    for (size_t i = 0; i < count && status == ER_OK; i++) {
        TSNode value = {0};
        if (values == count && !ts_node_is_null(right)) {
            value = list ? ts_node_named_child(right, (uint32_t)i) : right;
        }
        status = add_define(source, define, names[i], value, constant);
    }
    return status;
}

static er_status add_found(er_source *source, er_found one)
{
    if (!er_list_room((void **)&source->found, &source->found_capacity, source->found_count, sizeof(one))) {
        return ER_NO_MEMORY;
    }
    source->found[source->found_count++] = one;
    return ER_OK;
}

static er_status take_call(er_source *source, const match *one)
{
    er_found call = {.kind = ER_FOUND_CALL,
                     .node = one->nodes[ER_CAPTURE_CALL],
                     .body = one->nodes[ER_CAPTURE_CALL_ARGUMENTS]};
    call.name = er_source_text(source, one->nodes[ER_CAPTURE_CALL_NAME]);
    if (one->has[ER_CAPTURE_RAISE_CLASS] || one->has[ER_CAPTURE_RAISE_ERROR]) {
        bool thrown = one->has[ER_CAPTURE_RAISE_CLASS];
        call.class =
            er_source_text(source, one->nodes[thrown ? ER_CAPTURE_RAISE_CLASS : ER_CAPTURE_RAISE_ERROR]);
        if (!thrown && !er_language_error_name(source->language, call.class)) {
            return ER_OK;
        }
        call.name = ER_SLICE(ER_THROWN);
    }
    if (one->has[ER_CAPTURE_CALL_QUALIFIER]) {
        call.qualifier = er_source_last_name(source, one->nodes[ER_CAPTURE_CALL_QUALIFIER]);
        if (call.qualifier.len == 0) { /* a parenthesis or the like: still not a bare name */
            call.qualifier = ER_SLICE("?");
        }
    }
    return add_found(source, call);
}

static er_status take_listed(er_source *source, const match *one)
{
    bool table = one->has[ER_CAPTURE_TABLE_NAME];
    TSNode name = one->nodes[table ? ER_CAPTURE_TABLE_NAME : ER_CAPTURE_ENUM_NAME];
    return add_found(source,
                     (er_found){.kind = table ? ER_FOUND_TABLE : ER_FOUND_ENUM,
                                .node = name,
                                .body = one->nodes[table ? ER_CAPTURE_TABLE_BODY : ER_CAPTURE_ENUM_BODY],
                                .name = er_source_text(source, name)});
}

static er_status take_code(er_source *source, const match *one)
{
    er_found code = {.kind = ER_FOUND_CODE, .node = one->nodes[ER_CAPTURE_CODE]};
    code.qualifier = er_source_text(source, one->nodes[ER_CAPTURE_CODE_TABLE]);
    code.name = er_source_last_name(source, one->nodes[ER_CAPTURE_CODE]);
    return add_found(source, code);
}

static void take_import(er_source *source, er_slice path)
{
    size_t count = 0;
    const er_rule *skipped = er_language_rules(source->language, ER_RULE_SKIP_IMPORT, &count);
    for (size_t i = 0; i < count; i++) {
        if (path.len == skipped[i].name.len + 2 &&
            er_slice_equal(er_slice_sub(path, 1, path.len - 1), skipped[i].name)) {
            source->skipped = true;
        }
    }
}

static er_status take_match(er_source *source, const match *one)
{
    if (one->has[ER_CAPTURE_CALL]) {
        return take_call(source, one);
    }
    if (one->has[ER_CAPTURE_USE]) {
        return add_found(source, (er_found){.kind = ER_FOUND_USE, .node = one->nodes[ER_CAPTURE_USE]});
    }
    if (one->has[ER_CAPTURE_DEFINE] || one->has[ER_CAPTURE_DEFINE_CONSTANT]) {
        bool constant = one->has[ER_CAPTURE_DEFINE_CONSTANT];
        return add_defines(source, one->nodes[constant ? ER_CAPTURE_DEFINE_CONSTANT : ER_CAPTURE_DEFINE],
                           constant);
    }
    if (one->has[ER_CAPTURE_FUNCTION] || one->has[ER_CAPTURE_FUNCTION_INNER]) {
        return add_function(source, one, one->has[ER_CAPTURE_FUNCTION_INNER]);
    }
    if (one->has[ER_CAPTURE_RETURN]) {
        return add_found(source, (er_found){.kind = ER_FOUND_RETURN, .node = one->nodes[ER_CAPTURE_RETURN]});
    }
    if (one->has[ER_CAPTURE_LITERAL_TYPE]) {
        TSNode type = one->nodes[ER_CAPTURE_LITERAL_TYPE];
        return add_found(source, (er_found){.kind = ER_FOUND_LITERAL,
                                            .node = type,
                                            .body = one->nodes[ER_CAPTURE_LITERAL_BODY],
                                            .name = er_source_text(source, type)});
    }
    if (one->has[ER_CAPTURE_TYPE_NAME]) {
        TSNode type = one->nodes[ER_CAPTURE_TYPE_NAME];
        return add_found(source, (er_found){.kind = ER_FOUND_TYPE,
                                            .node = type,
                                            .body = one->nodes[ER_CAPTURE_TYPE_FIELDS],
                                            .name = er_source_text(source, type)});
    }
    if (one->has[ER_CAPTURE_CODE]) {
        return take_code(source, one);
    }
    if (one->has[ER_CAPTURE_TABLE_NAME] || one->has[ER_CAPTURE_ENUM_NAME]) {
        return take_listed(source, one);
    }
    if (one->has[ER_CAPTURE_PACKAGE]) {
        source->package = er_source_text(source, one->nodes[ER_CAPTURE_PACKAGE]);
    } else if (one->has[ER_CAPTURE_IMPORT]) {
        take_import(source, er_source_text(source, one->nodes[ER_CAPTURE_IMPORT]));
    }
    return ER_OK;
}

/* --- putting functions and definitions in order --------------------------------------- */

static int compare_functions(const void *a, const void *b)
{
    const er_function *left = a, *right = b;
    if (left->start != right->start) {
        return left->start < right->start ? -1 : 1;
    }
    if (left->end != right->end) {
        return left->end > right->end ? -1 : 1;
    }
    /* The same function twice, once without its optional receiver's name: the fuller match first. */
    return (left->self.len < right->self.len) - (left->self.len > right->self.len);
}

static int compare_defines(const void *a, const void *b)
{
    const er_define *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

static void nest_functions(er_source *source)
{
    size_t kept = 0;
    if (source->function_count > 0) {
        qsort(source->functions, source->function_count, sizeof(er_function), compare_functions);
    }
    for (size_t i = 0; i < source->function_count; i++) {
        er_function one = source->functions[i];
        if (kept > 0 && source->functions[kept - 1].start == one.start &&
            source->functions[kept - 1].end == one.end) {
            continue;
        }
        uint32_t parent = kept > 0 ? (uint32_t)kept - 1 : ER_SOURCE_NONE;
        while (parent != ER_SOURCE_NONE && source->functions[parent].end <= one.start) {
            parent = source->functions[parent].parent;
        }
        one.parent = parent;
        source->functions[kept++] = one;
    }
    source->function_count = kept;
}

uint32_t er_source_function(const er_source *source, uint32_t byte)
{
    size_t low = 0, high = source->function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (source->functions[middle].start <= byte) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t at = low > 0 ? (uint32_t)low - 1 : ER_SOURCE_NONE;
    while (at != ER_SOURCE_NONE && source->functions[at].end <= byte) {
        at = source->functions[at].parent;
    }
    return at;
}

uint32_t er_source_outermost(const er_source *source, uint32_t function)
{
    while (function != ER_SOURCE_NONE && source->functions[function].parent != ER_SOURCE_NONE) {
        function = source->functions[function].parent;
    }
    return function;
}

static void place_defines(er_source *source)
{
    if (source->define_count > 0) {
        qsort(source->defines, source->define_count, sizeof(er_define), compare_defines);
    }
    for (size_t i = 0; i < source->define_count; i++) {
        er_define *define = &source->defines[i];
        define->function = er_source_function(source, define->start);
        if (ts_node_is_null(define->value)) {
            continue;
        }
        /* A function literal is called by the name of the variable that holds it. */
        uint32_t start = ts_node_start_byte(define->value);
        uint32_t held = er_source_function(source, start);
        if (held != ER_SOURCE_NONE && source->functions[held].inner &&
            source->functions[held].start == start) {
            source->functions[held].name = define->name;
        }
    }
}

static er_status run_query(er_source *source, TSQueryCursor *cursor)
{
    TSQueryMatch found;
    er_status status = ER_OK;
    ts_query_cursor_exec(cursor, er_language_query(source->language), ts_tree_root_node(source->tree));
    while (status == ER_OK && ts_query_cursor_next_match(cursor, &found)) {
        match one = {0};
        for (uint16_t i = 0; i < found.capture_count; i++) {
            er_capture capture = er_language_capture(source->language, found.captures[i].index);
            one.nodes[capture] = found.captures[i].node;
            one.has[capture] = true;
        }
        status = take_match(source, &one);
    }
    return status;
}

static void find_error(er_source *source)
{
    TSNode node = ts_tree_root_node(source->tree);
    source->has_error = ts_node_has_error(node);
    while (source->has_error && !ts_node_is_error(node) && !ts_node_is_missing(node)) {
        uint32_t count = ts_node_child_count(node), i = 0;
        while (i < count && !ts_node_has_error(ts_node_child(node, i))) {
            i++;
        }
        if (i == count) {
            break;
        }
        node = ts_node_child(node, i);
    }
    source->error_at = ts_node_start_point(node);
}

er_status er_source_parse(er_source *source, const er_language *language, TSParser *parser,
                          TSQueryCursor *cursor, er_slice content, er_fault *fault)
{
    *source = (er_source){.language = language, .content = content};
    if (content.len > UINT32_MAX || !ts_parser_set_language(parser, er_language_grammar(language))) {
        return er_fault_set(fault, ER_BAD_INPUT, "the grammar of %s does not fit this tree-sitter",
                            er_language_name(language));
    }
    source->tree = ts_parser_parse_string(parser, NULL, content.at, (uint32_t)content.len);
    if (source->tree == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "the file could not be parsed");
    }
    find_error(source);
    er_status status = run_query(source, cursor);
    if (status != ER_OK) {
        er_source_free(source);
        return er_fault_set(fault, status, "no memory for what was found");
    }
    nest_functions(source);
    place_defines(source);
    return ER_OK;
}

void er_source_free(er_source *source)
{
    if (source->tree != NULL) {
        ts_tree_delete(source->tree);
    }
    er_free(source->functions);
    er_free(source->defines);
    er_free(source->found);
    *source = (er_source){0};
}
