#include "scene.h"

#include "cli/option.h"

#include "support/test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

int scene_start(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof(folder), "/tmp/errata-cli-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        if (er_options[i].variable != NULL)
            (void)unsetenv(er_options[i].variable);
    }
    return setenv("XDG_CONFIG_HOME", folder, 1);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

int scene_end(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scene_folder(void)
{
    return folder;
}

const char *scene_path(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    (void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

void scene_write_bytes(const char *name, const char *bytes, size_t length)
{
    char path[512];
    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void scene_write(const char *name, const char *text)
{
    scene_write_bytes(name, text, strlen(text));
}
