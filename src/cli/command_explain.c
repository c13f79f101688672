#include "cli/body.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/reply.h"
#include "cli/terminal.h"
#include "match/matcher.h"

/* A byte that is not UTF-8 becomes three, a control character six. */
#define MAX_BODY (ER_MATCH_MAX_TEXT * 6 + 4096)

static er_exit ask(const er_call *call, er_slice text)
{
    er_buffer body;
    er_exit result = ER_EXIT_USAGE;
    er_buffer_start(&body, MAX_BODY);
    er_body_write(&body, call->settings, text);
    if (body.status == ER_OK) {
        result = er_reply_print(call, "explain", er_buffer_slice(&body));
    } else {
        er_terminal_complain("%s",
                             body.status == ER_TOO_LARGE ? "the request is too large" : "out of memory");
    }
    er_buffer_free(&body);
    return result;
}

er_exit er_command_explain(const er_call *call)
{
    er_buffer text;
    er_fault fault;
    er_exit result;
    er_buffer_start(&text, ER_MATCH_MAX_TEXT);
    er_status status =
        er_input_read(&text, call->words, call->word_count, "errata explain 'stream not found'", &fault);
    if (status == ER_OK) {
        result = ask(call, er_buffer_slice(&text));
    } else {
        er_terminal_complain_fault(&fault);
        result = er_exit_of(status);
    }
    er_buffer_free(&text);
    return result;
}
