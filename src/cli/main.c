/* The program errata: what a process needs before anything else, then the command line. */
#include "cli/command.h"
#include "cli/terminal.h"

#include <signal.h>

int main(int argc, char **argv)
{
    er_terminal_guard();
    (void)signal(SIGPIPE, SIG_IGN); /* a reader that went away is an error of write(2), not the end */
    return (int)er_cli_run(argc, argv);
}
