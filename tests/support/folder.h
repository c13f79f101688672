/*
 * folder.h - a folder of its own for a test, below the build folder.
 */
#ifndef ERRATA_TEST_FOLDER_H
#define ERRATA_TEST_FOLDER_H

#include "base/slice.h"

#define FOLDER_PATH 4096

/* Makes it and writes its path into `folder`; fails the test where it can not. */
void folder_make(char folder[FOLDER_PATH]);
/* Removes it and all below it. */
void folder_remove(const char *folder);
/* Writes a file, making the folders that `name` goes through. */
void folder_write(const char *folder, const char *name, er_slice text);

#endif
