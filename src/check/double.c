/* double.c - two records of a repo that account for the same message. */
#include "catalog/rules.h"
#include "check/entry.h"

#include "base/memory.h"

#include <stdlib.h>

/* What makes two records the same: repo, code and message, or pattern. */
typedef struct key {
    er_slice text;
    const er_entry *entry;
} key;

typedef struct reducing {
    er_buffer *out;
    const char *at; /* what of the message is not written yet */
} reducing;

static void add_lower(er_buffer *out, er_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        er_buffer_add_char(out, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
    }
}

static void add_placeholder(void *context, er_slice placeholder)
{
    reducing *to = context;
    bool quoted = placeholder.at[placeholder.len - 1] == 'q' && placeholder.at[0] == '%';
    add_lower(to->out, er_slice_of(to->at, (size_t)(placeholder.at - to->at)));
    er_buffer_add_string(to->out, quoted ? "\"\x01\"" : "\x01");
    to->at = placeholder.at + placeholder.len;
}

/* The message as a reader can tell it from others: without letter case, outer blanks and values. */
static void add_message(er_buffer *out, er_slice message)
{
    er_slice trimmed = er_slice_trim(message);
    reducing to = {out, trimmed.at};
    er_rule_placeholders(trimmed, add_placeholder, &to);
    add_lower(out, er_slice_of(to.at, (size_t)(trimmed.at + trimmed.len - to.at)));
}

static er_slice make_key(er_check *check, const er_record *record, bool pattern)
{
    er_buffer *out = &check->scratch;
    er_buffer_clear(out);
    er_buffer_format(out, "%.*s\n%.*s\n", (int)record->repo.len, record->repo.at, (int)record->code.len,
                     record->code.at);
    if (pattern) {
        er_buffer_add(out, record->pattern);
    } else {
        add_message(out, record->message);
    }
    er_slice text = er_arena_copy(&check->arena, er_buffer_slice(out));
    if (out->status != ER_OK || text.at == NULL) {
        check->status = ER_NO_MEMORY;
        return (er_slice){"", 0};
    }
    return text;
}

static int key_order(const void *a, const void *b)
{
    const key *left = a;
    const key *right = b;
    int by = er_slice_compare(left->text, right->text);
    if (by == 0) {
        by = er_slice_compare(left->entry->record->file, right->entry->record->file);
    }
    return by != 0 ? by : (left->entry > right->entry) - (left->entry < right->entry);
}

/* The second and each further one is told, beside the first. A record without a guide is
   not told, but may be the one that was there first. */
static void report(er_check *check, const key *keys, size_t count, bool pattern)
{
    const key *first = keys;
    for (size_t i = 1; i < count; i++) {
        const key *one = &keys[i];
        if (!er_slice_equal(one->text, first->text)) {
            first = one;
            continue;
        }
        const er_entry *told = one->entry->record->has_guide ? one->entry : first->entry;
        const er_record *other = (told == one->entry ? first : one)->entry->record;
        if (told->record->has_guide) {
            er_finding_add(check, "double", told, pattern ? "record.messagePattern" : "record.errorMessage",
                           "accounts for the same message as %.*s (%.*s)", ER_SHOWN(other->slug),
                           ER_SHOWN(other->id));
        }
    }
}

static void check_by(er_check *check, key *keys, bool pattern)
{
    for (size_t i = 0; i < check->count; i++) {
        const er_entry *entry = &check->entries[i];
        keys[i] = (key){make_key(check, entry->record, pattern), entry};
    }
    qsort(keys, check->count, sizeof(*keys), key_order);
}

/* Records whose messages are the same are told once, though their patterns are too. */
static size_t drop_told(er_check *check, key *keys)
{
    size_t kept = 0;
    for (size_t i = 0; i < check->count; i++) {
        bool same = false;
        for (size_t j = kept; !same && j > 0 && er_slice_equal(keys[j - 1].text, keys[i].text); j--) {
            er_slice mine = make_key(check, keys[i].entry->record, false);
            same = er_slice_equal(mine, make_key(check, keys[j - 1].entry->record, false));
        }
        if (!same) {
            keys[kept++] = keys[i];
        }
    }
    return kept;
}

void er_check_doubles(er_check *check)
{
    if (check->count == 0) {
        return;
    }
    key *keys = er_alloc(check->count * sizeof(*keys));
    if (keys == NULL) {
        check->status = ER_NO_MEMORY;
        return;
    }
    check_by(check, keys, false);
    report(check, keys, check->count, false);
    check_by(check, keys, true);
    report(check, keys, drop_told(check, keys), true);
    er_free(keys);
}
