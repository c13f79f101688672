#include "extract/diff.h"

#include "base/json.h"
#include "base/memory.h"
#include "extract/list.h"
#include "extract/table.h"

#include <stdlib.h>

#define LEAST_LIKENESS 50 /* per cent of letter pairs that a rewording keeps */

/* --- sides ------------------------------------------------------------------------------- */

static er_status add_item(er_diff_side *side, er_diff_item item)
{
    if (!er_list_room((void **)&side->items, &side->capacity, side->count, sizeof(item))) {
        return ER_NO_MEMORY;
    }
    er_slice *texts[] = {&item.text, &item.code, &item.path, &item.function};
    for (size_t i = 0; i < 4; i++) {
        *texts[i] = er_arena_copy(&side->arena, *texts[i]);
        if (texts[i]->at == NULL) {
            return ER_NO_MEMORY;
        }
    }
    side->items[side->count++] = item;
    return ER_OK;
}

static int compare_items(const void *a, const void *b)
{
    const er_diff_item *left = a, *right = b;
    int order = er_slice_compare(left->text, right->text);
    return order != 0 ? order : er_slice_compare(left->code, right->code);
}

static er_status put_in_order(er_diff_side *side)
{
    if (side->count > 0) {
        qsort(side->items, side->count, sizeof(er_diff_item), compare_items);
    }
    return ER_OK;
}

er_status er_diff_take(er_diff_side *side, const er_program *program)
{
    *side = (er_diff_side){0};
    er_arena_start(&side->arena);
    er_status status = ER_OK;
    for (size_t i = 0; i < program->message_count && status == ER_OK; i++) {
        const er_message *message = &program->messages[i];
        const er_site *site = &program->sites[message->first_site];
        status =
            add_item(side, (er_diff_item){message->text, message->code, program->inputs[site->input].path,
                                          site->function, site->line, message->severity});
    }
    if (status != ER_OK) {
        er_diff_side_free(side);
        return status;
    }
    return put_in_order(side);
}

static er_slice take_text(er_arena *arena, er_json *json)
{
    er_slice raw = {0};
    if (er_json_peek(json) != ER_JSON_STRING) {
        er_json_skip(json, NULL);
        return raw;
    }
    er_json_string(json, &raw);
    char *out = er_arena_take(arena, raw.len + 1);
    return out != NULL ? er_slice_of(out, er_json_decode(raw, out)) : raw;
}

static bool read_line(er_arena *arena, er_slice line, er_diff_item *item)
{
    er_json json;
    er_slice key, level = {0};
    long long number = 0;
    er_json_start(&json, line, 16);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        if (er_json_equal(key, "errorMessage")) {
            item->text = take_text(arena, &json);
        } else if (er_json_equal(key, "errorCode")) {
            item->code = take_text(arena, &json);
        } else if (er_json_equal(key, "filePath")) {
            item->path = take_text(arena, &json);
        } else if (er_json_equal(key, "function")) {
            item->function = take_text(arena, &json);
        } else if (er_json_equal(key, "severity")) {
            level = take_text(arena, &json);
        } else if (er_json_equal(key, "lineNumber")) {
            er_json_integer(&json, &number);
        } else {
            er_json_skip(&json, NULL);
        }
    }
    item->line = number > 0 && number < UINT32_MAX ? (uint32_t)number : 0;
    return er_json_finish(&json) == ER_OK && item->text.len > 0 && er_severity_parse(level, &item->severity);
}

/* Sites of one message are one item: the first line is its place, the worst level its own. */
static er_status take_line(er_diff_side *side, er_table *known, er_diff_item item)
{
    uint32_t at = er_table_get(known, (er_key){item.text, item.code});
    if (at != ER_TABLE_NONE) {
        er_diff_item *held = &side->items[at];
        held->severity = item.severity > held->severity ? item.severity : held->severity;
        return ER_OK;
    }
    er_status status = add_item(side, item);
    if (status != ER_OK) {
        return status;
    }
    const er_diff_item *made = &side->items[side->count - 1];
    return er_table_put(known, (er_key){made->text, made->code}, (uint32_t)side->count - 1);
}

er_status er_diff_read(er_diff_side *side, er_slice sites, er_fault *fault)
{
    *side = (er_diff_side){0};
    er_arena_start(&side->arena);
    er_table known;
    er_table_start(&known);
    er_status status = ER_OK;
    unsigned number = 0;
    for (size_t at = 0; at < sites.len && status == ER_OK;) {
        const char *end = memchr(sites.at + at, '\n', sites.len - at);
        size_t len = end != NULL ? (size_t)(end - sites.at) - at : sites.len - at;
        er_slice line = er_slice_trim(er_slice_of(sites.at + at, len));
        er_diff_item item = {0};
        at += len + 1;
        number++;
        if (line.len > 0 && !read_line(&side->arena, line, &item)) {
            status = er_fault_set(fault, ER_BAD_INPUT, "line %u is no site", number);
        } else if (line.len > 0 && take_line(side, &known, item) != ER_OK) {
            status = er_fault_set(fault, ER_NO_MEMORY, "no memory for the sites");
        }
    }
    er_table_free(&known);
    if (status != ER_OK) {
        er_diff_side_free(side);
        return status;
    }
    return put_in_order(side);
}

void er_diff_side_free(er_diff_side *side)
{
    er_free(side->items);
    er_arena_free(&side->arena);
    *side = (er_diff_side){0};
}

/* --- likeness ------------------------------------------------------------------------------ */

#define PAIR_SLOTS 1024

static void count_pairs(er_slice text, uint8_t counts[PAIR_SLOTS])
{
    memset(counts, 0, PAIR_SLOTS);
    for (size_t i = 0; i + 1 < text.len; i++) {
        unsigned pair = ((unsigned char)text.at[i] * 31u + (unsigned char)text.at[i + 1]) % PAIR_SLOTS;
        counts[pair] = (uint8_t)(counts[pair] + (counts[pair] < UINT8_MAX));
    }
}

/* How many of their pairs of letters two texts share, in per cent: 100 for equal ones. */
static unsigned likeness(er_slice a, er_slice b)
{
    uint8_t left[PAIR_SLOTS], right[PAIR_SLOTS];
    count_pairs(a, left);
    count_pairs(b, right);
    unsigned shared = 0, all = 0;
    for (size_t i = 0; i < PAIR_SLOTS; i++) {
        shared += left[i] < right[i] ? left[i] : right[i];
        all += (unsigned)left[i] + right[i];
    }
    return all > 0 ? 200 * shared / all : 0;
}

/* --- comparison ---------------------------------------------------------------------------- */

typedef struct comparing {
    er_change *changes;
    size_t count, capacity;
} comparing;

static er_status add_change(comparing *to, er_change_kind kind, const er_diff_item *before,
                            const er_diff_item *after)
{
    if (!er_list_room((void **)&to->changes, &to->capacity, to->count, sizeof(er_change))) {
        return ER_NO_MEMORY;
    }
    to->changes[to->count++] = (er_change){kind, before, after};
    return ER_OK;
}

static er_status compare_held(comparing *to, const er_diff_item *before, const er_diff_item *after)
{
    er_status status = ER_OK;
    if (before->severity != after->severity) {
        status = add_change(to, ER_CHANGE_LEVEL, before, after);
    }
    if (status == ER_OK &&
        (!er_slice_equal(before->path, after->path) || !er_slice_equal(before->function, after->function))) {
        status = add_change(to, ER_CHANGE_MOVED, before, after);
    }
    return status;
}

/* Merges two lists in the same order. */
static er_status merge(comparing *to, const er_diff_side *before, const er_diff_side *after)
{
    size_t i = 0, j = 0;
    er_status status = ER_OK;
    while (status == ER_OK && (i < before->count || j < after->count)) {
        int order = i == before->count  ? 1
                    : j == after->count ? -1
                                        : compare_items(&before->items[i], &after->items[j]);
        if (order < 0) {
            status = add_change(to, ER_CHANGE_REMOVED, &before->items[i++], NULL);
        } else if (order > 0) {
            status = add_change(to, ER_CHANGE_ADDED, NULL, &after->items[j++]);
        } else {
            status = compare_held(to, &before->items[i++], &after->items[j++]);
        }
    }
    return status;
}

/* The nearest removed message of the same function, or of the same code. */
static er_change *nearest(comparing *to, const er_diff_item *after)
{
    er_change *best = NULL;
    unsigned best_likeness = LEAST_LIKENESS - 1;
    for (size_t i = 0; i < to->count; i++) {
        er_change *one = &to->changes[i];
        if (one->kind != ER_CHANGE_REMOVED || one->after != NULL) {
            continue;
        }
        bool same_code = after->code.len > 0 && er_slice_equal(one->before->code, after->code);
        bool same_place = er_slice_equal(one->before->function, after->function) && after->function.len > 0 &&
                          er_slice_equal(one->before->code, after->code);
        bool same_file = after->function.len == 0 && one->before->function.len == 0 &&
                         er_slice_equal(one->before->path, after->path);
        if (same_code) {
            return one;
        }
        if (!same_place && !same_file) {
            continue;
        }
        unsigned like = likeness(one->before->text, after->text);
        if (like > best_likeness) {
            best_likeness = like;
            best = one;
        }
    }
    return best;
}

static void pair_rewordings(comparing *to)
{
    for (size_t i = 0; i < to->count; i++) {
        er_change *added = &to->changes[i];
        er_change *removed = added->kind == ER_CHANGE_ADDED ? nearest(to, added->after) : NULL;
        if (removed != NULL) {
            added->kind = ER_CHANGE_REWORDED;
            added->before = removed->before;
            removed->after = added->after; /* taken; dropped below */
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < to->count; i++) {
        if (to->changes[i].kind != ER_CHANGE_REMOVED || to->changes[i].after == NULL) {
            to->changes[kept++] = to->changes[i];
        }
    }
    to->count = kept;
}

static const er_diff_item *shown(const er_change *change)
{
    return change->after != NULL ? change->after : change->before;
}

static int compare_changes(const void *a, const void *b)
{
    const er_change *left = a, *right = b;
    if (left->kind != right->kind) {
        return left->kind < right->kind ? -1 : 1;
    }
    int order = er_slice_compare(shown(left)->path, shown(right)->path);
    if (order == 0) {
        order = (shown(left)->line > shown(right)->line) - (shown(left)->line < shown(right)->line);
    }
    return order != 0 ? order : compare_items(shown(left), shown(right));
}

er_status er_diff_compare(const er_diff_side *before, const er_diff_side *after, er_change **changes,
                          size_t *count)
{
    comparing to = {0};
    er_status status = merge(&to, before, after);
    if (status != ER_OK) {
        er_free(to.changes);
        return status;
    }
    pair_rewordings(&to);
    if (to.count > 0) {
        qsort(to.changes, to.count, sizeof(er_change), compare_changes);
    }
    *changes = to.changes;
    *count = to.count;
    return ER_OK;
}
