#include "bench/corpus.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "bench/wording.h"
#include "catalog/rules.h"

#define MAX_TEXT  ((size_t)64 << 10) /* bytes of one message or line */
#define MAX_DEPTH 32
#define ID_SIZE   (ER_ID_LEN + 1)

/* An open table of the hashes of what was taken already. */
typedef struct seen {
    uint64_t *hashes; /* 0 is free */
    size_t size;      /* a power of two, over twice the number of entries */
} seen;

static bool seen_start(seen *set, size_t most)
{
    set->size = 1024;
    while (set->size < most * 2) {
        set->size *= 2;
    }
    set->hashes = er_calloc(set->size, sizeof *set->hashes);
    return set->hashes != NULL;
}

static bool seen_add(seen *set, er_slice text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ (unsigned char)text.at[i]) * 1099511628211u;
    }
    hash |= 1;
    size_t at = (size_t)(hash >> 20) & (set->size - 1);
    while (set->hashes[at] != 0 && set->hashes[at] != hash) {
        at = (at + 1) & (set->size - 1);
    }
    bool is_new = set->hashes[at] == 0;
    set->hashes[at] = hash;
    return is_new;
}

static er_slice decoded(er_arena *arena, er_slice raw)
{
    char *text = er_arena_take(arena, raw.len + 1);
    return text ? er_slice_of(text, er_json_decode(raw, text)) : (er_slice){0};
}

static int severity_of(er_slice name)
{
    static const char *const names[] = {"info", "warning", "error", "fatal"};
    for (int i = 0; i < 4; i++) {
        if (er_slice_is(name, names[i])) {
            return i;
        }
    }
    return 2;
}

static void take_member(er_json *json, er_slice key, er_arena *arena, er_rule *rule)
{
    er_slice raw;
    if (er_slice_is(key, "record")) {
        er_slice inner;
        (void)er_json_object_begin(json);
        while (er_json_object_next(json, &inner)) {
            take_member(json, inner, arena, rule);
        }
        return;
    }
    if (er_json_peek(json) != ER_JSON_STRING) {
        (void)er_json_skip(json, NULL);
        return;
    }
    if (!er_json_string(json, &raw)) {
        return;
    }
    if (er_slice_is(key, "errorMessage")) {
        rule->message = er_slice_trim(decoded(arena, raw));
    } else if (er_slice_is(key, "messagePattern")) {
        rule->pattern = decoded(arena, raw);
    } else if (er_slice_is(key, "errorCode")) {
        rule->code = decoded(arena, raw);
    } else if (er_slice_is(key, "id")) {
        rule->id = decoded(arena, raw);
    } else if (er_slice_is(key, "repo")) {
        rule->repo = decoded(arena, raw);
    } else if (er_slice_is(key, "errorClass")) {
        rule->error_class = decoded(arena, raw);
    } else if (er_slice_is(key, "severity")) {
        rule->severity = severity_of(raw);
    }
}

static er_status read_rule(er_slice text, size_t at, er_arena *arena, er_rule *rule, er_fault *fault)
{
    er_json json;
    er_slice key;
    *rule = (er_rule){.severity = 2};
    er_json_start(&json, text, MAX_DEPTH);
    (void)er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        take_member(&json, key, arena, rule);
    }
    if (er_json_finish(&json) != ER_OK) {
        (void)er_fault_set(fault, ER_BAD_INPUT, "%s", json.reason);
        er_fault_offset(fault, at + json.reason_at);
        return ER_BAD_INPUT;
    }
    if (rule->message.len == 0 || rule->pattern.len == 0 || rule->id.len == 0) {
        (void)er_fault_set(fault, ER_BAD_INPUT, "errorMessage, messagePattern or id is missing");
        er_fault_offset(fault, at);
        return ER_BAD_INPUT;
    }
    return ER_OK;
}

static size_t count_lines(er_slice text)
{
    size_t count = 1;
    for (size_t i = 0; i < text.len; i++) {
        count += text.at[i] == '\n';
    }
    return count;
}

static er_status read_rules(bench_corpus *out, er_slice text, er_fault *fault)
{
    seen ids = {0};
    size_t most = count_lines(text);
    er_status status = ER_NO_MEMORY;
    out->rules = er_calloc(most, sizeof *out->rules);
    if (!out->rules || !seen_start(&ids, most)) {
        goto done;
    }
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.at + at, '\n', text.len - at);
        size_t to = end ? (size_t)(end - text.at) : text.len;
        er_slice line = er_slice_trim(er_slice_sub(text, at, to));
        er_rule *rule = &out->rules[out->rule_count];
        if (line.len > 0) {
            status = read_rule(line, at, &out->arena, rule, fault);
            if (status != ER_OK) {
                goto done;
            }
            bool is_new = seen_add(&ids, rule->id);
            out->rule_count += is_new;
            out->twice += !is_new;
        }
        at = to + 1;
    }
    status = out->rule_count > 0 ? ER_OK : er_fault_set(fault, ER_BAD_INPUT, "it holds no messages");
done:
    er_free(ids.hashes);
    return status;
}

er_status bench_corpus_read(bench_corpus *out, const char *path, er_fault *fault)
{
    *out = (bench_corpus){0};
    er_buffer file;
    er_buffer_start(&file, BENCH_MAX_MESSAGES);
    er_status status = er_file_read(path, &file, fault);
    if (status == ER_OK) {
        status = read_rules(out, er_buffer_slice(&file), fault);
        if (status == ER_BAD_INPUT) {
            er_fault_file(fault, path);
        }
    }
    er_buffer_free(&file);
    return status;
}

/* The message in `text`, and the rest of the rule by its message. */
static er_status add_rule(bench_corpus *corpus, er_buffer *text, bench_random *random)
{
    er_rule *rule = &corpus->rules[corpus->rule_count++];
    char *id = er_arena_take(&corpus->arena, ID_SIZE);
    rule->message = er_arena_copy(&corpus->arena, er_buffer_slice(text));
    if (!id || !rule->message.at) {
        return ER_NO_MEMORY;
    }
    er_buffer_clear(text);
    er_rule_pattern(rule->message, text);
    rule->pattern = er_arena_copy(&corpus->arena, er_buffer_slice(text));
    er_buffer_clear(text);
    if (bench_random_below(random, 25) == 0) { /* few messages have a code */
        er_buffer_add_uint(text, 10000 + corpus->rule_count);
    }
    rule->code = er_arena_copy(&corpus->arena, er_buffer_slice(text));
    rule->repo = ER_SLICE("example/program");
    rule->severity = (int)bench_random_below(random, 4);
    if (text->status != ER_OK || !rule->pattern.at || !rule->code.at) {
        return ER_NO_MEMORY;
    }
    rule->id = er_slice_of(id, ER_ID_LEN);
    return er_rule_id(rule->repo, rule->message, rule->code, id);
}

/* Every program has some messages without a word of their own. */
static er_status add_message(bench_wording *wording, size_t number, er_buffer *text)
{
    static const char *const bare[] = {"{err}", "%s: %v", "%w: %d", "%s: %d vs %d", "%s in %s", "%v - %v"};
    if (number < sizeof bare / sizeof bare[0]) {
        er_buffer_add_string(text, bare[number]);
        return text->status;
    }
    return bench_wording_message(wording, text);
}

er_status bench_corpus_invent(bench_corpus *out, bench_random *random, size_t count, er_fault *fault)
{
    *out = (bench_corpus){0};
    seen messages = {0};
    bench_wording wording;
    er_buffer text;
    er_buffer_start(&text, MAX_TEXT);
    er_status status = bench_wording_start(&wording, random);
    out->rules = er_calloc(count, sizeof *out->rules);
    if (status != ER_OK || !out->rules || !seen_start(&messages, count)) {
        status = ER_NO_MEMORY;
        goto done;
    }
    while (status == ER_OK && out->rule_count < count) {
        er_buffer_clear(&text);
        status = add_message(&wording, out->rule_count, &text);
        if (status == ER_OK && seen_add(&messages, er_buffer_slice(&text))) {
            status = add_rule(out, &text, random);
        }
    }
done:
    bench_wording_free(&wording);
    er_buffer_free(&text);
    er_free(messages.hashes);
    return status == ER_OK ? ER_OK : er_fault_set(fault, status, "%s", er_status_name(status));
}

void bench_corpus_free(bench_corpus *corpus)
{
    er_free(corpus->rules);
    er_arena_free(&corpus->arena);
    *corpus = (bench_corpus){0};
}

static er_status add_line(bench_lines *lines, er_slice text, uint32_t rule)
{
    er_slice copy = er_arena_copy(&lines->arena, text);
    if (!copy.at) {
        return ER_NO_MEMORY;
    }
    lines->lines[lines->count++] = (bench_line){copy, rule};
    lines->bytes += copy.len;
    return ER_OK;
}

static const char *level_of(int severity)
{
    static const char *const levels[] = {"INF", "WRN", "ERR", "FTL"};
    return levels[severity & 3];
}

er_status bench_lines_fill(bench_lines *out, const bench_corpus *corpus, bench_random *random, size_t count)
{
    *out = (bench_lines){.lines = er_calloc(count, sizeof *out->lines)};
    er_buffer text;
    er_buffer_start(&text, MAX_TEXT);
    er_status status = out->lines ? ER_OK : ER_NO_MEMORY;
    for (size_t i = 0; status == ER_OK && i < count; i++) {
        size_t at = count <= corpus->rule_count ? i * corpus->rule_count / count : i % corpus->rule_count;
        const er_rule *rule = &corpus->rules[at];
        er_buffer_clear(&text);
        er_buffer_format(&text, "[7] 2026/09/02 10:11:%02u.%06u [%s] ", (unsigned)(i % 60),
                         (unsigned)bench_random_below(random, 1000000), level_of(rule->severity));
        bench_wording_filled(random, rule->message, &text);
        status = text.status == ER_OK ? add_line(out, er_buffer_slice(&text), (uint32_t)at) : text.status;
    }
    er_buffer_free(&text);
    return status;
}

er_status bench_lines_foreign(bench_lines *out, bench_random *random, size_t count)
{
    *out = (bench_lines){.lines = er_calloc(count, sizeof *out->lines)};
    er_buffer text;
    er_buffer_start(&text, MAX_TEXT);
    er_status status = out->lines ? ER_OK : ER_NO_MEMORY;
    for (size_t i = 0; status == ER_OK && i < count; i++) {
        er_buffer_clear(&text);
        bench_wording_foreign(random, &text);
        status = text.status == ER_OK ? add_line(out, er_buffer_slice(&text), BENCH_NO_RULE) : text.status;
    }
    er_buffer_free(&text);
    return status;
}

void bench_lines_free(bench_lines *lines)
{
    er_free(lines->lines);
    er_arena_free(&lines->arena);
    *lines = (bench_lines){0};
}
