/*
 * page.h - the text form of a reply: what a person reads.
 *
 * Blocks are set apart by a blank line. Text from
 * records and requests goes through utf8.h, so that it can neither command a
 * terminal nor, being wrapped or indented, pass for a heading of ours.
 */
#ifndef ERRATA_ANSWER_PAGE_H
#define ERRATA_ANSWER_PAGE_H

#include "answer/answer.h"
#include "base/buffer.h"

#define ER_PAGE_DEFAULT_WIDTH 80u
#define ER_PAGE_MIN_WIDTH     40u
#define ER_PAGE_MAX_WIDTH     100u

typedef struct er_page {
    er_buffer *out;
    er_buffer *text; /* one decoded member or filled command at a time */
    unsigned width;
    bool colour;
} er_page;

/* How a piece of text is set off where the page is in colour. */
typedef enum er_tone { ER_TONE_PLAIN, ER_TONE_BOLD, ER_TONE_DIM, ER_TONE_RED, ER_TONE_YELLOW } er_tone;

er_page er_page_start(er_buffer *out, er_buffer *text, er_style style);
void er_page_tone(er_page *page, er_tone tone); /* from here on; ER_TONE_PLAIN ends it */

/* A blank line, unless the page is empty. */
void er_page_gap(er_page *page);
/* A gap, the text in bold, a gap. */
void er_page_heading(er_page *page, const char *text);
/* A wrapped paragraph behind a label ("Trigger: "; "" for none). */
void er_page_paragraph(er_page *page, const char *label, er_slice text);
/* One item of a list, wrapped under its own text; `mark` is "1. " or "- ". */
void er_page_item(er_page *page, const char *mark, er_slice text);
/* One line, never wrapped: what would break it is escaped. */
void er_page_line(er_page *page, unsigned indent, er_slice text);
/* Lines as they are, never wrapped, tabs kept. */
void er_page_verbatim(er_page *page, unsigned indent, er_slice text);

#endif
