#include "cli/catalog_path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "tags.json"

/* `folder` followed by `below`, resolved, when a catalog is there. */
static const char *catalog_at(er_arena *arena, const char *folder, const char *below)
{
    char path[PATH_MAX];
    char mark[PATH_MAX];
    char real[PATH_MAX];
    int len = snprintf(path, sizeof(path), "%s%s", folder, below);
    if (len < 0 || (size_t)len >= sizeof(path) || realpath(path, real) == NULL)
        return NULL;
    len = snprintf(mark, sizeof(mark), "%s/%s", real, MARK);
    if (len < 0 || (size_t)len >= sizeof(mark) || access(mark, R_OK) != 0)
        return NULL;
    return er_arena_copy(arena, er_slice_string(real)).at;
}

/* The folder of the program, without the slash at its end. */
static bool program_folder(const char *program, char out[PATH_MAX])
{
    if (realpath(program != NULL ? program : "/proc/self/exe", out) == NULL)
        return false;
    char *slash = strrchr(out, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

const char *er_catalog_path_find(er_arena *arena, const char *program, const char *installed)
{
    static const char *const beside[] = {"/../catalog", "/../../catalog", "/../share/errata/catalog"};
    char folder[PATH_MAX];
    const char *found = NULL;
    if (program_folder(program, folder)) {
        for (size_t i = 0; found == NULL && i < sizeof(beside) / sizeof(beside[0]); i++)
            found = catalog_at(arena, folder, beside[i]);
    }
    if (found == NULL && installed != NULL)
        found = catalog_at(arena, installed, "");
    return found;
}
