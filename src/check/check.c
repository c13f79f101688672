#include "check/entry.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static er_status look_at(const char *path, er_fault *fault)
{
    if (access(path, R_OK) == 0) {
        return ER_OK;
    }
    bool missing = errno == ENOENT || errno == ENOTDIR;
    er_status status =
        er_fault_set(fault, missing ? ER_NOT_FOUND : ER_SYSTEM, "can not be read: %s", strerror(errno));
    er_fault_file(fault, path);
    return status;
}

static void run_rules(er_check *check)
{
    static void (*const rules[])(er_check *) = {
        er_entries_load,   er_check_tags,    er_check_forms,   er_check_identity,  er_check_patterns,
        er_check_commands, er_check_answers, er_check_doubles, er_check_sentences, er_check_relations,
    };
    for (size_t i = 0; check->status == ER_OK && i < sizeof(rules) / sizeof(rules[0]); i++) {
        rules[i](check);
    }
}

er_status er_check_run(er_check **out, const char *path, const er_check_options *options, er_fault *fault)
{
    er_status status = look_at(path, fault);
    if (status != ER_OK) {
        return status;
    }
    er_check *check = er_calloc(1, sizeof(*check));
    if (check == NULL) {
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    }
    er_arena_start(&check->arena);
    er_buffer_start(&check->scratch, 4 * (size_t)ER_RECORD_MAX_TEXT);
    check->path = er_arena_copy(&check->arena, er_slice_string(path)).at;
    check->status = check->path != NULL ? ER_OK : ER_NO_MEMORY;
    check->draft = options->draft;
    run_rules(check);
    if (check->status == ER_OK && options->sites != NULL) {
        status = er_check_cover(check, options->sites, fault);
    }
    er_findings_sort(check);
    if (check->status == ER_OK && status == ER_OK) {
        *out = check;
        return ER_OK;
    }
    if (status == ER_OK) {
        status = er_fault_set(fault, check->status, "out of memory");
    }
    er_check_free(&check);
    return status;
}

void er_check_free(er_check **check)
{
    er_check *mine = *check;
    if (mine != NULL) {
        er_catalog_free(&mine->catalog);
        er_buffer_free(&mine->scratch);
        er_free(mine->guides);
        er_free(mine->findings);
        er_arena_free(&mine->arena);
        er_free(mine);
    }
    *check = NULL;
}

size_t er_check_finding_count(const er_check *check)
{
    return check->finding_count;
}

const er_finding *er_check_finding(const er_check *check, size_t index)
{
    return &check->findings[index];
}

size_t er_check_record_count(const er_check *check)
{
    return check->count;
}

size_t er_check_unknown_count(const er_check *check)
{
    return check->unknown;
}

const er_coverage *er_check_coverage(const er_check *check)
{
    return check->has_coverage ? &check->coverage : NULL;
}
