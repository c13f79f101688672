/*
 * scan.h - from a parsed file to its facts.
 */
#ifndef ERRATA_EXTRACT_SCAN_H
#define ERRATA_EXTRACT_SCAN_H

#include "base/buffer.h"
#include "extract/language.h"

typedef struct er_scanner er_scanner;

/* A scanner keeps a parser and its memory from file to file; of one thread. */
er_status er_scanner_make(er_scanner **out, er_fault *fault) ER_MUST_CHECK;
void er_scanner_free(er_scanner **scanner);

/*
 * Appends the facts of one file. A file that only tests use gives none, and
 * nothing is appended. `*error_line` (NULL allowed) is the line of the first thing
 * that did not parse, from 1, or 0; the rest of the file is read all the same.
 */
er_status er_scan_file(er_scanner *scanner, const er_language *language, er_slice content, er_buffer *out,
                       uint32_t *error_line, er_fault *fault) ER_MUST_CHECK;

#endif
