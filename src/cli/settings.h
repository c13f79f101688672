/*
 * settings.h - what holds for one run: option, environment, context file, default.
 *
 * The first of these that gives a setting decides it. A variable that is empty
 * counts as not set. Connection settings, and with them a context file, are
 * looked at only by a command that connects.
 */
#ifndef ERRATA_CLI_SETTINGS_H
#define ERRATA_CLI_SETTINGS_H

#include "base/log.h"
#include "cli/option.h"
#include "service/service.h"

typedef enum er_source {
    ER_SOURCE_NONE,
    ER_SOURCE_OPTION,
    ER_SOURCE_ENVIRONMENT,
    ER_SOURCE_CONTEXT
} er_source;

typedef struct er_setting {
    const char *text; /* NULL: not given, the default holds */
    er_source source;
} er_setting;

typedef struct er_settings {
    er_setting given[ER_OPTION_COUNT];
    const char *context_path; /* of the context file that was read, or NULL */

    bool json;
    bool remote;
    const char *repo; /* NULL: not given; so for the next three */
    const char *release;
    const char *fields;
    const char *limit; /* digits, checked */
    const char *sites; /* NULL: not given */
    bool draft;
    const char *prefix; /* never NULL */
    er_log_level log_level;
    er_log_format log_format;
    er_service_settings service; /* `catalog` may be NULL when none was named and none was found */
} er_settings;

/*
 * `groups` are the option groups that the command takes; `connects` whether it
 * reads connection settings without --remote. Strings live in `arena`, which
 * must outlive all use. ER_BAD_USAGE names the setting and where it came from.
 */
er_status er_settings_load(er_settings *out, er_arena *arena, const er_arguments *arguments, unsigned groups,
                           bool connects, er_fault *fault) ER_MUST_CHECK;

/* Puts into a fault whose member is a setting's name ("creds") where that setting came from:
   "--creds", "NATS_CREDS", or the member of the context file. Other faults stay as they are. */
void er_settings_blame(const er_settings *settings, er_fault *fault);

#endif
