#include "match/expectation.h"

#include "support/test.h"

#include <stdlib.h>

#define DEFAULT_LIMIT 5u /* of a request that names none */

static int hex(char c)
{
    const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c) : NULL;
    return found ? (int)(found - digits) : -1;
}

static size_t decode(er_slice raw, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < raw.len; i++) {
        char c = raw.at[i];
        if (c == '\\' && i + 1 < raw.len && raw.at[i + 1] == 'e') {
            c = '\x1b';
            i++;
        } else if (c == '\\' && i + 3 < raw.len && raw.at[i + 1] == 'x' && hex(raw.at[i + 2]) >= 0 &&
                   hex(raw.at[i + 3]) >= 0) {
            c = (char)(hex(raw.at[i + 2]) * 16 + hex(raw.at[i + 3]));
            i += 3;
        }
        out[n++] = c;
    }
    return n;
}

static er_slice keep(expectation *c, er_slice raw)
{
    assert_true(c->used + raw.len < EXPECTATION_BYTES);
    size_t length = decode(raw, c->bytes + c->used);
    c->used += length;
    return er_slice_of(c->bytes + c->used - length, length);
}

/* Takes what stands before " | ", or all of it. */
static er_slice next_field(er_slice *rest)
{
    const char *bar = memmem(rest->at, rest->len, " | ", 3);
    size_t end = bar ? (size_t)(bar - rest->at) : rest->len;
    er_slice found = er_slice_sub(*rest, 0, end);
    *rest = er_slice_sub(*rest, bar ? end + 3 : end, rest->len);
    return found;
}

static field split(er_slice text)
{
    er_slice bounded = ER_SLICE("confidence");
    const char *equal = memchr(text.at, '=', text.len);
    if (er_slice_starts(text, bounded) && !equal) {
        return (field){bounded, er_slice_sub(text, bounded.len, text.len)};
    }
    if (!equal) {
        fail_msg("no KEY=VALUE: %.*s", (int)text.len, text.at);
        return (field){0};
    }
    size_t at = (size_t)(equal - text.at);
    return (field){er_slice_sub(text, 0, at), er_slice_sub(text, at + 1, text.len)};
}

void expectation_options(expectation *c, er_slice rest)
{
    while (rest.len > 0) {
        field f = split(next_field(&rest));
        if (er_slice_is(f.key, "release")) {
            c->query.release = keep(c, f.value);
        } else if (er_slice_is(f.key, "repo")) {
            c->query.repo = keep(c, f.value);
        } else if (er_slice_is(f.key, "limit")) {
            c->query.limit = (unsigned)strtoul(f.value.at, NULL, 10);
        } else {
            fail_msg("no such option: %.*s", (int)f.key.len, f.key.at);
        }
    }
}

void expectation_answer(expectation *c, er_slice rest)
{
    er_slice first = next_field(&rest);
    const char *blank = memchr(first.at, ' ', first.len);
    size_t end = blank ? (size_t)(blank - first.at) : first.len;
    c->id = er_slice_sub(first, 0, end);
    c->status = er_slice_trim(er_slice_sub(first, end, first.len));
    while (rest.len > 0) {
        assert_true(c->field_count < EXPECTATION_FIELDS);
        field f = split(next_field(&rest));
        c->fields[c->field_count++] = (field){f.key, keep(c, f.value)};
    }
}

static bool is_list(er_slice key)
{
    return (key.len > 0 && key.at[0] >= '1' && key.at[0] <= '9') || er_slice_is(key, "cause") ||
           er_slice_is(key, "other");
}

/* The next field from *at on that belongs to a list, in what `fields` holds. */
static const field *next_listed(const field *fields, size_t count, size_t *at)
{
    while (*at < count) {
        const field *f = &fields[(*at)++];
        if (is_list(f->key)) {
            return f;
        }
    }
    return NULL;
}

static bool same_field(const field *a, const field *b)
{
    return er_slice_equal(a->key, b->key) && er_slice_equal(a->value, b->value);
}

static bool lists_agree(const expectation *c, const field *actual, size_t count)
{
    for (size_t i = 0; i < c->field_count; i++) {
        if (er_slice_is(c->fields[i].key, "lists")) {
            return true;
        }
    }
    for (size_t i = 0, k = 0;;) {
        const field *wanted = next_listed(c->fields, c->field_count, &i);
        const field *got = next_listed(actual, count, &k);
        if (!wanted || !got) {
            return !wanted && !got;
        }
        if (!same_field(wanted, got)) {
            return false;
        }
    }
}

/* Fields of one name in their order; all of them, or the first ones. */
static bool runs_agree(const expectation *c, const field *actual, size_t count, const char *name, bool all)
{
    size_t k = 0;
    bool asked = false;
    for (size_t i = 0; i < c->field_count; i++) {
        if (!er_slice_is(c->fields[i].key, name)) {
            continue;
        }
        asked = true;
        while (k < count && !er_slice_is(actual[k].key, name)) {
            k++;
        }
        if (c->fields[i].value.len == 0) {
            return k == count;
        }
        if (k == count || !same_field(&c->fields[i], &actual[k++])) {
            return false;
        }
    }
    while (asked && all && k < count) {
        if (er_slice_is(actual[k++].key, name)) {
            return false;
        }
    }
    return true;
}

static bool bound_kept(er_slice bound, double confidence)
{
    double limit = strtod(bound.at + 1, NULL);
    return bound.at[0] == '<' ? confidence <= limit : confidence >= limit;
}

static bool scalars_agree(const expectation *c, const field *actual, size_t count, double confidence)
{
    for (size_t i = 0; i < c->field_count; i++) {
        const field *wanted = &c->fields[i];
        if (er_slice_is(wanted->key, "confidence")) {
            if (!bound_kept(wanted->value, confidence)) {
                return false;
            }
            continue;
        }
        if (is_list(wanted->key) || er_slice_is(wanted->key, "lists") ||
            er_slice_is(wanted->key, "alternative") || er_slice_is(wanted->key, "nearest")) {
            continue;
        }
        size_t k = 0;
        while (k < count && !er_slice_equal(actual[k].key, wanted->key)) {
            k++;
        }
        if (k == count || !er_slice_equal(actual[k].value, wanted->value)) {
            return false;
        }
    }
    return true;
}

/* What is written is read again, so that a case is compared with what it would be shown as. */
bool expectation_met(const expectation *c, er_slice actual, double confidence)
{
    static expectation shown;
    shown.used = shown.field_count = 0;
    expectation_answer(&shown, actual);
    return er_slice_equal(c->id, shown.id) &&
           (er_slice_is(c->status, "*") || er_slice_equal(c->status, shown.status)) &&
           lists_agree(c, shown.fields, shown.field_count) &&
           scalars_agree(c, shown.fields, shown.field_count, confidence) &&
           runs_agree(c, shown.fields, shown.field_count, "alternative", false) &&
           runs_agree(c, shown.fields, shown.field_count, "nearest", true);
}

void expectation_start(expectation *c, int line)
{
    c->line = line;
    c->used = c->text = c->text_len = c->field_count = 0;
    c->query = (er_query){.limit = DEFAULT_LIMIT};
}

void expectation_text(expectation *c, er_slice line)
{
    if (c->text_len > 0) {
        c->bytes[c->used++] = '\n';
    } else {
        c->text = c->used;
    }
    (void)keep(c, line);
    c->text_len = c->used - c->text;
}
