/*
 * form.h - what each member of a catalog file must look like, in one table.
 *
 * This is the one place of the limits on texts. catalog/schema/record.schema.json
 * says the same to editors; a test holds the two together.
 */
#ifndef ERRATA_CHECK_FORM_H
#define ERRATA_CHECK_FORM_H

#include "base/slice.h"

/* Kinds of JSON values, as bits. */
typedef enum er_form_kind {
    ER_FORM_NULL = 1,
    ER_FORM_STRING = 2,
    ER_FORM_INTEGER = 4,
    ER_FORM_BOOLEAN = 8,
    ER_FORM_TRUE = 16, /* true alone */
    ER_FORM_ARRAY = 32,
    ER_FORM_OBJECT = 64
} er_form_kind;

/* Both 0: no limit. `most` 0 beside a `least`: no upper limit. */
typedef struct er_form_range {
    unsigned least, most;
} er_form_range;

typedef struct er_form {
    const char *path; /* "record.solutions", "record.solutions[]" for its entries; {} for any member */
    unsigned kinds;
    bool optional;             /* of a member */
    er_form_range words;       /* of a string */
    er_form_range characters;  /* of a string */
    er_form_range entries;     /* of an array */
    er_form_range value;       /* of an integer */
    const char *const *values; /* what a string may be, NULL at the end; NULL: anything */
    const char *pattern;       /* of a string, for PCRE2 and for ECMA 262 alike; NULL: anything */
    const char *says;          /* what the pattern asks for: "must be …" */
} er_form;

extern const er_form er_forms[];
extern const size_t er_form_count;

/* The place in the table, er_form_count where there is none. `prefix`, then `.name`. */
size_t er_form_find(const char *path);

#endif
