#include "base/slice.h"

#include <stdint.h>

int er_slice_compare(er_slice a, er_slice b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter ? memcmp(a.at, b.at, shorter) : 0;
    if (order != 0) {
        return order;
    }
    return (a.len > b.len) - (a.len < b.len);
}

bool er_slice_starts(er_slice a, er_slice prefix)
{
    return a.len >= prefix.len && (prefix.len == 0 || memcmp(a.at, prefix.at, prefix.len) == 0);
}

static bool blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

er_slice er_slice_trim(er_slice a)
{
    while (a.len > 0 && blank(a.at[0])) {
        a.at++;
        a.len--;
    }
    while (a.len > 0 && blank(a.at[a.len - 1])) {
        a.len--;
    }
    return a;
}

er_slice er_slice_sub(er_slice a, size_t from, size_t to)
{
    return from == to ? (er_slice){a.at, 0} : (er_slice){a.at + from, to - from};
}

/* The second byte's range depends on the first: it is what rules out overlong
   forms, surrogates and anything above U+10FFFF. */
static size_t sequence(unsigned char lead, unsigned char *low, unsigned char *high)
{
    *low = 0x80;
    *high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
        return 2;
    }
    if (lead >= 0xE0 && lead <= 0xEF) {
        *low = lead == 0xE0 ? 0xA0 : 0x80;
        *high = lead == 0xED ? 0x9F : 0xBF;
        return 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        *low = lead == 0xF0 ? 0x90 : 0x80;
        *high = lead == 0xF4 ? 0x8F : 0xBF;
        return 4;
    }
    return 0;
}

size_t er_slice_utf8(er_slice a, size_t at)
{
    if (at >= a.len) {
        return 0;
    }
    const unsigned char *byte = (const unsigned char *)a.at + at;
    if (byte[0] < 0x80) {
        return 1;
    }
    unsigned char low, high;
    size_t length = sequence(byte[0], &low, &high);
    if (length == 0 || length > a.len - at || byte[1] < low || byte[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((byte[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

size_t er_slice_utf8_prefix(er_slice a)
{
    size_t at = 0;
    while (at < a.len) {
        uint64_t word;
        if (a.len - at >= sizeof(word)) {
            memcpy(&word, a.at + at, sizeof(word));
            if ((word & 0x8080808080808080u) == 0) {
                at += sizeof(word);
                continue;
            }
        }
        size_t length = er_slice_utf8(a, at);
        if (length == 0) {
            break;
        }
        at += length;
    }
    return at;
}
