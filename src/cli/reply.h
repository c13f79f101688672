/*
 * reply.h - one question, asked of the local catalog or of the service, and its answer printed.
 */
#ifndef ERRATA_CLI_REPLY_H
#define ERRATA_CLI_REPLY_H

#include "base/slice.h"
#include "cli/command.h"

/*
 * Asks `endpoint` ("explain" or "get") and prints the answer: what was found
 * and what came near on standard output, every other failure on standard error
 * as "errata: …"; with --json the reply as it is, always on standard output.
 */
er_exit er_reply_print(const er_call *call, const char *endpoint, er_slice request);

#endif
