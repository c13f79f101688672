/*
 * monitor.h - PING, INFO and STATS of a NATS microservice, by ADR-32.
 *
 * nats.c has them in its micro_* framework, which is not used. What its 3.10.1
 * does, read in its source and seen by running it:
 *
 * - INFO and STATS write texts into JSON as they are: a quote in an error's text
 *   or in metadata breaks the reply, and `nats micro` aborts;
 * - every good reply counts as an error, average_processing_time is a string,
 *   processing_time and data are missing, so that `nats micro stats` gives up;
 * - any error on a subscription, a slow consumer too, stops the whole service,
 *   for good;
 * - it subscribes by itself, one thread an endpoint: who asks cannot see which
 *   subscription the server denied, nor answer in the turn that read a request;
 * - a clone of an endpoint's configuration leaks its queue group.
 *
 * A stats handler of our own mends the second point alone. So the protocol is
 * spoken here, on subscriptions of our own.
 */
#ifndef ERRATA_SERVICE_MONITOR_H
#define ERRATA_SERVICE_MONITOR_H

#include "base/buffer.h"
#include "service/responder.h"

typedef enum er_monitor_verb { ER_MONITOR_PING, ER_MONITOR_INFO, ER_MONITOR_STATS } er_monitor_verb;

/* Of all services, of all called errata, of this one alone. */
typedef enum er_monitor_scope { ER_MONITOR_ALL, ER_MONITOR_NAME, ER_MONITOR_ID } er_monitor_scope;

#define ER_MONITOR_VERBS    3
#define ER_MONITOR_SCOPES   3
#define ER_MONITOR_SUBJECTS (ER_MONITOR_VERBS * ER_MONITOR_SCOPES)

/* "$SRV.STATS.errata.<id>"; `out` holds ER_SUBJECT_SIZE bytes. */
void er_monitor_subject(er_monitor_verb verb, er_monitor_scope scope, const char *id, char *out);

/* Writes the reply into `out`, which is cleared before. */
void er_monitor_write(er_buffer *out, const er_responder *responder, er_monitor_verb verb);

#endif
