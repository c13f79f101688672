/*
 * signals.h - SIGTERM, SIGINT and SIGHUP, taken by a thread of their own.
 *
 * libuv could hand signals to the loop, but then a loop that hangs would hang
 * the stop as well: nats.c waits inside a read where a TLS record came in part,
 * and inside a close for a connect that is under way. So a thread waits for the
 * signals, tells the loop, and sees to it that the process ends in time
 * whatever the loop does.
 */
#ifndef ERRATA_SERVICE_SIGNALS_H
#define ERRATA_SERVICE_SIGNALS_H

#include "base/status.h"

#include <stdint.h>

typedef enum er_signal { ER_SIGNAL_STOP, ER_SIGNAL_RELOAD } er_signal;

typedef void er_signals_notice(void *context, er_signal signal); /* on the signals' thread */

typedef struct er_signals er_signals;

/*
 * Blocks the signals in the calling thread, and so in every thread that it makes
 * later, and begins to wait for them. After the first stop the process has
 * `patience_ns`; then, or at the second stop, it ends at once: with 0 when the
 * time is over, with 128 and the signal's number at the second stop.
 */
er_status er_signals_start(er_signals **out, er_signals_notice *notice, void *context, int64_t patience_ns,
                           er_fault *fault) ER_MUST_CHECK;
void er_signals_free(er_signals **signals); /* ends the thread, and the blocking */

#endif
