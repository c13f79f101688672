/*
 * link.c - names to texts, calls to what they raise.
 */
#include "extract/link.h"

#include <stdio.h>

#define MOST_DEPTH 6

static void read_place(const er_link *link, er_fact_place place, er_fact *fact)
{
    er_slice facts = link->program->inputs[place.input].facts;
    er_fact_reader reader = {.rest = er_slice_sub(facts, place.offset, facts.len)};
    er_fact_next(&reader, fact);
}

/* The scope in which `qualifier.name` is looked up, as the input sees it. */
static er_slice scope_of(const er_link *link, uint32_t input, er_slice qualifier)
{
    if (qualifier.len > 0) {
        uint32_t other = er_table_get(&link->packages, (er_key){qualifier, {0}});
        if (other != ER_TABLE_NONE) {
            return link->scopes[other];
        }
    }
    return link->scopes[input];
}

er_slice er_link_numbered(char *out, size_t size, er_slice name, uint32_t number)
{
    int len = snprintf(out, size, "%.*s#%u", (int)name.len, name.at, number);
    return er_slice_of(out, len > 0 && (size_t)len < size ? (size_t)len : 0);
}

bool er_link_definition(const er_link *link, uint32_t input, er_slice qualifier, er_slice name, er_fact *fact,
                        uint32_t *where)
{
    er_slice scope = scope_of(link, input, qualifier);
    uint32_t place = er_table_get(&link->definitions, (er_key){scope, name});
    if (place == ER_TABLE_NONE) {
        return false;
    }
    read_place(link, link->places[place], fact);
    if (fact->kind == ER_FACT_ENTRY) {
        char key[256];
        er_slice text = er_link_numbered(key, sizeof(key), fact->qualifier, fact->argument);
        place = er_table_get(&link->texts, (er_key){scope, text});
        if (place == ER_TABLE_NONE) {
            return false;
        }
        read_place(link, link->places[place], fact);
    }
    *where = link->places[place].input;
    return true;
}

/* --- what raises -------------------------------------------------------------------- */

static bool raise_by_key(const er_link *link, er_slice scope, er_slice name, er_raise *raise)
{
    uint32_t at = er_table_get(&link->raisers, (er_key){scope, name});
    if (at == ER_TABLE_NONE) {
        return false;
    }
    *raise = link->raises[at];
    return true;
}

static er_slice dotted(char *out, size_t size, er_slice type, er_slice field)
{
    int len = snprintf(out, size, "%.*s.%.*s", (int)type.len, type.at, (int)field.len, field.at);
    return er_slice_of(out, len > 0 && (size_t)len < size ? (size_t)len : 0);
}

static bool starts_limited(er_slice name)
{
    return name.len > 9 && (memcmp(name.at, "RateLimit", 9) == 0 || memcmp(name.at, "rateLimit", 9) == 0);
}

static bool raise_by_rule(const er_language *language, const er_fact *fact, er_raise *raise)
{
    const er_rule *rule = er_language_rule(language, ER_RULE_RAISE, fact->qualifier, fact->name);
    if (rule == NULL || rule->argument != fact->argument) {
        return false;
    }
    *raise = (er_raise){rule->type, rule->severity, false, starts_limited(fact->name), rule->optional};
    return true;
}

static er_raise raise_of_type(const er_language *language, er_slice type)
{
    const er_rule *rule = er_language_rule(language, ER_RULE_TYPE, (er_slice){0}, type);
    if (rule != NULL) {
        return (er_raise){rule->type, rule->severity, false, false, false};
    }
    return (er_raise){ER_EXCEPTION, ER_ERROR, false, false, false};
}

static bool raise_of_field(const er_link *link, uint32_t input, const er_fact *fact, er_raise *raise)
{
    char key[256];
    er_slice field = fact->field;
    if (field.len == 0) {
        er_fact type;
        uint32_t place = er_table_get(&link->types, (er_key){link->scopes[input], fact->name});
        if (place == ER_TABLE_NONE) {
            return false;
        }
        read_place(link, link->places[place], &type);
        if (fact->argument == 0 || fact->argument > type.name_count) {
            return false;
        }
        field = type.names[fact->argument - 1];
    }
    return raise_by_key(link, link->scopes[input], dotted(key, sizeof(key), fact->name, field), raise);
}

bool er_link_raise(const er_link *link, uint32_t input, const er_fact *fact, er_raise *raise)
{
    const er_language *language = link->program->inputs[input].language;
    char key[256];
    bool found = false;
    switch (fact->kind) {
    case ER_FACT_CALL:
        found = raise_by_rule(language, fact, raise) ||
                raise_by_key(link, scope_of(link, input, fact->qualifier),
                             er_link_numbered(key, sizeof(key), fact->name, fact->argument), raise);
        break;
    case ER_FACT_RETURN:
        *raise = raise_of_type(language, fact->name);
        found = true;
        break;
    case ER_FACT_FIELD:
        found = raise_of_field(link, input, fact, raise);
        break;
    case ER_FACT_LITERAL: {
        const er_rule *rule = er_language_rule(language, ER_RULE_TEXT_TABLE, (er_slice){0}, fact->name);
        if (rule != NULL && fact->argument >= rule->argument) {
            *raise = (er_raise){rule->type, rule->severity, false, false, false};
            found = true;
        }
        break;
    }
    case ER_FACT_STATUS:
        *raise = (er_raise){ER_PROTOCOL, ER_ERROR, false, false, true};
        found = true;
        break;
    default:
        break;
    }
    if (found && fact->reason) {
        raise->reason = true;
    }
    return found;
}

/* --- texts -------------------------------------------------------------------------- */

typedef struct writer {
    const er_link *link;
    er_text *out;
    const er_slice *names; /* of the format call, taken in turn */
    uint32_t name_count, name_next;
    bool curly;
} writer;

static void put(writer *to, er_slice text)
{
    size_t room = sizeof(to->out->bytes) - to->out->len;
    size_t len = text.len < room ? text.len : room;
    memcpy(to->out->bytes + to->out->len, text.at, len);
    to->out->len += len;
}

static void put_name(writer *to, er_slice name)
{
    if (to->out->name_count < ER_FACT_MAX_NAMES) {
        to->out->names[to->out->name_count++] = name.len > 0 ? name : ER_SLICE("value");
    }
}

static void take_placeholder(void *context, er_slice placeholder)
{
    writer *to = context;
    if (placeholder.at[0] == '{') {
        put_name(to, er_slice_sub(placeholder, 1, placeholder.len - 1));
    } else if (to->name_next < to->name_count) {
        put_name(to, to->names[to->name_next++]);
    } else {
        put_name(to, ER_SLICE("value"));
    }
}

/* The text stands as it is in the source, also where a call takes no format and a per cent
   sign means itself: the id hangs on it. */
static void put_literal(writer *to, er_slice text)
{
    put(to, text);
    er_rule_placeholders(text, take_placeholder, to);
}

static void put_hole(writer *to, er_slice name)
{
    if (to->curly) {
        put(to, ER_SLICE("{"));
        put(to, name);
        put(to, ER_SLICE("}"));
    } else {
        put(to, ER_SLICE("%s"));
    }
    put_name(to, name);
}

static void put_fact(writer *to, uint32_t input, const er_fact *fact, unsigned depth);

static void put_defined(writer *to, uint32_t input, const er_piece *piece, unsigned depth)
{
    er_fact definition;
    uint32_t where = 0;
    if (depth >= MOST_DEPTH ||
        !er_link_definition(to->link, input, piece->qualifier, piece->text, &definition, &where)) {
        put_hole(to, ER_SLICE("value"));
        if (to->out->reason == NULL) {
            to->out->reason = "a name whose text is not in the tree";
        }
        return;
    }
    const er_slice *names = to->names;
    uint32_t count = to->name_count, next = to->name_next;
    if (definition.kind == ER_FACT_CALL) {
        to->names = definition.names;
        to->name_count = definition.name_count;
        to->name_next = 0;
    }
    put_fact(to, where, &definition, depth + 1);
    if (definition.kind == ER_FACT_CALL) {
        to->names = names;
        to->name_count = count;
        to->name_next = next;
    }
}

static void put_fact(writer *to, uint32_t input, const er_fact *fact, unsigned depth)
{
    for (uint32_t i = 0; i < fact->piece_count; i++) {
        const er_piece *piece = &fact->pieces[i];
        switch (piece->kind) {
        case ER_PIECE_LITERAL:
            put_literal(to, piece->text);
            break;
        case ER_PIECE_NAME:
            put_defined(to, input, piece, depth);
            break;
        case ER_PIECE_PARAMETER:
            put_hole(to, ER_SLICE("reason"));
            break;
        case ER_PIECE_FIELD:
            put_hole(to, ER_SLICE("reason"));
            break;
        case ER_PIECE_HOLE:
            put_hole(to, piece->text);
            if (to->out->reason == NULL) {
                to->out->reason =
                    fact->of_error ? "the text of another error" : "a value that is made at run time";
            }
            break;
        }
    }
}

typedef struct blanks {
    er_slice text;
    char *copy;
} blanks;

static void blank_out(void *context, er_slice placeholder)
{
    blanks *one = context;
    memset(one->copy + (placeholder.at - one->text.at), ' ', placeholder.len);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* The text with its placeholders blanked, in `copy`; returns how much of it. */
static size_t own_text(er_slice text, char copy[ER_PROGRAM_MAX_TEXT])
{
    blanks one = {er_slice_sub(text, 0, text.len < ER_PROGRAM_MAX_TEXT ? text.len : ER_PROGRAM_MAX_TEXT),
                  copy};
    memcpy(copy, one.text.at, one.text.len);
    er_rule_placeholders(one.text, blank_out, &one);
    return one.text.len;
}

bool er_link_has_word(er_slice text)
{
    char copy[ER_PROGRAM_MAX_TEXT];
    size_t len = own_text(text, copy);
    for (size_t i = 0, run = 0; i < len; i++) {
        run = is_letter(copy[i]) ? run + 1 : 0;
        if (run == 2) {
            return true;
        }
    }
    return false;
}

bool er_link_is_reason(const er_language *language, er_slice text)
{
    char copy[ER_PROGRAM_MAX_TEXT];
    size_t len = own_text(text, copy), start = 0;
    er_slice trimmed = er_slice_trim(text);
    bool phrase = trimmed.len > 0 && memchr(trimmed.at, ' ', trimmed.len) != NULL;
    unsigned words = 0;
    for (size_t i = 0; i <= len; i++) {
        if (i < len && (is_letter(copy[i]) || copy[i] == '\'')) {
            continue;
        }
        er_slice word = er_slice_of(copy + start, i - start);
        bool whole =
            (start == 0 || copy[start - 1] == ' ') && (i == len || strchr(" ,:;.)", copy[i]) != NULL);
        words += whole && word.len > 1;
        if (word.len > 1 && er_language_trouble(language, word) && len > word.len) {
            return phrase;
        }
        start = i + 1;
    }
    return words >= 5;
}

void er_link_text(const er_link *link, uint32_t input, const er_fact *fact, er_text *out)
{
    out->len = 0;
    out->name_count = 0;
    out->unknown = false;
    out->reason = NULL;
    out->error_class = (er_slice){0};
    bool curly = er_language_curly(link->program->inputs[input].language);
    writer to = {link, out, fact->names, fact->name_count, 0, curly};
    put_fact(&to, input, fact, 0);
    if (fact->piece_count == 1 && fact->pieces[0].kind == ER_PIECE_NAME && out->reason == NULL) {
        out->error_class = fact->pieces[0].text;
    }
    out->unknown = fact->piece_count == 0;
}
