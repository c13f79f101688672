/*
 * expression.h - the text that an expression gives, as far as the file tells.
 *
 * Literals, concatenations and format calls are put together; a local variable
 * stands for what it is assigned; what another file defines stays a name, to be
 * looked up when all files are linked.
 */
#ifndef ERRATA_EXTRACT_EXPRESSION_H
#define ERRATA_EXTRACT_EXPRESSION_H

#include "extract/fact.h"
#include "extract/source.h"

typedef struct er_expression {
    er_piece pieces[ER_FACT_MAX_PIECES];
    uint32_t piece_count;
    er_slice names[ER_FACT_MAX_NAMES];
    uint32_t name_count;
    bool format;      /* a call that fills placeholders was passed through */
    bool of_error;    /* the text of an error value */
    bool whole_error; /* an error's text without its own literal: `err.Error()` */
    uint32_t line;    /* of the value that a variable was given; 0: of the expression itself */
    TSNode arguments; /* of the format call; null where there is none */
    uint32_t first;   /* the first of them, from 0, that fills a placeholder */
} er_expression;

typedef struct er_evaluator {
    const er_source *source;
    er_arena *arena;  /* of the texts */
    er_status status; /* ER_NO_MEMORY, sticky */
} er_evaluator;

/* One value; a variable that may have several is a hole. */
void er_evaluate(er_evaluator *evaluator, TSNode node, er_expression *out);

/* Every value that the expression may have. */
typedef void er_expression_visit(void *context, const er_expression *value);
void er_evaluate_all(er_evaluator *evaluator, TSNode node, er_expression_visit *visit, void *context);

/* Proposes names for the placeholders that `arguments` fill, from the one at `first` on. */
void er_expression_names(er_evaluator *evaluator, er_expression *value, TSNode arguments, uint32_t first);

bool er_expression_has(const er_expression *value, er_piece_kind kind);
/* It is one piece of that kind and nothing else. */
bool er_expression_is(const er_expression *value, er_piece_kind kind);

#endif
