#include "extract/git.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_WORDS 24

extern char **environ;

bool er_git_is(const char *folder)
{
    struct stat found;
    char path[4096];
    int len = snprintf(path, sizeof(path), "%s/.git", folder);
    if (len > 0 && (size_t)len < sizeof(path) && stat(path, &found) == 0) {
        return true;
    }
    len = snprintf(path, sizeof(path), "%s/HEAD", folder);
    bool head = len > 0 && (size_t)len < sizeof(path) && stat(path, &found) == 0 && S_ISREG(found.st_mode);
    len = snprintf(path, sizeof(path), "%s/objects", folder);
    return head && len > 0 && (size_t)len < sizeof(path) && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* Starts git with its standard output, and input where `to` is not NULL, on pipes. */
static er_status start(const char *folder, const char *const *words, pid_t *process, int *to, int *from,
                       er_fault *fault)
{
    char *arguments[MOST_WORDS] = {(char *)(uintptr_t) "git", (char *)(uintptr_t) "-C",
                                   (char *)(uintptr_t)folder};
    size_t count = 3;
    for (size_t i = 0; words[i] != NULL && count + 1 < MOST_WORDS; i++) {
        arguments[count++] = (char *)(uintptr_t)words[i]; /* posix_spawn changes none of them */
    }
    arguments[count] = NULL;
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    if (pipe2(output, O_CLOEXEC) != 0 || (to != NULL && pipe2(input, O_CLOEXEC) != 0)) {
        return er_fault_set(fault, ER_SYSTEM, "no pipe to git: %s", strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (to != NULL) {
        posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    }
    int failed = posix_spawnp(process, "git", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    if (to != NULL) {
        close(input[0]);
        *to = input[1];
    }
    *from = output[0];
    if (failed != 0) {
        close(output[0]);
        if (to != NULL) {
            close(input[1]);
        }
        return er_fault_set(fault, ER_SYSTEM, "git could not be run: %s", strerror(failed));
    }
    return ER_OK;
}

static bool finish(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

er_status er_git_run(const char *folder, const char *const *words, er_buffer *out, er_fault *fault)
{
    pid_t process;
    int from = -1;
    er_status status = start(folder, words, &process, NULL, &from, fault);
    if (status != ER_OK) {
        return status;
    }
    status = er_file_read_fd(from, "git", out, fault);
    close(from);
    if (!finish(process) && status == ER_OK) {
        er_fault_set(fault, ER_NOT_FOUND, "git %s failed", words[0]);
        er_fault_file(fault, folder);
        return ER_NOT_FOUND;
    }
    return status;
}

er_status er_git_commit(const char *folder, const char *revision, er_commit *out, er_fault *fault)
{
    char name[512];
    int len = snprintf(name, sizeof(name), "%s^{commit}", revision);
    if (revision[0] == '-' || len < 0 || (size_t)len >= sizeof(name)) {
        return er_fault_set(fault, ER_BAD_USAGE, "%.80s is no revision", revision);
    }
    const char *const words[] = {"log", "-1", "--format=%H %ct", name, "--", NULL};
    er_buffer text;
    er_buffer_start(&text, 4096);
    er_status status = er_git_run(folder, words, &text, NULL);
    er_buffer_add_char(&text, '\0');
    long long seconds = 0;
    if (status != ER_OK || text.status != ER_OK ||
        sscanf(text.at, "%40[0-9a-f] %lld", out->sha, &seconds) != 2 || strlen(out->sha) != ER_GIT_SHA) {
        status = er_fault_set(fault, ER_NOT_FOUND, "there is no commit %.80s", revision);
        er_fault_file(fault, folder);
    } else {
        time_t when = (time_t)seconds;
        struct tm parts;
        gmtime_r(&when, &parts);
        strftime(out->date, sizeof(out->date), "%Y-%m-%dT%H:%M:%S.000Z", &parts);
    }
    er_buffer_free(&text);
    return status;
}

/* --- blobs ------------------------------------------------------------------------------ */

er_status er_git_open(er_git_reader *reader, const char *folder, er_fault *fault)
{
    static const char *const words[] = {"cat-file", "--batch", NULL};
    *reader = (er_git_reader){.process = -1, .to = -1, .from = -1};
    return start(folder, words, &reader->process, &reader->to, &reader->from, fault);
}

void er_git_close(er_git_reader *reader)
{
    if (reader->process > 0) {
        close(reader->to);
        close(reader->from);
        finish(reader->process);
    }
    *reader = (er_git_reader){.process = -1, .to = -1, .from = -1};
}

static bool fill(er_git_reader *reader)
{
    ssize_t got;
    do {
        got = read(reader->from, reader->pending, sizeof(reader->pending));
    } while (got < 0 && errno == EINTR);
    reader->at = 0;
    reader->end = got > 0 ? (size_t)got : 0;
    return got > 0;
}

static bool read_line(er_git_reader *reader, char *line, size_t size)
{
    size_t used = 0;
    while (reader->at < reader->end || fill(reader)) {
        char c = reader->pending[reader->at++];
        if (c == '\n') {
            line[used] = '\0';
            return true;
        }
        if (used + 1 < size) {
            line[used++] = c;
        }
    }
    return false;
}

static bool read_bytes(er_git_reader *reader, er_buffer *out, size_t count)
{
    while (count > 0 && (reader->at < reader->end || fill(reader))) {
        size_t ready = reader->end - reader->at;
        size_t take = ready < count ? ready : count;
        if (out != NULL) {
            er_buffer_add(out, er_slice_of(reader->pending + reader->at, take));
        }
        reader->at += take;
        count -= take;
    }
    return count == 0;
}

er_status er_git_blob(er_git_reader *reader, const char *sha, er_buffer *out, er_fault *fault)
{
    char line[256], name[ER_GIT_SHA + 2], kind[32];
    unsigned long long size = 0;
    snprintf(name, sizeof(name), "%.40s\n", sha);
    size_t len = strlen(name);
    if (write(reader->to, name, len) != (ssize_t)len || !read_line(reader, line, sizeof(line))) {
        return er_fault_set(fault, ER_SYSTEM, "git stopped answering");
    }
    if (sscanf(line, "%*s %31s %llu", kind, &size) != 2 || strcmp(kind, "blob") != 0) {
        return er_fault_set(fault, ER_NOT_FOUND, "git has no file %.40s", sha);
    }
    if (size > out->ceiling) {
        if (!read_bytes(reader, NULL, (size_t)size + 1)) {
            return er_fault_set(fault, ER_SYSTEM, "git stopped answering");
        }
        return er_fault_set(fault, ER_TOO_LARGE, "file %.40s has %llu bytes", sha, size);
    }
    if (!read_bytes(reader, out, (size_t)size) || !read_bytes(reader, NULL, 1)) {
        return er_fault_set(fault, ER_SYSTEM, "git stopped answering");
    }
    return out->status == ER_OK ? ER_OK : er_fault_set(fault, out->status, "file %.40s can not be held", sha);
}
