/*
 * worker.h - what an er_worker holds.
 *
 * Every buffer keeps its memory from one request to the next, so that a warm
 * worker allocates nothing. `out` has room for any failure from the start: that
 * memory ran out can still be said.
 */
#ifndef ERRATA_ANSWER_WORKER_H
#define ERRATA_ANSWER_WORKER_H

#include "answer/answer.h"
#include "base/buffer.h"

#define ER_REPLY_CEILING ((size_t)8 << 20)                 /* bytes of one reply */
#define ER_REPLY_ROOM    4096u                             /* bytes of `out` that are there from the start */
#define ER_NEAR_MAX      256u                              /* records listed in `nearest` */
#define ER_DECODED_MAX   (ER_MATCH_MAX_TEXT + (64u << 10)) /* bytes of a request's decoded members */

/* An entry of `nearest`. */
typedef struct er_near {
    const er_record *record; /* borrowed from the snapshot */
    double confidence;
} er_near;

struct er_worker {
    er_scratch *scratch;
    er_buffer out;     /* the reply */
    er_buffer request; /* decoded members of the request; the query points into it */
    er_buffer text;    /* what is looked up for `nearest` of errors.get, and one decoded member for a page */
    er_near nearest[ER_NEAR_MAX];
};

#endif
