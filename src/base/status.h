/*
 * status.h - how every function of errata says that it failed, and why.
 *
 * A function that can fail returns an er_status and is marked ER_MUST_CHECK.
 * One that can say more takes an `er_fault *fault` as its last parameter: NULL
 * is allowed, and the fault is written only when the status is not ER_OK.
 * docs/conventions.md has the whole convention.
 */
#ifndef ERRATA_BASE_STATUS_H
#define ERRATA_BASE_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#define ER_MUST_CHECK       __attribute__((warn_unused_result))
#define ER_PRINTF(fmt, arg) __attribute__((format(printf, fmt, arg)))

typedef enum er_status {
    ER_OK = 0,
    ER_NO_MEMORY,     /* an allocation failed; nothing was changed */
    ER_TOO_LARGE,     /* an input is over its declared limit */
    ER_BAD_INPUT,     /* an input has the wrong form */
    ER_NOT_FOUND,     /* nothing is there under that name */
    ER_BAD_USAGE,     /* an option, a setting or a configuration is wrong */
    ER_SYSTEM,        /* the operating system refused */
    ER_NO_CONNECTION, /* no server could be reached */
    ER_DENIED,        /* the server refused credentials or a permission */
    ER_TIMEOUT        /* no answer in time */
} er_status;

/* A name for a person: "out of memory", "bad input", ... Never NULL. */
const char *er_status_name(er_status status);

#define ER_FAULT_NOWHERE ((size_t)-1)

/*
 * What was wrong and where. Every text ends in a NUL, is cut (at a UTF-8
 * boundary) rather than overflowing, holds no control character, and is ""
 * where it does not apply. Plain data: copy it, no call frees it.
 */
typedef struct er_fault {
    er_status status;
    size_t offset;    /* byte offset in the file, ER_FAULT_NOWHERE if unknown */
    char file[256];   /* path as the user gave it */
    char record[128]; /* the record's id or slug */
    char member[128]; /* JSON member or setting, "guide.commands[1].command" */
    char reason[384]; /* one clause, lower case, without a full stop */
} er_fault;

/* Empties `fault`, sets status and reason, returns `status`. NULL fault: only returns. */
er_status er_fault_set(er_fault *fault, er_status status, const char *format, ...) ER_PRINTF(3, 4);
/* Each fills one place of a fault that is set already; NULL fault does nothing. */
void er_fault_file(er_fault *fault, const char *file);
void er_fault_record(er_fault *fault, const char *record, size_t length);
void er_fault_member(er_fault *fault, const char *member);
void er_fault_offset(er_fault *fault, size_t offset);

/*
 * Writes "file: record: member: reason (at byte N)", leaving out what is
 * unknown, into `out` (always ended by a NUL when size > 0); returns `out`.
 */
const char *er_fault_print(const er_fault *fault, char *out, size_t size);

#endif
