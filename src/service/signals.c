/*
 * signals.c - SIGTERM, SIGINT and SIGHUP, taken by a thread of their own.
 */
#include "service/signals.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_SECOND INT64_C(1000000000)

struct er_signals {
    er_signals_notice *notice;
    void *context;
    int64_t patience_ns;
    int64_t deadline_ns; /* of the thread alone; 0 before the first stop */
    pthread_t thread;
    sigset_t set;
    sigset_t before; /* the mask that er_signals_free brings back */
    atomic_bool ended;
};

static int wait_for_signal(const er_signals *signals)
{
    if (signals->deadline_ns == 0) {
        return sigwaitinfo(&signals->set, NULL);
    }
    int64_t left = signals->deadline_ns - er_clock_monotonic_ns();
    left = left > 0 ? left : 0;
    struct timespec wait = {left / NS_PER_SECOND, left % NS_PER_SECOND};
    return sigtimedwait(&signals->set, NULL, &wait);
}

static void on_stop(er_signals *signals, int number)
{
    if (signals->deadline_ns != 0) {
        er_log_event(ER_LOG_WARN, "second signal, stopping at once", er_log_int("signal", number));
        _exit(128 + number);
    }
    signals->deadline_ns = er_clock_monotonic_ns() + signals->patience_ns;
    er_log_event(ER_LOG_INFO, "stopping", er_log_int("signal", number));
    signals->notice(signals->context, ER_SIGNAL_STOP);
}

static void *run(void *argument)
{
    er_signals *signals = argument;
    for (;;) {
        int number = wait_for_signal(signals);
        if (atomic_load(&signals->ended)) {
            return NULL;
        }
        if (number == SIGHUP) {
            signals->notice(signals->context, ER_SIGNAL_RELOAD);
        } else if (number > 0) {
            on_stop(signals, number);
        } else if (errno == EAGAIN && signals->deadline_ns != 0) {
            er_log_event(ER_LOG_WARN, "not done in time, stopping all the same",
                         er_log_int("seconds", signals->patience_ns / NS_PER_SECOND));
            _exit(0);
        }
    }
}

er_status er_signals_start(er_signals **out, er_signals_notice *notice, void *context, int64_t patience_ns,
                           er_fault *fault)
{
    er_signals *signals = er_calloc(1, sizeof *signals);
    if (signals == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    }
    signals->notice = notice;
    signals->context = context;
    signals->patience_ns = patience_ns;
    sigemptyset(&signals->set);
    sigaddset(&signals->set, SIGTERM);
    sigaddset(&signals->set, SIGINT);
    sigaddset(&signals->set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals->set, &signals->before);
    int error = pthread_create(&signals->thread, NULL, run, signals);
    if (error != 0) {
        pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
        er_free(signals);
        return er_fault_set(fault, ER_SYSTEM, "no thread for signals: %s", strerror(error));
    }
    *out = signals;
    return ER_OK;
}

void er_signals_free(er_signals **signals)
{
    er_signals *gone = *signals;
    *signals = NULL;
    if (gone == NULL) {
        return;
    }
    atomic_store(&gone->ended, true);
    pthread_kill(gone->thread, SIGHUP); /* ends its wait */
    pthread_join(gone->thread, NULL);
    pthread_sigmask(SIG_SETMASK, &gone->before, NULL);
    er_free(gone);
}
