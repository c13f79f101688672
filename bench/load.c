/*
 * bench_load: how long a bundle takes to load, and what it holds then.
 *
 * Beside it both JSON readers go over the same bytes and do nothing with them.
 */
#include "answer/snapshot.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "bench/cpu.h"
#include "bench/sample.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS      7u
#define AIM_SECONDS 2.0
#define AIM_MEMORY  2.0 /* times the size of the file */

typedef struct measures {
    bench_sample load;  /* seconds of the processor, as the two below */
    bench_sample wall;  /* seconds that the same took by the clock */
    bench_sample parts; /* of the catalog alone, without the matcher */
    bench_sample ours;  /* base/json.h */
    bench_sample cjson; /* its trees are freed outside the measured time */
    size_t records;
    size_t catalog;  /* bytes */
    size_t matcher;  /* bytes */
    long resident;   /* KiB that the first load added */
    long high_water; /* KiB of the process when it was done */
} measures;

/* A line of /proc/self/status, in KiB; 0 where there is none. */
static long status_line(const char *name)
{
    char line[256];
    long value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            value = strtol(line + strlen(name), NULL, 10);
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return value;
}

static double since(int64_t start)
{
    return (double)(bench_cpu_ns() - start) / 1e9;
}

static bool load(measures *all, const char *path)
{
    er_snapshot *snapshot = NULL;
    er_fault fault;
    long before = status_line("VmRSS:");
    int64_t wall = er_clock_monotonic_ns();
    int64_t start = bench_cpu_ns();
    if (er_snapshot_load(&snapshot, path, NULL, &fault) != ER_OK) {
        char text[1024];
        (void)fprintf(stderr, "bench_load: %s\n", er_fault_print(&fault, text, sizeof text));
        return false;
    }
    bench_sample_add(&all->load, since(start));
    bench_sample_add(&all->wall, (double)(er_clock_monotonic_ns() - wall) / 1e9);
    if (all->records == 0) {
        all->resident = status_line("VmRSS:") - before;
        all->high_water = status_line("VmHWM:");
    }
    all->records = er_catalog_count(snapshot->catalog);
    all->catalog = er_catalog_memory(snapshot->catalog);
    all->matcher = er_matcher_memory(snapshot->matcher);
    er_snapshot_release(&snapshot);
    return true;
}

static bool load_catalog(measures *all, const char *path)
{
    er_catalog *catalog = NULL;
    int64_t start = bench_cpu_ns();
    if (er_catalog_load(&catalog, path, NULL, NULL) != ER_OK) {
        return false;
    }
    bench_sample_add(&all->parts, since(start));
    er_catalog_free(&catalog);
    return true;
}

/* One document off the front of the bundle. */
static er_slice next_document(er_slice *rest)
{
    const char *end = memchr(rest->at, '\n', rest->len);
    size_t len = end ? (size_t)(end - rest->at) : rest->len;
    er_slice document = er_slice_sub(*rest, 0, len);
    *rest = er_slice_sub(*rest, len + (end ? 1 : 0), rest->len);
    return document;
}

static bool read_ours(measures *all, er_slice rest)
{
    int64_t start = bench_cpu_ns();
    while (rest.len > 0) {
        er_json json;
        er_json_start(&json, next_document(&rest), ER_JSON_MAX_DEPTH);
        (void)er_json_skip(&json, NULL);
        if (er_json_finish(&json) != ER_OK) {
            return false;
        }
    }
    bench_sample_add(&all->ours, since(start));
    return true;
}

static bool read_cjson(measures *all, er_slice rest)
{
    double seconds = 0;
    while (rest.len > 0) {
        er_slice document = next_document(&rest);
        int64_t start = bench_cpu_ns();
        cJSON *tree = cJSON_ParseWithLength(document.at, document.len);
        seconds += since(start);
        if (!tree) {
            return false;
        }
        cJSON_Delete(tree);
    }
    bench_sample_add(&all->cjson, seconds);
    return true;
}

static bool measure(measures *all, const char *path, er_buffer *file)
{
    er_fault fault;
    if (!load(all, path)) { /* before the file is in memory, for the sake of the resident size */
        return false;
    }
    if (er_file_read(path, file, &fault) != ER_OK) {
        (void)fprintf(stderr, "bench_load: %s: %s\n", path, fault.reason);
        return false;
    }
    for (unsigned i = 0; i < ROUNDS; i++) {
        if ((i > 0 && !load(all, path)) || !load_catalog(all, path) ||
            !read_ours(all, er_buffer_slice(file)) || !read_cjson(all, er_buffer_slice(file))) {
            (void)fprintf(stderr, "bench_load: %s could not be read again\n", path);
            return false;
        }
    }
    return true;
}

static void print(const measures *all, size_t bytes)
{
    double mib = 1048576.0;
    double load_s = bench_sample_median(&all->load);
    double ours = bench_sample_median(&all->ours);
    double cjson = bench_sample_median(&all->cjson);
    double held = (double)(all->catalog + all->matcher);
    double share = held / (double)bytes;
    printf("%zu records, %.1f MiB (%zu bytes a record), %u rounds\n\n", all->records, (double)bytes / mib,
           bytes / all->records, ROUNDS);
    printf("load, check, index        %8.3f s      aim %.0f s     %s\n", load_s, AIM_SECONDS,
           load_s <= AIM_SECONDS ? "met" : "missed");
    printf("  by the clock            %8.3f s\n", bench_sample_median(&all->wall));
    printf("  the catalog alone       %8.3f s\n", bench_sample_median(&all->parts));
    printf("read alone, base/json.h   %8.3f s\n", ours);
    printf("read alone, cJSON         %8.3f s      base/json.h to it %.2f, the whole load %.2f\n", cjson,
           bench_sample_ratio(&all->ours, &all->cjson), bench_sample_ratio(&all->load, &all->cjson));
    printf("catalog holds             %8.1f MiB\n", (double)all->catalog / mib);
    printf("matcher holds             %8.1f MiB\n", (double)all->matcher / mib);
    printf("both, to the file's size  %8.2f        aim %.0f       %s\n", share, AIM_MEMORY,
           share <= AIM_MEMORY ? "met" : "missed");
    printf(
        "resident, added by loading%8.1f MiB    to the file's size %.2f (highest of the process %.1f MiB)\n",
        (double)all->resident / 1024, (double)all->resident * 1024 / (double)bytes,
        (double)all->high_water / 1024);
}

int main(int argc, char **argv)
{
    static measures all;
    er_buffer file;
    if (argc != 2) {
        (void)fprintf(stderr, "usage: bench_load BUNDLE\n");
        return 2;
    }
    er_buffer_start(&file, ER_CATALOG_MAX_BUNDLE);
    bool good = measure(&all, argv[1], &file);
    if (good) {
        print(&all, file.len);
    }
    er_buffer_free(&file);
    return good ? 0 : 1;
}
