/*
 * command_fill.h - a guide's command with the captures filled in.
 *
 * What a log line holds must never become a command, nor an option. A value is
 * quoted for a POSIX shell, and filled in only where quoting is known to hold:
 * a value that is empty, begins with `-` or `+`, is not UTF-8 or holds a control
 * character is not, and none is inside quotes or backticks, behind a `<<`, a `((` or a
 * comment's `#`, or where a command's own name is expected. There the placeholder's name stands
 * in CAPITALS, which a shell would not take for anything else.
 */
#ifndef ERRATA_ANSWER_COMMAND_FILL_H
#define ERRATA_ANSWER_COMMAND_FILL_H

#include "base/buffer.h"
#include "catalog/record.h"
#include "match/matcher.h"

/* Appends record->commands[index].command, filled from `match`. */
void er_command_fill(er_buffer *out, const er_record *record, size_t index, const er_match *match);

/* Whether a value may be filled in at all. */
bool er_command_takes(er_slice value);
/* Appends the value as one word of a POSIX shell. */
void er_command_quote(er_buffer *out, er_slice value);

/* The name of a group: its captureName, or else its number, written into `digits`. */
#define ER_GROUP_NAME_SIZE 12
er_slice er_group_name(const er_record *record, uint32_t group, char digits[ER_GROUP_NAME_SIZE]);

#endif
