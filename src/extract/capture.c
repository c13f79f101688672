#include "extract/capture.h"

#include <stdio.h>

#define MOST_DEPTH 8

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* "MaxPayload" gives "max_payload", "jsDomain" "js_domain", "URL" "url". */
static size_t snake(er_slice word, char out[ER_CAPTURE_MAX + 1])
{
    size_t used = 0;
    for (size_t i = 0; i < word.len && used < ER_CAPTURE_MAX; i++) {
        char c = word.at[i];
        bool before_small = i + 1 < word.len && word.at[i + 1] >= 'a' && word.at[i + 1] <= 'z';
        bool begins = is_capital(c) && i > 0 && (!is_capital(word.at[i - 1]) || before_small);
        if (begins && used > 0 && out[used - 1] != '_') {
            out[used++] = '_';
        }
        if (used == ER_CAPTURE_MAX) {
            break;
        }
        if (is_capital(c)) {
            out[used++] = (char)(c - 'A' + 'a');
        } else if (is_plain(c) && (used > 0 || c > '9')) {
            out[used++] = c;
        } else if (used > 0 && out[used - 1] != '_') {
            out[used++] = '_';
        }
    }
    while (used > 0 && out[used - 1] == '_') {
        used--;
    }
    out[used] = '\0';
    return used;
}

er_slice er_capture_of_word(const er_language *language, er_arena *arena, er_slice word)
{
    const er_rule *rule = er_language_rule(language, ER_RULE_NAME, (er_slice){0}, word);
    if (rule != NULL) {
        return rule->to;
    }
    bool error = word.len > 3 &&
                 (er_slice_starts(word, ER_SLICE("Err")) || er_slice_starts(word, ER_SLICE("err"))) &&
                 is_capital(word.at[3]);
    if (error) { /* a sentinel that is wrapped */
        return ER_SLICE("error");
    }
    char name[ER_CAPTURE_MAX + 1];
    size_t len = snake(word, name);
    if (len < 2) { /* a letter alone says nothing */
        return ER_SLICE("value");
    }
    return er_arena_copy(arena, er_slice_of(name, len));
}

static er_slice with_ending(er_arena *arena, er_slice name, const char *ending)
{
    char joined[2 * ER_CAPTURE_MAX];
    int len = snprintf(joined, sizeof(joined), "%.*s%s", (int)name.len, name.at, ending);
    if (len <= 0 || len > ER_CAPTURE_MAX) {
        return name;
    }
    return er_arena_copy(arena, er_slice_of(joined, (size_t)len));
}

static bool is_generic(const er_source *source, er_slice word)
{
    return er_language_rule(source->language, ER_RULE_GENERIC, (er_slice){0}, word) != NULL;
}

static TSNode first_of(TSNode node, const char *const *fields)
{
    TSNode found = {0};
    for (size_t i = 0; fields[i] != NULL && ts_node_is_null(found); i++) {
        found = er_source_field(node, fields[i]);
    }
    return found;
}

static const char *const operand_fields[] = {"operand", "object", "argument", "value", NULL};
static const char *const member_fields[] = {"field", "property", "attribute", NULL};
static const char *const callee_fields[] = {"function", "constructor", NULL};

static er_slice name_of(const er_source *source, er_arena *arena, TSNode node, unsigned depth);

/* "getName" and "GetName" are called after what they get. */
static er_slice without_get(er_slice word)
{
    bool gets = word.len > 3 &&
                (er_slice_starts(word, ER_SLICE("get")) || er_slice_starts(word, ER_SLICE("Get"))) &&
                is_capital(word.at[3]);
    return gets ? er_slice_sub(word, 3, word.len) : word;
}

static er_slice name_of_member(const er_source *source, er_arena *arena, TSNode node, unsigned depth)
{
    er_slice field = without_get(er_source_text(source, first_of(node, member_fields)));
    TSNode operand = first_of(node, operand_fields);
    er_slice object = er_source_text(source, operand);
    bool own = er_slice_is(object, "self") || er_slice_is(object, "this");
    if (is_generic(source, field) && !own) {
        return name_of(source, arena, operand, depth + 1);
    }
    return er_capture_of_word(source->language, arena, field);
}

static er_slice name_of_call(const er_source *source, er_arena *arena, TSNode node, unsigned depth)
{
    TSNode callee = first_of(node, callee_fields);
    TSNode arguments = er_source_field(node, "arguments");
    er_slice name = er_source_last_name(source, callee);
    er_slice qualifier = er_source_last_name(source, first_of(callee, operand_fields));
    bool any = !ts_node_is_null(arguments) && ts_node_named_child_count(arguments) > 0;
    if (any && er_language_rule(source->language, ER_RULE_THROUGH_NAME, qualifier, name) != NULL) {
        er_slice inner = name_of(source, arena, ts_node_named_child(arguments, 0), depth + 1);
        return er_slice_is(name, "len") ? with_ending(arena, inner, "_count") : inner;
    }
    if (any && er_language_rule(source->language, ER_RULE_FORMAT, qualifier, name) != NULL) {
        return ER_SLICE("value");
    }
    if (er_source_role(source, callee) == ER_ROLE_MEMBER) {
        return name_of_member(source, arena, callee, depth + 1);
    }
    return er_capture_of_word(source->language, arena, without_get(name));
}

static er_slice name_of(const er_source *source, er_arena *arena, TSNode node, unsigned depth)
{
    if (ts_node_is_null(node) || depth > MOST_DEPTH) {
        return ER_SLICE("value");
    }
    switch (er_source_role(source, node)) {
    case ER_ROLE_NAME:
        return er_capture_of_word(source->language, arena, er_source_text(source, node));
    case ER_ROLE_MEMBER:
        return name_of_member(source, arena, node, depth);
    case ER_ROLE_CALL:
        return name_of_call(source, arena, node, depth);
    case ER_ROLE_INNER:
    case ER_ROLE_INDEX:
    case ER_ROLE_HOLE: {
        TSNode inner = first_of(node, operand_fields);
        if (ts_node_is_null(inner) && ts_node_named_child_count(node) > 0) {
            inner = ts_node_named_child(node, 0);
        }
        return name_of(source, arena, inner, depth + 1);
    }
    default:
        return ER_SLICE("value");
    }
}

er_slice er_capture_name(const er_source *source, er_arena *arena, TSNode expression)
{
    return name_of(source, arena, expression, 0);
}
