#include "cli/input.h"

#include "base/file.h"

#include <string.h>
#include <unistd.h>

#define INPUT_NAME "standard input"

static er_status read_input(er_buffer *out, er_fault *fault)
{
    er_status status = er_file_read_fd(STDIN_FILENO, INPUT_NAME, out, fault);
    if (status == ER_TOO_LARGE) {
        (void)er_fault_set(fault, ER_BAD_USAGE, "is larger than %zu bytes", out->ceiling);
        er_fault_file(fault, INPUT_NAME);
        status = ER_BAD_USAGE;
    }
    return status;
}

er_status er_input_read(er_buffer *out, const char *const *words, size_t count, const char *usage,
                        er_fault *fault)
{
    if (count == 1 && strcmp(words[0], "-") == 0)
        return read_input(out, fault);
    if (count == 0 && isatty(STDIN_FILENO) == 1)
        return er_fault_set(fault, ER_BAD_USAGE, "no text was given: %s, or pipe it in", usage);
    if (count == 0)
        return read_input(out, fault);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            er_buffer_add_char(out, ' ');
        er_buffer_add_string(out, words[i]);
    }
    if (out->status == ER_TOO_LARGE)
        return er_fault_set(fault, ER_BAD_USAGE, "the text is larger than %zu bytes", out->ceiling);
    return out->status == ER_OK ? ER_OK : er_fault_set(fault, out->status, "out of memory");
}
