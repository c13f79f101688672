/*
 * bench_service: errata through NATS, beside services that only send bytes back.
 */
#include "base/clock.h"
#include "bench/corpus.h"
#include "bench/flight.h"
#include "bench/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS   25u
#define TIME_NS  250000000 /* of one run */
#define PROBES   100u      /* a tenth of a second each, for a service to come up */
#define TIMEOUT  100       /* milliseconds */
#define WITHIN   1.05      /* what counts as level */
#define ENOUGH   0.95      /* of the best echo's throughput where only that counts */
#define TEXT_MAX 1024

typedef struct contender {
    const char *name;
    const char *subject;
} contender;

static const contender contenders[] = {
    {"errata", "errors.explain"},
    {"echo, buffered", "bench.echo.buffered"},
    {"echo, SendAsap", "bench.echo.asap"},
    {"echo, libuv", "bench.echo.libuv"},
};

#define CONTENDERS (sizeof contenders / sizeof contenders[0])

/* Requests in flight. */
static const size_t loads[] = {1, 16, 256};

#define LOADS (sizeof loads / sizeof loads[0])

typedef struct figures {
    bench_sample median;
    bench_sample p99;
    bench_sample rate;
    bench_sample cpu; /* microseconds of the service's processor time for a request */
    size_t wrong;
} figures;

static figures measured[LOADS][CONTENDERS];
static clockid_t clocks[CONTENDERS]; /* of the processes */

static int64_t cpu_ns(size_t who)
{
    struct timespec now;
    return clock_gettime(clocks[who], &now) == 0 ? (int64_t)now.tv_sec * 1000000000 + now.tv_nsec : 0;
}

/* Waits until the service answers. Its reply's size; -1 when there was none, -2 when it was a failure. */
static int probe(natsConnection *connection, const char *subject, er_slice text)
{
    for (unsigned i = 0; i < PROBES; i++) {
        natsMsg *reply = NULL;
        const char *code = NULL;
        natsStatus status =
            natsConnection_Request(&reply, connection, subject, text.at, (int)text.len, TIMEOUT);
        if (status == NATS_OK) {
            bool failed = natsMsgHeader_Get(reply, "Nats-Service-Error-Code", &code) == NATS_OK;
            int size = failed ? -2 : natsMsg_GetDataLength(reply);
            natsMsg_Destroy(reply);
            return size;
        }
        nats_Sleep(status == NATS_TIMEOUT ? 0 : TIMEOUT);
    }
    return -1;
}

static bool probe_all(natsConnection *connection, er_slice text)
{
    int sizes[CONTENDERS];
    for (size_t i = 0; i < CONTENDERS; i++) {
        sizes[i] = probe(connection, contenders[i].subject, text);
        if (sizes[i] < 0 || sizes[i] != sizes[0]) {
            (void)fprintf(stderr, "bench_service: %s: reply of %d bytes, %d are expected\n",
                          contenders[i].name, sizes[i], sizes[0]);
            return false;
        }
    }
    printf("request of %zu bytes, reply of %d bytes\n", text.len, sizes[0]);
    return true;
}

static bool run_one(bench_flight *flight, size_t at, size_t who, er_slice text, bool counts)
{
    figures *into = &measured[at][who];
    bench_result result;
    const bench_order order = {contenders[who].subject, text, loads[at], BENCH_MAX_REQUESTS, TIME_NS};
    int64_t cpu = cpu_ns(who);
    if (!bench_flight_run(flight, &order, &result)) {
        (void)fprintf(stderr, "bench_service: %s does not answer any more\n", contenders[who].name);
        return false;
    }
    if (counts) {
        bench_sample_add(&into->median, result.median_us);
        bench_sample_add(&into->p99, result.p99_us);
        bench_sample_add(&into->rate, result.per_second);
        bench_sample_add(&into->cpu, (double)(cpu_ns(who) - cpu) / 1e3 / (double)result.replies);
    }
    into->wrong += result.wrong;
    return true;
}

/* The first round only warms up. */
static bool run_rounds(bench_flight *flight, er_slice text, size_t rounds)
{
    for (size_t round = 0; round <= rounds; round++) {
        for (size_t at = 0; at < LOADS; at++) {
            for (size_t i = 0; i < CONTENDERS; i++) {
                size_t who = (round + i) % CONTENDERS;
                if (!run_one(flight, at, who, text, round > 0)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* The echo with the least latency, or the most requests a second. */
static size_t best_echo(size_t at, bool by_rate)
{
    size_t best = 1;
    for (size_t i = 2; i < CONTENDERS; i++) {
        double rate =
            bench_sample_median(&measured[at][i].rate) - bench_sample_median(&measured[at][best].rate);
        double gain =
            bench_sample_median(&measured[at][best].median) - bench_sample_median(&measured[at][i].median);
        if ((by_rate ? rate : gain) > 0) {
            best = i;
        }
    }
    return best;
}

static void print_load(size_t at)
{
    for (size_t i = 0; i < CONTENDERS; i++) {
        const figures *of = &measured[at][i];
        printf("%9zu   %-16s %12.1f %12.1f %12.0f %12.1f %8zu\n", loads[at], contenders[i].name,
               bench_sample_median(&of->median), bench_sample_median(&of->p99),
               bench_sample_median(&of->rate), bench_sample_median(&of->cpu), of->wrong);
    }
}

static void print_ratio(size_t at)
{
    size_t fast = best_echo(at, false);
    size_t much = best_echo(at, true);
    double latency = bench_sample_ratio(&measured[at][0].median, &measured[at][fast].median);
    double rate = bench_sample_ratio(&measured[at][0].rate, &measured[at][much].rate);
    bool many = loads[at] > 16;
    double least = many ? ENOUGH : 1 / WITHIN;
    printf("%9zu   latency %.3f of %-15s", loads[at], latency, contenders[fast].name);
    if (many) {
        printf("%-22s", "-");
    } else {
        printf("at most %.2f  %-8s ", WITHIN, latency <= WITHIN ? "met" : "missed");
    }
    printf("requests/s %.3f of %-15s at least %.2f %s\n", rate, contenders[much].name, least,
           rate >= least ? "met" : "missed");
}

static void print_all(size_t rounds)
{
    printf("%zu rounds of %d ms for each\n\n", rounds, TIME_NS / 1000000);
    printf("%9s   %-16s %12s %12s %12s %12s %8s\n", "in flight", "", "median, us", "p99, us", "requests/s",
           "cpu, us", "wrong");
    for (size_t at = 0; at < LOADS; at++) {
        print_load(at);
    }
    printf("\nerrata to the best echo, by the median of the rounds' ratios\n");
    for (size_t at = 0; at < LOADS; at++) {
        print_ratio(at);
    }
}

/* The generator sends as the quickest of the echoes does: at each load it gets more out of
   every contender than the other two ways. */
static bool measure(const char *url, er_slice text, size_t rounds)
{
    bench_link link = {0};
    bench_flight *flight = NULL;
    bool good = bench_link_open(&link, BENCH_LIBUV, url) && bench_flight_start(&flight, &link) &&
                probe_all(link.connection, text) && run_rounds(flight, text, rounds);
    if (good) {
        print_all(rounds);
    }
    bench_flight_free(&flight);
    bench_link_close(&link);
    return good;
}

/* A line that one of the bundle's records answers. */
static bool choose_text(const char *bundle, char out[TEXT_MAX], er_slice *text)
{
    bench_corpus corpus;
    bench_lines lines = {0};
    bench_random random = {1};
    er_fault fault;
    bool good = bench_corpus_read(&corpus, bundle, &fault) == ER_OK &&
                bench_lines_fill(&lines, &corpus, &random, corpus.rule_count) == ER_OK;
    if (good) {
        er_slice line = lines.lines[lines.count / 2].text;
        int len = snprintf(out, TEXT_MAX, "%.*s", (int)line.len, line.at);
        *text = er_slice_of(out, (size_t)len);
    } else {
        (void)fprintf(stderr, "bench_service: %s can not be used\n", bundle);
    }
    bench_lines_free(&lines);
    bench_corpus_free(&corpus);
    return good;
}

static bool print_size(const char *url, er_slice text)
{
    bench_link link;
    if (!bench_link_open(&link, BENCH_BUFFERED, url)) {
        return false;
    }
    int size = probe(link.connection, contenders[0].subject, text);
    bench_link_close(&link);
    if (size < 0) {
        (void)fprintf(stderr, "bench_service: errata gives no good reply to: %s\n", text.at);
        return false;
    }
    printf("%d\n", size);
    return true;
}

static int usage(void)
{
    (void)fprintf(stderr, "usage: bench_service URL BUNDLE --size     bytes of errata's reply\n"
                          "       bench_service URL BUNDLE ROUNDS PID PID PID PID\n"
                          "The processes are errata and the echoes: buffered, asap, libuv.\n");
    return 2;
}

static bool take_processes(char **words)
{
    for (size_t i = 0; i < CONTENDERS; i++) {
        long pid = strtol(words[i], NULL, 10);
        if (pid < 1 || clock_getcpuclockid((pid_t)pid, &clocks[i]) != 0) {
            (void)fprintf(stderr, "bench_service: no such process: %s\n", words[i]);
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    char bytes[TEXT_MAX];
    er_slice text = {0};
    bool size = argc == 4 && strcmp(argv[3], "--size") == 0;
    long rounds = argc == 4 + (int)CONTENDERS ? strtol(argv[3], NULL, 10) : 0;
    if (!size && (rounds < 1 || rounds > (long)BENCH_MAX_ROUNDS || !take_processes(argv + 4))) {
        return usage();
    }
    if (!choose_text(argv[2], bytes, &text)) {
        return 1;
    }
    bool good = size ? print_size(argv[1], text) : measure(argv[1], text, (size_t)rounds);
    nats_Close();
    return good ? 0 : 1;
}
