#include "base/file.h"
#include "base/memory.h"
#include "support/folder.h"
#include "support/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[FOLDER_PATH];

static int make_folder(void **state)
{
    (void)state;
    folder_make(folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    folder_remove(folder);
    return 0;
}

static const char *path_of(const char *name)
{
    static char path[2 * FOLDER_PATH];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

/* A fault cuts a path that is too long for it. */
static void assert_names(const er_fault *fault, const char *path)
{
    assert_true(fault->file[0] != '\0');
    assert_memory_equal(fault->file, path, strlen(fault->file));
}

static void test_read(void **state)
{
    (void)state;
    folder_write(folder, "a.txt", ER_SLICE("some \0 bytes"));
    er_buffer out;
    er_fault fault;
    er_buffer_start(&out, 100);
    er_buffer_add_string(&out, "kept ");
    assert_int_equal(er_file_read(path_of("a.txt"), &out, &fault), ER_OK);
    assert_true(er_slice_equal(er_buffer_slice(&out), ER_SLICE("kept some \0 bytes")));
    er_buffer_free(&out);
}

static void test_read_empty(void **state)
{
    (void)state;
    folder_write(folder, "empty", (er_slice){"", 0});
    er_buffer out;
    er_buffer_start(&out, 0);
    assert_int_equal(er_file_read(path_of("empty"), &out, NULL), ER_OK);
    assert_int_equal(out.len, 0);
    er_buffer_free(&out);
}

static void test_read_ceiling(void **state)
{
    (void)state;
    static char text[10001];
    memset(text, 'x', sizeof(text));
    folder_write(folder, "exact", er_slice_of(text, 10000));
    folder_write(folder, "more", er_slice_of(text, 10001));
    er_buffer out;
    er_fault fault;
    er_buffer_start(&out, 10000);
    assert_int_equal(er_file_read(path_of("exact"), &out, &fault), ER_OK);
    assert_int_equal(out.len, 10000);
    er_buffer_clear(&out);
    assert_int_equal(er_file_read(path_of("more"), &out, &fault), ER_TOO_LARGE);
    assert_int_equal(out.len, 0);
    assert_string_equal(fault.reason, "is larger than the limit of 10000 bytes");
    assert_names(&fault, path_of("more"));
    er_buffer_free(&out);
}

/* Through a pipe the size is not known beforehand. */
static er_status read_pipe(size_t size, er_buffer *out, er_fault *fault)
{
    int ends[2];
    static char text[20000];
    assert_int_equal(pipe(ends), 0);
    memset(text, 'y', size);
    assert_int_equal(write(ends[1], text, size), (ssize_t)size);
    close(ends[1]);
    er_status status = er_file_read_fd(ends[0], "standard input", out, fault);
    close(ends[0]);
    return status;
}

static void test_read_pipe(void **state)
{
    (void)state;
    er_buffer out;
    er_fault fault;
    er_buffer_start(&out, 12345);
    assert_int_equal(read_pipe(12345, &out, &fault), ER_OK);
    assert_int_equal(out.len, 12345);
    er_buffer_clear(&out);
    assert_int_equal(read_pipe(12346, &out, &fault), ER_TOO_LARGE);
    assert_string_equal(fault.file, "standard input");
    assert_int_equal(out.len, 0);
    er_buffer_free(&out);
}

static void test_read_faults(void **state)
{
    (void)state;
    er_buffer out;
    er_fault fault;
    er_buffer_start(&out, 100);
    assert_int_equal(er_file_read(path_of("absent"), &out, &fault), ER_NOT_FOUND);
    assert_names(&fault, path_of("absent"));
    assert_int_equal(er_file_read(folder, &out, &fault), ER_SYSTEM);
    assert_names(&fault, folder);
    assert_int_equal(er_file_read_fd(-1, "nothing", &out, &fault), ER_SYSTEM);
    assert_string_equal(fault.file, "nothing");
    er_buffer_free(&out);
}

typedef struct visits {
    char paths[4096];
    size_t prefix;
    er_status answer; /* what the visitor returns */
} visits;

static er_status note(void *context, const char *path, er_fault *fault)
{
    (void)fault;
    visits *seen = context;
    strcat(strcat(seen->paths, path + seen->prefix), " ");
    return seen->answer;
}

static const char *const endings[] = {".json", ".nd", NULL};

static void test_walk(void **state)
{
    (void)state;
    static const char *const names[] = {
        "w/b/a.json",       "w/b.json",  "w/b-c/x.json", "w/b/deep/er/y.nd", "w/b/no.txt",
        "w/.hidden/x.json", "w/.x.json", "w/.json",      "w/a.json.txt",     "w/z.nd"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        folder_write(folder, names[i], ER_SLICE("x"));
    }
    folder_write(folder, "elsewhere/file", ER_SLICE("x"));
    folder_write(folder, "elsewhere/other.json", ER_SLICE("x"));
    assert_int_equal(symlink("../elsewhere/file", path_of("w/link.json")), 0);
    assert_int_equal(symlink("../elsewhere", path_of("w/linked")), 0);
    assert_int_equal(mkdir(path_of("w/folder.json"), 0777), 0);
    assert_int_equal(mkfifo(path_of("w/fifo.json"), 0666), 0);
    visits seen = {.prefix = strlen(folder) + 3};
    assert_int_equal(er_file_walk(path_of("w"), endings, 100, note, &seen, NULL), ER_OK);
    assert_string_equal(seen.paths, "b-c/x.json b.json b/a.json b/deep/er/y.nd link.json z.nd ");
    seen.paths[0] = '\0';
    assert_int_equal(er_file_walk(path_of("w///"), endings, 100, note, &seen, NULL), ER_OK);
    assert_string_equal(seen.paths, "b-c/x.json b.json b/a.json b/deep/er/y.nd link.json z.nd ");
    seen.paths[0] = '\0';
    seen.answer = ER_TIMEOUT;
    assert_int_equal(er_file_walk(path_of("w"), endings, 100, note, &seen, NULL), ER_TIMEOUT);
    assert_string_equal(seen.paths, "b-c/x.json ");
}

static void test_walk_faults(void **state)
{
    (void)state;
    er_fault fault;
    visits seen = {.prefix = strlen(folder)};
    assert_int_equal(er_file_walk(path_of("absent"), endings, 100, note, &seen, &fault), ER_NOT_FOUND);
    assert_names(&fault, path_of("absent"));
    folder_write(folder, "few/a.json", ER_SLICE("x"));
    folder_write(folder, "few/b.json", ER_SLICE("x"));
    assert_int_equal(er_file_walk(path_of("few"), endings, 2, note, &seen, &fault), ER_OK);
    assert_int_equal(er_file_walk(path_of("few"), endings, 1, note, &seen, &fault), ER_TOO_LARGE);
    assert_int_equal(symlink("nowhere", path_of("few/c.json")), 0);
    assert_int_equal(er_file_walk(path_of("few"), endings, 100, note, &seen, &fault), ER_NOT_FOUND);
    assert_names(&fault, path_of("few/c.json"));
}

static void test_walk_depth(void **state)
{
    (void)state;
    char name[256] = "deep";
    for (int i = 0; i < 31; i++) {
        strcat(name, "/d");
    }
    strcat(name, "/a.json");
    folder_write(folder, name, ER_SLICE("x"));
    er_fault fault;
    visits seen = {.prefix = strlen(folder)};
    assert_int_equal(er_file_walk(path_of("deep"), endings, 100, note, &seen, &fault), ER_OK);
    strcpy(strrchr(name, '/'), "/d/a.json");
    folder_write(folder, name, ER_SLICE("x"));
    assert_int_equal(er_file_walk(path_of("deep"), endings, 100, note, &seen, &fault), ER_TOO_LARGE);
}

static void test_walk_without_memory(void **state)
{
    (void)state;
    folder_write(folder, "m/x/a.json", ER_SLICE("x"));
    folder_write(folder, "m/b.json", ER_SLICE("x"));
    for (long n = 0;; n++) {
        visits seen = {.prefix = strlen(folder)};
        const char *path = path_of("m");
        er_memory_fail_after(n);
        er_status status = er_file_walk(path, endings, 100, note, &seen, NULL);
        er_memory_fail_after(-1);
        if (status == ER_OK) {
            assert_true(n >= 2);
            break;
        }
        assert_int_equal(status, ER_NO_MEMORY);
        assert_string_equal(seen.paths, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_empty),
        cmocka_unit_test(test_read_ceiling),
        cmocka_unit_test(test_read_pipe),
        cmocka_unit_test(test_read_faults),
        cmocka_unit_test(test_walk),
        cmocka_unit_test(test_walk_faults),
        cmocka_unit_test(test_walk_depth),
        cmocka_unit_test(test_walk_without_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
