#include "match/frame.h"

#include "base/ascii.h"
#include <strings.h>

/* A place in a line, and where the line ends. */
typedef struct cursor {
    const char *text;
    uint32_t at, to;
} cursor;

static int peek(const cursor *c, uint32_t ahead)
{
    return c->at + ahead < c->to ? (unsigned char)c->text[c->at + ahead] : -1;
}

static inline __attribute__((always_inline)) bool eat(cursor *c, const char *text)
{
    size_t length = strlen(text);
    if (c->to - c->at < length || memcmp(c->text + c->at, text, length) != 0)
        return false;
    c->at += (uint32_t)length;
    return true;
}

/* Inlined, and the test with it: framing is read for nearly every line that matches. */
static inline __attribute__((always_inline)) uint32_t eat_while(cursor *c, bool (*test)(int))
{
    uint32_t start = c->at;
    while (c->at < c->to && test((unsigned char)c->text[c->at]))
        c->at++;
    return c->at - start;
}

/* Letters of any script, as bytes. */
static inline bool is_word(int c)
{
    return er_is_alpha(c) || c >= 0x80;
}

static uint32_t eat_blanks(cursor *c)
{
    return eat_while(c, er_is_blank);
}

static bool eat_digits(cursor *c, uint32_t least, uint32_t most)
{
    uint32_t n = 0;
    while (n < most && er_is_digit(peek(c, n)))
        n++;
    if (n < least)
        return false;
    c->at += n;
    return true;
}

/* 10:11:12, with .131415 or ,131 and what names a zone. */
static bool eat_clock(cursor *c)
{
    cursor t = *c;
    if (!eat_digits(&t, 1, 2) || !eat(&t, ":") || !eat_digits(&t, 2, 2) || !eat(&t, ":") ||
        !eat_digits(&t, 2, 2))
        return false;
    if (peek(&t, 0) == '.' || peek(&t, 0) == ',') {
        cursor fraction = t;
        fraction.at++;
        if (eat_while(&fraction, er_is_digit))
            t = fraction;
    }
    if (!eat(&t, "Z")) {
        cursor zone = t;
        eat(&zone, " ");
        if ((eat(&zone, "+") || eat(&zone, "-")) && eat_digits(&zone, 2, 2) && (eat(&zone, ":") || true) &&
            eat_digits(&zone, 2, 2))
            t = zone;
    }
    if (!eat(&t, " AM"))
        eat(&t, " PM");
    *c = t;
    return true;
}

/* 2026/09/02 or 2026-09-02, then T or a blank, then a clock. */
static bool eat_date_time(cursor *c)
{
    cursor t = *c;
    if (!eat_digits(&t, 4, 4) || !(eat(&t, "/") || eat(&t, "-")) || !eat_digits(&t, 2, 2) ||
        !(eat(&t, "/") || eat(&t, "-")) || !eat_digits(&t, 2, 2))
        return false;
    if (!eat(&t, "T") && !eat_blanks(&t))
        return false;
    if (!eat_clock(&t))
        return false;
    *c = t;
    return true;
}

/* Sep 02 10:11:12, Jan 10, 2025  21:36:41.601, 02/Sep/2026:10:11:12 +0000. */
static bool eat_month_time(cursor *c)
{
    cursor t = *c;
    if (eat_digits(&t, 1, 2) && eat(&t, "/") && eat_while(&t, is_word) && eat(&t, "/") &&
        eat_digits(&t, 4, 4) && eat(&t, ":") && eat_clock(&t)) {
        *c = t;
        return true;
    }
    t = *c;
    uint32_t letters = eat_while(&t, is_word);
    if (letters < 3 || letters > 12 || !eat_blanks(&t) || !eat_digits(&t, 1, 2))
        return false;
    eat(&t, ",");
    eat_blanks(&t);
    cursor year = t;
    if (eat_digits(&year, 4, 4) && eat_blanks(&year))
        t = year;
    if (!eat_clock(&t))
        return false;
    *c = t;
    return true;
}

static const struct {
    const char *word, *code;
} level_words[] = {
    {"ERR", "ERR"},    {"WRN", "WRN"},   {"INF", "INF"},     {"DBG", "DBG"},   {"FTL", "FTL"},
    {"TRC", "DBG"},    {"ERROR", "ERR"}, {"WARN", "WRN"},    {"INFO", "INF"},  {"DEBUG", "DBG"},
    {"FATAL", "FTL"},  {"TRACE", "DBG"}, {"WARNING", "WRN"}, {"PANIC", "FTL"}, {"CRITICAL", "FTL"},
    {"NOTICE", "INF"}, {"fail", "ERR"},  {"crit", "FTL"},
};

/* The level that a word names, or NULL. */
static const char *level_of(er_slice word)
{
    for (size_t i = 0; i < sizeof level_words / sizeof *level_words; i++)
        if (strlen(level_words[i].word) == word.len &&
            strncasecmp(level_words[i].word, word.at, word.len) == 0)
            return level_words[i].code;
    return NULL;
}

/* The server's own tags, which nearly every line has. */
static const char *level_of_tag(const char *w)
{
    switch (w[0]) {
    case 'E':
        return memcmp(w, "ERR", 3) == 0 ? "ERR" : NULL;
    case 'W':
        return memcmp(w, "WRN", 3) == 0 ? "WRN" : NULL;
    case 'I':
        return memcmp(w, "INF", 3) == 0 ? "INF" : NULL;
    case 'F':
        return memcmp(w, "FTL", 3) == 0 ? "FTL" : NULL;
    case 'D':
        return memcmp(w, "DBG", 3) == 0 ? "DBG" : NULL;
    case 'T':
        return memcmp(w, "TRC", 3) == 0 ? "DBG" : NULL;
    default:
        return NULL;
    }
}

/* "[ERR] " at the place; its level, or NULL. */
static const char *level_tag(er_slice text, uint32_t at, uint32_t to)
{
    if (to - at < 5 || text.at[at] != '[' || text.at[at + 4] != ']')
        return NULL;
    return level_of_tag(text.at + at + 1);
}

static void add_start(er_framing *f, uint32_t at)
{
    if (at >= f->to || (f->start_count && f->starts[f->start_count - 1] >= at))
        return;
    if (f->start_count == ER_FRAME_STARTS) /* the last place is worth more than the one before it */
        f->start_count--;
    f->starts[f->start_count++] = at;
}

static void set_level(er_framing *f, uint32_t from, uint32_t to, const char *code)
{
    if (f->level.start != f->level.end)
        return;
    f->level = (er_span){from, to};
    memcpy(f->level_code, code, 4);
    f->header = true;
}

/* "2026/09/02 10:11:12.131415 " or without the fraction, as the server writes it just before the tag. */
static bool server_time(er_slice text, uint32_t from, uint32_t to, er_framing *f)
{
    static const char form[] = "0000/00/00 00:00:00.000000";
    for (uint32_t length = sizeof form - 1; length >= 19; length -= 7) {
        if (to - from <= length || text.at[to - 1] != ' ')
            continue;
        const char *at = text.at + to - 1 - length;
        uint32_t i = 0;
        while (i < length && (form[i] == '0' ? er_is_digit((unsigned char)at[i]) : at[i] == form[i]))
            i++;
        if (i == length) {
            f->time = (er_span){to - 1 - length, to - 1};
            return true;
        }
    }
    return false;
}

/* The time that stands before a level tag, anywhere in front of it. */
static void find_time(er_slice text, uint32_t from, uint32_t to, er_framing *f)
{
    if (server_time(text, from, to, f))
        return;
    for (uint32_t i = from; i + 8 <= to; i++) {
        cursor c = {text.at, i, to};
        if (!er_is_digit((unsigned char)text.at[i]) ||
            (i > from && er_is_digit((unsigned char)text.at[i - 1])))
            continue;
        if (eat_date_time(&c) || eat_clock(&c))
            f->time = (er_span){i, c.at}; /* the last one: the server's own, not the collector's */
        if (c.at > i)
            i = c.at;
    }
}

/* Finds "[ERR] " in the line; everything before it is somebody's prefix. */
static bool find_header(er_slice text, er_framing *f)
{
    for (uint32_t i = f->from; i + 5 <= f->to; i++) {
        const char *bracket = memchr(text.at + i, '[', f->to - i);
        if (!bracket)
            return false;
        i = (uint32_t)(bracket - text.at);
        const char *code = level_tag(text, i, f->to);
        uint32_t end = i + 5;
        if (!code)
            continue;
        set_level(f, i + 1, i + 4, code);
        find_time(text, f->from, i, f);
        while (end < f->to && er_is_blank((unsigned char)text.at[end]))
            end++;
        add_start(f, end);
        f->own = true;
        return true;
    }
    return false;
}

static bool strip_time(cursor *c, er_framing *f)
{
    cursor t = *c;
    if (!er_is_alnum(peek(c, 0)) && peek(c, 0) != '[' && peek(c, 0) != '(' && peek(c, 0) < 0x80)
        return false;
    bool bracket = eat(&t, "[") || eat(&t, "(");
    uint32_t start = t.at;
    if (!eat_date_time(&t) && !eat_month_time(&t) && !eat_clock(&t))
        return false;
    f->time = (er_span){start, t.at};
    f->header = true;
    if (bracket)
        (void)(eat(&t, "]") || eat(&t, ")"));
    if (!eat_blanks(&t) && !eat(&t, ": ") && !bracket)
        return false;
    eat_blanks(&t);
    if (eat(&t, "stdout ") || eat(&t, "stderr ")) /* CRI: the stream, then F for full or P for partial */
        (void)(eat(&t, "F ") || eat(&t, "P "));
    *c = t;
    return true;
}

/* E0902 10:11:12.131415       1 file.go:123] */
static bool strip_klog(cursor *c, er_framing *f)
{
    cursor t = *c;
    int letter = peek(&t, 0);
    const char *code = letter == 'E'   ? "ERR"
                       : letter == 'W' ? "WRN"
                       : letter == 'I' ? "INF"
                       : letter == 'F' ? "FTL"
                                       : NULL;
    if (!code)
        return false;
    t.at++;
    uint32_t start = t.at;
    if (!eat_digits(&t, 4, 4) || !eat_blanks(&t) || !eat_clock(&t))
        return false;
    uint32_t end = t.at;
    if (!eat_blanks(&t) || !eat_while(&t, er_is_digit) || !eat_blanks(&t))
        return false;
    const char *bracket = memchr(t.text + t.at, ']', t.to - t.at);
    if (!bracket)
        return false;
    set_level(f, c->at, c->at + 1, code);
    f->time = (er_span){start, end};
    t.at = (uint32_t)(bracket - t.text) + 1;
    eat_blanks(&t);
    *c = t;
    return true;
}

/* ERROR, [error], WARN:, level=error, each with what separates it. */
static bool strip_level(cursor *c, er_framing *f)
{
    cursor t = *c;
    if (!eat(&t, "level="))
        eat(&t, "lvl=");
    bool bracket = eat(&t, "[") || eat(&t, "(") || eat(&t, "<");
    uint32_t start = t.at;
    if (!eat_while(&t, er_is_alpha))
        return false;
    const char *code = level_of(er_slice_of(t.text + start, t.at - start));
    if (!code)
        return false;
    uint32_t end = t.at;
    if (bracket && !eat(&t, "]") && !eat(&t, ")") && !eat(&t, ">"))
        return false;
    eat(&t, ":");
    if (!eat_blanks(&t))
        return false;
    set_level(f, start, end, code);
    *c = t;
    return true;
}

static inline bool is_name(int c)
{
    static const char table[128] = {
        ['_'] = 1, ['.'] = 1, ['-'] = 1, ['/'] = 1, ['('] = 1, [')'] = 1, ['#'] = 1,
        ['$'] = 1, ['@'] = 1, ['+'] = 1, ['*'] = 1, ['<'] = 1, ['>'] = 1};
    return c >= 0x80 || er_is_alnum(c) || table[c];
}

/* 'Authorization Violation' behind -ERR: quotes around all that is left. */
static void strip_quotes(cursor *c, er_framing *f)
{
    int quote = peek(c, 0);
    if ((quote != '\'' && quote != '"') || c->to - c->at < 3 || c->text[c->to - 1] != quote ||
        memchr(c->text + c->at + 1, quote, c->to - c->at - 2))
        return;
    c->at++;
    f->to = --c->to;
}

/* name: , name[12]: , name | , [12] , <13>1 , -ERR ; own is set for nats-server's own. */
static bool strip_name(cursor *c, er_framing *f)
{
    cursor t = *c;
    if (eat(&t, "-ERR ")) {
        f->own = true;
        strip_quotes(&t, f);
    } else if (eat(&t, "nats-server: ")) {
        f->own = f->program = true;
    } else if (eat(&t, "[")) {
        if (!eat_while(&t, is_name) && peek(&t, 0) != ']')
            return false;
        if (!eat(&t, "]") || !(eat(&t, ": ") || eat_blanks(&t)))
            return false;
    } else {
        if (!eat_while(&t, is_name))
            return false;
        if (eat(&t, "[")) {
            eat_while(&t, is_name);
            if (!eat(&t, "]"))
                return false;
        }
        cursor line = t; /* main.go:37: */
        if (eat(&line, ":") && eat_digits(&line, 1, 6) && peek(&line, 0) == ':')
            t = line;
        cursor bar = t;
        eat_blanks(&bar);
        if (eat(&bar, "| "))
            t = bar;
        else if (!eat(&t, ": ") && !eat(&t, ":\t"))
            return false;
    }
    eat_blanks(&t);
    *c = t;
    return true;
}

/* One word and a blank, where a known prefix follows: a host, a pod and its container. */
static bool strip_word(cursor *c, er_framing *f)
{
    cursor t = *c;
    if (!eat_while(&t, is_name) || !eat_blanks(&t))
        return false;
    for (int words = 0; words < 2; words++) {
        cursor probe = t;
        er_framing ignored = *f;
        if (strip_time(&probe, &ignored) || strip_klog(&probe, &ignored) ||
            (f->time.end && words == 0 && peek(&t, 0) != '[' && strip_name(&probe, &ignored))) {
            *c = t;
            return true;
        }
        if (!eat_while(&t, is_name) || !eat_blanks(&t))
            return false;
    }
    return false;
}

static inline bool is_address(int c)
{
    static const char table[128] = {
        ['['] = 1, [']'] = 1, [':'] = 1, ['.'] = 1, ['%'] = 1, ['-'] = 1, ['_'] = 1};
    return er_is_alnum(c) || (c < 0x80 && table[c]);
}

/* cid:12 and its kin: rid, gid, lid, mid, wid, jid, and with _ws behind. */
static bool eat_connection_id(cursor *c)
{
    cursor t = *c;
    if (!er_is_lower(peek(&t, 0)) || peek(&t, 1) != 'i' || peek(&t, 2) != 'd')
        return false;
    t.at += 3;
    eat(&t, "_ws");
    if (!eat(&t, ":") || !eat_while(&t, er_is_digit))
        return false;
    *c = t;
    return true;
}

/* 10.0.0.5:4222 - cid:12 - "v1.2:app" - account/user - */
static bool strip_connection(cursor *c, er_framing *f)
{
    cursor t = *c;
    if (!eat_connection_id(&t)) {
        int first = peek(c, 0);
        if (!er_is_alnum(first) && first != '[' && first != ':')
            return false;
        if (!eat_while(&t, is_address) || !eat(&t, " - ") || !eat_connection_id(&t))
            return false;
    }
    if (!eat(&t, " - "))
        return false;
    f->own = true;
    *c = t;
    add_start(f, t.at);
    for (int i = 0; i < 2 && peek(&t, 0) == '"';
         i++) { /* "version:language:name", and in newer servers "account/user" */
        const char *close = memmem(t.text + t.at + 1, t.to - t.at - 1, "\" - ", 4);
        if (!close)
            break;
        t.at = (uint32_t)(close - t.text) + 4;
        *c = t;
        add_start(f, t.at);
    }
    add_start(f, c->at);
    t = *c;
    if (eat_while(&t, is_name) && memchr(c->text + c->at, '/', t.at - c->at) && eat(&t, " - "))
        *c = t;
    return true;
}

/* Filestore [ORDERS] , RAFT [id - group] , and the old "JETSTREAM - ". */
static bool strip_object(cursor *c, er_framing *f)
{
    static const char *const kinds[] = {"Filestore", "RAFT", "Memstore"};
    cursor t = *c;
    int first = peek(c, 0);
    if (first != 'F' && first != 'R' && first != 'M' && first != 'J' && first != 'S' && first != 'A')
        return false;
    if (eat(&t, "JETSTREAM - ") || eat(&t, "SYSTEM - ") || eat(&t, "ACCOUNT - ")) {
        *c = t;
        return true;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        t = *c;
        if (!eat(&t, kinds[i]) || !eat(&t, " ["))
            continue;
        const char *close = memmem(t.text + t.at, t.to - t.at, "] ", 2);
        if (!close)
            return false;
        uint32_t start = t.at, end = (uint32_t)(close - t.text);
        const char *dash = memmem(t.text + start, end - start, " - ", 3);
        f->kind = (er_span){c->at, c->at + (uint32_t)strlen(kinds[i])};
        f->name = (er_span){dash ? (uint32_t)(dash - t.text) + 3 : start, end};
        f->own = true;
        f->object_end = c->at = end + 2;
        return true;
    }
    return false;
}

static inline bool is_mark(int c)
{
    return er_is_blank(c) || c == '`' || c == '*' || c == '#' || c == '>' || c == '|';
}

static bool strip_mark(cursor *c)
{
    return eat_while(c, is_mark) > 0;
}

/* Quotes around all of it, if they are no others inside: ASCII or typographic. */
static void trim_quotes(er_slice text, er_framing *f)
{
    unsigned char first = f->to > f->from ? (unsigned char)text.at[f->from] : 0;
    if (first != '"' && first != '\'' && first != 0xE2)
        return;
    static const struct {
        const char *open, *close;
    } pairs[] = {
        {"\"", "\""}, {"'", "'"}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"\xE2\x80\x98", "\xE2\x80\x99"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        uint32_t open = (uint32_t)strlen(pairs[i].open), close = (uint32_t)strlen(pairs[i].close);
        if (f->to - f->from <= open + close || memcmp(text.at + f->from, pairs[i].open, open) != 0 ||
            memcmp(text.at + f->to - close, pairs[i].close, close) != 0 ||
            memmem(text.at + f->from + open, f->to - f->from - open - close, pairs[i].open, open))
            continue;
        f->from += open;
        f->to -= close;
        return;
    }
}

/* Ticks, blanks and a comma that a paste left around the line; a tick or star at its end only beside one
 * before it. */
static void trim_ends(er_slice text, er_framing *f)
{
    cursor c = {text.at, f->from, f->to};
    while (strip_mark(&c) || eat(&c, "- ")) { /* a bullet is a mark as well */
    }
    bool ticks = memchr(text.at + f->from, '`', c.at - f->from),
         stars = memchr(text.at + f->from, '*', c.at - f->from);
    f->from = c.at;
    while (f->to > f->from && er_is_blank((unsigned char)text.at[f->to - 1]))
        f->to--;
    if (ticks && f->to - f->from >= 2 && text.at[f->to - 1] == ',' && text.at[f->to - 2] == '`')
        f->to--;
    while (f->to > f->from && ((ticks && text.at[f->to - 1] == '`') || (stars && text.at[f->to - 1] == '*') ||
                               er_is_blank((unsigned char)text.at[f->to - 1])))
        f->to--;
    trim_quotes(text, f);
}

/* <34>1 2026-09-02T10:11:12Z host app 123 id - and the older <34>Sep  2 10:11:12 … */
static bool strip_syslog(cursor *c, er_framing *f)
{
    cursor t = *c;
    if (!eat(&t, "<") || !eat_digits(&t, 1, 3) || !eat(&t, ">"))
        return false;
    cursor version = t;
    if (!eat(&version, "1 ")) {
        *c = t;
        return true;
    }
    t = version;
    if (!strip_time(&t, f) && !eat(&t, "- "))
        return false;
    for (int i = 0; i < 4; i++) { /* host, program, process, message id */
        while (t.at < t.to && t.text[t.at] != ' ')
            t.at++;
        eat_blanks(&t);
    }
    while (peek(&t, 0) == '[') { /* structured data */
        const char *close = memchr(t.text + t.at, ']', t.to - t.at);
        if (!close)
            return false;
        t.at = (uint32_t)(close - t.text) + 1;
    }
    eat(&t, "-");
    eat_blanks(&t);
    *c = t;
    return true;
}

static bool strip_one(cursor *c, er_framing *f)
{
    if (strip_mark(c) || strip_connection(c, f) || strip_object(c, f))
        return true;
    /* Behind the server's own level nothing of a collector can follow. */
    if (!f->own && (strip_syslog(c, f) || strip_time(c, f) || strip_klog(c, f) || strip_level(c, f)))
        return true;
    return strip_name(c, f) || (!f->own && strip_word(c, f));
}

void er_frame_read(er_slice text, uint32_t from, uint32_t to, er_framing *out)
{
    *out = (er_framing){.from = from, .to = to};
    trim_ends(text, out);
    if (out->from >= out->to) {
        out->to = out->from;
        out->starts[out->start_count++] = out->from;
        return;
    }
    add_start(out, out->from);
    find_header(text, out);
    cursor c = {text.at, out->starts[out->start_count - 1], out->to};
    for (int i = 0; i < ER_FRAME_STARTS && c.at < c.to && strip_one(&c, out); i++)
        add_start(out, c.at);
}

static bool empty(er_span span)
{
    return span.start == span.end;
}

void er_frame_inherit(er_framing *value, const er_framing *line)
{
    if (empty(value->level)) {
        value->level = line->level;
        memcpy(value->level_code, line->level_code, sizeof value->level_code);
    }
    if (empty(value->time))
        value->time = line->time;
    if (empty(value->kind)) {
        value->kind = line->kind;
        value->name = line->name;
    }
    value->own = value->own || line->own;
}

/* The value of key=value, "key":"value" or "key":1.5; empty where the line has no such key. */
static er_slice field(er_slice line, const char *key)
{
    size_t length = strlen(key);
    for (size_t at = 0; at + length + 1 < line.len; at++) {
        const char *found = memmem(line.at + at, line.len - at, key, length);
        if (!found)
            return (er_slice){0};
        at = (size_t)(found - line.at);
        size_t value = at + length;
        if (at > 0 && (er_is_alnum((unsigned char)line.at[at - 1]) || line.at[at - 1] == '_'))
            continue;
        while (value < line.len && strchr("\"\\ ", line.at[value]))
            value++;
        if (value >= line.len || (line.at[value] != ':' && line.at[value] != '='))
            continue;
        value++;
        while (value < line.len && strchr("\"\\ ", line.at[value]))
            value++;
        bool quoted = line.at[value - 1] == '"';
        size_t end = value;
        while (end < line.len && !strchr(quoted ? "\"\\" : "\"\\ ,}", line.at[end]))
            end++;
        return er_slice_sub(line, value, end);
    }
    return (er_slice){0};
}

void er_frame_fields(er_slice line, er_slice *level, er_slice *time)
{
    static const char *const levels[] = {"level", "lvl", "severity", "log_level"};
    static const char *const times[] = {"time", "ts", "timestamp"};
    if (!memchr(line.at, '=', line.len) && !memchr(line.at, '"', line.len))
        return; /* most lines have no fields */
    for (size_t i = 0; i < sizeof levels / sizeof *levels && level->len == 0; i++) {
        const char *code = level_of(field(line, levels[i]));
        *level = code ? er_slice_string(code) : *level;
    }
    for (size_t i = 0; i < sizeof times / sizeof *times && time->len == 0; i++) {
        er_slice value = field(line, times[i]);
        if (value.len >= 6 && er_is_digit((unsigned char)value.at[0]))
            *time = value;
    }
}

uint32_t er_frame_next_entry(er_slice text, uint32_t from, uint32_t to)
{
    bool seen = false;
    for (uint32_t i = from; i + 5 <= to; i++) {
        const char *bracket = memchr(text.at + i, '[', to - i);
        if (!bracket)
            break;
        i = (uint32_t)(bracket - text.at);
        if (!level_tag(text, i, to))
            continue;
        if (!seen) {
            seen = true;
            continue;
        }
        /* Back over "[4222] 2026/09/02 10:11:12.131415 ". */
        uint32_t start = i, floor = i - from > 48 ? i - 48 : from;
        for (uint32_t back = i; back > floor; back--) {
            cursor c = {text.at, back - 1, i};
            if (eat(&c, "[")) {
                if (!eat_while(&c, er_is_digit) || !eat(&c, "]"))
                    continue;
                eat_blanks(&c);
            }
            if (c.at == i || (eat_date_time(&c) && (eat_blanks(&c), c.at == i)))
                start = back - 1;
        }
        return start;
    }
    return to;
}
