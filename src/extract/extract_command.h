/*
 * extract_command.h - `errata extract`.
 */
#ifndef ERRATA_EXTRACT_EXTRACT_COMMAND_H
#define ERRATA_EXTRACT_EXTRACT_COMMAND_H

/* argv[0] is "extract". Returns the exit status: 0 sites were found, 1 none, 2 bad usage or
   something that could not be read or written. Prints to standard output and error. */
int er_extract_command(int argc, char **argv);

#endif
