#include "cli/command.h"
#include "cli/input.h"
#include "cli/reply.h"
#include "cli/terminal.h"

#define MAX_NAME 4096u /* far above the longest owner/name/slug */

er_exit er_command_get(const er_call *call)
{
    er_buffer name;
    er_fault fault;
    er_exit result;
    er_buffer_start(&name, MAX_NAME);
    er_status status = er_input_read(&name, call->words, call->word_count, "errata get 10059", &fault);
    if (status == ER_OK) {
        result = er_reply_print(call, "get", er_slice_trim(er_buffer_slice(&name)));
    } else {
        er_terminal_complain_fault(&fault);
        result = er_exit_of(status);
    }
    er_buffer_free(&name);
    return result;
}
