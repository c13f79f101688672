#include "extract/extract_command.h"

#include "base/memory.h"

#include "extract/diff.h"
#include "extract/run.h"

static int complain(const er_fault *fault)
{
    char text[1536];
    fprintf(stderr, "errata: %s\n", er_fault_print(fault, text, sizeof(text)));
    return 2;
}

static er_status run_all(er_run *run, er_fault *fault)
{
    const er_extract_options *options = run->options;
    er_status status = er_run_tree(run, fault);
    if (status == ER_OK) {
        status = er_run_history(run, fault);
    }
    if (status == ER_OK) {
        status = er_run_unresolved(run, fault);
    }
    if (status != ER_OK) {
        return status;
    }
    if (options->update != NULL || options->new_records != NULL) {
        return er_run_records(run, fault);
    }
    return er_run_print(run, stdout, fault);
}

int er_extract_command(int argc, char **argv)
{
    er_extract_options options;
    er_fault fault = {0};
    if (er_extract_options_read(&options, argc, argv, &fault) != ER_OK) {
        return complain(&fault);
    }
    if (options.help) {
        return fputs(er_extract_usage, stdout) < 0 || fflush(stdout) != 0 ? 2 : 0;
    }
    int found = 0;
    er_status status;
    if (options.diff_old != NULL) {
        status = er_diff_run(&options, stdout, &found, &fault);
    } else {
        er_run *run = er_calloc(1, sizeof(*run));
        if (run == NULL) {
            return 2;
        }
        run->options = &options;
        status = run_all(run, &fault);
        found = run->program.message_count > 0;
        er_run_free(run);
        er_free(run);
    }
    er_languages_free();
    return status != ER_OK ? complain(&fault) : found ? 0 : 1;
}
