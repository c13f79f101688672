#include "cli/command.h"

#include "base/log.h"
#include "cli/help.h"
#include "cli/suggestion.h"
#include "cli/terminal.h"

#ifdef ERRATA_EXTRACT
#include "extract/extract_command.h"
#endif

#include <string.h>

#define ANY_WORDS SIZE_MAX
#define CLIENT                                                                                               \
    (ER_GROUP_ALWAYS | ER_GROUP_OUTPUT | ER_GROUP_REMOTE | ER_GROUP_CATALOG | ER_GROUP_SUBJECT |             \
     ER_GROUP_CONNECTION)

static er_exit run_extract(const er_call *call);

const er_cli_command er_cli_commands[] = {
    {"explain", "say what an error text means and what to do",
     "[OPTION]… [--] TEXT… | errata explain [OPTION]… < FILE",
     "Finds the record of an error text: a log line, what a client printed, an API response, or several "
     "lines "
     "at once. Words are joined by a blank; without words, or with -, the text is standard input. Quote it, "
     "and "
     "put -- before a text that begins with a dash. A JSON object with a message is a request, as it is for "
     "the "
     "service.",
     CLIENT | ER_GROUP_ASK, false, ANY_WORDS, er_command_explain},
    {"get", "show one record by id, slug or error code", "[OPTION]… ID | SLUG | OWNER/NAME/SLUG | CODE",
     "Shows the whole record. A slug or a code that several repos have is told with all of them.", CLIENT,
     false, 1, er_command_get},
    {"check", "check a catalog and report every fault", "[OPTION]… [PATH]",
     "Holds every record that has a guide to the rules for authors: form, id, slug and link, its pattern, "
     "its examples, and what it has in common with others. Every fault is one line on standard output: file, "
     "record, member, what is wrong. With --sites it also tells which messages of the source have a record, "
     "and which records name what has moved or is gone.",
     ER_GROUP_ALWAYS | ER_GROUP_OUTPUT | ER_GROUP_CATALOG | ER_GROUP_CHECK, false, 1, er_command_check},
    {"serve", "answer over NATS until it is stopped", "[OPTION]…",
     "Connects to NATS and serves the catalog as the microservice \"errata\". SIGHUP loads the catalog "
     "again, "
     "SIGTERM and SIGINT stop it once what was taken is answered.",
     ER_GROUP_ALWAYS | ER_GROUP_CATALOG | ER_GROUP_SUBJECT | ER_GROUP_SERVE | ER_GROUP_CONNECTION, true, 0,
     er_command_serve},
    {"extract", "make records from a source tree", "…",
     "Has options of its own: errata extract --help. Not every build has it.", ER_GROUP_ALWAYS, false,
     ANY_WORDS, run_extract},
    {"version", "print the version", "[--json]", "Prints the name and the version.",
     ER_GROUP_ALWAYS | ER_GROUP_OUTPUT, false, 0, er_command_version},
    {"help", "show help, of a command when one is named", "[COMMAND]", "Prints this help.", ER_GROUP_ALWAYS,
     false, 1, er_command_help},
};
const size_t er_cli_command_count = sizeof(er_cli_commands) / sizeof(er_cli_commands[0]);

const er_cli_command *er_cli_command_find(const char *name)
{
    for (size_t i = 0; i < er_cli_command_count; i++) {
        if (strcmp(er_cli_commands[i].name, name) == 0)
            return &er_cli_commands[i];
    }
    return NULL;
}

er_exit er_exit_of(er_status status)
{
    switch (status) {
    case ER_OK:
        return ER_EXIT_FOUND;
    case ER_NO_CONNECTION:
    case ER_DENIED:
    case ER_TIMEOUT:
        return ER_EXIT_NO_CONNECTION;
    case ER_NO_MEMORY:
    case ER_TOO_LARGE:
    case ER_BAD_INPUT:
    case ER_NOT_FOUND:
    case ER_BAD_USAGE:
    case ER_SYSTEM:
        break;
    }
    return ER_EXIT_USAGE;
}

/* extract reads its own command line; er_cli_run hands it over before options are parsed. */
static er_exit extract_words(int argc, char **argv)
{
#ifdef ERRATA_EXTRACT
    return (er_exit)er_extract_command(argc, argv);
#else
    (void)argc;
    (void)argv;
    er_terminal_complain("this build has no extractor (it is built with -DERRATA_EXTRACT=ON)");
    return ER_EXIT_USAGE;
#endif
}

static er_exit run_extract(const er_call *call)
{
    (void)call;
    er_terminal_complain("extract must be the first word: errata extract …");
    return ER_EXIT_USAGE;
}

static er_exit unknown_command(const char *name)
{
    er_suggestion_list list;
    er_suggestion_start(&list, er_slice_string(name));
    for (size_t i = 0; i < er_cli_command_count; i++)
        er_suggestion_offer(&list, er_cli_commands[i].name);
    if (list.best != NULL) {
        er_terminal_complain("unknown command \"%.60s\", did you mean %s?", name, list.best);
    } else {
        er_terminal_complain("unknown command \"%.60s\" (errata help lists them)", name);
    }
    return ER_EXIT_USAGE;
}

/* Each option that was given must be one of the command, and have an effect. */
static er_status check_options(const er_cli_command *command, const er_arguments *arguments, er_fault *fault)
{
    bool remote = arguments->option[ER_OPTION_REMOTE] != NULL;
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        const er_option *option = &er_options[i];
        if (arguments->option[i] == NULL)
            continue;
        if ((option->group & command->groups) == 0)
            return er_fault_set(fault, ER_BAD_USAGE, "--%s is not an option of %s (errata help %s)",
                                option->name, command->name, command->name);
        if (!command->connects && !remote && (option->group & (ER_GROUP_CONNECTION | ER_GROUP_SUBJECT)) != 0)
            return er_fault_set(fault, ER_BAD_USAGE, "--%s has no effect without --remote", option->name);
        if (remote && option->group == ER_GROUP_CATALOG)
            return er_fault_set(fault, ER_BAD_USAGE, "--%s has no effect with --remote", option->name);
    }
    return ER_OK;
}

static er_exit run_command(const er_cli_command *command, er_arena *arena, er_arguments *arguments)
{
    er_settings settings;
    er_fault fault;
    er_call call = {command, arena, &settings, arguments->words + 1, arguments->word_count - 1};
    er_status status = check_options(command, arguments, &fault);
    if (status == ER_OK && call.word_count > command->most_words)
        status = er_fault_set(&fault, ER_BAD_USAGE, "%s takes %s (errata help %s)", command->name,
                              command->most_words == 0 ? "no arguments" : "one argument", command->name);
    if (status == ER_OK)
        status = er_settings_load(&settings, arena, arguments, command->groups, command->connects, &fault);
    if (status == ER_OK)
        return command->run(&call);
    er_terminal_complain_fault(&fault);
    return er_exit_of(status);
}

static er_exit run_parsed(er_arena *arena, er_arguments *arguments)
{
    const er_cli_command *command = NULL;
    if (arguments->word_count > 0) {
        command = er_cli_command_find(arguments->words[0]);
        if (command == NULL)
            return unknown_command(arguments->words[0]);
    }
    if (arguments->option[ER_OPTION_HELP] != NULL)
        return er_help_print(command, false);
    if (command == NULL)
        return er_help_print(NULL, true);
    return run_command(command, arena, arguments);
}

er_exit er_cli_run(int argc, char **argv)
{
    er_arena arena;
    er_arguments arguments;
    er_fault fault;
    er_log_setup(ER_LOG_ERROR, ER_LOG_TEXT, 2);
    if (argc > 1 && strcmp(argv[1], "extract") == 0)
        return extract_words(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        argv[1] += 2;
    er_arena_start(&arena);
    er_exit result;
    er_status status = er_arguments_parse(&arguments, &arena, argc, argv, &fault);
    if (status == ER_OK) {
        result = run_parsed(&arena, &arguments);
    } else {
        er_terminal_complain_fault(&fault);
        result = er_exit_of(status);
    }
    er_arena_free(&arena);
    return result;
}
