#include "cli/terminal.h"

#include "base/buffer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool colour_wanted(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return (no_color == NULL || no_color[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0);
}

er_style er_terminal_style(int fd, bool json)
{
    er_style style = {ER_FORM_PAGE, ER_TERMINAL_WIDTH, false};
    struct winsize size;
    if (json)
        return (er_style){ER_FORM_JSON, 0, false};
    if (isatty(fd) != 1)
        return style;
    style.colour = colour_wanted();
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.width = size.ws_col;
    if (style.width > ER_TERMINAL_MAX_WIDTH)
        style.width = ER_TERMINAL_MAX_WIDTH;
    if (style.width < ER_TERMINAL_MIN_WIDTH)
        style.width = ER_TERMINAL_MIN_WIDTH;
    return style;
}

/* Returns 0, or the errno of the write that failed. */
static int write_all(int fd, er_slice bytes)
{
    size_t done = 0;
    while (done < bytes.len) {
        ssize_t wrote = write(fd, bytes.at + done, bytes.len - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote < 0)
            return errno;
        done += (size_t)wrote;
    }
    return 0;
}

er_status er_terminal_write(int fd, er_slice bytes)
{
    int error = write_all(fd, bytes);
    if (error == 0 && (bytes.len == 0 || bytes.at[bytes.len - 1] != '\n'))
        error = write_all(fd, ER_SLICE("\n"));
    if (error == 0)
        return ER_OK;
    if (error != EPIPE)
        er_terminal_complain("standard output: %s", strerror(error));
    return ER_SYSTEM;
}

/* C1 controls are two bytes in UTF-8, C2 80 to C2 9F. */
static void tame(char *at, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)at[i];
        unsigned char next = i + 1 < len ? (unsigned char)at[i + 1] : 0;
        if ((c < ' ' && c != '\n' && c != '\t') || c == 127) {
            at[i] = '?';
        } else if (c == 0xC2 && next >= 0x80 && next <= 0x9F) {
            at[i] = '?';
            at[i + 1] = '?';
        }
    }
}

er_status er_terminal_write_foreign(int fd, er_slice bytes)
{
    er_buffer copy;
    if (isatty(fd) != 1)
        return er_terminal_write(fd, bytes);
    er_buffer_start(&copy, bytes.len + 1);
    er_buffer_add(&copy, bytes);
    if (copy.status != ER_OK) {
        er_buffer_free(&copy);
        er_terminal_complain("out of memory");
        return ER_NO_MEMORY;
    }
    tame(copy.at, copy.len);
    er_status status = er_terminal_write(fd, er_buffer_slice(&copy));
    er_buffer_free(&copy);
    return status;
}

void er_terminal_complain(const char *format, ...)
{
    char line[2048] = "errata: ";
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line + used, sizeof(line) - used - 1, format, arguments);
    va_end(arguments);
    size_t len = strlen(line);
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)line[i] < ' ' || line[i] == 127)
            line[i] = '?';
    }
    line[len++] = '\n';
    (void)write_all(STDERR_FILENO, er_slice_of(line, len));
}

void er_terminal_complain_fault(const er_fault *fault)
{
    char text[1024];
    er_terminal_complain("%s", er_fault_print(fault, text, sizeof(text)));
}

void er_terminal_guard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
            continue;
        int opened = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (opened >= 0 && opened != fd)
            (void)close(opened); /* lower ones were filled before, so this does not happen */
    }
}
