/*
 * backoff.c - how long to wait before the next attempt.
 */
#include "service/backoff.h"

#include "base/clock.h"

#include <sys/random.h>

static void draw(unsigned char *out, size_t size)
{
    if (getrandom(out, size, 0) != (ssize_t)size) {
        /* Not before the kernel's pool is filled, which a daemon never sees. */
        uint64_t seed = (uint64_t)er_clock_monotonic_ns();
        for (size_t i = 0; i < size; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            out[i] = (unsigned char)(seed >> 56);
        }
    }
}

int64_t er_backoff_ms(int attempt)
{
    int64_t most = ER_BACKOFF_FIRST_MS;
    for (int i = 1; i < attempt && most < ER_BACKOFF_MOST_MS; i++) {
        most *= 2;
    }
    most = most < ER_BACKOFF_MOST_MS ? most : ER_BACKOFF_MOST_MS;
    unsigned char bytes[2];
    draw(bytes, sizeof bytes);
    return most / 2 + most / 2 * (bytes[0] * 256 + bytes[1]) / 65535;
}

void er_backoff_name(char out[ER_NAME_SIZE])
{
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    unsigned char bytes[ER_NAME_SIZE - 1];
    draw(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[i] = letters[bytes[i] % (sizeof letters - 1)];
    }
    out[ER_NAME_SIZE - 1] = '\0';
}
