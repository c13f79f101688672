/*
 * reload.h - loading a catalog beside the one in service.
 *
 * Work happens on a thread of libuv's pool; the loop is told when it is done.
 * A request that comes while loading leads to one more load after it, so that
 * what was changed in between is not missed.
 */
#ifndef ERRATA_SERVICE_RELOAD_H
#define ERRATA_SERVICE_RELOAD_H

#include "answer/snapshot.h"
#include "base/status.h"

#include <uv.h>

/* On the loop. `snapshot` is the callee's, or NULL when `fault` says why not. */
typedef void er_reload_done(void *context, er_snapshot *snapshot, const er_fault *fault);

typedef struct er_reload er_reload;

er_status er_reload_new(er_reload **out, uv_loop_t *loop, const char *path, er_reload_done *done,
                        void *context) ER_MUST_CHECK;
void er_reload_request(er_reload *reload);
/* Nothing is reported any more. Only when the loop has run to its end. */
void er_reload_free(er_reload **reload);

#endif
