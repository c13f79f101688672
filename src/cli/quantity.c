#include "cli/quantity.h"

#include <string.h>
#include <strings.h>

#define FRACTION_DIGITS 9

typedef struct unit {
    const char *name;
    int64_t ns;
} unit;

/* Longer names first, so that "ms" is not read as "m". */
static const unit units[] = {
    {"ns", 1},
    {"us", 1000},
    {"µs", 1000},
    {"μs", 1000},
    {"ms", 1000000},
    {"s", 1000000000},
    {"m", INT64_C(60) * 1000000000},
    {"h", INT64_C(3600) * 1000000000},
    {"d", INT64_C(86400) * 1000000000},
    {"w", INT64_C(604800) * 1000000000},
};

static const unit *unit_at(const char *text)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strncmp(text, units[i].name, strlen(units[i].name)) == 0)
            return &units[i];
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* One number and its unit; `text` moves behind them. */
static bool duration_part(const char **text, int64_t *total)
{
    const char *at = *text;
    int64_t whole = 0;
    int64_t fraction = 0;
    int64_t scale = 1;
    if (!is_digit(*at))
        return false;
    for (; is_digit(*at); at++) {
        whole = whole * 10 + (*at - '0');
        if (whole > ER_DURATION_MAX_NS)
            return false;
    }
    if (*at == '.') {
        at++;
        if (!is_digit(*at))
            return false;
        for (int digits = 0; is_digit(*at); at++, digits++) {
            if (digits < FRACTION_DIGITS) {
                fraction = fraction * 10 + (*at - '0');
                scale *= 10;
            }
        }
    }
    const unit *of = unit_at(at);
    if (of == NULL || whole > ER_DURATION_MAX_NS / of->ns)
        return false;
    /* A unit above a second is a whole number of seconds, and the fraction has nine digits: no overflow. */
    int64_t part = of->ns >= 1000000000 ? of->ns / 1000000000 * (fraction * (1000000000 / scale))
                                        : of->ns * fraction / scale;
    *total += whole * of->ns + part;
    *text = at + strlen(of->name);
    return *total <= ER_DURATION_MAX_NS;
}

bool er_duration_parse(const char *text, int64_t *ns)
{
    int64_t total = 0;
    do {
        if (!duration_part(&text, &total))
            return false;
    } while (*text != '\0');
    *ns = total;
    return total > 0;
}

static bool size_unit(const char *name, size_t *factor)
{
    static const struct {
        const char *name;
        size_t factor;
    } known[] = {{"", 1}, {"B", 1}, {"K", 1024}, {"KiB", 1024}, {"M", 1024 * 1024}, {"MiB", 1024 * 1024}};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcasecmp(name, known[i].name) == 0) {
            *factor = known[i].factor;
            return true;
        }
    }
    return false;
}

bool er_size_parse(const char *text, size_t *bytes)
{
    size_t number = 0;
    size_t factor;
    const char *at = text;
    for (; is_digit(*at); at++) {
        number = number * 10 + (size_t)(*at - '0');
        if (number > ER_SIZE_MAX)
            return false;
    }
    if (at == text || !size_unit(at, &factor) || number > ER_SIZE_MAX / factor)
        return false;
    *bytes = number * factor;
    return number > 0;
}

bool er_count_parse(const char *text, unsigned most, unsigned *count)
{
    unsigned number = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (!is_digit(*text))
            return false;
        number = number * 10 + (unsigned)(*text - '0');
        if (number > most)
            return false;
    }
    *count = number;
    return true;
}
