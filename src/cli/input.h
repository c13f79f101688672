/*
 * input.h - the text that a command works on: its words, or standard input.
 */
#ifndef ERRATA_CLI_INPUT_H
#define ERRATA_CLI_INPUT_H

#include "base/buffer.h"
#include "base/status.h"

/*
 * Appends the words joined by a blank; without words, or with the one word "-",
 * what standard input holds. ER_BAD_USAGE when standard input is a terminal and
 * no word was given, and when the text is over the buffer's ceiling; the fault
 * says how to go on. `usage` is the line that shows how to ask.
 */
er_status er_input_read(er_buffer *out, const char *const *words, size_t count, const char *usage,
                        er_fault *fault) ER_MUST_CHECK;

#endif
