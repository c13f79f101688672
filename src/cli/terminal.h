/*
 * terminal.h - standard output and standard error as a person sees them.
 */
#ifndef ERRATA_CLI_TERMINAL_H
#define ERRATA_CLI_TERMINAL_H

#include "answer/answer.h"
#include "base/slice.h"
#include "base/status.h"

#define ER_TERMINAL_WIDTH     80u
#define ER_TERMINAL_MAX_WIDTH 100u
#define ER_TERMINAL_MIN_WIDTH 40u

/* JSON, or a page as wide as the terminal (40 to 100 columns; 80 where `fd` is none), coloured on
   a terminal only, and never where NO_COLOR is set and not empty or TERM is "dumb". */
er_style er_terminal_style(int fd, bool json);

/* Writes all of `bytes`, and a line end where they have none. ER_SYSTEM when not all could be
   written; why stands on standard error, except for a reader that went away (EPIPE). */
er_status er_terminal_write(int fd, er_slice bytes) ER_MUST_CHECK;

/* The same for bytes that another program made: on a terminal, control characters other than
   line ends and tabs are shown as '?', so that they can not steer it. */
er_status er_terminal_write_foreign(int fd, er_slice bytes) ER_MUST_CHECK;

/* "errata: " and one line, on standard error. */
void er_terminal_complain(const char *format, ...) ER_PRINTF(1, 2);
void er_terminal_complain_fault(const er_fault *fault);

/* Descriptors 0 to 2 that are closed are opened on /dev/null, the wrong way round, so that no file
   and no socket gets their number and using them fails. Once, at the start. */
void er_terminal_guard(void);

#endif
