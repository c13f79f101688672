/*
 * fuzz.h - what every fuzz target has.
 */
#ifndef ERRATA_FUZZ_H
#define ERRATA_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Called with each input, by libFuzzer or by standalone.c. Ends the program where a promise is broken. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program when `holds` is false, also in builds without assertions. */
#define FUZZ_PROMISE(holds)                                                                                  \
    do {                                                                                                     \
        if (!(holds)) {                                                                                      \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #holds);                              \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
