/*
 * Replays inputs without libFuzzer: each argument is a file or a folder of files.
 */
#include "fuzz.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define INPUT_MOST  ((size_t)1 << 20)
#define INPUTS_MOST 100000u

static size_t replayed;

static er_status replay(void *context, const char *path, er_fault *fault)
{
    (void)context;
    er_buffer input;
    er_buffer_start(&input, INPUT_MOST);
    er_status status = er_file_read(path, &input, fault);
    if (status == ER_OK) {
        /* A block of the very size, so that a sanitizer sees what is read behind its end. */
        uint8_t *bytes = malloc(input.len ? input.len : 1);
        FUZZ_PROMISE(bytes != NULL);
        if (input.len) {
            memcpy(bytes, input.at, input.len);
        }
        (void)LLVMFuzzerTestOneInput(bytes, input.len);
        free(bytes);
        replayed++;
    }
    er_buffer_free(&input);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const endings[] = {"", NULL};
    for (int i = 1; i < argc; i++) {
        struct stat info;
        er_fault fault;
        char text[1024];
        bool folder = stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode);
        er_status status = folder ? er_file_walk(argv[i], endings, INPUTS_MOST, replay, NULL, &fault)
                                  : replay(NULL, argv[i], &fault);
        if (status != ER_OK) {
            fprintf(stderr, "%s\n", er_fault_print(&fault, text, sizeof text));
            return 1;
        }
    }
    printf("%zu inputs\n", replayed);
    return replayed > 0 ? 0 : 1;
}
