#include "answer/snapshot.h"

#include "base/clock.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

er_rule er_snapshot_rule(const er_record *record)
{
    return (er_rule){
        .pattern = record->pattern,
        .message = record->message,
        .code = record->code,
        .repo = record->repo,
        .id = record->id,
        .error_class = record->error_class,
        .first_release = record->first_release,
        .last_release = record->last_release,
        .severity = (int)record->severity,
    };
}

static er_status make_rules(er_snapshot *snapshot)
{
    size_t count = er_catalog_count(snapshot->catalog);
    er_rule *rules = er_calloc(count ? count : 1, sizeof *rules);
    if (!rules) {
        return ER_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        rules[i] = er_snapshot_rule(er_catalog_record(snapshot->catalog, i));
    }
    snapshot->rules = rules;
    return ER_OK;
}

/* Adds to a pattern's fault, whose offset is inside the pattern, where the pattern stands. */
static void place_fault(er_fault *fault, const er_record *record)
{
    char file[sizeof fault->file];
    (void)snprintf(file, sizeof file, "%.*s", (int)record->file.len, record->file.at);
    er_fault_file(fault, file);
    er_fault_record(fault, record->id.at, record->id.len);
    er_fault_member(fault, "record.messagePattern");
}

/* The matcher stops at the first bad pattern; who wants all faults is told the others too. */
static void report_patterns(const er_catalog *catalog, const er_catalog_options *options)
{
    for (size_t i = 0; i < er_catalog_count(catalog); i++) {
        const er_record *record = er_catalog_record(catalog, i);
        er_fault fault;
        if (er_pattern_check(record->pattern, NULL, &fault) != ER_OK) {
            place_fault(&fault, record);
            options->faults(options->context, &fault);
        }
    }
}

static er_status build_matcher(er_snapshot *snapshot, const er_catalog_options *options, er_fault *fault)
{
    size_t bad = 0;
    er_status status = er_matcher_build(&snapshot->matcher, snapshot->rules,
                                        er_catalog_count(snapshot->catalog), &bad, fault);
    if (status == ER_BAD_INPUT) {
        if (fault) {
            place_fault(fault, er_catalog_record(snapshot->catalog, bad));
        }
        if (options && options->faults) {
            report_patterns(snapshot->catalog, options);
        }
    }
    return status;
}

static void destroy(er_snapshot *snapshot)
{
    er_matcher_free(&snapshot->matcher);
    er_free(snapshot->rules);
    er_catalog_free(&snapshot->catalog);
    er_free(snapshot->source);
    er_free(snapshot);
}

er_status er_snapshot_load(er_snapshot **out, const char *path, const er_catalog_options *options,
                           er_fault *fault)
{
    er_status status = ER_NO_MEMORY;
    er_snapshot *snapshot = er_calloc(1, sizeof *snapshot);
    if (!snapshot) {
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    }
    atomic_init(&snapshot->references, 1);
    snapshot->source = er_strndup(path, strlen(path));
    if (!snapshot->source) {
        status = er_fault_set(fault, ER_NO_MEMORY, "out of memory");
        goto done;
    }
    status = er_catalog_load(&snapshot->catalog, path, options, fault);
    if (status != ER_OK) {
        goto done;
    }
    status = make_rules(snapshot);
    if (status != ER_OK) {
        (void)er_fault_set(fault, status, "out of memory");
        goto done;
    }
    status = build_matcher(snapshot, options, fault);
    if (status != ER_OK) {
        goto done;
    }
    snapshot->loaded_at_ns = er_clock_now_ns();
    *out = snapshot;
    snapshot = NULL;
done:
    if (snapshot) {
        destroy(snapshot);
    }
    return status;
}

er_snapshot *er_snapshot_hold(er_snapshot *snapshot)
{
    atomic_fetch_add_explicit(&snapshot->references, 1, memory_order_relaxed);
    return snapshot;
}

void er_snapshot_release(er_snapshot **snapshot)
{
    er_snapshot *mine = *snapshot;
    *snapshot = NULL;
    if (mine && atomic_fetch_sub_explicit(&mine->references, 1, memory_order_acq_rel) == 1) {
        destroy(mine);
    }
}

/* The lock covers reading the pointer and taking the reference: between the two,
   er_cell_put could otherwise release the last one. */
struct er_cell {
    pthread_mutex_t lock;
    er_snapshot *snapshot; /* by `lock`; one reference is the cell's */
};

er_status er_cell_new(er_cell **out)
{
    er_cell *cell = er_calloc(1, sizeof *cell);
    if (!cell) {
        return ER_NO_MEMORY;
    }
    if (pthread_mutex_init(&cell->lock, NULL) != 0) {
        er_free(cell);
        return ER_SYSTEM;
    }
    *out = cell;
    return ER_OK;
}

void er_cell_free(er_cell **cell)
{
    if (!*cell) {
        return;
    }
    er_snapshot_release(&(*cell)->snapshot);
    (void)pthread_mutex_destroy(&(*cell)->lock);
    er_free(*cell);
    *cell = NULL;
}

er_snapshot *er_cell_get(er_cell *cell)
{
    (void)pthread_mutex_lock(&cell->lock);
    er_snapshot *snapshot = cell->snapshot ? er_snapshot_hold(cell->snapshot) : NULL;
    (void)pthread_mutex_unlock(&cell->lock);
    return snapshot;
}

/* The old snapshot may be large; it is released outside the lock. */
void er_cell_put(er_cell *cell, er_snapshot *snapshot)
{
    (void)pthread_mutex_lock(&cell->lock);
    er_snapshot *old = cell->snapshot;
    cell->snapshot = snapshot;
    (void)pthread_mutex_unlock(&cell->lock);
    er_snapshot_release(&old);
}
