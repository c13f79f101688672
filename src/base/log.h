/*
 * log.h - one line an event, to standard error.
 *
 * Text:  2026-11-30T10:11:12.131Z INF catalog loaded records=14 source=catalog
 * JSON:  {"time":"…","level":"info","event":"catalog loaded","records":14,…}
 *
 * Values are escaped, so that nothing from outside can forge a line or a field.
 * Thread safe: a line is one write. The text of a request is logged at debug only.
 */
#ifndef ERRATA_BASE_LOG_H
#define ERRATA_BASE_LOG_H

#include "base/slice.h"
#include "base/status.h"

typedef enum er_log_level { ER_LOG_DEBUG, ER_LOG_INFO, ER_LOG_WARN, ER_LOG_ERROR, ER_LOG_OFF } er_log_level;

typedef enum er_log_format { ER_LOG_TEXT, ER_LOG_JSON } er_log_format;

/* Once, before other threads start. By default: info, text, file descriptor 2. */
void er_log_setup(er_log_level level, er_log_format format, int fd);
bool er_log_enabled(er_log_level level);
/* "debug", "info", "warn", "error", "off"; false for anything else. */
bool er_log_level_parse(const char *text, er_log_level *level);
bool er_log_format_parse(const char *text, er_log_format *format); /* "text", "json" */

/* A field of an event; make them with the three functions below. */
typedef struct er_log_field {
    const char *name; /* a JSON member name: letters, digits, '_' */
    er_slice text;
    long long number;
    bool is_number;
} er_log_field;

static inline er_log_field er_log_text(const char *name, const char *value)
{
    return (er_log_field){name, er_slice_string(value), 0, false};
}

static inline er_log_field er_log_slice(const char *name, er_slice value)
{
    return (er_log_field){name, value, 0, false};
}

static inline er_log_field er_log_int(const char *name, long long value)
{
    return (er_log_field){name, {0}, value, true};
}

/* `event` is a static phrase in lower case; values longer than 1 KiB are cut. */
void er_log(er_log_level level, const char *event, const er_log_field *fields, size_t count);

/* er_log_event(ER_LOG_INFO, "catalog loaded", er_log_int("records", n), ...) */
#define er_log_event(level, event, ...)                                                                      \
    er_log((level), (event), (const er_log_field[]){__VA_ARGS__},                                            \
           sizeof((const er_log_field[]){__VA_ARGS__}) / sizeof(er_log_field))

#endif
