/* The inside of JSON strings, decoded and written; json.c reads what is around them. */
#include "base/json.h"

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code unit of a \u escape whose first digit is at `at`, or -1. */
static long code_unit(er_slice text, size_t at)
{
    if (at > text.len || text.len - at < 4) {
        return -1;
    }
    long unit = 0;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_value(text.at[at + i]);
        if (digit < 0) {
            return -1;
        }
        unit = unit * 16 + digit;
    }
    return unit;
}

static size_t encode(unsigned long code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(leads[length] | code);
    return length;
}

/* Decodes the \u escape at *at, and the low surrogate behind a high one. */
static size_t decode_unicode(er_slice raw, size_t *at, char out[4])
{
    long unit = code_unit(raw, *at + 2);
    *at += 6;
    if (unit >= 0xD800 && unit <= 0xDBFF && *at + 1 < raw.len && raw.at[*at] == '\\' &&
        raw.at[*at + 1] == 'u') {
        long low = code_unit(raw, *at + 2);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *at += 6;
            return encode(0x10000 + ((unsigned long)(unit - 0xD800) << 10) + (unsigned long)(low - 0xDC00),
                          out);
        }
    }
    bool lone = unit < 0 || (unit >= 0xD800 && unit <= 0xDFFF);
    return encode(lone ? 0xFFFD : (unsigned long)unit, out);
}

/* Decodes the escape at *at and moves past it; returns how many bytes it gave. */
static size_t decode_escape(er_slice raw, size_t *at, char out[4])
{
    static const char short_escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char c = *at + 1 < raw.len ? raw.at[*at + 1] : '\0';
    if (c == 'u') {
        return decode_unicode(raw, at, out);
    }
    *at += 2;
    for (size_t i = 0; i + 1 < sizeof(short_escapes); i += 2) {
        if (short_escapes[i] == c) {
            out[0] = short_escapes[i + 1];
            return 1;
        }
    }
    out[0] = '?';
    return 1;
}

size_t er_json_decode(er_slice raw, char *out)
{
    size_t used = 0;
    size_t at = 0;
    while (at < raw.len) {
        const char *escape = memchr(raw.at + at, '\\', raw.len - at);
        size_t run = escape ? (size_t)(escape - raw.at) - at : raw.len - at;
        memcpy(out + used, raw.at + at, run);
        used += run;
        at += run;
        if (at < raw.len) {
            char bytes[4];
            size_t length = decode_escape(raw, &at, bytes);
            memcpy(out + used, bytes, length);
            used += length;
        }
    }
    return used;
}

bool er_json_equal(er_slice raw, const char *text)
{
    er_slice rest = er_slice_string(text);
    if (raw.len == 0 || memchr(raw.at, '\\', raw.len) == NULL) {
        return er_slice_equal(raw, rest);
    }
    for (size_t at = 0; at < raw.len;) {
        char bytes[4] = {raw.at[at]};
        size_t length = 1;
        if (raw.at[at] == '\\') {
            length = decode_escape(raw, &at, bytes);
        } else {
            at++;
        }
        if (!er_slice_starts(rest, er_slice_of(bytes, length))) {
            return false;
        }
        rest = er_slice_sub(rest, length, rest.len);
    }
    return rest.len == 0;
}

static void write_escape(er_buffer *out, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    static const char short_escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i + 1 < sizeof(short_escapes); i += 2) {
        if ((unsigned char)short_escapes[i] == c) {
            er_buffer_add(out, er_slice_of((const char[]){'\\', short_escapes[i + 1]}, 2));
            return;
        }
    }
    er_buffer_add(out, er_slice_of((const char[]){'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]}, 6));
}

/* DEL and the C1 controls (C2 80 to C2 9F) are valid in JSON but are escaped too:
   what is printed on a terminal must not command it. */
/* Bytes that stand in a string as they are: printable ASCII but the quote and the backslash. */
/* clang-format off */
#define FOUR(c) [c] = true, [(c) + 1] = true, [(c) + 2] = true, [(c) + 3] = true
#define ROW(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)
static const bool plain[256] = {
    [' '] = true, ['!'] = true, ['#'] = true, FOUR('$'), FOUR('('), FOUR(','), ROW('0'), ROW('@'),
    FOUR('P'), FOUR('T'), FOUR('X'), [']'] = true, ['^'] = true, ['_'] = true, ROW('`'),
    FOUR('p'), FOUR('t'), FOUR('x'), ['|'] = true, ['}'] = true, ['~'] = true,
};
#undef ROW
#undef FOUR
/* clang-format on */

void er_json_write_inside(er_buffer *out, er_slice bytes)
{
    size_t at = 0;
    size_t run = 0; /* where what is copied as it stands began */
    while (at < bytes.len) {
        unsigned char c = (unsigned char)bytes.at[at];
        if (plain[c]) {
            at++;
            continue;
        }
        size_t length = c < 0x80 ? 1 : er_slice_utf8(bytes, at);
        bool escape = c < 0x20 || c == '"' || c == '\\' || c == 0x7F;
        bool c1 = length == 2 && c == 0xC2 && (unsigned char)bytes.at[at + 1] < 0xA0;
        if (!escape && !c1 && length > 0) {
            at += length;
            continue;
        }
        er_buffer_add(out, er_slice_of(bytes.at + run, at - run));
        if (length == 0) {
            er_buffer_add(out, ER_SLICE("\xEF\xBF\xBD"));
            length = 1;
        } else {
            write_escape(out, c1 ? (unsigned char)bytes.at[at + 1] : c);
        }
        at += length;
        run = at;
    }
    er_buffer_add(out, er_slice_of(bytes.at + run, at - run));
}

void er_json_write(er_buffer *out, er_slice bytes)
{
    er_buffer_add_char(out, '"');
    er_json_write_inside(out, bytes);
    er_buffer_add_char(out, '"');
}

/* The offset behind the string whose opening quote is at `from`: behind the first
   quote that has an even number of backslashes before it. */
static size_t string_end(er_slice json, size_t from)
{
    for (size_t at = from + 1; at < json.len;) {
        const char *quote = memchr(json.at + at, '"', json.len - at);
        if (quote == NULL) {
            break;
        }
        size_t end = (size_t)(quote - json.at);
        size_t slashes = 0;
        while (json.at[end - slashes - 1] == '\\') {
            slashes++;
        }
        if (slashes % 2 == 0) {
            return end + 1;
        }
        at = end + 1;
    }
    return json.len;
}

void er_json_write_compact(er_buffer *out, er_slice json)
{
    size_t run = 0;
    size_t at = 0;
    while (at < json.len) {
        char c = json.at[at];
        if (c == '"') {
            at = string_end(json, at);
        } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            er_buffer_add(out, er_slice_of(json.at + run, at - run));
            run = ++at;
        } else {
            at++;
        }
    }
    er_buffer_add(out, er_slice_of(json.at + run, at - run));
}
