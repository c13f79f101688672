/*
 * scanning.h - the scan of one file; private to scan.c and declaration.c.
 */
#ifndef ERRATA_EXTRACT_SCANNING_H
#define ERRATA_EXTRACT_SCANNING_H

#include "extract/expression.h"
#include "extract/fact.h"

typedef struct er_scan {
    const er_source *source;
    er_evaluator evaluator;
    er_buffer *out; /* facts; failure is sticky */
} er_scan;

/* Fill in where a fact stands: its function, and the package-level name whose value it is. */
void er_scan_function(const er_scan *one, TSNode node, er_fact *fact);
void er_scan_define(const er_scan *one, TSNode node, er_fact *fact);
void er_scan_define_around(const er_scan *one, TSNode node, er_fact *fact);
void er_scan_text(er_fact *fact, const er_expression *value);

/* Each writes the facts of one kind of match, or of the whole file. */
void er_scan_type(er_scan *one, const er_found *type);
void er_scan_code(er_scan *one, const er_found *code);
void er_scan_table(er_scan *one, const er_found *table);
void er_scan_enum(er_scan *one, const er_found *list);
void er_scan_status_lines(er_scan *one);
void er_scan_defines(er_scan *one);

#endif
