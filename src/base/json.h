/*
 * json.h - a strict pull reader over JSON text in memory, and the string writer.
 *
 * RFC 8259 and nothing more: no comments, no trailing commas, no leading zeros,
 * no raw control characters in strings. It allocates nothing, keeps the place
 * of every value, and bounds depth. A tree library cannot give the offset of a
 * member, nor the bytes of a value as they stand, which is what replies are
 * assembled from; bench/load measures it beside cJSON.
 *
 *     er_json json;
 *     er_slice key;
 *     er_json_start(&json, text, 32);
 *     er_json_object_begin(&json);
 *     while (er_json_object_next(&json, &key)) { ... read one value ... }
 *     if (er_json_finish(&json) != ER_OK) ... json.reason, json.reason_at ...
 *
 * Failure is sticky: after it every call returns false and *_next ends its loop.
 */
#ifndef ERRATA_BASE_JSON_H
#define ERRATA_BASE_JSON_H

#include "base/buffer.h"
#include "base/slice.h"
#include "base/status.h"

#define ER_JSON_MAX_DEPTH 64

typedef enum er_json_kind {
    ER_JSON_NONE, /* end of the text, or an error */
    ER_JSON_OBJECT,
    ER_JSON_ARRAY,
    ER_JSON_STRING,
    ER_JSON_NUMBER,
    ER_JSON_TRUE,
    ER_JSON_FALSE,
    ER_JSON_NULL
} er_json_kind;

typedef struct er_json {
    er_slice text;
    size_t at;     /* offset of the next unread byte */
    size_t blanks; /* passed over between tokens so far: a value that adds none is compact */
    unsigned depth;
    unsigned max_depth; /* at most ER_JSON_MAX_DEPTH */
    const char *reason; /* NULL while all is well; static text */
    size_t reason_at;
    bool first[ER_JSON_MAX_DEPTH]; /* no member was read yet at this depth */
} er_json;

void er_json_start(er_json *json, er_slice text, unsigned max_depth);

/* What the next value is, without reading it. */
er_json_kind er_json_peek(er_json *json);
/* Its name for an error message: "an object", "a string", "null", ... */
const char *er_json_kind_name(er_json_kind kind);

bool er_json_object_begin(er_json *json);
/* The next member's key, between its quotes and with escapes as they stand;
   false at the end of the object (which it consumes) or after an error. */
bool er_json_object_next(er_json *json, er_slice *key);
bool er_json_array_begin(er_json *json);
bool er_json_array_next(er_json *json);

/* A string's bytes between the quotes, escapes as they stand. */
bool er_json_string(er_json *json, er_slice *raw);
/* A number that is an integer in the range; 1.0 and 1e3 are not taken. */
bool er_json_integer(er_json *json, long long *value);
bool er_json_bool(er_json *json, bool *value);
bool er_json_null(er_json *json);
/* Any value; `raw` (NULL allowed) is its bytes as they stand, quotes included. */
bool er_json_skip(er_json *json, er_slice *raw);
/* ER_OK when the text was read to its end and only blanks followed. */
er_status er_json_finish(er_json *json) ER_MUST_CHECK;

/*
 * Decodes the inside of a string into `out`, which must hold raw.len bytes
 * (decoding never grows); returns the length. `\u0000` gives a NUL byte, an
 * unpaired surrogate U+FFFD.
 */
size_t er_json_decode(er_slice raw, char *out);
/* Whether the decoded string equals `text`, without decoding into memory. */
bool er_json_equal(er_slice raw, const char *text);

/*
 * Writes bytes as a JSON string with its quotes. Control characters are
 * escaped, and each byte that is not part of valid UTF-8 becomes U+FFFD, so
 * that the reply is valid JSON whatever came in.
 */
void er_json_write(er_buffer *out, er_slice bytes);
/* The same without the quotes, for a string that is made of several parts. */
void er_json_write_inside(er_buffer *out, er_slice bytes);
/* Copies valid JSON without the blanks between its tokens. */
void er_json_write_compact(er_buffer *out, er_slice json);

#endif
