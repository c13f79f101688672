/*
 * record_page.h - the sections of a record's page, in the order in which they stand.
 *
 * A section that the record has nothing for is left out.
 */
#ifndef ERRATA_ANSWER_RECORD_PAGE_H
#define ERRATA_ANSWER_RECORD_PAGE_H

#include "answer/page.h"
#include "catalog/record.h"
#include "match/matcher.h"

void er_page_kind(er_page *page, const er_record *record);    /* a line: "nats-io/nats-server · error" */
void er_page_message(er_page *page, const er_record *record); /* the message as a title */
void er_page_meaning(er_page *page, const er_record *record); /* what it means */
/* Where it is thrown; `whole` adds the excerpt and the link. */
void er_page_source(er_page *page, const er_record *record, bool whole);
void er_page_solutions(er_page *page, const er_record *record);
void er_page_commands(er_page *page, const er_record *record, const er_match *match);
void er_page_occasions(er_page *page, const er_record *record); /* when it happens, prevention */
void er_page_provenance(er_page *page, const er_record *record);

/* From kind to source, as the page of a record begins. */
void er_page_opening(er_page *page, const er_record *record);
/* The page of a record that was asked for. */
void er_page_record(er_page *page, const er_record *record);

#endif
