/*
 * source.h - one parsed source file, indexed for the evaluator.
 *
 * Holds the syntax tree and what the query found in it: functions with their
 * parameters, definitions, calls. Nodes and slices live as long as it does. Of
 * one thread.
 */
#ifndef ERRATA_EXTRACT_SOURCE_H
#define ERRATA_EXTRACT_SOURCE_H

#include "base/arena.h"
#include "extract/language.h"

#define ER_SOURCE_NONE UINT32_MAX

typedef struct er_function {
    uint32_t start, end; /* bytes */
    uint32_t parent;     /* enclosing function, or ER_SOURCE_NONE */
    bool inner;          /* a function literal */
    er_slice name;       /* of a literal: the variable that holds it, or empty */
    er_slice type;       /* of a method */
    er_slice self;       /* the receiver's name */
    TSNode parameters;   /* null where there are none */
} er_function;

typedef struct er_define {
    uint32_t start;
    uint32_t function; /* innermost enclosing one, or ER_SOURCE_NONE */
    bool constant;
    er_slice name;
    TSNode value; /* null when the value has no text of its own, as of a call that gives several */
} er_define;

typedef enum er_found_kind {
    ER_FOUND_CALL,
    ER_FOUND_LITERAL,
    ER_FOUND_TYPE,
    ER_FOUND_RETURN,
    ER_FOUND_USE,
    ER_FOUND_CODE,
    ER_FOUND_TABLE,
    ER_FOUND_ENUM
} er_found_kind;

/* A match of the query that the scanner looks at. */
typedef struct er_found {
    er_found_kind kind;
    TSNode node;        /* the call, literal, …: where its line is taken from */
    TSNode body;        /* arguments, fields */
    er_slice qualifier; /* the last part of what stands before the name */
    er_slice name;
    er_slice class; /* of a value that is thrown; the name is then ER_THROWN */
} er_found;

typedef struct er_source {
    const er_language *language;
    er_slice content; /* borrowed */
    TSTree *tree;
    er_slice package;
    bool skipped;           /* it imports something that only tests do */
    er_function *functions; /* by start */
    size_t function_count, function_capacity;
    er_define *defines; /* by start */
    size_t define_count, define_capacity;
    er_found *found;
    size_t found_count, found_capacity;
    TSPoint error_at; /* row counts from 0; where the first node is that did not parse */
    bool has_error;
} er_source;

/* Parses; `content` is borrowed and must outlive the source. */
er_status er_source_parse(er_source *source, const er_language *language, TSParser *parser,
                          TSQueryCursor *cursor, er_slice content, er_fault *fault) ER_MUST_CHECK;
void er_source_free(er_source *source);

er_slice er_source_text(const er_source *source, TSNode node);
er_role er_source_role(const er_source *source, TSNode node);
TSNode er_source_field(TSNode node, const char *field); /* a null node where there is none */
uint32_t er_source_line(TSNode node);                   /* from 1 */
/* The identifier that a declarator or a pattern comes down to; a null node where there is none. */
TSNode er_source_declared(const er_source *source, TSNode node);
/* The innermost function around a byte, or ER_SOURCE_NONE. */
uint32_t er_source_function(const er_source *source, uint32_t byte);
/* The outermost function around that one; a function itself when nothing is around it. */
uint32_t er_source_outermost(const er_source *source, uint32_t function);
/* "a.b.c" gives "c"; a call or an index gives what it is applied to. */
er_slice er_source_last_name(const er_source *source, TSNode node);

#endif
