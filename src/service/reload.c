/*
 * reload.c - loading a catalog beside the one in service.
 */
#include "service/reload.h"

#include "base/memory.h"

struct er_reload {
    uv_work_t work;
    uv_loop_t *loop;
    const char *path;
    er_reload_done *done;
    void *context;
    bool running;
    bool again;
    /* of the pool's thread while running */
    er_snapshot *snapshot;
    er_fault fault;
};

static void load(uv_work_t *work)
{
    er_reload *reload = work->data;
    er_status status = er_snapshot_load(&reload->snapshot, reload->path, NULL, &reload->fault);
    if (status != ER_OK) {
        reload->snapshot = NULL;
    }
}

static void after_load(uv_work_t *work, int status)
{
    er_reload *reload = work->data;
    (void)status; /* work is never cancelled */
    er_snapshot *snapshot = reload->snapshot;
    reload->snapshot = NULL;
    reload->running = false;
    reload->done(reload->context, snapshot, &reload->fault);
    if (reload->again) {
        er_reload_request(reload);
    }
}

er_status er_reload_new(er_reload **out, uv_loop_t *loop, const char *path, er_reload_done *done,
                        void *context)
{
    er_reload *reload = er_calloc(1, sizeof *reload);
    if (reload == NULL) {
        return ER_NO_MEMORY;
    }
    reload->loop = loop;
    reload->path = path;
    reload->done = done;
    reload->context = context;
    reload->work.data = reload;
    *out = reload;
    return ER_OK;
}

void er_reload_request(er_reload *reload)
{
    reload->again = reload->running;
    if (!reload->running) {
        reload->running = uv_queue_work(reload->loop, &reload->work, load, after_load) == 0;
    }
}

void er_reload_free(er_reload **reload)
{
    er_free(*reload);
    *reload = NULL;
}
