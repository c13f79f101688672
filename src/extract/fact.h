/*
 * fact.h - what one source file says, without the rest of its program.
 *
 * Reading a file gives facts; linking the facts of all files gives sites. A fact
 * may hold names that another file defines, so it depends on the file's bytes
 * only and can be kept by their hash. Facts are written as a run of bytes, which
 * is both what is linked and what the cache keeps.
 */
#ifndef ERRATA_EXTRACT_FACT_H
#define ERRATA_EXTRACT_FACT_H

#include "base/arena.h"
#include "base/buffer.h"

#include <stdint.h>

/* Raised whenever the bytes change their meaning, or a query file does: an older cache is left unread. */
#define ER_FACT_VERSION 1

#define ER_FACT_MAX_FILE   ((size_t)8 << 20)  /* bytes of one source file */
#define ER_FACT_MAX_BYTES  ((size_t)32 << 20) /* bytes of one file's facts */
#define ER_FACT_MAX_PIECES 24
#define ER_FACT_MAX_NAMES  24

typedef enum er_piece_kind {
    ER_PIECE_LITERAL,   /* text */
    ER_PIECE_NAME,      /* something defined elsewhere: qualifier (may be empty) and text */
    ER_PIECE_PARAMETER, /* the number-th parameter, from 1, of the function called `text` */
    ER_PIECE_FIELD,     /* a field of the type that the enclosing method describes */
    ER_PIECE_HOLE       /* a value; text is the name proposed for its capture */
} er_piece_kind;

typedef struct er_piece {
    er_piece_kind kind;
    uint32_t number;
    er_slice qualifier;
    er_slice text;
} er_piece;

typedef enum er_fact_kind {
    ER_FACT_CALL,    /* qualifier.name(…): the argument-th has this text */
    ER_FACT_RETURN,  /* the text of the type `name` */
    ER_FACT_FIELD,   /* name{…}: its field, or the argument-th of its values, has this text */
    ER_FACT_DEFINE,  /* a package-level name and its text */
    ER_FACT_USE,     /* the value qualifier.name is passed on */
    ER_FACT_CODE,    /* a code is raised by its constant, or where `number` is 1 by its constructor */
    ER_FACT_STATUS,  /* a status line with that number and text */
    ER_FACT_TYPE,    /* a type; names are its fields */
    ER_FACT_LITERAL, /* the argument-th text of the array `name` */
    ER_FACT_ENTRY    /* the constant `name` numbers the argument-th text of the array `qualifier` */
} er_fact_kind;

typedef struct er_fact {
    er_fact_kind kind;
    uint32_t line;     /* of the place, from 1 */
    uint32_t argument; /* from 1 */
    uint32_t number;
    bool reason;       /* the text fills a placeholder of another text */
    bool spread;       /* the call passes on a list of arguments as it got it */
    bool of_error;     /* the text of an error value: `ErrX.Error()` */
    er_slice function; /* the outermost enclosing one: "type.name" or "name"; empty at top level */
    er_slice type;     /* of the method that encloses it */
    er_slice define;   /* the package-level name whose value this is */
    er_slice qualifier;
    er_slice name;
    er_slice field; /* of a literal; of a value that is thrown, its class */
    er_piece pieces[ER_FACT_MAX_PIECES];
    uint32_t piece_count;
    er_slice names[ER_FACT_MAX_NAMES]; /* proposed for the placeholders, in order */
    uint32_t name_count;
} er_fact;

/* Begins a file's facts: its package. */
void er_facts_begin(er_buffer *out, er_slice package);
/* Failure is sticky in `out`. */
void er_fact_write(er_buffer *out, const er_fact *fact);

typedef struct er_fact_reader {
    er_slice rest;
    er_slice package; /* read by er_facts_open */
    bool broken;      /* the bytes are none that er_fact_write wrote */
} er_fact_reader;

/* false when the bytes are broken. Slices of facts point into `bytes`. */
bool er_facts_open(er_fact_reader *reader, er_slice bytes);
/* false at the end, or where the bytes are broken. */
bool er_fact_next(er_fact_reader *reader, er_fact *fact);

#endif
