/*
 * answer.h - from the bytes of a request to the bytes of a reply.
 *
 * Used by the service and by the command line alike: no NATS, no terminal. An
 * er_worker belongs to one thread at a time and holds its scratch memory; a
 * reply lives in it until the worker's next use.
 */
#ifndef ERRATA_ANSWER_ANSWER_H
#define ERRATA_ANSWER_ANSWER_H

#include "answer/snapshot.h"
#include "base/slice.h"
#include "base/status.h"

#define ER_DEFAULT_MAX_REQUEST (64u * 1024u)
#define ER_DEFAULT_LIMIT       5u
#define ER_MAX_LIMIT           50u

typedef enum er_form { ER_FORM_JSON, ER_FORM_PAGE } er_form;

/* How to write a reply. */
typedef struct er_style {
    er_form form;
    unsigned width; /* columns of a page: 0 means 80; cut to 40..100 */
    bool colour;    /* ANSI colours in a page; only ever true on a terminal */
} er_style;

/* The form that an `Accept` header asks for: text/plain and text/markdown give a
   page, anything else (NULL too) JSON. Parameters (";q=…") and letter case are ignored. */
er_form er_form_accepted(const char *accept);

typedef struct er_reply {
    int code;              /* 0 for a good reply, else 400, 404, 413, 500, 503 */
    char description[256]; /* for the headers: one line, printable; "" for a good reply */
    er_slice body;         /* in the worker; never empty */
} er_reply;

typedef struct er_worker er_worker;
er_status er_worker_new(er_worker **out) ER_MUST_CHECK;
void er_worker_free(er_worker **worker);

/* Each always gives a reply; failures are replies too. `snapshot` NULL gives 503.
   `max_request` 0 means no limit; the size given in a 413 is request.len. */
void er_answer_explain(er_worker *worker, const er_snapshot *snapshot, er_slice request, size_t max_request,
                       er_style style, er_reply *reply);
void er_answer_get(er_worker *worker, const er_snapshot *snapshot, er_slice request, size_t max_request,
                   er_style style, er_reply *reply);

/* What er_answer_explain does with a text and options that are known already, for the command line. */
void er_answer_query(er_worker *worker, const er_snapshot *snapshot, const er_query *query, er_style style,
                     er_reply *reply);

/* This replica's part of errors.status. */
typedef struct er_status_info {
    er_slice instance;
    er_slice version;
    unsigned long long hits;   /* explains and gets that were answered */
    unsigned long long misses; /* that ended in 404 */
} er_status_info;
void er_answer_status(er_worker *worker, const er_snapshot *snapshot, const er_status_info *info,
                      er_style style, er_reply *reply);

/* A reply that only says what went wrong. */
void er_answer_failure(er_worker *worker, int code, const char *description, er_style style, er_reply *reply);

#endif
