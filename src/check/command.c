/*
 * command.c - the commands' placeholders.
 *
 * They are held to the code that fills them in: each command is filled from a match
 * that has a marker for every capture, and what comes out tells which placeholders
 * were taken for one, and which could be filled in where they stand.
 */
#include "answer/command_fill.h"
#include "check/entry.h"

#include <stdio.h>

#define MARKER_SIZE 24
#define FRAME_NAME  "frame.name"

static size_t occurrences(er_slice text, er_slice part)
{
    size_t count = 0;
    for (size_t at = 0; part.len > 0 && at + part.len <= text.len; at++) {
        count += memcmp(text.at + at, part.at, part.len) == 0;
    }
    return count;
}

/* The next "{name}" from `at` on, without its brackets; an empty slice where there is none. */
static er_slice next_placeholder(er_slice text, size_t at)
{
    for (; at < text.len; at++) {
        size_t end = at + 1;
        while (text.at[at] == '{' && end < text.len &&
               (text.at[end] == '_' || text.at[end] == '-' || text.at[end] == '.' ||
                (text.at[end] >= '0' && text.at[end] <= '9') ||
                (text.at[end] >= 'a' && text.at[end] <= 'z') ||
                (text.at[end] >= 'A' && text.at[end] <= 'Z'))) {
            end++;
        }
        if (end > at + 1 && end < text.len && text.at[end] == '}') {
            return er_slice_sub(text, at + 1, end);
        }
    }
    return (er_slice){NULL, 0};
}

static bool is_known(const er_record *record, er_slice name, er_slice *marker, const er_match *match)
{
    for (uint32_t i = 0; i < record->capture_count && i < match->capture_count; i++) {
        if (er_slice_equal(record->capture_names[i], name)) {
            *marker = match->captures[i].value;
            return true;
        }
    }
    *marker = match->frame.name;
    return er_slice_is(name, FRAME_NAME);
}

/* What is filled in of the framing is its name alone; the rest would stay as it is. */
static bool is_frame_member(er_slice name)
{
    return er_slice_starts(name, ER_SLICE("frame."));
}

static void check_placeholder(er_check *check, const er_entry *entry, const char *member, er_slice name,
                              const er_match *match, er_slice command)
{
    char braced[ER_RECORD_MAX_NAME + 3];
    er_slice marker, filled = er_buffer_slice(&check->scratch);
    int len = snprintf(braced, sizeof(braced), "{%.*s}", (int)(name.len < 256 ? name.len : 256), name.at);
    er_slice whole = er_slice_of(braced, (size_t)len);
    size_t there = occurrences(command, whole);
    if (is_known(entry->record, name, &marker, match)) {
        if (occurrences(filled, marker) + occurrences(filled, whole) < there) {
            er_finding_add(check, "command", entry, member,
                           "%s stands inside quotes or where no value can be filled in", braced);
        }
    } else if (occurrences(filled, whole) < there || is_frame_member(name)) {
        er_finding_add(check, "command", entry, member, "%s is neither a capture's name nor {" FRAME_NAME "}",
                       braced);
    }
}

static void check_command(er_check *check, const er_entry *entry, size_t index, const er_match *match)
{
    char member[64];
    er_slice command = entry->record->commands[index].command;
    er_buffer_clear(&check->scratch);
    er_command_fill(&check->scratch, entry->record, index, match);
    (void)snprintf(member, sizeof(member), "guide.commands[%zu].command", index);
    size_t at = 0;
    er_slice filled;
    if (!er_check_scratch(check, &filled)) {
        return;
    }
    for (;;) {
        er_slice name = next_placeholder(command, at);
        if (name.at == NULL) {
            return;
        }
        at = (size_t)(name.at - command.at) + name.len;
        bool again = false;
        for (size_t before = 0; !again;) {
            er_slice earlier = next_placeholder(command, before);
            if (earlier.at == name.at) {
                break;
            }
            again = er_slice_equal(earlier, name);
            before = (size_t)(earlier.at - command.at) + earlier.len;
        }
        if (!again) {
            check_placeholder(check, entry, member, name, match, command);
        }
    }
}

void er_check_commands(er_check *check)
{
    char markers[ER_RECORD_MAX_CAPTURES][MARKER_SIZE];
    er_capture captures[ER_RECORD_MAX_CAPTURES];
    er_match match = {.captures = captures, .frame = {.name = ER_SLICE("framemarkerqz")}};
    for (uint32_t i = 0; i < ER_RECORD_MAX_CAPTURES; i++) {
        int len = snprintf(markers[i], MARKER_SIZE, "marker%uqz", i);
        captures[i] = (er_capture){i + 1, er_slice_of(markers[i], (size_t)len)};
    }
    for (size_t i = 0; i < check->count; i++) {
        const er_entry *entry = &check->entries[i];
        match.capture_count = entry->record->capture_count;
        for (size_t j = 0; j < entry->record->command_count; j++) {
            check_command(check, entry, j, &match);
        }
    }
}
