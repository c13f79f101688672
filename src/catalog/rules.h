/*
 * rules.h - what follows from a message by rule: id, slug, pattern, URL, sample.
 *
 * The one place where these rules stand in code; the extractor makes records
 * by them and `errata check` holds records to them. docs/catalog.md is the text.
 * All functions append to `out` and report through its sticky status.
 */
#ifndef ERRATA_CATALOG_RULES_H
#define ERRATA_CATALOG_RULES_H

#include "base/buffer.h"
#include "base/status.h"

#define ER_ID_LEN       16
#define ER_SLUG_MAX     80
#define ER_SOURCE_LINES 18 /* lines shown on either side of lineNumber */

/* First 16 hex digits of SHA-256 over repo LF message [LF code]; `code` may be empty. */
er_status er_rule_id(er_slice repo, er_slice message, er_slice code, char out[ER_ID_LEN + 1]) ER_MUST_CHECK;

/* The slug of a message, or where it has no word of its own, of `error_class`.
   Does not number duplicates: the second to come gets "-2" from the caller. */
void er_rule_slug(er_slice message, er_slice error_class, er_buffer *out);

/* The pattern of a format string, outer blanks left out. Go's verbs and {name} placeholders. */
void er_rule_pattern(er_slice message, er_buffer *out);

/* The message with a sample value for each placeholder, one that its group takes. */
void er_rule_sample(er_slice message, er_buffer *out);

/* The placeholders of a message, in order, as they stand: "%s", "%-10d", "{name}". `visit` gets each. */
typedef void er_rule_visit(void *context, er_slice placeholder);
void er_rule_placeholders(er_slice message, er_rule_visit *visit, void *context);

/* https://github.com/REPO/blob/SHA/PATH#Lfrom-Lto; from is at least 1, and to is
   line + 18 (it may pass the end of the file: `file_lines` > 0 cuts it there). */
void er_rule_url(er_slice repo, er_slice sha, er_slice path, unsigned line, unsigned file_lines,
                 er_buffer *out);

#endif
