/*
 * help.h - what the program says about itself, made from the tables.
 */
#ifndef ERRATA_CLI_HELP_H
#define ERRATA_CLI_HELP_H

#include "base/buffer.h"
#include "cli/command.h"

/* The list of commands where `command` is NULL, else its help. */
void er_help_write(er_buffer *out, const er_cli_command *command);

/* To standard output, ER_EXIT_FOUND; as a complaint to standard error, ER_EXIT_USAGE. */
er_exit er_help_print(const er_cli_command *command, bool complaint);

#endif
