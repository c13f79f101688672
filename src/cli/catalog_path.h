/*
 * catalog_path.h - the catalog that is used when none is named.
 */
#ifndef ERRATA_CLI_CATALOG_PATH_H
#define ERRATA_CLI_CATALOG_PATH_H

#include "base/arena.h"

/*
 * Looks beside the program: a checkout's catalog/ (for build/errata and
 * build/PRESET/errata), then share/errata/catalog of the place that the program
 * is installed in, then `installed`, where the build put it. A folder counts
 * only when it holds tags.json, as every catalog of errata does. `program` is
 * the program's real path, NULL for that of this process. NULL when there is
 * none; the result is in `arena`.
 */
const char *er_catalog_path_find(er_arena *arena, const char *program, const char *installed);

#endif
