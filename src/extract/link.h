/*
 * link.h - what the linker keeps between its passes; private to program.c, definitions.c, link.c and order.c.
 */
#ifndef ERRATA_EXTRACT_LINK_H
#define ERRATA_EXTRACT_LINK_H

#include "extract/codes.h"
#include "extract/program.h"
#include "extract/table.h"

/* What a call, a return or a field does with the text it gets. */
typedef struct er_raise {
    er_error_type type;
    er_severity severity;
    bool reason; /* the text reaches the reader inside another one */
    bool limited;
    bool optional;
} er_raise;

/* Where a fact stands, to be decoded again. */
typedef struct er_fact_place {
    uint32_t input;
    uint32_t offset; /* from the file's facts */
} er_fact_place;

typedef struct er_link {
    er_program *program;
    er_slice repo;
    er_codes codes;
    uint32_t codes_input;  /* the file that defines them */
    er_table code_names;   /* constant or constructor to its place in codes */
    er_slice *scopes;      /* of each input: names are looked up in the same scope first */
    er_table packages;     /* package name to an input of it */
    er_table definitions;  /* (scope, name) to a place */
    er_table types;        /* (scope, type) to a place */
    er_table texts;        /* (scope, "array#3") to a place of its text */
    er_table entries;      /* (scope, "array#3") to a place of the constant that numbers it */
    er_fact_place *places; /* what definitions and types point to */
    size_t place_count, place_capacity;
    er_fact_place *forwarding; /* facts that hold a parameter or a field */
    size_t forwarding_count, forwarding_capacity;
    er_table raisers; /* (scope, "function#2" or "type.field") to a raise */
    er_raise *raises;
    size_t raise_count, raise_capacity;
    er_table message_of; /* (text, code) to a message */
    er_status status;    /* ER_NO_MEMORY, sticky, of what has no other way to say it */
} er_link;

/* A name and a number as a key, in `out`. */
er_slice er_link_numbered(char *out, size_t size, er_slice name, uint32_t number);

/* What the fact's text is for; false when it is no message of any kind. */
bool er_link_raise(const er_link *link, uint32_t input, const er_fact *fact, er_raise *raise);

/* The text of a fact, and names for its placeholders. */
typedef struct er_text {
    char bytes[ER_PROGRAM_MAX_TEXT];
    size_t len;
    er_slice names[ER_FACT_MAX_NAMES];
    uint32_t name_count;
    er_slice error_class; /* the package-level name that alone gives the text */
    bool unknown;         /* nothing of it could be resolved */
    const char *reason;   /* then why; static */
} er_text;

void er_link_text(const er_link *link, uint32_t input, const er_fact *fact, er_text *out);
/* Whether a text has a word of its own beside its placeholders. */
bool er_link_has_word(er_slice text);
/* Whether a text that fills another one's placeholder says what is wrong, and does not merely
   name something: a word of trouble, or five words. */
bool er_link_is_reason(const er_language *language, er_slice text);

/* Notes what an input defines, and which of its facts pass a text on. */
er_status er_link_input(er_link *link, uint32_t input);
/* Reads the first file of codes. */
er_status er_link_codes(er_link *link, er_fault *fault);

/* The graver of two kinds is the greater: log, exception, protocol, api. */
int er_program_rank(er_error_type type);
/* Puts sites and messages in their order, and gives slugs. */
er_status er_program_order(er_program *program);

/* The definition behind a name as `input` sees it; false where there is none. */
bool er_link_definition(const er_link *link, uint32_t input, er_slice qualifier, er_slice name, er_fact *fact,
                        uint32_t *where);

#endif
