#include "cli/reply.h"

#include "answer/answer.h"
#include "cli/remote.h"
#include "cli/terminal.h"

#include <string.h>
#include <unistd.h>

/* The exit status for a reply's code: 404 is nothing found, what the service can not do counts as no answer.
 */
static er_exit exit_of_code(int code)
{
    if (code == 0)
        return ER_EXIT_FOUND;
    if (code == 404)
        return ER_EXIT_NOTHING;
    return code < 500 ? ER_EXIT_USAGE : ER_EXIT_NO_CONNECTION;
}

static er_exit print(const er_call *call, int code, er_slice body)
{
    bool answer = call->settings->json || code == 0 || code == 404;
    int fd = answer ? STDOUT_FILENO : STDERR_FILENO;
    er_status status =
        call->settings->remote ? er_terminal_write_foreign(fd, body) : er_terminal_write(fd, body);
    return status == ER_OK ? exit_of_code(code) : ER_EXIT_USAGE;
}

static er_exit complain(const er_call *call, er_fault *fault)
{
    er_settings_blame(call->settings, fault);
    er_terminal_complain_fault(fault);
    return er_exit_of(fault->status);
}

static er_exit ask_service(const er_call *call, const char *endpoint, er_slice request)
{
    er_remote_reply reply;
    er_fault fault;
    er_status status =
        er_remote_ask(&reply, call->settings, endpoint, request, !call->settings->json, &fault);
    if (status != ER_OK)
        return complain(call, &fault);
    er_exit result = print(call, reply.code, er_buffer_slice(&reply.body));
    er_remote_reply_free(&reply);
    return result;
}

static er_exit answer(const er_call *call, const er_snapshot *snapshot, const char *endpoint,
                      er_slice request)
{
    er_worker *worker = NULL;
    er_reply reply;
    if (er_worker_new(&worker) != ER_OK) {
        er_terminal_complain("out of memory");
        return ER_EXIT_USAGE;
    }
    er_style style = er_terminal_style(STDOUT_FILENO, call->settings->json);
    if (strcmp(endpoint, "get") == 0) {
        er_answer_get(worker, snapshot, request, 0, style, &reply);
    } else {
        er_answer_explain(worker, snapshot, request, 0, style, &reply);
    }
    er_exit result = print(call, reply.code, reply.body);
    er_worker_free(&worker);
    return result;
}

static er_exit ask_catalog(const er_call *call, const char *endpoint, er_slice request)
{
    er_snapshot *snapshot = NULL;
    er_fault fault;
    const char *path = call->settings->service.catalog;
    if (path == NULL) {
        er_terminal_complain("no catalog is installed, name one with --catalog or ERRATA_CATALOG");
        return ER_EXIT_USAGE;
    }
    if (er_snapshot_load(&snapshot, path, NULL, &fault) != ER_OK)
        return complain(call, &fault);
    er_exit result = answer(call, snapshot, endpoint, request);
    er_snapshot_release(&snapshot);
    return result;
}

er_exit er_reply_print(const er_call *call, const char *endpoint, er_slice request)
{
    return call->settings->remote ? ask_service(call, endpoint, request)
                                  : ask_catalog(call, endpoint, request);
}
