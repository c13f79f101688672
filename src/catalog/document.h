/*
 * document.h - one catalog document: its form checked, its parts found.
 *
 * Internal to the catalog. Nothing is copied or decoded: every slice points into
 * the text that was read and lives as long as it does.
 */
#ifndef ERRATA_CATALOG_DOCUMENT_H
#define ERRATA_CATALOG_DOCUMENT_H

#include "base/status.h"
#include "catalog/record.h"

typedef enum er_guide_member {
    ER_GUIDE_CAPTURE_NAMES,
    ER_GUIDE_FOREIGN_ID,
    ER_GUIDE_COMMANDS,
    ER_GUIDE_EXAMPLES,
    ER_GUIDE_VERSIONS,
    ER_GUIDE_ALSO_AT,
    ER_GUIDE_RELATED,
    ER_GUIDE_SUPERSEDES,
    ER_GUIDE_RATE_LIMITED,
    ER_GUIDE_VERIFIED,
    ER_GUIDE_COUNT
} er_guide_member;

const char *er_guide_member_name(er_guide_member member);

typedef struct er_document {
    er_slice dataset_version;         /* inside of the string; `at` is NULL where there is none */
    er_slice record;                  /* the value, an object */
    bool compact;                     /* whether it has no blanks between its tokens */
    er_slice member[ER_MEMBER_COUNT]; /* each value as it stands, quotes included */
    er_slice guide;                   /* the value, an object; `at` is NULL where there is none */
    er_severity severity;
    er_error_type type;
} er_document;

/*
 * Checks the form of `text`, all of it: a record of schema version 2 with every
 * member, of its type and within its limits, and no others. ER_BAD_INPUT or
 * ER_TOO_LARGE; the fault has record, member, reason, and an offset in `text`.
 */
er_status er_document_read(er_document *out, er_slice text, er_fault *fault) ER_MUST_CHECK;

/* The inside of a string value: without its quotes. */
static inline er_slice er_document_inside(er_slice value)
{
    return value.len < 2 ? (er_slice){value.at, 0} : er_slice_of(value.at + 1, value.len - 2);
}

#endif
