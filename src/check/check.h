/*
 * check.h - everything that `errata check` decides about a catalog.
 *
 * Loading asks for form only; what is checked here is for authors, and holds for
 * every document that has a guide. docs/check.md lists the rules. A result is
 * immutable; it owns all that it gives out. Not thread safe while it runs.
 */
#ifndef ERRATA_CHECK_CHECK_H
#define ERRATA_CHECK_CHECK_H

#include "base/buffer.h"
#include "base/status.h"
#include "catalog/record.h"

#define ER_CHECK_MAX_TAGS  (1u << 20)          /* bytes of tags.json */
#define ER_CHECK_MAX_SITES ((size_t)256 << 20) /* bytes of what extract printed */
#define ER_CHECK_HOSTILE   ((size_t)64 << 10)  /* bytes of each hostile text */
#define ER_CHECK_REPEATS   3u                  /* records that may hold the same sentence */

typedef struct er_check er_check;

typedef struct er_check_options {
    const char *sites; /* NDJSON of `errata extract`; NULL: no coverage */
    bool draft;        /* unknown ids are counted only */
} er_check_options;

typedef struct er_finding {
    const char *rule; /* its name in docs/check.md: "form", "slug", ...; static */
    er_slice file;    /* as the catalog's path was given */
    er_slice record;  /* id; of a document that does not load, what is known of it; may be empty */
    er_slice member;  /* "guide.commands[1].command"; may be empty */
    size_t offset;    /* in the file, ER_FAULT_NOWHERE where unknown */
    er_slice what;    /* one clause */
} er_finding;

/* A part of the source's messages: all, those of a file, those of a severity. */
typedef struct er_coverage_row {
    er_slice repo; /* of a file; else empty */
    er_slice name; /* its path, or the severity */
    size_t messages;
    size_t covered;
} er_coverage_row;

/* A message of the source that no record accounts for, and where it is raised first. */
typedef struct er_uncovered {
    er_slice repo, path, id, message;
    unsigned line;
    er_severity severity;
} er_uncovered;

typedef struct er_coverage {
    er_coverage_row all;
    er_coverage_row severities[ER_FATAL + 1]; /* the worst of the message's places */
    const er_coverage_row *files;             /* of the first place; in the order of repo and path */
    size_t file_count;
    const er_uncovered *uncovered; /* in the order of repo, path and line */
    size_t uncovered_count;
} er_coverage;

/*
 * Checks the catalog at `path`: a folder, a record file or a bundle. Findings are
 * no failure. ER_NOT_FOUND or ER_SYSTEM: the path, or the file of sites, can not be
 * read; ER_BAD_INPUT, ER_TOO_LARGE: the file of sites is not what extract prints;
 * ER_NO_MEMORY.
 */
er_status er_check_run(er_check **out, const char *path, const er_check_options *options,
                       er_fault *fault) ER_MUST_CHECK;
void er_check_free(er_check **check);

size_t er_check_finding_count(const er_check *check);
const er_finding *er_check_finding(const er_check *check, size_t index); /* in the order of the files */
size_t er_check_record_count(const er_check *check);
size_t er_check_unknown_count(const er_check *check);        /* ids in related and supersedes */
const er_coverage *er_check_coverage(const er_check *check); /* NULL without sites */

/* One line a finding, `file: record: member: what (at byte N)`; then the coverage. */
void er_check_write_text(const er_check *check, er_buffer *out);
/* {"findings":[…],"records":…,"unknownIds":…,"coverage":{…}}; coverage null without sites. */
void er_check_write_json(const er_check *check, er_buffer *out);

#endif
