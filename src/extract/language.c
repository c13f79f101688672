/*
 * language.c - see language.h.
 *
 * Directives stand in the query file, as predicates that tree-sitter itself leaves
 * alone, so that one file holds all that is known of a language.
 */
#include "extract/language.h"

#include "base/memory.h"
#include "extract/grammar.h"
#include "extract/list.h"

#include <stdlib.h>

#define MOST_WORDS 64

struct er_language {
    const char *name;
    const TSLanguage *grammar;
    TSQuery *query;
    uint8_t *roles;    /* by symbol */
    uint8_t *captures; /* by capture id */
    er_rule *rules;    /* by kind, then name; borrowed strings live in the query */
    size_t rule_count;
    size_t rule_capacity;
    size_t first[ER_RULE_KIND_COUNT + 1];
    bool curly;
};

static const struct built_in {
    const char *name;
    const char *endings[5];
    const TSLanguage *(*grammar)(void);
    const char *query;
    bool curly;
} built_ins[] = {
    {"go", {".go"}, tree_sitter_go, er_query_go, false},
    {"c", {".c", ".h"}, tree_sitter_c, er_query_c, false},
    {"python", {".py"}, tree_sitter_python, er_query_python, true},
    {"javascript", {".js", ".mjs", ".cjs", ".jsx"}, tree_sitter_javascript, er_query_javascript, true},
    {"typescript", {".ts", ".mts", ".cts"}, tree_sitter_typescript, er_query_typescript, true},
};

#define BUILT_IN_COUNT (sizeof(built_ins) / sizeof(built_ins[0]))

static er_language languages[BUILT_IN_COUNT];
static er_language *loaded[BUILT_IN_COUNT + 1];

static const char *const role_names[ER_ROLE_COUNT] = {
    "none",   "string", "raw-string", "template", "hole",      "joined", "concatenation", "inner",  "name",
    "member", "call",   "index",      "list",     "parameter", "spread", "pair",          "choice", "macro",
};

static const char *const capture_names[ER_CAPTURE_COUNT] = {
    "package",
    "import",
    "function",
    "function.inner",
    "function.name",
    "function.type",
    "function.self",
    "function.parameters",
    "define",
    "define.constant",
    "call",
    "call.name",
    "call.qualifier",
    "call.arguments",
    "literal.type",
    "literal.body",
    "type.name",
    "type.fields",
    "return",
    "use",
    "code",
    "code.table",
    "raise.class",
    "raise.error",
    "table.name",
    "table.body",
    "enum.name",
    "enum.body",
    "",
};

static const char *const rule_names[ER_RULE_KIND_COUNT] = {
    "raise!",       "format!",     "through!",   "through-name!",  "compares!",
    "type!",        "describes!",  "text-of!",   "string-type!",   "error-name!",
    "status-line!", "codes!",      "skip-file!", "skip-import!",   "generic!",
    "name!",        "text-table!", "text!",      "format-method!", "trouble!",
};

/* The place of `word` in `names`, or `count`. */
static size_t find_name(const char *const *names, size_t count, er_slice word)
{
    size_t i = 0;
    while (i < count && !er_slice_is(word, names[i])) {
        i++;
    }
    return i;
}

static er_status add_role(er_language *language, const er_slice *words, size_t count, er_fault *fault)
{
    size_t role = find_name(role_names, ER_ROLE_COUNT, words[0]);
    if (role == ER_ROLE_COUNT) {
        return er_fault_set(fault, ER_BAD_INPUT, "unknown role %.*s", (int)words[0].len, words[0].at);
    }
    uint32_t symbols = ts_language_symbol_count(language->grammar);
    for (size_t i = 1; i < count; i++) {
        bool found = false;
        for (uint32_t symbol = 0; symbol < symbols; symbol++) {
            const char *name = ts_language_symbol_name(language->grammar, (TSSymbol)symbol);
            if (name != NULL && er_slice_is(words[i], name)) {
                language->roles[symbol] = (uint8_t)role;
                found = true;
            }
        }
        if (!found) {
            return er_fault_set(fault, ER_BAD_INPUT, "the grammar has no node type %.*s", (int)words[i].len,
                                words[i].at);
        }
    }
    return ER_OK;
}

static void split_callee(er_slice callee, er_rule *rule)
{
    size_t dot = callee.len;
    while (dot > 0 && callee.at[dot - 1] != '.') {
        dot--;
    }
    rule->name = er_slice_sub(callee, dot, callee.len);
    rule->qualifier = dot > 0 ? er_slice_sub(callee, 0, dot - 1) : er_slice_of(NULL, 0);
}

static uint32_t number_of(er_slice word)
{
    return word.len == 1 && word.at[0] >= '1' && word.at[0] <= '9' ? (uint32_t)(word.at[0] - '0') : 0;
}

static void fill_options(er_rule *rule, const er_slice *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (er_slice_is(words[i], "optional")) {
            rule->optional = true;
        } else if (er_slice_is(words[i], "typed")) {
            rule->typed = true;
        } else if (er_slice_is(words[i], "status") && i + 1 < count) {
            rule->status = number_of(words[++i]);
        } else if (er_slice_is(words[i], "when") && i + 2 < count) {
            rule->when = number_of(words[++i]);
            rule->when_text = words[++i];
        }
    }
}

/* callee kind severity [argument] ["optional"] ["typed"] ["status" argument] ["when" argument
 * text] */
static er_status fill_raise(er_rule *rule, const er_slice *words, size_t count, er_fault *fault)
{
    if (count < 3 || !er_error_type_parse(words[1], &rule->type) ||
        !er_severity_parse(words[2], &rule->severity)) {
        return er_fault_set(fault, ER_BAD_INPUT, "%.*s has no kind and severity", (int)words[0].len,
                            words[0].at);
    }
    rule->argument = count > 3 ? number_of(words[3]) : 0;
    fill_options(rule, words + 4, count > 4 ? count - 4 : 0);
    return ER_OK;
}

static er_status add_rule(er_language *language, er_rule rule)
{
    if (!er_list_room((void **)&language->rules, &language->rule_capacity, language->rule_count,
                      sizeof(rule))) {
        return ER_NO_MEMORY;
    }
    language->rules[language->rule_count++] = rule;
    return ER_OK;
}

/* One row for the whole directive, or one for each of its words. */
static er_status add_directive(er_language *language, er_rule_kind kind, const er_slice *words, size_t count,
                               er_fault *fault)
{
    er_rule rule = {.kind = kind};
    er_status status = ER_OK;
    split_callee(words[0], &rule);
    switch (kind) {
    case ER_RULE_RAISE:
    case ER_RULE_TYPE:
        status = fill_raise(&rule, words, count, fault);
        return status == ER_OK ? add_rule(language, rule) : status;
    case ER_RULE_TEXT_TABLE: /* array, enumeration, kind, severity, first */
        rule.to = count > 1 ? words[1] : words[0];
        status = fill_raise(&rule, words + 1, count - 1, fault);
        return status == ER_OK ? add_rule(language, rule) : status;
    case ER_RULE_FORMAT:
    case ER_RULE_THROUGH:
        rule.argument = count > 1 ? number_of(words[1]) : 1;
        return add_rule(language, rule);
    case ER_RULE_NAME:
    case ER_RULE_TEXT:
    case ER_RULE_CODES:
        rule.to = count > 1 ? words[1] : words[0];
        rule.suffix = count > 2 ? words[2] : er_slice_of(NULL, 0);
        return add_rule(language, rule);
    default:
        for (size_t i = 0; i < count && status == ER_OK; i++) {
            if (kind != ER_RULE_SKIP_FILE && kind != ER_RULE_SKIP_IMPORT && kind != ER_RULE_STATUS_LINE) {
                split_callee(words[i], &rule);
            } else {
                rule.name = words[i];
            }
            status = add_rule(language, rule);
        }
        return status;
    }
}

static er_status read_directive(er_language *language, const er_slice *words, size_t count, er_fault *fault)
{
    if (count < 2) {
        return er_fault_set(fault, ER_BAD_INPUT, "a directive without words");
    }
    if (er_slice_is(words[0], "kind!")) {
        return add_role(language, words + 1, count - 1, fault);
    }
    size_t kind = find_name(rule_names, ER_RULE_KIND_COUNT, words[0]);
    if (kind == ER_RULE_KIND_COUNT) {
        return er_fault_set(fault, ER_BAD_INPUT, "unknown directive #%.*s", (int)words[0].len, words[0].at);
    }
    return add_directive(language, (er_rule_kind)kind, words + 1, count - 1, fault);
}

static er_status read_directives(er_language *language, uint32_t pattern, er_fault *fault)
{
    uint32_t count = 0;
    const TSQueryPredicateStep *steps = ts_query_predicates_for_pattern(language->query, pattern, &count);
    er_slice words[MOST_WORDS];
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].type == TSQueryPredicateStepTypeDone) {
            er_status status = read_directive(language, words, used, fault);
            if (status != ER_OK) {
                return status;
            }
            used = 0;
        } else if (steps[i].type == TSQueryPredicateStepTypeString && used < MOST_WORDS) {
            uint32_t len = 0;
            const char *at = ts_query_string_value_for_id(language->query, steps[i].value_id, &len);
            words[used++] = er_slice_of(at, len);
        } else {
            return er_fault_set(fault, ER_BAD_INPUT, "a directive takes at most %d strings", MOST_WORDS);
        }
    }
    return ER_OK;
}

static int compare_rules(const void *a, const void *b)
{
    const er_rule *left = a, *right = b;
    if (left->kind != right->kind) {
        return left->kind < right->kind ? -1 : 1;
    }
    int order = er_slice_compare(left->name, right->name);
    /* "*" is 0x2a, below all letters: turned round, an exact qualifier goes first. */
    return order != 0 ? order : er_slice_compare(right->qualifier, left->qualifier);
}

static er_status read_query(er_language *language, er_fault *fault)
{
    uint32_t captures = ts_query_capture_count(language->query);
    language->roles = er_calloc(ts_language_symbol_count(language->grammar), 1);
    language->captures = er_calloc(captures, 1);
    if (language->roles == NULL || language->captures == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "no memory for the tables");
    }
    for (uint32_t i = 0; i < captures; i++) {
        uint32_t len = 0;
        const char *name = ts_query_capture_name_for_id(language->query, i, &len);
        size_t capture = find_name(capture_names, ER_CAPTURE_OTHER, er_slice_of(name, len));
        language->captures[i] = (uint8_t)capture;
    }
    uint32_t patterns = ts_query_pattern_count(language->query);
    for (uint32_t i = 0; i < patterns; i++) {
        er_status status = read_directives(language, i, fault);
        if (status != ER_OK) {
            return status;
        }
    }
    qsort(language->rules, language->rule_count, sizeof(er_rule), compare_rules);
    for (size_t kind = 0, i = 0; kind <= ER_RULE_KIND_COUNT; kind++) {
        while (i < language->rule_count && language->rules[i].kind < kind) {
            i++;
        }
        language->first[kind] = i;
    }
    return ER_OK;
}

static er_status language_load(er_language *language, const struct built_in *from, er_fault *fault)
{
    uint32_t at = 0;
    TSQueryError error = TSQueryErrorNone;
    language->name = from->name;
    language->curly = from->curly;
    language->grammar = from->grammar();
    language->query =
        ts_query_new(language->grammar, from->query, (uint32_t)strlen(from->query), &at, &error);
    er_status status = ER_OK;
    if (language->query == NULL) {
        status =
            er_fault_set(fault, ER_BAD_INPUT, "the query does not fit the grammar (error %d)", (int)error);
        er_fault_offset(fault, at);
    } else {
        status = read_query(language, fault);
    }
    if (status != ER_OK) {
        er_fault_file(fault, from->name);
    }
    return status;
}

er_language *const *er_languages(er_fault *fault)
{
    if (loaded[0] != NULL) {
        return loaded;
    }
    for (size_t i = 0; i < BUILT_IN_COUNT; i++) {
        if (language_load(&languages[i], &built_ins[i], fault) != ER_OK) {
            er_languages_free();
            return NULL;
        }
    }
    for (size_t i = 0; i < BUILT_IN_COUNT; i++) {
        loaded[i] = &languages[i];
    }
    return loaded;
}

void er_languages_free(void)
{
    for (size_t i = 0; i < BUILT_IN_COUNT; i++) {
        if (languages[i].query != NULL) {
            ts_query_delete(languages[i].query);
        }
        er_free(languages[i].roles);
        er_free(languages[i].captures);
        er_free(languages[i].rules);
        languages[i] = (er_language){0};
        loaded[i] = NULL;
    }
}

static bool ends_in(er_slice text, er_slice ending)
{
    return text.len >= ending.len &&
           er_slice_equal(er_slice_sub(text, text.len - ending.len, text.len), ending);
}

static bool has_ending(const struct built_in *one, er_slice path)
{
    for (size_t i = 0; one->endings[i] != NULL; i++) {
        if (ends_in(path, er_slice_string(one->endings[i]))) {
            return true;
        }
    }
    return false;
}

const er_language *er_language_of(const char *path)
{
    er_slice whole = er_slice_string(path);
    for (size_t i = 0; i < BUILT_IN_COUNT && loaded[0] != NULL; i++) {
        if (!has_ending(&built_ins[i], whole)) {
            continue;
        }
        size_t count = 0;
        const er_rule *skipped = er_language_rules(loaded[i], ER_RULE_SKIP_FILE, &count);
        for (size_t j = 0; j < count; j++) {
            if (ends_in(whole, skipped[j].name)) {
                return NULL;
            }
        }
        return loaded[i];
    }
    return NULL;
}

const char *er_language_name(const er_language *language)
{
    return language->name;
}

const TSLanguage *er_language_grammar(const er_language *language)
{
    return language->grammar;
}

const TSQuery *er_language_query(const er_language *language)
{
    return language->query;
}

er_role er_language_role(const er_language *language, TSSymbol symbol)
{
    return symbol < ts_language_symbol_count(language->grammar) ? (er_role)language->roles[symbol]
                                                                : ER_ROLE_NONE;
}

er_capture er_language_capture(const er_language *language, uint32_t id)
{
    return (er_capture)language->captures[id];
}

bool er_language_curly(const er_language *language)
{
    return language->curly;
}

const er_rule *er_language_rules(const er_language *language, er_rule_kind kind, size_t *count)
{
    *count = language->first[kind + 1] - language->first[kind];
    return language->rules != NULL ? language->rules + language->first[kind] : NULL;
}

const er_rule *er_language_rule(const er_language *language, er_rule_kind kind, er_slice qualifier,
                                er_slice name)
{
    size_t low = language->first[kind], high = language->first[kind + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (er_slice_compare(language->rules[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < language->first[kind + 1]; low++) {
        const er_rule *rule = &language->rules[low];
        if (!er_slice_equal(rule->name, name)) {
            break;
        }
        if (er_slice_equal(rule->qualifier, qualifier) ||
            (qualifier.len > 0 && er_slice_is(rule->qualifier, "*"))) {
            return rule;
        }
    }
    return NULL;
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool contains_any_case(er_slice text, er_slice part)
{
    for (size_t i = 0; i + part.len <= text.len; i++) {
        size_t same = 0;
        while (same < part.len && small(text.at[i + same]) == part.at[same]) {
            same++;
        }
        if (same == part.len) {
            return true;
        }
    }
    return false;
}

bool er_language_error_name(const er_language *language, er_slice name)
{
    size_t count = 0;
    const er_rule *rules = er_language_rules(language, ER_RULE_ERROR_NAME, &count);
    for (size_t i = 0; i < count; i++) {
        if (contains_any_case(name, rules[i].name)) {
            return true;
        }
    }
    return false;
}

bool er_language_trouble(const er_language *language, er_slice word)
{
    char lower[32];
    if (word.len == 0 || word.len > sizeof(lower)) {
        return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        lower[i] = small(word.at[i]);
    }
    return er_language_rule(language, ER_RULE_TROUBLE, (er_slice){0}, er_slice_of(lower, word.len)) != NULL;
}
