#include "bench/sample.h"

#include <stdlib.h>
#include <string.h>

void bench_sample_add(bench_sample *sample, double value)
{
    if (sample->count < BENCH_MAX_ROUNDS) {
        sample->values[sample->count++] = value;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_sample_median(const bench_sample *sample)
{
    double sorted[BENCH_MAX_ROUNDS];
    size_t count = sample->count;
    if (count == 0) {
        return 0;
    }
    memcpy(sorted, sample->values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

double bench_sample_ratio(const bench_sample *a, const bench_sample *b)
{
    bench_sample ratios = {.count = 0};
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        if (b->values[i] > 0) {
            bench_sample_add(&ratios, a->values[i] / b->values[i]);
        }
    }
    return bench_sample_median(&ratios);
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t bench_percentile(uint32_t *values, size_t count, double share)
{
    if (count == 0) {
        return 0;
    }
    qsort(values, count, sizeof *values, compare_numbers);
    size_t at = (size_t)(share * (double)count);
    return values[at < count ? at : count - 1];
}
