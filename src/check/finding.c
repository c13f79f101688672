#include "check/entry.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_WHAT 1024

static er_slice keep(er_check *check, const char *text, size_t len)
{
    er_slice copy = er_arena_copy(&check->arena, er_slice_of(text, len));
    if (copy.at == NULL) {
        check->status = ER_NO_MEMORY;
        return (er_slice){"", 0};
    }
    return copy;
}

static void add(er_check *check, const er_finding *finding)
{
    if (er_check_grow(check, (void **)&check->findings, &check->finding_capacity, check->finding_count,
                      sizeof(*finding))) {
        check->findings[check->finding_count++] = *finding;
    }
}

/* The text of a finding: a control character, or a byte of a character that was cut, is shown as '?'. */
static er_slice clause(er_check *check, const char *format, va_list arguments)
{
    char what[MAX_WHAT];
    int written = vsnprintf(what, sizeof(what), format, arguments);
    size_t len = written < 0 ? 0 : (size_t)written < sizeof(what) ? (size_t)written : sizeof(what) - 1;
    for (size_t i = 0, step; i<len; i += step> 0 ? step : 1) {
        step = er_slice_utf8(er_slice_of(what, len), i);
        bool c1 = step == 2 && (unsigned char)what[i] == 0xC2 && (unsigned char)what[i + 1] < 0xA0;
        if (step == 0 || c1 || (unsigned char)what[i] < 0x20 || what[i] == 0x7F) {
            memset(what + i, '?', c1 ? 2 : 1);
        }
    }
    return keep(check, what, len);
}

void er_finding_add(er_check *check, const char *rule, const er_entry *entry, const char *member,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    er_finding finding = {.rule = rule,
                          .file = entry->record->file,
                          .record = entry->record->id,
                          .member = keep(check, member, strlen(member)),
                          .offset = ER_FAULT_NOWHERE,
                          .what = clause(check, format, arguments)};
    va_end(arguments);
    add(check, &finding);
}

void er_finding_add_fault(er_check *check, const char *rule, const er_fault *fault)
{
    er_finding finding = {.rule = rule,
                          .file = keep(check, fault->file, strlen(fault->file)),
                          .record = keep(check, fault->record, strlen(fault->record)),
                          .member = keep(check, fault->member, strlen(fault->member)),
                          .offset = fault->offset,
                          .what = keep(check, fault->reason, strlen(fault->reason))};
    add(check, &finding);
}

void er_finding_add_file(er_check *check, const char *rule, const char *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    er_finding finding = {.rule = rule,
                          .file = keep(check, file, strlen(file)),
                          .offset = ER_FAULT_NOWHERE,
                          .what = clause(check, format, arguments)};
    va_end(arguments);
    add(check, &finding);
}

/* The order that they were found in decides the last: qsort keeps none, and the arena's
   addresses do not rise from block to block. */
typedef struct placed {
    er_finding finding;
    size_t place;
} placed;

static int order(const void *a, const void *b)
{
    const placed *left = a;
    const placed *right = b;
    int by = er_slice_compare(left->finding.file, right->finding.file);
    if (by == 0) {
        by = er_slice_compare(left->finding.record, right->finding.record);
    }
    return by != 0 ? by : (left->place > right->place) - (left->place < right->place);
}

void er_findings_sort(er_check *check)
{
    size_t count = check->finding_count;
    placed *all = count > 0 ? er_alloc(count * sizeof(*all)) : NULL;
    if (all == NULL) {
        check->status = count > 0 ? ER_NO_MEMORY : check->status;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        all[i] = (placed){check->findings[i], i};
    }
    qsort(all, count, sizeof(*all), order);
    for (size_t i = 0; i < count; i++) {
        check->findings[i] = all[i].finding;
    }
    er_free(all);
}
