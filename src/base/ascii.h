/*
 * ascii.h - classes of ASCII characters, whatever the locale says.
 *
 * For any int; bytes above 0x7F belong to no class. <ctype.h> would ask a table
 * of the locale at each call, and answers differently where the locale does.
 */
#ifndef ERRATA_BASE_ASCII_H
#define ERRATA_BASE_ASCII_H

#include <stdbool.h>

static inline bool er_is_digit(int c)
{
    return (unsigned)c - '0' < 10;
}

static inline bool er_is_lower(int c)
{
    return (unsigned)c - 'a' < 26;
}

static inline bool er_is_upper(int c)
{
    return (unsigned)c - 'A' < 26;
}

static inline bool er_is_alpha(int c)
{
    return ((unsigned)c | 32) - 'a' < 26;
}

static inline bool er_is_alnum(int c)
{
    return er_is_alpha(c) || er_is_digit(c);
}

static inline bool er_is_hex(int c)
{
    return er_is_digit(c) || ((unsigned)c | 32) - 'a' < 6;
}

static inline bool er_is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline int er_to_lower(int c)
{
    return er_is_upper(c) ? c + 32 : c;
}

#endif
