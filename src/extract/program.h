/*
 * program.h - the facts of all files of a tree, linked into sites and messages.
 *
 * A site is a place that raises a message; a message is one format string with
 * its code. All slices live as long as the program and as the facts it was linked
 * from. Immutable once linked.
 */
#ifndef ERRATA_EXTRACT_PROGRAM_H
#define ERRATA_EXTRACT_PROGRAM_H

#include "base/arena.h"
#include "catalog/record.h"
#include "catalog/rules.h"
#include "extract/fact.h"
#include "extract/language.h"

#define ER_PROGRAM_MAX_FILES 100000u
#define ER_PROGRAM_MAX_TEXT  8192u /* bytes of one message */

/* One file of the tree. */
typedef struct er_input {
    er_slice path;               /* from the tree's top, with '/' */
    const er_language *language; /* NULL: a file of code definitions, in `content` */
    er_slice facts;              /* empty: it says nothing */
    er_slice content;            /* may be empty when no excerpt is wanted */
} er_input;

typedef struct er_site {
    uint32_t input; /* the file */
    uint32_t line;  /* from 1 */
    uint32_t message;
    er_error_type type;
    er_severity severity;
    bool first;      /* where the message is said to come from: a definition, or the first place */
    bool defines;    /* a sentinel's definition, a type's own text */
    bool reason;     /* it reaches the reader inside another message */
    bool limited;    /* the call limits how often it is logged */
    uint32_t status; /* HTTP status, 0: none */
    er_slice function;
    er_slice error_class;
    const er_slice *names; /* one for each placeholder */
    uint32_t name_count;
} er_site;

typedef struct er_message {
    er_slice text;
    er_slice code; /* empty: none */
    char id[ER_ID_LEN + 1];
    er_slice slug;
    er_slice error_class; /* empty: none */
    er_error_type type;
    er_severity severity; /* the worst of its sites */
    uint32_t status;
    uint32_t first_site, site_count; /* sites of a message stand together, the first one first */
} er_message;

typedef struct er_unresolved {
    uint32_t input;
    uint32_t line;
    er_slice function;
    er_slice callee;
    const char *reason; /* static */
} er_unresolved;

typedef struct er_program {
    er_arena arena;
    const er_input *inputs;
    size_t input_count;
    er_site *sites;
    size_t site_count, site_capacity;
    er_message *messages; /* in the order of their first site's path and line */
    size_t message_count, message_capacity;
    er_unresolved *unresolved; /* by path and line */
    size_t unresolved_count, unresolved_capacity;
} er_program;

/* `inputs` are borrowed, in byte order of their paths. */
er_status er_program_link(er_program *program, er_slice repo, const er_input *inputs, size_t count,
                          er_fault *fault) ER_MUST_CHECK;
void er_program_free(er_program *program);

/* NULL where there is none. */
const er_message *er_program_by_id(const er_program *program, const char *id);

#endif
