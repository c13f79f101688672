/*
 * file.h - bounded reading of files, folders and standard input.
 */
#ifndef ERRATA_BASE_FILE_H
#define ERRATA_BASE_FILE_H

#include "base/buffer.h"
#include "base/status.h"

/* Appends the whole file; ER_TOO_LARGE over the buffer's ceiling, ER_NOT_FOUND,
   ER_SYSTEM (a folder, no permission). The fault names the path. */
er_status er_file_read(const char *path, er_buffer *out, er_fault *fault) ER_MUST_CHECK;
/* Opens a file for reading by pieces; the caller closes the descriptor. Faults as above. */
er_status er_file_open(const char *path, int *fd, er_fault *fault) ER_MUST_CHECK;
/* The next bytes, at most `most`: 0 at the end. ER_SYSTEM. */
er_status er_file_read_piece(int fd, const char *name, char *to, size_t most, size_t *count,
                             er_fault *fault) ER_MUST_CHECK;
/* As er_file_read, from an open descriptor; `name` is for the fault. */
er_status er_file_read_fd(int fd, const char *name, er_buffer *out, er_fault *fault) ER_MUST_CHECK;

/*
 * Calls `visit` for every regular file under `folder` whose name ends in one
 * of `endings` (NULL-ended list of ".json"-like strings), in byte order of the
 * path, following symbolic links to files but not to folders. Names that begin
 * with a dot are passed over. Stops at the first status that is not ER_OK.
 * At most `limit` files, deeper than 32 folders is an error.
 */
typedef er_status er_file_visit(void *context, const char *path, er_fault *fault);
er_status er_file_walk(const char *folder, const char *const *endings, size_t limit, er_file_visit *visit,
                       void *context, er_fault *fault) ER_MUST_CHECK;

#endif
