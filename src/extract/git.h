/*
 * git.h - reading a git repository through the `git` command.
 *
 * Nothing is checked out and nothing is written; the repository may be bare.
 * Of one thread.
 */
#ifndef ERRATA_EXTRACT_GIT_H
#define ERRATA_EXTRACT_GIT_H

#include "base/buffer.h"
#include "base/status.h"

#include <stdint.h>
#include <sys/types.h>

#define ER_GIT_SHA      40
#define ER_GIT_MAX_LIST ((size_t)64 << 20) /* bytes of one list of files */

/* Whether a folder is a repository's top or its git directory. */
bool er_git_is(const char *folder);

/* Runs `git -C folder WORDS…` (NULL-ended) and appends what it prints. ER_NOT_FOUND when git says no. */
er_status er_git_run(const char *folder, const char *const *words, er_buffer *out,
                     er_fault *fault) ER_MUST_CHECK;

/* A revision's commit and its date ("2026-11-30T22:34:09.000Z"). A name that begins with '-' is refused. */
typedef struct er_commit {
    char sha[ER_GIT_SHA + 1];
    char date[25];
} er_commit;
er_status er_git_commit(const char *folder, const char *revision, er_commit *out,
                        er_fault *fault) ER_MUST_CHECK;

/* One running `git cat-file --batch`. */
typedef struct er_git_reader {
    pid_t process;
    int to, from;
    char pending[8192]; /* bytes of answers that were read ahead */
    size_t at, end;
} er_git_reader;

er_status er_git_open(er_git_reader *reader, const char *folder, er_fault *fault) ER_MUST_CHECK;
void er_git_close(er_git_reader *reader);
/* Appends a blob's bytes; ER_TOO_LARGE over the buffer's ceiling, with nothing appended. */
er_status er_git_blob(er_git_reader *reader, const char *sha, er_buffer *out, er_fault *fault) ER_MUST_CHECK;

#endif
