/*
 * explain_page.h - the page of an explained text.
 */
#ifndef ERRATA_ANSWER_EXPLAIN_PAGE_H
#define ERRATA_ANSWER_EXPLAIN_PAGE_H

#include "answer/page.h"
#include "answer/snapshot.h"

/* What was matched, the record's page with its commands, the causes before the
   provenance, the other messages last. `found->found` is true. */
void er_page_explanation(er_page *page, const er_snapshot *snapshot, const er_explanation *found);

#endif
