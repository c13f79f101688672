#include "base/status.h"

#include "base/slice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *er_status_name(er_status status)
{
    switch (status) {
    case ER_OK:
        return "ok";
    case ER_NO_MEMORY:
        return "out of memory";
    case ER_TOO_LARGE:
        return "too large";
    case ER_BAD_INPUT:
        return "bad input";
    case ER_NOT_FOUND:
        return "not found";
    case ER_BAD_USAGE:
        return "bad usage";
    case ER_SYSTEM:
        return "system error";
    case ER_NO_CONNECTION:
        return "no connection";
    case ER_DENIED:
        return "denied";
    case ER_TIMEOUT:
        return "timed out";
    }
    return "unknown status";
}

/* C0, DEL, and C1 as UTF-8 writes it: a terminal takes any of them for a command. */
static bool control(er_slice text, size_t at)
{
    unsigned char byte = (unsigned char)text.at[at];
    return byte < 0x20 || byte == 0x7F ||
           (byte == 0xC2 && at + 1 < text.len && (unsigned char)text.at[at + 1] < 0xA0);
}

/* Copies what fits, whole UTF-8 sequences only; what may not be printed becomes '?'. */
static void place(char *out, size_t size, er_slice text)
{
    size_t used = 0;
    size_t at = 0;
    while (at < text.len) {
        size_t length = er_slice_utf8(text, at);
        bool printable = length > 0 && !control(text, at);
        size_t needed = printable ? length : 1;
        if (used + needed >= size) {
            break;
        }
        if (printable) {
            memcpy(out + used, text.at + at, length);
        } else {
            out[used] = '?';
        }
        used += needed;
        at += length > 0 ? length : 1;
    }
    out[used] = '\0';
}

er_status er_fault_set(er_fault *fault, er_status status, const char *format, ...)
{
    if (fault == NULL) {
        return status;
    }
    /* Formatted aside first: an argument may be a part of `fault` itself. */
    char text[2 * sizeof(fault->reason)];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (length < 0) {
        text[0] = '\0';
    }
    memset(fault, 0, sizeof(*fault));
    fault->status = status;
    fault->offset = ER_FAULT_NOWHERE;
    place(fault->reason, sizeof(fault->reason), er_slice_string(text));
    return status;
}

void er_fault_file(er_fault *fault, const char *file)
{
    if (fault != NULL) {
        place(fault->file, sizeof(fault->file), er_slice_string(file));
    }
}

void er_fault_record(er_fault *fault, const char *record, size_t length)
{
    if (fault != NULL) {
        place(fault->record, sizeof(fault->record), er_slice_of(record, length));
    }
}

void er_fault_member(er_fault *fault, const char *member)
{
    if (fault != NULL) {
        place(fault->member, sizeof(fault->member), er_slice_string(member));
    }
}

void er_fault_offset(er_fault *fault, size_t offset)
{
    if (fault != NULL) {
        fault->offset = offset;
    }
}

const char *er_fault_print(const er_fault *fault, char *out, size_t size)
{
    char text[sizeof(*fault) + 64];
    const char *parts[] = {fault->file, fault->record, fault->member, fault->reason};
    size_t used = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i][0] != '\0') {
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? ": " : "", parts[i]);
        }
    }
    if (fault->reason[0] == '\0') {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", used ? ": " : "",
                                 er_status_name(fault->status));
    }
    if (fault->offset != ER_FAULT_NOWHERE) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, " (at byte %zu)", fault->offset);
    }
    if (size > 0) {
        place(out, size, er_slice_of(text, used));
    }
    return out;
}
