/*
 * record.h - one record of the catalog, as it is held for answering.
 *
 * Immutable once loaded. Every slice points into the catalog's own memory and
 * lives as long as the catalog. Texts that go into a reply are kept as the JSON
 * bytes they are sent as (docs/tour.md says why); those that the program works
 * with are decoded.
 */
#ifndef ERRATA_CATALOG_RECORD_H
#define ERRATA_CATALOG_RECORD_H

#include "base/slice.h"

#include <stdint.h>

/* Limits on one record; over one of them loading fails with ER_TOO_LARGE. Texts are
   measured as they stand between their quotes in the file. */
#define ER_RECORD_MAX_NAME     256u         /* bytes of a repo, a slug, a code, a tag, a capture's name ... */
#define ER_RECORD_MAX_TEXT     (64u * 1024) /* bytes of any other text */
#define ER_RECORD_MAX_TIME     40u          /* bytes of a time */
#define ER_RECORD_MAX_LIST     256u         /* entries of a list */
#define ER_RECORD_MAX_CAPTURES 32u          /* captureNames */

/* In rising order: a greater one is more telling. */
typedef enum er_severity { ER_INFO, ER_WARNING, ER_ERROR, ER_FATAL } er_severity;

typedef enum er_error_type { ER_EXCEPTION, ER_LOG, ER_API, ER_PROTOCOL } er_error_type;

const char *er_severity_name(er_severity severity); /* "info", "warning", "error", "fatal" */
bool er_severity_parse(er_slice text, er_severity *severity);
const char *er_error_type_name(er_error_type type); /* "exception", "log", "api", "protocol" */
bool er_error_type_parse(er_slice text, er_error_type *type);

/* The members of a record (schema version 2), in the order in which they are sent. */
typedef enum er_member {
    ER_MEMBER_ID,
    ER_MEMBER_REPO,
    ER_MEMBER_SLUG,
    ER_MEMBER_ERROR_CODE,
    ER_MEMBER_ERROR_MESSAGE,
    ER_MEMBER_MESSAGE_PATTERN,
    ER_MEMBER_ERROR_TYPE,
    ER_MEMBER_ERROR_CLASS,
    ER_MEMBER_HTTP_STATUS,
    ER_MEMBER_SEVERITY,
    ER_MEMBER_FILE_PATH,
    ER_MEMBER_LINE_NUMBER,
    ER_MEMBER_SOURCE_CODE,
    ER_MEMBER_SOURCE_CODE_START,
    ER_MEMBER_SOURCE_CODE_END,
    ER_MEMBER_GITHUB_URL,
    ER_MEMBER_DOCUMENTATION,
    ER_MEMBER_TRIGGER_SCENARIOS,
    ER_MEMBER_COMMON_SITUATIONS,
    ER_MEMBER_SOLUTIONS,
    ER_MEMBER_EXAMPLE_FIX,
    ER_MEMBER_HANDLING_STRATEGY,
    ER_MEMBER_VALIDATION_CODE,
    ER_MEMBER_TYPE_GUARD,
    ER_MEMBER_TRY_CATCH_PATTERN,
    ER_MEMBER_PREVENTION_TIPS,
    ER_MEMBER_TAGS,
    ER_MEMBER_BACKGROUND_TAG,
    ER_MEMBER_ANALYZED_SHA,
    ER_MEMBER_ANALYZED_AT,
    ER_MEMBER_CONTENT_CHANGED_AT,
    ER_MEMBER_SCHEMA_VERSION,
    ER_MEMBER_COUNT
} er_member;

const char *er_member_name(er_member member); /* "errorMessage", ... */
/* Whether `raw` (the inside of a JSON string) is a member's name. */
bool er_member_parse(er_slice raw, er_member *member);

typedef struct er_command {
    er_slice purpose; /* decoded */
    er_slice command; /* decoded, with its placeholders */
} er_command;

typedef struct er_record {
    er_slice json;            /* the whole record, compact, members in the document's own order */
    er_slice dataset_version; /* of a document in the seed's form: decoded; empty otherwise */

    er_slice id;
    er_slice repo;
    er_slice slug;
    er_slice code;        /* empty where errorCode is null */
    er_slice message;     /* errorMessage */
    er_slice pattern;     /* messagePattern */
    er_slice error_class; /* empty where null */
    er_severity severity;
    er_error_type type;

    /* The guide; everything below is empty where the file has none. */
    bool has_guide;
    er_slice guide_json;           /* compact, without `examples`; `related` holds known ids only */
    er_slice commands_json;        /* the value of `commands` in it where one has a placeholder, else empty */
    const er_slice *capture_names; /* decoded, one for each group in its order */
    uint32_t capture_count;
    const er_command *commands;
    uint32_t command_count;
    er_slice first_release; /* "v2.2.0"; empty where unknown */
    er_slice last_release;  /* empty while the newest one holds the message */

    er_slice file; /* the catalog file it came from, as given */
    uint32_t line; /* its line in a bundle, counting from 1; 0 for a file of its own */
} er_record;

/*
 * The JSON value of one member inside record->json (quotes included). Found by
 * reading the JSON again: no table is kept, so a record costs its bytes only.
 * An empty slice cannot happen for a loaded record.
 */
er_slice er_record_member(const er_record *record, er_member member);

#endif
