/*
 * rules.c - see rules.h.
 *
 * All of it rests on one scanner that cuts a message into parts: a placeholder,
 * a literal per cent sign, or one byte of text. Pattern, sample, placeholders and the
 * question whether a message has a word of its own differ only in what they do
 * with a part, so they can not disagree about where a placeholder ends.
 */
#include "catalog/rules.h"

#include "base/digest.h"

/* The letters that end a placeholder: Go's verbs, and C's and Python's where they differ. */
#define VERBS "vTtbcdoOqxXUeEfFgGspwiuaAmr"

typedef enum part_kind { PART_TEXT, PART_PERCENT, PART_PLACEHOLDER } part_kind;

typedef struct part {
    part_kind kind;
    char verb; /* of a placeholder: its letter, '{' for a {name} */
    er_slice text;
} part;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_word(char c)
{
    return is_small(c) || is_capital(c) || is_digit(c);
}

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static size_t skip_set(er_slice text, size_t at, const char *set)
{
    while (at < text.len && is_one_of(text.at[at], set)) {
        at++;
    }
    return at;
}

/* Go's explicit argument index, "[2]"; without its closing bracket it is text. */
static size_t skip_index(er_slice text, size_t at)
{
    if (at >= text.len || text.at[at] != '[') {
        return at;
    }
    size_t end = skip_set(text, at + 1, "0123456789");
    return end > at + 1 && end < text.len && text.at[end] == ']' ? end + 1 : at;
}

/*
 * Where the verb of the placeholder that begins at text.at[0] == '%' stands.
 * C's length modifiers are passed over too: none of their letters is a verb of Go.
 */
static size_t find_verb(er_slice text)
{
    size_t at = skip_set(text, 1, "+-# 0'");
    at = skip_index(text, at);
    at = skip_set(text, at, "0123456789*");
    at = skip_set(text, at, ".");
    at = skip_index(text, at);
    at = skip_set(text, at, "0123456789*");
    at = skip_index(text, at);
    return skip_set(text, at, "hlzjL");
}

static part percent_part(er_slice text)
{
    part one = {PART_TEXT, '\0', er_slice_sub(text, 0, 1)};
    if (text.len > 1 && text.at[1] == '%') {
        return (part){PART_PERCENT, '%', er_slice_sub(text, 0, 2)};
    }
    size_t verb = find_verb(text);
    if (verb >= text.len || !is_one_of(text.at[verb], VERBS)) {
        return one;
    }
    /* A blank is a flag of numbers only; "100% sure" is text. */
    if (text.at[1] == ' ' && !is_one_of(text.at[verb], "dxX")) {
        return one;
    }
    return (part){PART_PLACEHOLDER, text.at[verb], er_slice_sub(text, 0, verb + 1)};
}

static part brace_part(er_slice text)
{
    size_t end = 1;
    while (end < text.len && (is_word(text.at[end]) || text.at[end] == '_')) {
        end++;
    }
    if (end == 1 || is_digit(text.at[1]) || end >= text.len || text.at[end] != '}') {
        return (part){PART_TEXT, '\0', er_slice_sub(text, 0, 1)};
    }
    return (part){PART_PLACEHOLDER, '{', er_slice_sub(text, 0, end + 1)};
}

/* Takes one part, of at least one byte, off a text that is not empty. */
static part next_part(er_slice *rest)
{
    part found = {PART_TEXT, '\0', er_slice_sub(*rest, 0, 1)};
    if (rest->at[0] == '%') {
        found = percent_part(*rest);
    } else if (rest->at[0] == '{') {
        found = brace_part(*rest);
    }
    *rest = er_slice_sub(*rest, found.text.len, rest->len);
    return found;
}

er_status er_rule_id(er_slice repo, er_slice message, er_slice code, char out[ER_ID_LEN + 1])
{
    const er_slice parts[] = {repo, ER_SLICE("\n"), message, ER_SLICE("\n"), code};
    char digest[ER_DIGEST_TEXT_SIZE];
    er_status status = er_digest_sha256(parts, code.len > 0 ? 5 : 3, digest);
    out[0] = '\0';
    if (status == ER_OK) {
        memcpy(out, digest, ER_ID_LEN);
        out[ER_ID_LEN] = '\0';
    }
    return status;
}

static bool has_own_word(er_slice message)
{
    er_slice rest = message;
    while (rest.len > 0) {
        part one = next_part(&rest);
        if (one.kind == PART_TEXT && is_word(one.text.at[0])) {
            return true;
        }
    }
    return false;
}

/* Whether a new word begins at `at` of an identifier: "JSCluster" splits before its second capital C. */
static bool begins_word(er_slice name, size_t at)
{
    if (at == 0 || !is_capital(name.at[at])) {
        return false;
    }
    char before = name.at[at - 1];
    return is_small(before) || (is_capital(before) && at + 1 < name.len && is_small(name.at[at + 1]));
}

void er_rule_slug(er_slice message, er_slice error_class, er_buffer *out)
{
    bool split = error_class.len > 0 && !has_own_word(message);
    er_slice from = split ? error_class : message;
    char slug[ER_SLUG_MAX];
    size_t len = 0;
    for (size_t i = 0; i < from.len && len < ER_SLUG_MAX; i++) {
        char c = from.at[i];
        if (split && begins_word(from, i)) {
            slug[len++] = '-';
        }
        if (len == ER_SLUG_MAX) {
            break;
        }
        if (is_word(c)) {
            slug[len++] = is_capital(c) ? (char)(c - 'A' + 'a') : c;
        } else if (len == 0 || slug[len - 1] != '-') {
            slug[len++] = '-';
        }
    }
    size_t start = len > 0 && slug[0] == '-' ? 1 : 0;
    if (len > start && slug[len - 1] == '-') {
        len--;
    }
    er_buffer_add(out, er_slice_of(slug + start, len - start));
}

static const char *verb_group(char verb)
{
    switch (verb) {
    case 'q':
        return "\"(.+?)\"";
    case 'd':
        return "(-?\\d+)";
    case 'x':
    case 'X':
        return "([0-9a-fA-F]+)";
    case 'f':
    case 'g':
    case 'e':
        return "(-?\\d+(?:\\.\\d+)?)";
    case 't':
        return "(true|false)";
    case 'c':
        return "(.)";
    default:
        return "(.+?)";
    }
}

static void add_escaped(er_buffer *out, char c)
{
    if (is_one_of(c, "\\^$.|?*+()[]{}")) {
        er_buffer_add_char(out, '\\');
    }
    er_buffer_add_char(out, c);
}

void er_rule_pattern(er_slice message, er_buffer *out)
{
    er_slice rest = er_slice_trim(message);
    while (rest.len > 0) {
        part one = next_part(&rest);
        if (one.kind == PART_PLACEHOLDER) {
            er_buffer_add_string(out, verb_group(one.verb));
        } else {
            add_escaped(out, one.text.at[0]);
        }
    }
}

/* The values differ from one placeholder to the next, so that two swapped captures show. */
static void add_sample(er_buffer *out, char verb, unsigned number)
{
    static const char *const words[] = {"alpha", "bravo", "charlie", "delta",   "echo", "foxtrot",
                                        "golf",  "hotel", "india",   "juliett", "kilo", "lima"};
    const char *word = words[number % (sizeof(words) / sizeof(words[0]))];
    switch (verb) {
    case 'q':
        er_buffer_format(out, "\"%s\"", word);
        break;
    case 'd':
        er_buffer_format(out, "%u", number + 41);
        break;
    case 'x':
    case 'X':
        er_buffer_format(out, "%x", number + 0xa1);
        break;
    case 'f':
    case 'g':
    case 'e':
        er_buffer_format(out, "%u.5", number + 1);
        break;
    case 't':
        er_buffer_add_string(out, number % 2 == 0 ? "true" : "false");
        break;
    case 'c':
        er_buffer_add_char(out, word[0]);
        break;
    default:
        er_buffer_add_string(out, word);
    }
}

void er_rule_sample(er_slice message, er_buffer *out)
{
    er_slice rest = er_slice_trim(message);
    unsigned number = 0;
    while (rest.len > 0) {
        part one = next_part(&rest);
        if (one.kind == PART_PLACEHOLDER) {
            add_sample(out, one.verb, number++);
        } else {
            er_buffer_add_char(out, one.text.at[0]);
        }
    }
}

void er_rule_placeholders(er_slice message, er_rule_visit *visit, void *context)
{
    er_slice rest = message;
    while (rest.len > 0) {
        part one = next_part(&rest);
        if (one.kind == PART_PLACEHOLDER) {
            visit(context, one.text);
        }
    }
}

void er_rule_url(er_slice repo, er_slice sha, er_slice path, unsigned line, unsigned file_lines,
                 er_buffer *out)
{
    unsigned from = line > ER_SOURCE_LINES ? line - ER_SOURCE_LINES : 1;
    unsigned to = line + ER_SOURCE_LINES;
    if (file_lines > 0 && to > file_lines) {
        to = file_lines;
    }
    er_buffer_add_string(out, "https://github.com/");
    er_buffer_add(out, repo);
    er_buffer_add_string(out, "/blob/");
    er_buffer_add(out, sha);
    er_buffer_add_char(out, '/');
    er_buffer_add(out, path);
    er_buffer_format(out, "#L%u-L%u", from, to);
}
