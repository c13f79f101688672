/*
 * context.h - the contexts of the `nats` command.
 *
 * They are JSON files, $XDG_CONFIG_HOME/nats/context/NAME.json (~/.config
 * without that variable); nats/context.txt names the selected one. They are
 * read, never written. A fault names the file and the member, and never quotes
 * a value.
 */
#ifndef ERRATA_CLI_CONTEXT_H
#define ERRATA_CLI_CONTEXT_H

#include "base/arena.h"
#include "base/status.h"
#include "cli/option.h"

#define ER_CONTEXT_MAX_FILE (64u * 1024u) /* bytes of a context file */
#define ER_CONTEXT_MAX_NAME 255u          /* bytes of a context's name */

typedef struct er_context {
    const char *path;                    /* NULL: there is no context, and nothing else is set */
    const char *option[ER_OPTION_COUNT]; /* what stands in for each option; NULL: not set */
} er_context;

/*
 * `name` is a context's name, or the path of a file that ends in ".json"; NULL
 * or "" takes the selected one, and where none is selected that is no fault.
 * Strings live in `arena`. ER_BAD_USAGE: no such context, a name that would
 * leave the folder, a file that is too large or not JSON, a member of the wrong
 * type, a member that errata can not honour (nsc, socks_proxy, windows_cert_store).
 */
er_status er_context_load(er_context *out, er_arena *arena, const char *name, er_fault *fault) ER_MUST_CHECK;

#endif
