#include "answer/command_fill.h"

#include "answer/utf8.h"

#include <stdio.h>

/* Where in the shell's grammar the template stands. */
typedef struct shell_place {
    char quote;      /* '\'', '"' or '`' inside such, else 0 */
    bool escaped;    /* behind a backslash */
    bool at_command; /* the next word names a command */
    bool closed;     /* nothing is filled in any more: here quoting is not known to hold */
    char last;
} shell_place;

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* The name inside `{name}` or `{frame.name}` at text.at[at], or an empty slice. */
static er_slice placeholder_at(er_slice text, size_t at)
{
    const er_slice frame = ER_SLICE("{frame.name}");
    er_slice rest = er_slice_sub(text, at, text.len);
    if (er_slice_starts(rest, frame)) {
        return er_slice_sub(frame, 1, frame.len - 1);
    }
    size_t end = 1;
    while (end < rest.len && is_name_char(rest.at[end])) {
        end++;
    }
    return end < rest.len && rest.at[end] == '}' ? er_slice_sub(rest, 1, end) : er_slice_of(NULL, 0);
}

er_slice er_group_name(const er_record *record, uint32_t group, char digits[ER_GROUP_NAME_SIZE])
{
    if (group >= 1 && group <= record->capture_count && record->capture_names[group - 1].len > 0) {
        return record->capture_names[group - 1];
    }
    int length = snprintf(digits, ER_GROUP_NAME_SIZE, "%u", (unsigned)group);
    return er_slice_of(digits, (size_t)length);
}

/* What the match holds under the name; false where it holds nothing. */
static bool captured(const er_record *record, const er_match *match, er_slice name, er_slice *value)
{
    if (er_slice_is(name, "frame.name")) {
        *value = match->frame.name;
        return value->len > 0;
    }
    for (uint32_t i = 0; i < match->capture_count; i++) {
        char digits[ER_GROUP_NAME_SIZE];
        if (er_slice_equal(er_group_name(record, match->captures[i].group, digits), name)) {
            *value = match->captures[i].value;
            return true;
        }
    }
    return false;
}

/* Whether the record means the name as a placeholder; `{print}` of an awk program is none. */
static bool is_known(const er_record *record, er_slice name)
{
    if (er_slice_is(name, "frame.name")) {
        return true;
    }
    for (uint32_t i = 0; i < record->capture_count; i++) {
        if (er_slice_equal(record->capture_names[i], name)) {
            return true;
        }
    }
    return false;
}

bool er_command_takes(er_slice value)
{
    return value.len > 0 && value.at[0] != '-' && value.at[0] != '+' && er_utf8_is_plain(value);
}

static bool is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_-./:@,+", c) != NULL);
}

void er_command_quote(er_buffer *out, er_slice value)
{
    size_t safe = 0;
    while (safe < value.len && is_safe(value.at[safe])) {
        safe++;
    }
    if (safe == value.len && value.len > 0) {
        er_buffer_add(out, value);
        return;
    }
    er_buffer_add_char(out, '\'');
    for (size_t i = 0; i < value.len; i++) {
        if (value.at[i] == '\'') {
            er_buffer_add_string(out, "'\\''");
        } else {
            er_buffer_add_char(out, value.at[i]);
        }
    }
    er_buffer_add_char(out, '\'');
}

static void add_capitals(er_buffer *out, er_slice name)
{
    if (er_slice_is(name, "frame.name")) {
        name = ER_SLICE("name");
    } else if (name.at[0] >= '0' && name.at[0] <= '9') {
        er_buffer_add_string(out, "CAPTURE"); /* a number alone would read as a value */
    }
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        er_buffer_add_char(out, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
}

static void step_quoted(shell_place *place, char c)
{
    if (place->escaped) {
        place->escaped = false;
    } else if (c == '\\' && place->quote != '\'') {
        place->escaped = true;
    } else if (c == place->quote) {
        place->quote = 0;
    }
}

/* A here-document, arithmetic, a comment (its apostrophes open no quotes), and quotes of bash alone. */
static bool closes(const shell_place *place, char c)
{
    char last = place->last;
    bool starts_word = last == '\0' || last == ' ' || last == '\t' || last == '\n';
    return (c == '<' && last == '<') || (c == '(' && last == '(') || (c == '#' && starts_word) ||
           (c == '\'' && last == '$');
}

static void step(shell_place *place, char c)
{
    place->closed = place->closed || (!place->quote && !place->escaped && closes(place, c));
    if (place->quote) {
        step_quoted(place, c);
    } else if (place->escaped) {
        place->escaped = false;
        place->at_command = false;
    } else if (c == '\\') {
        place->escaped = true;
    } else if (c == '\'' || c == '"' || c == '`') {
        place->quote = c;
        place->at_command = false;
    } else if (c == '|' || c == ';' || c == '&' || c == '(' || c == '\n') {
        place->at_command = true;
    } else if (c != ' ' && c != '\t') {
        place->at_command = false;
    }
    place->last = c;
}

static void fill_one(er_buffer *out, const er_record *record, const er_match *match, const shell_place *place,
                     er_slice name)
{
    er_slice value = {0};
    bool open = !place->quote && !place->at_command && !place->closed;
    if (open && captured(record, match, name, &value) && er_command_takes(value)) {
        er_command_quote(out, value);
    } else {
        add_capitals(out, name);
    }
}

void er_command_fill(er_buffer *out, const er_record *record, size_t index, const er_match *match)
{
    er_slice text = record->commands[index].command;
    if (!memchr(text.at, '{', text.len)) {
        er_buffer_add(out, text);
        return;
    }
    shell_place place = {.at_command = true};
    for (size_t at = 0; at < text.len;) {
        bool literal = text.at[at] != '{' || place.escaped || (place.last == '$' && !place.quote);
        er_slice name = literal ? er_slice_of(NULL, 0) : placeholder_at(text, at);
        if (name.len == 0 || (place.quote && !is_known(record, name))) {
            er_buffer_add_char(out, text.at[at]);
            step(&place, text.at[at]);
            at++;
        } else {
            fill_one(out, record, match, &place, name);
            place.at_command = false;
            place.last = '}';
            at += name.len + 2;
        }
    }
}
