/*
 * records.h - the record files of a catalog folder, as text that can be changed in place.
 *
 * The catalog loader keeps what answers need; here it is the file that counts, byte by
 * byte, because only some values of it may change. Of one thread.
 */
#ifndef ERRATA_EXTRACT_RECORDS_H
#define ERRATA_EXTRACT_RECORDS_H

#include "base/arena.h"
#include "base/buffer.h"
#include "extract/program.h"
#include "extract/site.h"
#include "extract/table.h"

#define ER_RECORDS_MAX 200000u

/* A member's value in the file's bytes, quotes included; empty where it is absent. */
typedef struct er_span {
    uint32_t from, to;
} er_span;

typedef struct er_kept {
    const char *path;
    er_buffer content;                                      /* owned */
    er_slice id, repo, slug, message, code, file_path, sha; /* decoded */
    uint32_t line;
    er_span at_file_path, at_line, at_url, at_sha, at_also;
} er_kept;

typedef struct er_records {
    er_arena arena;
    er_kept *items;
    size_t count, capacity;
    er_table by_id;  /* (id) */
    er_table slugs;  /* (repo, slug) */
    er_table places; /* (analyzedSha, "path:line"): filePath with lineNumber, and alsoAt */
} er_records;

/* Reads every *.json below `folder` but tags.json and schema/; a folder that is not there
   has no records. The first file that is no record is a fault. */
er_status er_records_read(er_records *records, const char *folder, er_fault *fault) ER_MUST_CHECK;
void er_records_free(er_records *records);

/* Whether the message has a record, or all its places stand in records of the same commit:
   a line of another commit is another place. */
bool er_records_cover(const er_records *records, er_slice sha, const er_program *program,
                      const er_message *message);

#endif
