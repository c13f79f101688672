#include "support/folder.h"

#include "support/test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void folder_make(char folder[FOLDER_PATH])
{
    snprintf(folder, FOLDER_PATH, "%s/test-XXXXXX", ERRATA_BINARY_DIR);
    assert_non_null(mkdtemp(folder));
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

void folder_remove(const char *folder)
{
    assert_int_equal(nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

void folder_write(const char *folder, const char *name, er_slice text)
{
    char path[2 * FOLDER_PATH];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text.at, 1, text.len, file), text.len);
    assert_int_equal(fclose(file), 0);
}
