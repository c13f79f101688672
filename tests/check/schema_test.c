/*
 * catalog/schema/record.schema.json says what the code says: each node of it is compared with
 * the table of forms, both ways, and that table with what the loader takes.
 */
#include "catalog/document.h"
#include "check/bench.h"
#include "check/form.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_FORMS 128

static const struct {
    unsigned kind;
    const char *name;
} kind_names[] = {{ER_FORM_STRING, "string"}, {ER_FORM_INTEGER, "integer"}, {ER_FORM_BOOLEAN, "boolean"},
                  {ER_FORM_ARRAY, "array"},   {ER_FORM_OBJECT, "object"},   {ER_FORM_NULL, "null"}};

static cJSON *read_schema(void)
{
    char *text = bench_read(ERRATA_SOURCE_DIR "/catalog/schema/record.schema.json");
    cJSON *schema = cJSON_Parse(text);
    assert_non_null(schema);
    free(text);
    return schema;
}

static unsigned kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof(kind_names) / sizeof(kind_names[0]); i++) {
        if (strcmp(name, kind_names[i].name) == 0) {
            return kind_names[i].kind;
        }
    }
    fail_msg("the schema has a type %s", name);
    return 0;
}

static unsigned kinds_of(const cJSON *node)
{
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(node, "type");
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(node, "const"))) {
        return ER_FORM_TRUE;
    }
    if (cJSON_IsString(type)) {
        return kind_of(type->valuestring);
    }
    unsigned kinds = 0;
    const cJSON *one;
    assert_true(cJSON_IsArray(type));
    cJSON_ArrayForEach(one, type) kinds |= kind_of(one->valuestring);
    return kinds;
}

static unsigned number_of(const cJSON *node, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(node, name);
    return value != NULL ? (unsigned)value->valueint : 0;
}

static void hold_range(const char *path, const cJSON *node, const char *least, const char *most,
                       er_form_range range)
{
    if (number_of(node, least) != range.least || number_of(node, most) != range.most) {
        fail_msg("%s: %s and %s of the schema are %u and %u, in the code %u and %u", path, least, most,
                 number_of(node, least), number_of(node, most), range.least, range.most);
    }
}

static void hold_pattern(const er_form *form, const cJSON *node)
{
    char words[64] = "";
    const char *found = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(node, "pattern"));
    const char *wanted = form->pattern;
    if (form->words.most > 0) {
        assert_null(form->pattern);
        snprintf(words, sizeof(words), "^\\s*\\S+(\\s+\\S+){%u,%u}\\s*$", form->words.least - 1,
                 form->words.most - 1);
        wanted = words;
    }
    if ((wanted == NULL) != (found == NULL) || (wanted != NULL && strcmp(wanted, found) != 0)) {
        fail_msg("%s: the schema has the pattern %s, the code %s", form->path, found ? found : "(none)",
                 wanted ? wanted : "(none)");
    }
}

static void hold_values(const er_form *form, const cJSON *node)
{
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(node, "enum");
    int count = 0;
    while (form->values != NULL && form->values[count] != NULL) {
        const char *found = cJSON_GetStringValue(cJSON_GetArrayItem(values, count));
        if (found == NULL || strcmp(found, form->values[count]) != 0) {
            fail_msg("%s: the schema does not list %s at its place", form->path, form->values[count]);
        }
        count++;
    }
    assert_int_equal(values != NULL ? cJSON_GetArraySize(values) : 0, count);
}

static bool is_required(const cJSON *object, const char *name)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(object, "required"))
    {
        if (strcmp(one->valuestring, name) == 0) {
            return true;
        }
    }
    return false;
}

static void hold_node(const char *path, const cJSON *node, bool seen[MAX_FORMS]);

static void hold_object(const char *path, const cJSON *node, bool seen[MAX_FORMS])
{
    char below[256];
    const cJSON *free_members = cJSON_GetObjectItemCaseSensitive(node, "additionalProperties");
    const cJSON *members = cJSON_GetObjectItemCaseSensitive(node, "properties");
    const cJSON *one;
    if (cJSON_IsObject(free_members)) {
        snprintf(below, sizeof(below), "%s{}", path);
        hold_node(below, free_members, seen);
        return;
    }
    assert_true(cJSON_IsFalse(free_members));
    assert_non_null(members);
    int required = 0;
    cJSON_ArrayForEach(one, members)
    {
        snprintf(below, sizeof(below), "%s.%s", path, one->string);
        hold_node(below, one, seen);
        required += is_required(node, one->string);
        if (is_required(node, one->string) == er_forms[er_form_find(below)].optional) {
            fail_msg("%s: schema and code differ on whether it is required", below);
        }
    }
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(node, "required")), required);
}

static void hold_keywords(const char *path, const cJSON *node)
{
    static const char *const known[] = {
        "description", "type",      "const",    "enum",       "pattern",
        "minLength",   "maxLength", "minimum",  "maximum",    "minItems",
        "maxItems",    "items",     "required", "properties", "additionalProperties"};
    const cJSON *one;
    cJSON_ArrayForEach(one, node)
    {
        size_t i = 0;
        while (i < sizeof(known) / sizeof(known[0]) && strcmp(one->string, known[i]) != 0) {
            i++;
        }
        if (i == sizeof(known) / sizeof(known[0])) {
            fail_msg("%s: the schema says \"%s\", which the code does not know", path, one->string);
        }
    }
}

static void hold_node(const char *path, const cJSON *node, bool seen[MAX_FORMS])
{
    char below[256];
    size_t index = er_form_find(path);
    if (index == er_form_count) {
        fail_msg("%s is in the schema and not in the code", path);
    }
    const er_form *form = &er_forms[index];
    seen[index] = true;
    hold_keywords(path, node);
    if (kinds_of(node) != form->kinds) {
        fail_msg("%s: the types differ", path);
    }
    hold_range(path, node, "minLength", "maxLength", form->characters);
    hold_range(path, node, "minimum", "maximum", form->value);
    hold_range(path, node, "minItems", "maxItems", form->entries);
    hold_pattern(form, node);
    hold_values(form, node);
    if ((form->kinds & ER_FORM_ARRAY) != 0) {
        snprintf(below, sizeof(below), "%s[]", path);
        hold_node(below, cJSON_GetObjectItemCaseSensitive(node, "items"), seen);
    }
    if ((form->kinds & ER_FORM_OBJECT) != 0) {
        hold_object(path, node, seen);
    }
}

static void says_what_the_code_says(void **state)
{
    (void)state;
    bool seen[MAX_FORMS] = {false};
    cJSON *schema = read_schema();
    assert_true(er_form_count <= MAX_FORMS);
    assert_string_equal(cJSON_GetStringValue(bench_find(schema, "$schema")),
                        "https://json-schema.org/draft/2020-12/schema");
    assert_true(is_required(schema, "record") && is_required(schema, "guide"));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties")));
    assert_int_equal(cJSON_GetArraySize(bench_find(schema, "properties")), 2);
    hold_node("record", bench_find(schema, "properties.record"), seen);
    hold_node("guide", bench_find(schema, "properties.guide"), seen);
    for (size_t i = 0; i < er_form_count; i++) {
        if (!seen[i]) {
            fail_msg("%s is in the code and not in the schema", er_forms[i].path);
        }
    }
    cJSON_Delete(schema);
}

/* ---- The table beside the loader ---- */

static bool is_member_of(const char *path, const char *object, const char *name)
{
    size_t len = strlen(object);
    return strncmp(path, object, len) == 0 && path[len] == '.' && strcmp(path + len + 1, name) == 0;
}

static void has_the_members_of_the_loader(void **state)
{
    (void)state;
    size_t record = 0, guide = 0;
    for (size_t i = 0; i < er_form_count; i++) {
        const char *path = er_forms[i].path;
        const char *name = strchr(path, '.');
        if (name == NULL || strpbrk(name + 1, ".[{") != NULL || strpbrk(path, "[{") != NULL) {
            continue;
        }
        bool found = false;
        for (int m = 0; m < ER_MEMBER_COUNT && !found; m++) {
            found = is_member_of(path, "record", er_member_name((er_member)m));
            record += found;
        }
        for (int m = 0; m < ER_GUIDE_COUNT && !found; m++) {
            found = is_member_of(path, "guide", er_guide_member_name((er_guide_member)m));
            guide += found;
        }
        if (!found) {
            fail_msg("%s is no member that the loader knows", path);
        }
    }
    assert_int_equal(record, ER_MEMBER_COUNT);
    assert_int_equal(guide, ER_GUIDE_COUNT);
}

static void has_the_lists_of_the_loader(void **state)
{
    (void)state;
    const er_form *severity = &er_forms[er_form_find("record.severity")];
    const er_form *type = &er_forms[er_form_find("record.errorType")];
    size_t severities = 0, types = 0;
    for (; severity->values[severities] != NULL; severities++) {
        er_severity parsed;
        assert_true(er_severity_parse(er_slice_string(severity->values[severities]), &parsed));
    }
    for (; type->values[types] != NULL; types++) {
        er_error_type parsed;
        assert_true(er_error_type_parse(er_slice_string(type->values[types]), &parsed));
    }
    assert_int_equal(severities, ER_FATAL + 1);
    assert_int_equal(types, ER_PROTOCOL + 1);
}

static cJSON *example_of(unsigned kind)
{
    switch (kind) {
    case ER_FORM_STRING:
        return cJSON_CreateString("x");
    case ER_FORM_INTEGER:
        return cJSON_CreateNumber(7);
    case ER_FORM_BOOLEAN:
        return cJSON_CreateFalse();
    case ER_FORM_ARRAY:
        return cJSON_CreateArray();
    case ER_FORM_OBJECT:
        return cJSON_CreateObject();
    default:
        return cJSON_CreateNull();
    }
}

static bool loads(const cJSON *document, er_fault *fault)
{
    er_document read;
    char *text = cJSON_PrintUnformatted(document);
    bool good = er_document_read(&read, er_slice_string(text), fault) == ER_OK;
    cJSON_free(text);
    return good;
}

/* Every member of the good record, set to a value of each kind that its form does not have: the loader
   refuses it too, or (null in the place of what the form alone forbids) the table is the stricter one. */
static void is_no_looser_than_the_loader(void **state)
{
    (void)state;
    char *text = bench_read(BENCH_CATALOG "/" BENCH_MAIN);
    cJSON *good = cJSON_Parse(text);
    free(text);
    er_fault fault;
    assert_true(loads(good, &fault));
    size_t tried = 0;
    for (int m = 0; m < ER_MEMBER_COUNT; m++) {
        char path[64];
        const char *name = er_member_name((er_member)m);
        snprintf(path, sizeof(path), "record.%s", name);
        const er_form *form = &er_forms[er_form_find(path)];
        for (size_t k = 0; k < sizeof(kind_names) / sizeof(kind_names[0]); k++) {
            unsigned kind = kind_names[k].kind;
            bool excerpt = form->kinds == ER_FORM_NULL && kind != ER_FORM_BOOLEAN && kind != ER_FORM_ARRAY &&
                           kind != ER_FORM_OBJECT;
            if (excerpt) {
                continue;
            }
            cJSON *bad = cJSON_Duplicate(good, true);
            cJSON_ReplaceItemInObjectCaseSensitive(bench_find(bad, "record"), name, example_of(kind));
            bool taken = loads(bad, &fault);
            if (taken && (form->kinds & kind) == 0) {
                fail_msg("the loader takes %s for %s, and the table does not", kind_names[k].name, path);
            }
            if (kind == ER_FORM_NULL && (form->kinds & ER_FORM_NULL) != 0 && !taken) {
                fail_msg("the table takes null for %s, and the loader does not", path);
            }
            tried++;
            cJSON_Delete(bad);
        }
    }
    assert_true(tried > 100);
    cJSON_Delete(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_the_code_says),
        cmocka_unit_test(has_the_members_of_the_loader),
        cmocka_unit_test(has_the_lists_of_the_loader),
        cmocka_unit_test(is_no_looser_than_the_loader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
