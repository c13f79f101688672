/*
 * command.h - the commands, in one table, and the running of one.
 */
#ifndef ERRATA_CLI_COMMAND_H
#define ERRATA_CLI_COMMAND_H

#include "cli/option.h"
#include "cli/settings.h"

/* The exit status of the program. */
typedef enum er_exit {
    ER_EXIT_FOUND = 0,
    ER_EXIT_NOTHING = 1,      /* nothing found; for `check`: findings */
    ER_EXIT_USAGE = 2,        /* bad usage or configuration, or output that could not be written */
    ER_EXIT_NO_CONNECTION = 3 /* no connection, no permission, or no answer in time */
} er_exit;

/* One run of a command: what it was given. Lives for the run. */
typedef struct er_call {
    const struct er_cli_command *command;
    er_arena *arena;
    er_settings *settings;
    const char *const *words; /* its arguments, without its own name */
    size_t word_count;
} er_call;

typedef struct er_cli_command {
    const char *name;
    const char *summary; /* one line for the list of commands */
    const char *usage;   /* what stands behind the name: "[OPTION]… [--] TEXT…" */
    const char *text;    /* a paragraph of help; lines are wrapped by help */
    unsigned groups;     /* of options that it takes */
    bool connects;       /* reads connection settings without --remote */
    size_t most_words;   /* arguments that it takes */
    er_exit (*run)(const er_call *call);
} er_cli_command;

extern const er_cli_command er_cli_commands[];
extern const size_t er_cli_command_count;

const er_cli_command *er_cli_command_find(const char *name); /* NULL when there is none */

/* What `main` returns: reads the command line, runs the command, complains on standard error. */
er_exit er_cli_run(int argc, char **argv);

/* The exit status that a fault leads to. */
er_exit er_exit_of(er_status status);

er_exit er_command_serve(const er_call *call);
er_exit er_command_explain(const er_call *call);
er_exit er_command_get(const er_call *call);
er_exit er_command_check(const er_call *call);
er_exit er_command_version(const er_call *call);
er_exit er_command_help(const er_call *call);

#endif
