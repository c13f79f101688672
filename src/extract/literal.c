#include "extract/literal.h"

#include <stdint.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

size_t er_literal_opening(er_slice source, size_t *closing)
{
    size_t at = 0;
    while (at < source.len && is_letter(source.at[at])) {
        at++;
    }
    size_t quotes = 0;
    while (at + quotes < source.len && quotes < 3 && source.at[at + quotes] == source.at[at]) {
        quotes++;
    }
    /* Two are an empty literal; three open a long one only when three close it. */
    if (quotes < 3 || source.len < at + 6) {
        quotes = at < source.len ? 1 : 0;
    }
    *closing = source.len >= at + 2 * quotes ? quotes : 0;
    return at + quotes;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static size_t put_utf8(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | (code >> 6));
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
        code = 0xfffd;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | (code >> 12));
        out[1] = (char)(0x80 | ((code >> 6) & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | (code >> 18));
    out[1] = (char)(0x80 | ((code >> 12) & 0x3f));
    out[2] = (char)(0x80 | ((code >> 6) & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

/* \xNN, \uNNNN, \UNNNNNNNN: reads at most `digits` of base 16 from `at`; returns where they end. */
static size_t take_hex(er_slice text, size_t at, size_t digits, uint32_t *value)
{
    size_t end = at;
    *value = 0;
    while (end < text.len && end - at < digits && hex_value(text.at[end]) >= 0) {
        *value = *value * 16 + (uint32_t)hex_value(text.at[end]);
        end++;
    }
    return end;
}

static size_t take_octal(er_slice text, size_t at, char *out)
{
    unsigned value = 0;
    size_t end = at;
    while (end < text.len && end - at < 3 && text.at[end] >= '0' && text.at[end] <= '7') {
        value = value * 8 + (unsigned)(text.at[end] - '0');
        end++;
    }
    *out = (char)(unsigned char)value;
    return end;
}

/* The escape behind the backslash at text.at[at - 1]; returns where it ends. Never grows. */
static size_t take_escape(er_slice text, size_t at, char *out, size_t *used)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    char c = text.at[at];
    uint32_t code = 0;
    const char *name = c != '\0' ? strchr(names, c) : NULL;
    if (name != NULL) {
        out[(*used)++] = values[name - names];
        return at + 1;
    }
    if (c == 'x') {
        size_t end = take_hex(text, at + 1, 2, &code);
        out[(*used)++] = (char)(unsigned char)code;
        return end;
    }
    if (c == 'u' || c == 'U') {
        size_t end = take_hex(text, at + 1, c == 'u' ? 4 : 8, &code);
        if (end > at + 3) { /* two digits at least, so that the bytes fit in their place */
            *used += put_utf8(code, out + *used);
            return end;
        }
    }
    if (c >= '0' && c <= '7') {
        return take_octal(text, at, &out[(*used)++]);
    }
    if (c != '\n') { /* a line that goes on */
        out[(*used)++] = c;
    }
    return at + 1;
}

er_slice er_literal_decode(er_arena *arena, er_slice inside)
{
    if (inside.len == 0 || memchr(inside.at, '\\', inside.len) == NULL) {
        return inside.at != NULL ? inside : ER_SLICE("");
    }
    char *out = er_arena_take(arena, inside.len);
    if (out == NULL) {
        return (er_slice){0};
    }
    size_t used = 0, at = 0;
    while (at < inside.len) {
        if (inside.at[at] == '\\' && at + 1 < inside.len) {
            at = take_escape(inside, at + 1, out, &used);
        } else {
            out[used++] = inside.at[at++];
        }
    }
    return er_slice_of(out, used);
}

er_slice er_literal_text(er_arena *arena, er_slice source, bool escapes)
{
    size_t closing = 0;
    size_t opening = er_literal_opening(source, &closing);
    if (opening + closing > source.len) {
        return ER_SLICE("");
    }
    er_slice inside = er_slice_sub(source, opening, source.len - closing);
    return escapes ? er_literal_decode(arena, inside) : inside;
}
