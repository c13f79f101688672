/*
 * service.h - the daemon: errata as a NATS microservice.
 *
 * er_service_run blocks until SIGTERM or SIGINT, or until a fault that waiting
 * can not mend. SIGHUP loads the catalog again. It installs the handlers of
 * these signals itself and may run once a process.
 */
#ifndef ERRATA_SERVICE_SERVICE_H
#define ERRATA_SERVICE_SERVICE_H

#include "base/status.h"
#include "service/connection.h"

#include <stddef.h>
#include <stdint.h>

#define ER_SERVICE_NAME     "errata"
#define ER_DEFAULT_PREFIX   "errors"
#define ER_DEFAULT_QUEUE    "errata"
#define ER_DEFAULT_DRAIN_NS (INT64_C(10) * 1000 * 1000 * 1000)
#define ER_START_WAIT_NS    (INT64_C(10) * 1000 * 1000 * 1000) /* for a first server to come up */
#define ER_SERVICE_MAX_NAME 128                                /* bytes of a prefix, and of a queue group */

typedef struct er_service_settings {
    const char *catalog; /* folder or bundle */
    const char *prefix;  /* subject prefix without wildcards, NULL: "errors" */
    const char *queue;   /* queue group, NULL: "errata" */
    size_t
        max_request; /* bytes of an errors.explain request; 0: 64 KiB; never over the server's max_payload */
    int64_t drain_timeout_ns; /* 0: 10 s */
    er_connection_settings connection;
} er_service_settings;

/*
 * ER_OK after a clean stop. ER_BAD_USAGE or ER_BAD_INPUT (a setting, the
 * catalog), ER_NO_CONNECTION or ER_TIMEOUT (none within ER_START_WAIT_NS at the
 * start; later it tries for ever), ER_DENIED (credentials at the start, a
 * subscription at any time; the fault names the subject). The fault is one
 * clear line.
 */
er_status er_service_run(const er_service_settings *settings, er_fault *fault) ER_MUST_CHECK;

#endif
