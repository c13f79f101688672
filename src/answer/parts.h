/*
 * parts.h - the parts that JSON replies are made of.
 *
 * Each appends one JSON value to `out` and reports through its sticky status.
 * Records and guides are copied from the bytes rendered at load time.
 */
#ifndef ERRATA_ANSWER_PARTS_H
#define ERRATA_ANSWER_PARTS_H

#include "answer/request.h"
#include "answer/snapshot.h"
#include "answer/worker.h"
#include "base/buffer.h"

/* From 0 to 1, at most two decimals: "0.97", "0.3", "1". */
void er_part_confidence(er_buffer *out, double confidence);
/* The wanted members, in the record's own order. */
void er_part_record(er_buffer *out, const er_record *record, er_fields fields);
/* {"status":…,"confidence":…,"line":…,"span":[…],"text":…,"captures":[…],"frame":{…}} */
void er_part_match(er_buffer *out, const er_record *record, const er_match *match);
/* The guide with its commands filled from the match; null where there is none. */
void er_part_guide(er_buffer *out, er_buffer *command, const er_record *record, const er_match *match);
/* An array of summaries, each with its confidence. */
void er_part_nearest(er_buffer *out, const er_near *nearest, size_t count);

/* The whole reply of errors.explain where something was found. */
void er_part_explanation(er_worker *worker, const er_snapshot *snapshot, const er_explanation *found,
                         er_fields fields);

#endif
