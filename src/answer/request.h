/*
 * request.h - what a request of errors.explain or errors.get asks for.
 *
 * People paste anything, so only what can be nothing else is taken for a
 * request object; every other payload is the text itself.
 */
#ifndef ERRATA_ANSWER_REQUEST_H
#define ERRATA_ANSWER_REQUEST_H

#include "base/buffer.h"
#include "catalog/record.h"
#include "match/matcher.h"

#define ER_REQUEST_MAX_DEPTH 16 /* a deeper object is text; a request needs 2 */

/* Which members of a record are sent: bit n is er_member n. */
typedef uint64_t er_fields;
#define ER_ALL_FIELDS ((er_fields) ~(er_fields)0)

typedef struct er_request {
    er_query query;
    er_fields fields;
} er_request;

/*
 * A JSON object with a `message` and otherwise only members of the request is a
 * request; anything else is text, also JSON that is cut short or holds another
 * member. ER_BAD_INPUT (a member is of the wrong type, out of range, unknown or
 * stands twice): the fault's member and reason say which and why. ER_NO_MEMORY.
 * The query borrows from `bytes` and from `decoded`, which is cleared first.
 */
er_status er_request_parse(er_slice bytes, er_buffer *decoded, er_request *out,
                           er_fault *fault) ER_MUST_CHECK;

/* The key of errors.get: without outer blanks, and decoded where it is a JSON string. */
er_status er_request_key(er_slice bytes, er_buffer *decoded, er_slice *key) ER_MUST_CHECK;

#endif
