/*
 * failure.h - the reply that says what went wrong, and how any reply is closed.
 */
#ifndef ERRATA_ANSWER_FAILURE_H
#define ERRATA_ANSWER_FAILURE_H

#include "answer/worker.h"

/*
 * Writes a failure in the style's form. With a snapshot the body holds `nearest`
 * (worker->nearest[0..count), empty too) and `datasetVersion`. The description is
 * made printable and cut to fit er_reply.
 */
void er_failure_write(er_worker *worker, const er_snapshot *snapshot, size_t count, int code, er_style style,
                      er_reply *reply, const char *format, ...) ER_PRINTF(7, 8);

/* Puts suggestions of the matcher into worker->nearest behind the `count` that are
   there; returns how many there are then. */
size_t er_nearest_take(er_worker *worker, const er_snapshot *snapshot, const er_suggestion *suggestions,
                       size_t more, size_t count);

/* The failure that a status of the engine or of a buffer stands for. */
void er_failure_status(er_worker *worker, er_status status, size_t size, size_t limit, er_style style,
                       er_reply *reply);

/* Makes worker->out the body of a good reply; where it was not written whole, of a failure. */
void er_reply_close(er_worker *worker, er_style style, er_reply *reply);

/* Whether there is a catalog and the request fits; else the reply says what is not so. */
bool er_request_allowed(er_worker *worker, const er_snapshot *snapshot, size_t size, size_t max_request,
                        er_style style, er_reply *reply);

#endif
