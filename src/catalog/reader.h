/*
 * reader.h - a JSON reader that knows where it is and what was asked of it.
 *
 * Internal to the catalog. It wraps base/json.h: every function reads one value or
 * step, checks it, and on a fault fills the er_fault with the path of the member
 * ("guide.commands[1].command"), the offset and the reason. Failure is sticky: all
 * functions return false from then on, and `status` says why.
 */
#ifndef ERRATA_CATALOG_READER_H
#define ERRATA_CATALOG_READER_H

#include "base/json.h"
#include "base/status.h"

#include <stdint.h>

#define ER_READER_MAX_DEPTH 8

/* One step on the way to the value being read: a member's name, or a place in a list. */
typedef struct er_reader_step {
    er_slice name; /* `at` is NULL in a list, where the index counts */
    unsigned index;
} er_reader_step;

typedef struct er_reader {
    er_json json;
    er_fault *fault; /* NULL allowed */
    er_status status;
    er_slice subject;                         /* what the fault names as its record; empty while unknown */
    void *context;                            /* the caller's */
    er_reader_step path[ER_READER_MAX_DEPTH]; /* one for each depth of `json` */
} er_reader;

typedef bool er_reader_value(er_reader *reader); /* reads one value */

void er_reader_start(er_reader *reader, er_slice text, void *context, er_fault *fault);

/* Fills the fault for the value on the path, unless there is one already; returns false. */
bool er_reader_refuse(er_reader *reader, er_status status, size_t offset, const char *format, ...)
    ER_PRINTF(4, 5);

bool er_reader_object(er_reader *reader);
/* The next member's key; false at the object's end, and after a fault. Then the
   reader stands on the value: reader->json.at is its offset. */
bool er_reader_next(er_reader *reader, er_slice *key);
/* Which of `count` names (at most 64) the key is; -1 and a fault when it is none of
   them or was seen before, as the bits of `seen` tell. */
int er_reader_known(er_reader *reader, er_slice key, const char *const *names, int count, uint64_t *seen);
/* After the object's end: whether the first `count` of the names were all seen. */
bool er_reader_all(er_reader *reader, const char *const *names, int count, uint64_t seen);

/* A string of `least` to `most` bytes, as it stands between its quotes; without NUL. */
bool er_reader_text(er_reader *reader, size_t least, size_t most, er_slice *raw);
bool er_reader_integer(er_reader *reader, long long least, long long most);
bool er_reader_bool(er_reader *reader);
bool er_reader_or_null(er_reader *reader, er_reader_value *read);
bool er_reader_list(er_reader *reader, unsigned most, er_reader_value *read);
/* Nothing but blanks follows. The status of the whole. */
er_status er_reader_finish(er_reader *reader) ER_MUST_CHECK;

#endif
