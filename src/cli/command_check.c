#include "check/check.h"

#include "cli/command.h"
#include "cli/terminal.h"

#include <unistd.h>

#define MAX_REPORT ((size_t)256 << 20)

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void summarise(const er_check *check, const char *path, bool draft)
{
    size_t records = er_check_record_count(check);
    size_t findings = er_check_finding_count(check);
    size_t unknown = er_check_unknown_count(check);
    if (draft) {
        er_terminal_complain("%s: %zu record%s, %zu finding%s, %zu unknown id%s", path, records,
                             plural(records), findings, plural(findings), unknown, plural(unknown));
    } else {
        er_terminal_complain("%s: %zu record%s, %zu finding%s", path, records, plural(records), findings,
                             plural(findings));
    }
}

static er_exit print(const er_call *call, const er_check *check, const char *path)
{
    er_buffer text;
    er_exit result = ER_EXIT_USAGE;
    er_buffer_start(&text, MAX_REPORT);
    if (call->settings->json) {
        er_check_write_json(check, &text);
    } else {
        er_check_write_text(check, &text);
    }
    if (text.status != ER_OK) {
        er_terminal_complain("the report is too large");
    } else if (text.len == 0 || er_terminal_write_foreign(STDOUT_FILENO, er_buffer_slice(&text)) == ER_OK) {
        summarise(check, path, call->settings->draft);
        result = er_check_finding_count(check) == 0 ? ER_EXIT_FOUND : ER_EXIT_NOTHING;
    }
    er_buffer_free(&text);
    return result;
}

er_exit er_command_check(const er_call *call)
{
    const char *path = call->word_count > 0 ? call->words[0] : call->settings->service.catalog;
    er_check *check = NULL;
    er_fault fault;
    if (path == NULL) {
        er_terminal_complain("no catalog is installed, name one: errata check PATH");
        return ER_EXIT_USAGE;
    }
    const er_check_options options = {.sites = call->settings->sites, .draft = call->settings->draft};
    if (er_check_run(&check, path, &options, &fault) != ER_OK) {
        er_terminal_complain_fault(&fault);
        return ER_EXIT_USAGE;
    }
    er_exit result = print(call, check, path);
    er_check_free(&check);
    return result;
}
