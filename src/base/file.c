#include "base/file.h"

#include "base/arena.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 32

static er_status system_fault(er_fault *fault, int error, const char *what, const char *path)
{
    bool missing = error == ENOENT || error == ENOTDIR;
    er_status status = missing ? ER_NOT_FOUND : error == ENOMEM ? ER_NO_MEMORY : ER_SYSTEM;
    er_fault_set(fault, status, "can not %s: %s", what, strerror(error));
    er_fault_file(fault, path);
    return status;
}

static er_status too_large(er_fault *fault, size_t ceiling, const char *name)
{
    er_fault_set(fault, ER_TOO_LARGE, "is larger than the limit of %zu bytes", ceiling);
    er_fault_file(fault, name);
    return ER_TOO_LARGE;
}

/* A full buffer is not grown before there is more to put into it: a file's end
   must not double what was reserved for its size. At the ceiling one byte more is
   asked for, to tell the end from too much. */
static ssize_t read_some(int fd, er_buffer *out)
{
    char spare[4096];
    size_t room = out->capacity - out->len;
    char *to = room > 0 ? out->at + out->len : spare;
    size_t left = out->ceiling - out->len;
    size_t step = room > 0 ? room : left > sizeof(spare) ? sizeof(spare) : left > 0 ? left : 1;
    ssize_t count;
    do {
        count = read(fd, to, step);
    } while (count < 0 && errno == EINTR);
    if (count <= 0 || left == 0) {
        return count;
    }
    if (room == 0) {
        to = er_buffer_reserve(out, (size_t)count);
        if (to == NULL) {
            errno = ENOMEM;
            return -1;
        }
        memcpy(to, spare, (size_t)count);
    }
    out->len += (size_t)count;
    return count;
}

er_status er_file_read_fd(int fd, const char *name, er_buffer *out, er_fault *fault)
{
    size_t before = out->len;
    er_status status = out->status;
    struct stat info;
    if (status != ER_OK) {
        return er_fault_set(fault, status, "%s", er_status_name(status));
    }
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        if ((uintmax_t)info.st_size > out->ceiling - before) {
            return too_large(fault, out->ceiling, name);
        }
        if (er_buffer_reserve(out, (size_t)info.st_size) == NULL) {
            return system_fault(fault, ENOMEM, "read", name);
        }
    }
    for (;;) {
        bool full = out->len == out->ceiling;
        ssize_t count = read_some(fd, out);
        if (count == 0) {
            return ER_OK;
        }
        if (count < 0 || full) {
            int error = errno;
            out->len = before;
            return count < 0 ? system_fault(fault, error, "read", name)
                             : too_large(fault, out->ceiling, name);
        }
    }
}

er_status er_file_open(const char *path, int *fd, er_fault *fault)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    return *fd < 0 ? system_fault(fault, errno, "open", path) : ER_OK;
}

er_status er_file_read_piece(int fd, const char *name, char *to, size_t most, size_t *count, er_fault *fault)
{
    ssize_t got;
    do {
        got = read(fd, to, most);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return system_fault(fault, errno, "read", name);
    }
    *count = (size_t)got;
    return ER_OK;
}

er_status er_file_read(const char *path, er_buffer *out, er_fault *fault)
{
    int fd;
    er_status status = er_file_open(path, &fd, fault);
    if (status == ER_OK) {
        status = er_file_read_fd(fd, path, out, fault);
        close(fd);
    }
    return status;
}

/* All paths are gathered before the first visit: byte order of the whole path is
   not the order in which a tree is walked ("a-b/x" goes before "a/x"). */
typedef struct tree_walk {
    const char *const *endings;
    size_t limit;
    er_arena names;
    er_slice *paths; /* each ends in a NUL */
    size_t count, capacity;
    er_fault *fault;
} tree_walk;

static bool wanted(const char *name, const char *const *endings)
{
    er_slice whole = er_slice_string(name);
    for (; *endings != NULL; endings++) {
        er_slice ending = er_slice_string(*endings);
        if (whole.len > ending.len &&
            er_slice_equal(er_slice_sub(whole, whole.len - ending.len, whole.len), ending)) {
            return true;
        }
    }
    return false;
}

static er_status join(tree_walk *walk, er_slice folder, const char *name, er_slice *path)
{
    er_slice last = er_slice_string(name);
    size_t slash = folder.len > 0 && folder.at[folder.len - 1] != '/';
    char *at = er_arena_take(&walk->names, folder.len + slash + last.len + 1);
    if (at == NULL) {
        return er_fault_set(walk->fault, ER_NO_MEMORY, "out of memory");
    }
    *path = er_slice_of(at, folder.len + slash + last.len);
    memcpy(at, folder.at, folder.len);
    at += folder.len;
    if (slash) {
        *at++ = '/';
    }
    memcpy(at, last.at, last.len + 1);
    return ER_OK;
}

static er_status remember(tree_walk *walk, er_slice path)
{
    if (walk->count == walk->limit) {
        return er_fault_set(walk->fault, ER_TOO_LARGE, "more than %zu files", walk->limit);
    }
    if (walk->count == walk->capacity) {
        size_t capacity = walk->capacity ? walk->capacity * 2 : 64;
        er_slice *grown = er_realloc(walk->paths, capacity * sizeof(*grown));
        if (grown == NULL) {
            return er_fault_set(walk->fault, ER_NO_MEMORY, "out of memory");
        }
        walk->paths = grown;
        walk->capacity = capacity;
    }
    walk->paths[walk->count++] = path;
    return ER_OK;
}

static er_status walk_folder(tree_walk *walk, er_slice folder, unsigned depth);

static er_status walk_entry(tree_walk *walk, er_slice folder, const struct dirent *entry, unsigned depth)
{
    bool match = wanted(entry->d_name, walk->endings);
    bool known = entry->d_type == DT_REG || entry->d_type == DT_DIR;
    if (!match && known && entry->d_type == DT_REG) {
        return ER_OK;
    }
    er_slice path;
    er_status status = join(walk, folder, entry->d_name, &path);
    if (status != ER_OK) {
        return status;
    }
    struct stat info = {.st_mode = entry->d_type == DT_DIR ? S_IFDIR : S_IFREG};
    if (!known && lstat(path.at, &info) != 0) {
        return system_fault(walk->fault, errno, "read", path.at);
    }
    if (S_ISDIR(info.st_mode)) {
        return walk_folder(walk, path, depth + 1);
    }
    if (!match) {
        return ER_OK;
    }
    if (S_ISLNK(info.st_mode) && stat(path.at, &info) != 0) {
        return system_fault(walk->fault, errno, "follow the link", path.at);
    }
    return S_ISREG(info.st_mode) ? remember(walk, path) : ER_OK;
}

static er_status walk_folder(tree_walk *walk, er_slice folder, unsigned depth)
{
    if (depth > MAX_DEPTH) {
        er_fault_set(walk->fault, ER_TOO_LARGE, "folders are nested deeper than %d", MAX_DEPTH);
        er_fault_file(walk->fault, folder.at);
        return ER_TOO_LARGE;
    }
    DIR *directory = opendir(folder.at);
    if (directory == NULL) {
        return system_fault(walk->fault, errno, "open the folder", folder.at);
    }
    er_status status = ER_OK;
    const struct dirent *entry;
    while (status == ER_OK && (errno = 0, entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] != '.') {
            status = walk_entry(walk, folder, entry, depth);
        }
    }
    if (status == ER_OK && errno != 0) {
        status = system_fault(walk->fault, errno, "read the folder", folder.at);
    }
    closedir(directory);
    return status;
}

static int path_order(const void *a, const void *b)
{
    const er_slice *left = a;
    const er_slice *right = b;
    return er_slice_compare(*left, *right);
}

er_status er_file_walk(const char *folder, const char *const *endings, size_t limit, er_file_visit *visit,
                       void *context, er_fault *fault)
{
    tree_walk walk = {.endings = endings, .limit = limit, .fault = fault};
    er_arena_start(&walk.names);
    er_slice top = er_slice_string(folder);
    while (top.len > 1 && top.at[top.len - 1] == '/') {
        top.len--;
    }
    top = er_arena_copy(&walk.names, top);
    er_status status =
        top.at ? walk_folder(&walk, top, 1) : er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    if (status == ER_OK && walk.count > 0) {
        qsort(walk.paths, walk.count, sizeof(*walk.paths), path_order);
    }
    for (size_t i = 0; status == ER_OK && i < walk.count; i++) {
        status = visit(context, walk.paths[i].at, fault);
    }
    er_free(walk.paths);
    er_arena_free(&walk.names);
    return status;
}
