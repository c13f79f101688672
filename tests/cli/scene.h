/*
 * scene.h - a folder of its own for a test, with files in it, and a clean environment.
 */
#ifndef ERRATA_TEST_SCENE_H
#define ERRATA_TEST_SCENE_H

#include <stddef.h>

/* cmocka set-up and tear-down: makes a folder, points XDG_CONFIG_HOME at it, unsets every variable
   that the option table names; removes the folder. */
int scene_start(void **state);
int scene_end(void **state);

const char *scene_folder(void);
/* The path of `name` in the folder, in a buffer that the next eight calls leave alone. */
const char *scene_path(const char *name);
/* Writes a file; folders on the way are made. */
void scene_write(const char *name, const char *text);
void scene_write_bytes(const char *name, const char *bytes, size_t length);

#endif
