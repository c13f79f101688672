/*
 * skeleton.h - a catalog file for a message that has no record yet.
 *
 * All members of a record stand there in their order, what a person must write is
 * empty, so that `errata check` names it.
 */
#ifndef ERRATA_EXTRACT_SKELETON_H
#define ERRATA_EXTRACT_SKELETON_H

#include "extract/site.h"

typedef struct er_skeleton {
    const er_program *program;
    const er_message *message;
    er_slice repo;
    er_slice sha;
    er_slice slug; /* unique in the repo; the message's own where no record has it */
    er_slice analyzed_at;
    const er_versions *versions; /* NULL: unknown */
    const uint32_t *same;        /* by message: the one whose record it belongs to; NULL: its own */
} er_skeleton;

void er_skeleton_write(er_buffer *out, const er_skeleton *skeleton);

#endif
