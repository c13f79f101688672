#include "cli/command.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <unistd.h>

/* The one line that says why it ended: in the form of the log, so that what reads the log can read it. */
static void report(const er_settings *settings, const er_fault *fault)
{
    char text[1024];
    if (settings->log_format == ER_LOG_JSON) {
        er_log_setup(ER_LOG_ERROR, ER_LOG_JSON, STDERR_FILENO);
        er_log_event(ER_LOG_ERROR, "ended", er_log_text("reason", er_fault_print(fault, text, sizeof(text))));
    } else {
        er_terminal_complain_fault(fault);
    }
}

er_exit er_command_serve(const er_call *call)
{
    er_fault fault;
    const er_settings *settings = call->settings;
    er_log_setup(settings->log_level, settings->log_format, STDERR_FILENO);
    er_status status = ER_OK;
    if (settings->service.catalog == NULL) {
        status = er_fault_set(&fault, ER_BAD_USAGE,
                              "no catalog is installed, name one with --catalog or ERRATA_CATALOG");
    } else {
        status = er_service_run(&settings->service, &fault);
        if (status == ER_BAD_USAGE)
            er_settings_blame(settings, &fault);
    }
    if (status != ER_OK)
        report(settings, &fault);
    return er_exit_of(status);
}
