/*
 * wrap.h - a paragraph cut into lines.
 *
 * Lines break at blanks only, and never inside a code span (`between
 * backticks`): a word or span wider than the line stands on a line of its own
 * and passes the margin, since a broken URL or command can not be copied.
 * Characters are shown as utf8.h says.
 */
#ifndef ERRATA_ANSWER_WRAP_H
#define ERRATA_ANSWER_WRAP_H

#include "base/buffer.h"
#include "base/slice.h"

/*
 * Writes `text` on a line of which `column` columns are used already; a line
 * that begins here begins with `indent` blanks. Runs of blanks become one, a line
 * feed stays one. No line feed is added at the end.
 */
void er_wrap(er_buffer *out, er_slice text, unsigned width, unsigned column, unsigned indent);

#endif
