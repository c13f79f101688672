#include "cli/help.h"

#include "base/json.h"
#include "cli/suggestion.h"
#include "cli/terminal.h"

#include <string.h>
#include <unistd.h>

#define WIDTH    80u
#define COLUMN   30u /* where the text of an option begins */
#define MAX_HELP (256u * 1024u)

/* Columns of UTF-8 text without wide characters, which is what the tables hold. */
static size_t columns_of(const char *text, size_t len)
{
    size_t columns = 0;
    for (size_t i = 0; i < len; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

/* `text` in lines from column `indent` on; the first line begins at column `at`. */
static void wrap(er_buffer *out, const char *text, size_t indent, size_t at)
{
    bool first = true;
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        size_t columns = columns_of(text, len);
        if (!first && at + 1 + columns > WIDTH) {
            er_buffer_add_char(out, '\n');
            at = 0;
            first = true;
        } else if (!first) {
            er_buffer_add_char(out, ' ');
            at++;
        }
        for (; first && at < indent; at++)
            er_buffer_add_char(out, ' ');
        er_buffer_add(out, er_slice_of(text, len));
        at += columns;
        first = false;
        text += len;
        while (*text == ' ')
            text++;
    }
    er_buffer_add_char(out, '\n');
}

static void write_option(er_buffer *out, const er_option *option)
{
    char label[96];
    char text[512];
    er_buffer detail;
    er_buffer head;
    er_buffer_start(&head, sizeof(label));
    er_buffer_start(&detail, sizeof(text));
    if (option->letter != 0) {
        er_buffer_format(&head, "  -%c, --%s", option->letter, option->name);
    } else {
        er_buffer_format(&head, "      --%s", option->name);
    }
    if (option->placeholder != NULL)
        er_buffer_format(&head, " %s", option->placeholder);
    er_buffer_add_string(&detail, option->help);
    if (option->fallback != NULL)
        er_buffer_format(&detail, " (default: %s)", option->fallback);
    if (option->variable != NULL)
        er_buffer_format(&detail, " [%s]", option->variable);
    er_buffer_add_char(&detail, '\0');
    er_buffer_add(out, er_buffer_slice(&head));
    size_t at = head.len > 0 ? columns_of(head.at, head.len) : 0;
    if (at + 2 > COLUMN) {
        er_buffer_add_char(out, '\n');
        at = 0;
    }
    if (detail.status == ER_OK && head.status == ER_OK) {
        wrap(out, detail.at, COLUMN, at);
    } else {
        out->status = ER_NO_MEMORY;
    }
    er_buffer_free(&head);
    er_buffer_free(&detail);
}

static void write_group(er_buffer *out, const char *title, unsigned groups)
{
    bool titled = false;
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        if ((er_options[i].group & groups) == 0)
            continue;
        if (!titled)
            er_buffer_format(out, "\n%s\n", title);
        titled = true;
        write_option(out, &er_options[i]);
    }
}

static void write_overview(er_buffer *out)
{
    er_buffer_add_string(out,
                         "errata explains errors: it finds the record of an error text and says what it\n"
                         "means, when it happens and what to do.\n\n"
                         "usage: errata COMMAND [OPTION]… [ARGUMENT]…\n\nCommands:\n");
    for (size_t i = 0; i < er_cli_command_count; i++)
        er_buffer_format(out, "  %-9s %s\n", er_cli_commands[i].name, er_cli_commands[i].summary);
    er_buffer_add_string(out, "\nTry:\n"
                              "  errata explain 'stream not found'\n"
                              "  errata explain < line.txt\n"
                              "  errata help explain\n\n"
                              "Exit status: 0 found, 1 nothing found (check: findings), 2 bad usage or\n"
                              "configuration, 3 no connection, no permission or no answer in time.\n");
}

void er_help_write(er_buffer *out, const er_cli_command *command)
{
    if (command == NULL) {
        write_overview(out);
        return;
    }
    er_buffer_format(out, "errata %s: %s\n\nusage: errata %s %s\n\n", command->name, command->summary,
                     command->name, command->usage);
    wrap(out, command->text, 0, 0);
    unsigned own = ER_GROUP_ALWAYS | ER_GROUP_OUTPUT | ER_GROUP_ASK | ER_GROUP_REMOTE | ER_GROUP_CATALOG |
                   ER_GROUP_SUBJECT | ER_GROUP_SERVE | ER_GROUP_CHECK;
    write_group(out, "Options [and the environment variable that sets the same]:", command->groups & own);
    write_group(out,
                command->connects ? "Connection, as for the nats command:"
                                  : "Connection, as for the nats command, with --remote:",
                command->groups & ER_GROUP_CONNECTION);
}

er_exit er_help_print(const er_cli_command *command, bool complaint)
{
    er_buffer text;
    er_buffer_start(&text, MAX_HELP);
    er_help_write(&text, command);
    er_status status = text.status;
    if (status == ER_OK)
        status = er_terminal_write(complaint ? STDERR_FILENO : STDOUT_FILENO, er_buffer_slice(&text));
    er_buffer_free(&text);
    return status != ER_OK || complaint ? ER_EXIT_USAGE : ER_EXIT_FOUND;
}

er_exit er_command_help(const er_call *call)
{
    if (call->word_count == 0)
        return er_help_print(NULL, false);
    const er_cli_command *command = er_cli_command_find(call->words[0]);
    if (command != NULL)
        return er_help_print(command, false);
    er_terminal_complain("there is no command \"%.60s\" (errata help lists them)", call->words[0]);
    return ER_EXIT_USAGE;
}

er_exit er_command_version(const er_call *call)
{
    static const char text[] = "errata " ERRATA_VERSION;
    static const char json[] = "{\"name\":\"errata\",\"version\":\"" ERRATA_VERSION "\"}";
    er_slice line = call->settings->json ? ER_SLICE(json) : ER_SLICE(text);
    return er_terminal_write(STDOUT_FILENO, line) == ER_OK ? ER_EXIT_FOUND : ER_EXIT_USAGE;
}
