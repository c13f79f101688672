#include "answer/utf8.h"

#include <stdio.h>

typedef struct rune_range {
    uint32_t first, last;
} rune_range;

/* Combining marks and other characters without a width: those that are met in practice. */
static const rune_range zero_width[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
    {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

/* East Asian wide and emoji. */
static const rune_range double_width[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
    {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD},
};

static bool in_ranges(uint32_t rune, const rune_range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (rune < ranges[i].first) {
            return false;
        }
        if (rune <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

size_t er_utf8_read(er_slice text, size_t at, uint32_t *rune)
{
    static const unsigned char lead_bits[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    size_t length = er_slice_utf8(text, at);
    if (length > 0) {
        *rune = (unsigned char)text.at[at] & lead_bits[length];
    }
    for (size_t i = 1; i < length; i++) {
        *rune = (*rune << 6) | ((unsigned char)text.at[at + i] & 0x3Fu);
    }
    return length;
}

bool er_utf8_is_control(uint32_t rune)
{
    return rune < 0x20 || (rune >= 0x7F && rune <= 0x9F) || rune == 0x061C || rune == 0x200E ||
           rune == 0x200F || (rune >= 0x2028 && rune <= 0x202E) || (rune >= 0x2066 && rune <= 0x2069) ||
           rune == 0xFEFF || (rune >= 0xE0000 && rune <= 0xE007F);
}

unsigned er_utf8_columns(uint32_t rune)
{
    if (rune < 0x0300) {
        return 1;
    }
    if (in_ranges(rune, zero_width, sizeof zero_width / sizeof zero_width[0])) {
        return 0;
    }
    return in_ranges(rune, double_width, sizeof double_width / sizeof double_width[0]) ? 2 : 1;
}

bool er_utf8_is_plain(er_slice text)
{
    for (size_t at = 0; at < text.len;) {
        uint32_t rune = 0;
        size_t length = er_utf8_read(text, at, &rune);
        if (length == 0 || er_utf8_is_control(rune)) {
            return false;
        }
        at += length;
    }
    return true;
}

/* `out` NULL only counts. */
static unsigned show_escape(er_buffer *out, const char *format, unsigned value)
{
    char escape[16];
    int length = snprintf(escape, sizeof escape, format, value);
    if (out) {
        er_buffer_add(out, er_slice_of(escape, (size_t)length));
    }
    return (unsigned)length;
}

static unsigned show_control(er_buffer *out, uint32_t rune)
{
    switch (rune) {
    case '\n':
        return show_escape(out, "\\%c", 'n');
    case '\r':
        return show_escape(out, "\\%c", 'r');
    case '\t':
        return show_escape(out, "\\%c", 't');
    default:
        return show_escape(out, rune < 0x80 ? "\\x%02x" : "\\u%04x", rune);
    }
}

size_t er_utf8_show_one(er_buffer *out, er_slice text, size_t at, unsigned *columns)
{
    uint32_t rune = 0;
    size_t length = er_utf8_read(text, at, &rune);
    if (length == 0) {
        *columns = show_escape(out, "\\x%02x", (unsigned char)text.at[at]);
        return 1;
    }
    if (er_utf8_is_control(rune)) {
        *columns = show_control(out, rune);
        return length;
    }
    if (out) {
        er_buffer_add(out, er_slice_of(text.at + at, length));
    }
    *columns = er_utf8_columns(rune);
    return length;
}

unsigned er_utf8_show(er_buffer *out, er_slice text)
{
    unsigned total = 0, columns = 0;
    for (size_t at = 0; at < text.len; total += columns) {
        at += er_utf8_show_one(out, text, at, &columns);
    }
    return total;
}
