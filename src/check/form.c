/* form.c - the table of forms, and the walk over a record and its guide that holds them to it. */
#include "check/form.h"

#include "check/entry.h"
#include "match/regex.h"

#include <stdio.h>
#include <stdlib.h>

#define STRING  ER_FORM_STRING
#define OR_NULL ER_FORM_NULL
#define CODE                                                                                                 \
    {                                                                                                        \
        0, 2000                                                                                              \
    } /* characters: short code */

#define TIME                                                                                                 \
    "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"            \
    "(\\.[0-9]+)?Z$"
#define TIME_SAYS    "must be a time in UTC like 2026-09-02T04:41:54.247Z"
#define ID           "^[0-9a-f]{16}$"
#define ID_SAYS      "must be 16 hexadecimal digits in lower case"
#define RELEASE      "^v(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$"
#define RELEASE_SAYS "must be a release like v2.10.29"

static const char *const types[] = {"exception", "log", "api", "protocol", NULL};
static const char *const severities[] = {"fatal", "error", "warning", "info", NULL};
static const char *const strategies[] = {"retry",        "reconfigure", "fix-caller", "grant-access",
                                         "add-capacity", "repair",      "upgrade",    "ignore",
                                         "escalate",     NULL};
static const char *const hows[] = {"run", "read", NULL};
static const char *const roles[] = {"cause", NULL};

/* In an order where a member stands behind the object that it is in. */
/* clang-format off */
const er_form er_forms[] = {
    {.path = "record", .kinds = ER_FORM_OBJECT},
    {.path = "record.id", .kinds = STRING, .pattern = ID, .says = ID_SAYS},
    {.path = "record.repo", .kinds = STRING, .pattern = "^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9._-]+$",
     .says = "must be OWNER/NAME"},
    {.path = "record.slug", .kinds = STRING, .pattern = "^[a-z0-9]+(-[a-z0-9]+)*$",
     .says = "must be words of a-z and 0-9 with a - between"},
    {.path = "record.errorCode", .kinds = STRING | OR_NULL, .characters = {1, 64}},
    {.path = "record.errorMessage", .kinds = STRING, .characters = {1, 2000}},
    {.path = "record.messagePattern", .kinds = STRING, .characters = {1, 4000}},
    {.path = "record.errorType", .kinds = STRING, .values = types},
    {.path = "record.errorClass", .kinds = STRING | OR_NULL, .characters = {1, 128}},
    {.path = "record.httpStatus", .kinds = ER_FORM_INTEGER | OR_NULL, .value = {100, 599}},
    {.path = "record.severity", .kinds = STRING, .values = severities},
    {.path = "record.filePath", .kinds = STRING, .pattern = "^[^/:\\s]+(/[^/:\\s]+)*$",
     .says = "must be a path inside the repo"},
    {.path = "record.lineNumber", .kinds = ER_FORM_INTEGER, .value = {1, 0}},
    {.path = "record.sourceCode", .kinds = OR_NULL},
    {.path = "record.sourceCodeStart", .kinds = OR_NULL},
    {.path = "record.sourceCodeEnd", .kinds = OR_NULL},
    {.path = "record.githubUrl", .kinds = STRING, .pattern = "^https://github\\.com/[^\\s]+#L[0-9]+-L[0-9]+$",
     .says = "must be a link to lines on github.com"},
    {.path = "record.documentation", .kinds = STRING, .words = {40, 160}},
    {.path = "record.triggerScenarios", .kinds = STRING, .words = {10, 160}},
    {.path = "record.commonSituations", .kinds = STRING, .words = {10, 160}},
    {.path = "record.solutions", .kinds = ER_FORM_ARRAY, .entries = {2, 5}},
    {.path = "record.solutions[]", .kinds = STRING, .words = {3, 60}},
    {.path = "record.exampleFix", .kinds = STRING | OR_NULL, .characters = CODE},
    {.path = "record.handlingStrategy", .kinds = STRING, .values = strategies},
    {.path = "record.validationCode", .kinds = STRING | OR_NULL, .characters = CODE},
    {.path = "record.typeGuard", .kinds = STRING | OR_NULL, .characters = CODE},
    {.path = "record.tryCatchPattern", .kinds = STRING | OR_NULL, .characters = CODE},
    {.path = "record.preventionTips", .kinds = ER_FORM_ARRAY, .entries = {0, 4}},
    {.path = "record.preventionTips[]", .kinds = STRING, .words = {3, 60}},
    {.path = "record.tags", .kinds = ER_FORM_ARRAY, .entries = {3, 6}},
    {.path = "record.tags[]", .kinds = STRING, .characters = {1, 64}},
    {.path = "record.backgroundTag", .kinds = STRING, .characters = {1, 64}},
    {.path = "record.analyzedSha", .kinds = STRING, .pattern = "^[0-9a-f]{40}$",
     .says = "must be a commit: 40 hexadecimal digits in lower case"},
    {.path = "record.analyzedAt", .kinds = STRING, .pattern = TIME, .says = TIME_SAYS},
    {.path = "record.contentChangedAt", .kinds = STRING | OR_NULL, .pattern = TIME, .says = TIME_SAYS},
    {.path = "record.schemaVersion", .kinds = ER_FORM_INTEGER, .value = {2, 2}},

    {.path = "guide", .kinds = ER_FORM_OBJECT},
    {.path = "guide.captureNames", .kinds = ER_FORM_ARRAY, .entries = {0, ER_RECORD_MAX_CAPTURES}},
    {.path = "guide.captureNames[]", .kinds = STRING, .pattern = "^[a-z][A-Za-z0-9_]{0,31}$",
     .says = "must be a name of at most 32 letters, digits and _ that begins with a small letter"},
    {.path = "guide.foreignId", .kinds = ER_FORM_TRUE, .optional = true},
    {.path = "guide.commands", .kinds = ER_FORM_ARRAY, .entries = {0, 8}},
    {.path = "guide.commands[]", .kinds = ER_FORM_OBJECT},
    {.path = "guide.commands[].purpose", .kinds = STRING, .words = {2, 30}},
    {.path = "guide.commands[].command", .kinds = STRING, .characters = {1, 500}},
    {.path = "guide.examples", .kinds = ER_FORM_ARRAY, .entries = {1, 16}},
    {.path = "guide.examples[]", .kinds = ER_FORM_OBJECT},
    {.path = "guide.examples[].line", .kinds = STRING, .characters = {1, 8000}},
    {.path = "guide.examples[].captures", .kinds = ER_FORM_OBJECT},
    {.path = "guide.examples[].captures{}", .kinds = STRING, .characters = {0, 4000}},
    {.path = "guide.examples[].as", .kinds = STRING, .optional = true, .values = roles},
    {.path = "guide.versions", .kinds = ER_FORM_OBJECT},
    {.path = "guide.versions.first", .kinds = STRING | OR_NULL, .pattern = RELEASE, .says = RELEASE_SAYS},
    {.path = "guide.versions.last", .kinds = STRING | OR_NULL, .pattern = RELEASE, .says = RELEASE_SAYS},
    {.path = "guide.alsoAt", .kinds = ER_FORM_ARRAY, .entries = {0, ER_RECORD_MAX_LIST}},
    {.path = "guide.alsoAt[]", .kinds = STRING, .pattern = "^[^/:\\s]+(/[^/:\\s]+)*:[1-9][0-9]*$",
     .says = "must be path:line"},
    {.path = "guide.related", .kinds = ER_FORM_ARRAY, .entries = {0, 32}},
    {.path = "guide.related[]", .kinds = STRING, .pattern = ID, .says = ID_SAYS},
    {.path = "guide.supersedes", .kinds = STRING | OR_NULL, .pattern = ID, .says = ID_SAYS},
    {.path = "guide.rateLimited", .kinds = ER_FORM_BOOLEAN},
    {.path = "guide.verified", .kinds = ER_FORM_OBJECT},
    {.path = "guide.verified.how", .kinds = STRING, .values = hows},
    {.path = "guide.verified.release", .kinds = STRING | OR_NULL, .pattern = RELEASE, .says = RELEASE_SAYS},
};
/* clang-format on */
const size_t er_form_count = sizeof(er_forms) / sizeof(er_forms[0]);

#define FORMS    (sizeof(er_forms) / sizeof(er_forms[0]))
#define MAX_PATH 320 /* a capture's name, which is free, and what is before it */

size_t er_form_find(const char *path)
{
    size_t i = 0;
    while (i < er_form_count && strcmp(er_forms[i].path, path) != 0) {
        i++;
    }
    return i;
}

/* ---- The walk ---- */

typedef struct walk {
    er_check *check;
    const er_entry *entry;
    er_regex *patterns[FORMS]; /* NULL where the form has none */
    er_regex_room *room;
    size_t members[FORMS]; /* for an object, its first member in the table; FORMS for none */
    er_json json;
    char form_path[MAX_PATH]; /* as in the table */
    char place[MAX_PATH];     /* as it is told: with indexes */
} walk;

static void refuse(walk *w, const char *format, const char *what)
{
    er_finding_add(w->check, "form", w->entry, w->place, format, what);
}

static unsigned count_words(er_slice text)
{
    unsigned count = 0;
    bool inside = false;
    for (size_t i = 0; i < text.len; i++) {
        bool blank = text.at[i] == ' ' || (text.at[i] >= '\t' && text.at[i] <= '\r');
        count += !blank && !inside;
        inside = !blank;
    }
    return count;
}

static unsigned count_characters(er_slice text)
{
    unsigned count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += ((unsigned char)text.at[i] & 0xC0) != 0x80;
    }
    return count;
}

/* What is counted, as one and as many. */
typedef struct unit {
    const char *one, *many;
} unit;

static const unit words = {"word", "words"};
static const unit characters = {"character", "characters"};
static const unit entries = {"entry", "entries"};

static void hold_range(walk *w, er_form_range range, unsigned count, unit counted)
{
    char what[96];
    const char *name = count == 1 ? counted.one : counted.many;
    if (count < range.least) {
        (void)snprintf(what, sizeof(what), "has %u %s, at least %u are needed", count, name, range.least);
        refuse(w, "%s", what);
    } else if (range.most > 0 && count > range.most) {
        (void)snprintf(what, sizeof(what), "has %u %s, at most %u are allowed", count, name, range.most);
        refuse(w, "%s", what);
    }
}

static void hold_values(walk *w, const char *const *values, er_slice text)
{
    char all[256] = "";
    size_t used = 0;
    for (size_t i = 0; values[i] != NULL; i++) {
        if (er_slice_is(text, values[i])) {
            return;
        }
        used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s", i == 0 ? "" : ", ", values[i]);
    }
    refuse(w, "must be one of: %s", all);
}

static void hold_string(walk *w, size_t form)
{
    const er_form *wanted = &er_forms[form];
    er_slice value;
    if (!er_json_skip(&w->json, &value)) {
        return;
    }
    er_slice text = er_entry_text(w->check, value);
    hold_range(w, wanted->words, count_words(text), words);
    hold_range(w, wanted->characters, count_characters(text), characters);
    if (wanted->values != NULL) {
        hold_values(w, wanted->values, text);
    }
    if (w->patterns[form] != NULL) {
        size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
        /* `$` of PCRE2 also stands before a last line feed */
        bool ends = text.len == 0 || text.at[text.len - 1] != '\n';
        if (!ends || er_regex_match(w->patterns[form], w->room, text, 0, text.len, spans) != ER_REGEX_MATCH) {
            refuse(w, "%s", wanted->says);
        }
    }
}

static void hold_integer(walk *w, size_t form)
{
    char what[96];
    long long value = 0;
    const er_form_range range = er_forms[form].value;
    if (!er_json_integer(&w->json, &value)) {
        return;
    }
    bool high = range.most > 0 && value > (long long)range.most;
    if (value < (long long)range.least || high) {
        (void)snprintf(what, sizeof(what), "is %lld, and must be from %u to %u", value, range.least,
                       range.most);
        refuse(w, "%s", what);
    }
}

static void hold_value(walk *w);

/* Goes into a member or an entry: both paths grow, and are cut back by `leave`. */
typedef struct mark {
    size_t form_path, place;
} mark;

static mark enter(walk *w, const char *form_step, const char *step, int step_len)
{
    mark before = {strlen(w->form_path), strlen(w->place)};
    (void)snprintf(w->form_path + before.form_path, MAX_PATH - before.form_path, "%s", form_step);
    (void)snprintf(w->place + before.place, MAX_PATH - before.place, "%.*s", step_len, step);
    return before;
}

static void leave(walk *w, mark before)
{
    w->form_path[before.form_path] = '\0';
    w->place[before.place] = '\0';
}

static void hold_array(walk *w, size_t form)
{
    char step[24];
    unsigned count = 0;
    er_json_array_begin(&w->json);
    while (er_json_array_next(&w->json)) {
        int len = snprintf(step, sizeof(step), "[%u]", count++);
        mark before = enter(w, "[]", step, len);
        hold_value(w);
        leave(w, before);
    }
    hold_range(w, er_forms[form].entries, count, entries);
}

/* Whether the form is of a member of the object whose path has `len` bytes. */
static bool is_member(const char *path, const char *object, size_t len)
{
    return strncmp(path, object, len) == 0 && path[len] == '.' && strpbrk(path + len + 1, ".[{") == NULL;
}

static void hold_missing(walk *w, const bool seen[FORMS])
{
    size_t len = strlen(w->form_path);
    for (size_t i = 0; i < FORMS; i++) {
        if (!er_forms[i].optional && !seen[i] && is_member(er_forms[i].path, w->form_path, len)) {
            const char *name = er_forms[i].path + len;
            mark before = enter(w, name, name, (int)strlen(name));
            refuse(w, "%s", "is missing");
            leave(w, before);
        }
    }
}

static void hold_object(walk *w)
{
    er_slice key;
    char step[MAX_PATH];
    bool seen[FORMS] = {false};
    mark free_member = enter(w, "{}", "", 0);
    bool is_free = er_form_find(w->form_path) < FORMS;
    leave(w, free_member);
    er_json_object_begin(&w->json);
    while (er_json_object_next(&w->json, &key)) {
        int len = snprintf(step, sizeof(step), ".%.*s", (int)key.len, key.at);
        mark before = enter(w, is_free ? "{}" : step, step, len);
        size_t form = er_form_find(w->form_path);
        if (form < FORMS) {
            seen[form] = true;
        }
        hold_value(w);
        leave(w, before);
    }
    hold_missing(w, seen);
}

static unsigned kind_of(er_json_kind kind)
{
    switch (kind) {
    case ER_JSON_OBJECT:
        return ER_FORM_OBJECT;
    case ER_JSON_ARRAY:
        return ER_FORM_ARRAY;
    case ER_JSON_STRING:
        return ER_FORM_STRING;
    case ER_JSON_NUMBER:
        return ER_FORM_INTEGER;
    case ER_JSON_TRUE:
        return ER_FORM_BOOLEAN | ER_FORM_TRUE;
    case ER_JSON_FALSE:
        return ER_FORM_BOOLEAN;
    case ER_JSON_NULL:
        return ER_FORM_NULL;
    case ER_JSON_NONE:
        break;
    }
    return 0;
}

/* What the loader takes and the table does not: null where a text must be, an excerpt, `false`. */
static void hold_kind(walk *w, size_t form)
{
    const unsigned kinds = er_forms[form].kinds;
    if (kinds == ER_FORM_TRUE) {
        refuse(w, "%s", "must be true, or absent");
    } else if (kinds == ER_FORM_NULL) {
        refuse(w, "%s", "must be null: the code belongs to its own project");
    } else {
        refuse(w, "%s", "is of the wrong type");
    }
    er_json_skip(&w->json, NULL);
}

static void hold_value(walk *w)
{
    size_t form = er_form_find(w->form_path);
    unsigned kind = kind_of(er_json_peek(&w->json));
    if (form == FORMS) {
        refuse(w, "%s", "is not a known member");
        er_json_skip(&w->json, NULL);
    } else if ((er_forms[form].kinds & kind) == 0) {
        hold_kind(w, form);
    } else if (kind == ER_FORM_STRING) {
        hold_string(w, form);
    } else if (kind == ER_FORM_INTEGER) {
        hold_integer(w, form);
    } else if (kind == ER_FORM_ARRAY) {
        hold_array(w, form);
    } else if (kind == ER_FORM_OBJECT) {
        hold_object(w);
    } else {
        er_json_skip(&w->json, NULL);
    }
}

static void hold_part(walk *w, const char *name, er_slice text)
{
    (void)snprintf(w->form_path, MAX_PATH, "%s", name);
    (void)snprintf(w->place, MAX_PATH, "%s", name);
    er_json_start(&w->json, text, ER_JSON_MAX_DEPTH);
    hold_value(w);
}

void er_check_forms(er_check *check)
{
    walk *w = er_check_take(check, sizeof(*w));
    if (w == NULL) {
        return;
    }
    w->check = check;
    check->status = er_regex_room_new(&w->room);
    for (size_t i = 0; i < FORMS && check->status == ER_OK; i++) {
        if (er_forms[i].pattern != NULL) {
            check->status =
                er_regex_compile(&w->patterns[i], er_slice_string(er_forms[i].pattern), false, false, NULL);
        }
    }
    for (size_t i = 0; i < check->count && check->status == ER_OK; i++) {
        w->entry = &check->entries[i];
        if (w->entry->record->has_guide) {
            hold_part(w, "record", w->entry->record->json);
            hold_part(w, "guide", w->entry->guide_text);
        }
    }
    for (size_t i = 0; i < FORMS; i++) {
        er_regex_free(&w->patterns[i]);
    }
    er_regex_room_free(&w->room);
}
