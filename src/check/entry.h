/*
 * entry.h - a catalog as it is checked. Internal to check.
 *
 * All memory is in one arena. Running out of it is sticky: `status` says so, what is
 * then given out is empty, and the run ends with it.
 */
#ifndef ERRATA_CHECK_ENTRY_H
#define ERRATA_CHECK_ENTRY_H

#include "base/arena.h"
#include "base/json.h"
#include "catalog/catalog.h"
#include "catalog/document.h"
#include "check/check.h"
#include "match/matcher.h"

typedef struct er_entry {
    const er_record *record;
    er_slice member[ER_MEMBER_COUNT]; /* JSON values */
    er_slice guide_text;              /* the guide as in the file; `at` is NULL where there is none */
    er_slice guide[ER_GUIDE_COUNT];   /* JSON values; `at` is NULL where there is none */
    uint32_t groups;                  /* of the pattern */
    bool compiles;                    /* the pattern */
} er_entry;

typedef struct er_tag_list {
    er_slice *names; /* in byte order */
    size_t count;
} er_tag_list;

typedef struct er_guide_place {
    const char *record; /* where the record's JSON is, which tells records apart */
    er_slice guide;
} er_guide_place;

struct er_check {
    er_arena arena;
    er_buffer scratch;
    er_status status;
    const char *path;
    const char *root; /* the folder with tags.json at or above the path; NULL for none */
    bool draft;
    er_catalog *catalog;
    er_entry *entries;
    size_t count;
    er_tag_list tags, background_tags;
    er_guide_place *guides;
    size_t guide_count, guide_capacity;
    er_finding *findings;
    size_t finding_count, finding_capacity;
    size_t unknown;
    er_coverage coverage;
    bool has_coverage;
};

/* Loads the catalog; documents with faults become findings and are left out. */
void er_entries_load(er_check *check);

/* The decoded text of a JSON string; empty for any other value. */
er_slice er_entry_text(er_check *check, er_slice value);
/* The decoded strings of a JSON array of strings, in the arena. */
typedef struct er_texts {
    const er_slice *at;
    size_t count;
} er_texts;
er_texts er_entry_texts(er_check *check, er_slice list);
/* The value of a member of a JSON object; `at` is NULL where there is none. */
er_slice er_entry_member(er_slice object, const char *name);

/* What stands in check->scratch; false, and `status` is set, when not all of it does. */
bool er_check_scratch(er_check *check, er_slice *text);
void *er_check_take(er_check *check, size_t size); /* zeroed; NULL when out of memory */
/* Grows a heap array so that one more fits; false when out of memory. */
bool er_check_grow(er_check *check, void **array, size_t *capacity, size_t count, size_t size);

/* Findings, finding.c. `entry` NULL: of no record. */
void er_finding_add(er_check *check, const char *rule, const er_entry *entry, const char *member,
                    const char *format, ...) ER_PRINTF(5, 6);
void er_finding_add_fault(er_check *check, const char *rule, const er_fault *fault);
/* Of the file beside the catalog, not of a record. */
void er_finding_add_file(er_check *check, const char *rule, const char *file, const char *format, ...)
    ER_PRINTF(4, 5);
void er_findings_sort(er_check *check);
/* How much of a text a finding shows: for "%.*s". */
#define ER_SHOWN(text) ((int)((text).len < 80 ? (text).len : 80)), (text).at

/* The rules; each goes through all entries that have a guide. */
void er_check_tags(er_check *check);
void er_check_forms(er_check *check);
void er_check_identity(er_check *check);
void er_check_patterns(er_check *check);
void er_check_commands(er_check *check);
void er_check_answers(er_check *check);
void er_check_doubles(er_check *check);
void er_check_sentences(er_check *check);
void er_check_relations(er_check *check);
/* Fills check->coverage; ER_OK, or why the file of sites can not be used. */
er_status er_check_cover(er_check *check, const char *sites, er_fault *fault) ER_MUST_CHECK;

#endif
