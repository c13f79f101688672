#include "match/quote.h"

#include "base/ascii.h"

static bool opens(er_slice text, uint32_t from, uint32_t at)
{
    if (at == from)
        return true;
    static const bool table[128] = {
        ['='] = 1, [':'] = 1,  ['('] = 1, ['['] = 1,  ['{'] = 1, [','] = 1, ['<'] = 1, ['>'] = 1,
        ['"'] = 1, ['\''] = 1, ['`'] = 1, ['\\'] = 1, ['|'] = 1, ['*'] = 1, ['-'] = 1};
    unsigned char before = (unsigned char)text.at[at - 1];
    return before <= ' ' || before >= 0x80 || table[before];
}

static bool closes(er_slice text, uint32_t to, uint32_t at)
{
    if (at + 1 >= to)
        return true;
    static const bool table[128] = {
        [','] = 1, [':'] = 1, [';'] = 1,  ['.'] = 1, ['!'] = 1,  ['?'] = 1, [')'] = 1, [']'] = 1, ['}'] = 1,
        ['>'] = 1, ['"'] = 1, ['\''] = 1, ['`'] = 1, ['\\'] = 1, ['|'] = 1, ['*'] = 1, ['-'] = 1};
    unsigned char after = (unsigned char)text.at[at + 1];
    return after <= ' ' || (after < 0x80 && table[after]);
}

/* The quote that closes the one at `open`, or `to`. Bounded by the caller's range. */
static uint32_t closing(er_slice text, uint32_t open, uint32_t to, bool *escaped)
{
    char quote = text.at[open];
    bool doubles = open + 1 < to && text.at[open + 1] != quote; /* CSV: two inside stand for one */
    *escaped = false;
    for (uint32_t i = open + 1; i < to; i++) {
        if (text.at[i] == '\\' && quote == '"' && i + 1 < to) {
            *escaped = true;
            i++;
        } else if (doubles && quote == '"' && text.at[i] == quote && i + 1 < to && text.at[i + 1] == quote) {
            i++;
        } else if (text.at[i] == quote && closes(text, to, i)) {
            return i;
        }
    }
    return to;
}

static bool is_key(er_slice text, uint32_t close, uint32_t to)
{
    uint32_t i = close + 1;
    while (i < to && text.at[i] == ' ')
        i++;
    return i < to && text.at[i] == ':' && (i + 1 >= to || text.at[i + 1] != ' ' || text.at[close] == '"');
}

uint32_t er_quote_find(er_slice text, uint32_t from, uint32_t to, er_quote quotes[ER_QUOTE_MOST])
{
    uint32_t count = 0;
    uint32_t unclosed[3] = {to, to, to}; /* from where on a kind of quote is known to have no closing one */
    for (uint32_t i = from; i < to && count < ER_QUOTE_MOST; i++) {
        char c = text.at[i];
        int kind = c == '"' ? 0 : c == '\'' ? 1 : c == '`' ? 2 : -1;
        if (kind < 0 || !opens(text, from, i) || i >= unclosed[kind])
            continue;
        bool escaped;
        uint32_t close = closing(text, i, to, &escaped);
        if (close == to) /* one search that ran to the end speaks for all later ones */
            unclosed[kind] = i;
        if (close < to && kind == 0 && from < i && is_key(text, close, to)) {
            i = close;
            continue;
        }
        if (close > i + 1)
            quotes[count++] = (er_quote){{i + 1, close}, escaped, close < to};
    }
    return count;
}

static int hex_value(const char *at)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int c = er_to_lower((unsigned char)at[i]);
        if (!er_is_hex(c))
            return -1;
        value = 16 * value + (er_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return value;
}

/* UTF-8 of a code point below 0x10000; six bytes of text give at most three. */
static size_t put_utf8(int value, char *out)
{
    if (value < 0x80) {
        out[0] = (char)value;
        return 1;
    }
    if (value < 0x800) {
        out[0] = (char)(0xC0 | value >> 6);
        out[1] = (char)(0x80 | (value & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | value >> 12);
    out[1] = (char)(0x80 | (value >> 6 & 0x3F));
    out[2] = (char)(0x80 | (value & 0x3F));
    return 3;
}

static char simple_escape(char c)
{
    switch (c) {
    case '"':
    case '\\':
    case '/':
        return c;
    case 'n':
        return '\n';
    case 't':
        return '\t';
    case 'r':
        return '\r';
    case 'b':
    case 'f':
        return ' ';
    default:
        return '\0';
    }
}

size_t er_quote_unescape(er_slice text, char *out, uint32_t *map)
{
    size_t n = 0;
    for (size_t i = 0; i < text.len;) {
        size_t length = 1, made = 1;
        out[n] = text.at[i];
        if (text.at[i] == '\\' && i + 1 < text.len) {
            char c = simple_escape(text.at[i + 1]);
            int value = text.at[i + 1] == 'u' && i + 6 <= text.len ? hex_value(text.at + i + 2) : -1;
            if (c != '\0') {
                out[n] = c;
                length = 2;
            } else if (value >= 0) {
                made = put_utf8(value, out + n);
                length = 6;
            }
        }
        for (size_t k = 0; k < made; k++)
            map[n + k] = (uint32_t)i;
        n += made;
        i += length;
    }
    map[n] = (uint32_t)text.len;
    return n;
}

/* The length of a colour sequence at `i`: an escape, '[', digits and ';', a letter. */
static size_t colour_at(er_slice text, size_t i)
{
    size_t at = i;
    if (text.at[at] == '\x1b')
        at++;
    else if (text.len - at >= 3 && memcmp(text.at + at, "\xE2\x86\x90", 3) == 0)
        at += 3;
    else
        return 0;
    if (at >= text.len || text.at[at] != '[')
        return 0;
    at++;
    while (at < text.len && (er_is_digit((unsigned char)text.at[at]) || text.at[at] == ';'))
        at++;
    return at < text.len && er_is_alpha((unsigned char)text.at[at]) ? at + 1 - i : 0;
}

size_t er_quote_uncolour(er_slice text, char *out, uint32_t *map)
{
    bool literal = memmem(text.at, text.len, "\xE2\x86\x90[", 4) != NULL;
    if (!literal && !memchr(text.at, '\x1b', text.len))
        return text.len;
    size_t n = 0;
    for (size_t i = 0; i < text.len;) {
        size_t length = colour_at(text, i);
        if (length) {
            i += length;
            continue;
        }
        out[n] = text.at[i];
        map[n++] = (uint32_t)i++;
    }
    map[n] = (uint32_t)text.len;
    return n;
}
