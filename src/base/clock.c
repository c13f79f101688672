#include "base/clock.h"

#include <stddef.h>
#include <time.h>

#define SECOND_NS INT64_C(1000000000)

static int64_t now(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) != 0) {
        return 0;
    }
    return (int64_t)time.tv_sec * SECOND_NS + time.tv_nsec;
}

int64_t er_clock_now_ns(void)
{
    return now(CLOCK_REALTIME);
}

int64_t er_clock_monotonic_ns(void)
{
    return now(CLOCK_MONOTONIC);
}

static char *digits(char *out, int value, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        out[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return out + count;
}

/* By hand, not with snprintf: the size is exact, and a log line is written often. */
void er_clock_text(int64_t wall_ns, char out[ER_CLOCK_TEXT_SIZE])
{
    int64_t seconds = wall_ns / SECOND_NS;
    int64_t rest = wall_ns % SECOND_NS;
    if (rest < 0) {
        seconds--;
        rest += SECOND_NS;
    }
    time_t time = (time_t)seconds;
    struct tm utc = {0};
    gmtime_r(&time, &utc);
    const struct {
        int value, count;
        char after;
    } parts[] = {{utc.tm_year + 1900, 4, '-'},   {utc.tm_mon + 1, 2, '-'}, {utc.tm_mday, 2, 'T'},
                 {utc.tm_hour, 2, ':'},          {utc.tm_min, 2, ':'},     {utc.tm_sec, 2, '.'},
                 {(int)(rest / 1000000), 3, 'Z'}};
    char *at = out;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        at = digits(at, parts[i].value, parts[i].count);
        *at++ = parts[i].after;
    }
    *at = '\0';
}
