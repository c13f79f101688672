/*
 * lines.h - where the lines of a file begin.
 */
#ifndef ERRATA_EXTRACT_LINES_H
#define ERRATA_EXTRACT_LINES_H

#include "base/slice.h"
#include "base/status.h"

#include <stdint.h>

typedef struct er_lines {
    er_slice content; /* borrowed */
    uint32_t *starts; /* owned: the offset of each line, and one more */
    uint32_t count;   /* the last line need not end in a line feed */
} er_lines;

/* An empty content has no lines and allocates nothing. */
er_status er_lines_make(er_lines *lines, er_slice content) ER_MUST_CHECK;
void er_lines_free(er_lines *lines);
/* Lines from..to, from 1 to count, without the last line feed. */
er_slice er_lines_between(const er_lines *lines, uint32_t from, uint32_t to);

#endif
