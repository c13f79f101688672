/*
 * language.h - what the extractor knows of a programming language.
 *
 * A language is a grammar and a query file (queries/NAME.scm). The query finds
 * nodes; directives in it (`#raise!`, `#kind!`, …) are the tables: which call
 * raises what, what a node type means to the evaluator. docs/extract.md lists them.
 * Immutable once loaded; any number of threads may read it.
 */
#ifndef ERRATA_EXTRACT_LANGUAGE_H
#define ERRATA_EXTRACT_LANGUAGE_H

#include "base/slice.h"
#include "base/status.h"
#include "catalog/record.h"

#include <tree_sitter/api.h>

/* What the evaluator does with a node; from `#kind!`. */
typedef enum er_role {
    ER_ROLE_NONE,
    ER_ROLE_STRING,        /* a literal with escapes */
    ER_ROLE_RAW_STRING,    /* a literal without */
    ER_ROLE_TEMPLATE,      /* a literal that holds expressions */
    ER_ROLE_HOLE,          /* such an expression */
    ER_ROLE_JOINED,        /* literals that stand side by side */
    ER_ROLE_CONCATENATION, /* left + right */
    ER_ROLE_INNER,         /* worth what is inside */
    ER_ROLE_NAME,
    ER_ROLE_MEMBER,
    ER_ROLE_CALL,
    ER_ROLE_INDEX,
    ER_ROLE_LIST,
    ER_ROLE_PARAMETER,
    ER_ROLE_SPREAD, /* an argument that stands for many */
    ER_ROLE_PAIR,   /* key: value */
    ER_ROLE_CHOICE, /* one of two expressions */
    ER_ROLE_MACRO,  /* what stands behind a macro's name: a literal, or nothing to us */
    ER_ROLE_COUNT
} er_role;

/* Names of captures in the query. */
typedef enum er_capture {
    ER_CAPTURE_PACKAGE,
    ER_CAPTURE_IMPORT,
    ER_CAPTURE_FUNCTION,
    ER_CAPTURE_FUNCTION_INNER,
    ER_CAPTURE_FUNCTION_NAME,
    ER_CAPTURE_FUNCTION_TYPE,
    ER_CAPTURE_FUNCTION_SELF,
    ER_CAPTURE_FUNCTION_PARAMETERS,
    ER_CAPTURE_DEFINE,
    ER_CAPTURE_DEFINE_CONSTANT,
    ER_CAPTURE_CALL,
    ER_CAPTURE_CALL_NAME,
    ER_CAPTURE_CALL_QUALIFIER,
    ER_CAPTURE_CALL_ARGUMENTS,
    ER_CAPTURE_LITERAL_TYPE,
    ER_CAPTURE_LITERAL_BODY,
    ER_CAPTURE_TYPE_NAME,
    ER_CAPTURE_TYPE_FIELDS,
    ER_CAPTURE_RETURN,
    ER_CAPTURE_USE,
    ER_CAPTURE_CODE,
    ER_CAPTURE_CODE_TABLE,
    ER_CAPTURE_RAISE_CLASS, /* the class of a value that is thrown */
    ER_CAPTURE_RAISE_ERROR, /* the class of a value that is made, an error by its name */
    ER_CAPTURE_TABLE_NAME,  /* an array of texts */
    ER_CAPTURE_TABLE_BODY,
    ER_CAPTURE_ENUM_NAME, /* the constants that number them */
    ER_CAPTURE_ENUM_BODY,
    ER_CAPTURE_OTHER,
    ER_CAPTURE_COUNT
} er_capture;

/* The directives whose rows begin with a callee, "qualifier.name", "*.name" or "name". */
typedef enum er_rule_kind {
    ER_RULE_RAISE,
    ER_RULE_FORMAT,       /* gives its argument's text, with placeholders filled from what follows it */
    ER_RULE_THROUGH,      /* gives its argument's text */
    ER_RULE_THROUGH_NAME, /* a capture is named after its argument */
    ER_RULE_COMPARES,     /* takes an error without raising it */
    ER_RULE_TYPE,         /* a type's kind and severity */
    ER_RULE_DESCRIBES,    /* the method that gives a type's text */
    ER_RULE_TEXT_OF,      /* a method without arguments that gives its object's text */
    ER_RULE_STRING_TYPE,
    ER_RULE_ERROR_NAME,
    ER_RULE_STATUS_LINE,
    ER_RULE_CODES,
    ER_RULE_SKIP_FILE,
    ER_RULE_SKIP_IMPORT,
    ER_RULE_GENERIC,
    ER_RULE_NAME,
    ER_RULE_TEXT_TABLE,    /* an array of messages, and the enumeration that numbers them */
    ER_RULE_TEXT,          /* a macro and the text it stands for */
    ER_RULE_FORMAT_METHOD, /* a method that fills the {} of its object */
    ER_RULE_TROUBLE,       /* a word that tells a reason from a name */
    ER_RULE_KIND_COUNT
} er_rule_kind;

typedef struct er_rule {
    er_rule_kind kind;
    er_slice qualifier; /* "*" any, "" none */
    er_slice name;
    er_slice
        to; /* NAME, TEXT: what stands for it; CODES: the constructor's prefix; TEXT_TABLE: the enumeration */
    er_slice suffix; /* CODES: the constructor's suffix */
    er_error_type type;
    er_severity severity;
    uint32_t argument; /* from 1; 0: none */
    uint32_t status;   /* the argument that is an HTTP status; 0: none */
    bool optional;     /* without a text that can be resolved it is no message */
    bool typed;        /* the class is the type that encloses the call */
    uint32_t when;     /* counts only where that argument, from 1, is `when_text`; 0: always */
    er_slice when_text;
} er_rule;

/* The callee under which a value that is thrown, or an error that is made, has its `#raise!`. */
#define ER_THROWN "<thrown>"

typedef struct er_language er_language;

/* All languages that were built in, NULL-ended; loaded at the first call, which is not
   thread safe. NULL and a fault when a query file does not fit its grammar. */
er_language *const *er_languages(er_fault *fault);
void er_languages_free(void);

/* The language of a file by its ending; NULL for none, and for a file that is passed over. */
const er_language *er_language_of(const char *path);

const char *er_language_name(const er_language *language);
const TSLanguage *er_language_grammar(const er_language *language);
const TSQuery *er_language_query(const er_language *language);
er_role er_language_role(const er_language *language, TSSymbol symbol);
er_capture er_language_capture(const er_language *language, uint32_t id);
bool er_language_curly(const er_language *language); /* a value in a message is shown as {name}, not %s */

/* The row for a callee, an exact qualifier before "*"; NULL where there is none. */
const er_rule *er_language_rule(const er_language *language, er_rule_kind kind, er_slice qualifier,
                                er_slice name);
/* All rows of a kind, in the file's order. */
const er_rule *er_language_rules(const er_language *language, er_rule_kind kind, size_t *count);
/* Whether a word, in any case, is in `#trouble!`. */
bool er_language_trouble(const er_language *language, er_slice word);
/* Whether an identifier looks like an error's, by `#error-name!` (part of it, any case). */
bool er_language_error_name(const er_language *language, er_slice name);

#endif
