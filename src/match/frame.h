/*
 * frame.h - what stands around a message in a line, and where the message begins.
 *
 * Loggers, log collectors and clients wrap a message in prefixes: time, level,
 * process, container, connection, exception class. Each prefix that is taken off
 * adds a place where the message may begin, because a record may well hold what
 * looks like a prefix ("nats: timeout"). Framing is a help to ranking and to the
 * bounds of captures; no match ever needs it.
 */
#ifndef ERRATA_MATCH_FRAME_H
#define ERRATA_MATCH_FRAME_H

#include "match/align.h"
#include "match/matcher.h"

#define ER_FRAME_STARTS 16

typedef struct er_framing {
    uint32_t from, to;                /* the message with every prefix: blanks and ticks are off both ends */
    uint32_t starts[ER_FRAME_STARTS]; /* rising; the first is `from` */
    uint32_t start_count;
    er_span level, time, kind, name; /* empty (start == end) where unknown */
    char level_code[4];              /* "ERR", ...; "" where unknown */
    uint32_t object_end;             /* where the prefix that names an object ends; 0 without one */
    bool own;                        /* the line has a form that nats-server gives its lines */
    bool program;                    /* it begins with "nats-server: ", as what stops a start does */
    bool header;                     /* a time or a level was found: a line that begins an entry */
} er_framing;

/* Reads the framing of text[from..to), which is one line or one quoted value. */
void er_frame_read(er_slice text, uint32_t from, uint32_t to, er_framing *out);

/* A quoted value takes what its line said and it did not say itself. */
void er_frame_inherit(er_framing *value, const er_framing *line);

/* What structured lines say in fields: level and time of logfmt and JSON, where framing said nothing. */
void er_frame_fields(er_slice line, er_slice *level, er_slice *time);

/*
 * Where a second entry begins in a line that holds two ("… [ERR] … [4222]
 * 2026/09/02 … [WRN] …"), or `to`.
 */
uint32_t er_frame_next_entry(er_slice text, uint32_t from, uint32_t to);

#endif
