#include "answer/answer.h"

#include "answer/failure.h"
#include "answer/parts.h"
#include "answer/record_page.h"
#include "answer/request.h"
#include "base/json.h"

#define SHOWN_KEY  64u  /* bytes of a key that a description repeats */
#define ASKED_TEXT 512u /* bytes of a key that are compared with the records for `nearest` */
#define HOW_TO_ASK "the request is empty: send an id, a slug, repo/slug, an error code or /api/errors/<id>"

/* The records that a key stands for, up to ER_NEAR_MAX; `total` counts all. */
typedef struct found_records {
    const er_record *records[ER_NEAR_MAX];
    size_t count, total;
} found_records;

static void add_found(found_records *found, const er_record *record)
{
    for (size_t i = 0; i < found->count; i++) {
        if (found->records[i] == record) {
            return;
        }
    }
    found->total++;
    if (found->count < ER_NEAR_MAX) {
        found->records[found->count++] = record;
    }
}

typedef size_t find_all(const er_catalog *catalog, er_slice key, const er_record **out, size_t most);

static void add_all(found_records *found, const er_catalog *catalog, find_all *find, er_slice key)
{
    const er_record *records[ER_NEAR_MAX];
    size_t total = find(catalog, key, records, ER_NEAR_MAX);
    size_t held = total < ER_NEAR_MAX ? total : ER_NEAR_MAX;
    for (size_t i = 0; i < held; i++) {
        add_found(found, records[i]);
    }
    found->total += total - held;
}

/* Repos hold one slash and slugs none, so the last slash parts them. */
static const er_record *by_repo_slug(const er_catalog *catalog, er_slice key)
{
    for (size_t i = key.len; i > 0; i--) {
        if (key.at[i - 1] == '/') {
            return er_catalog_by_repo_slug(catalog, er_slice_sub(key, 0, i - 1),
                                           er_slice_sub(key, i, key.len));
        }
    }
    return NULL;
}

/* An id is one record and comes first; a slug and a code may be several. A path can
   be none of the others: no slug or code holds a slash. */
static void find(const er_catalog *catalog, er_slice key, found_records *found)
{
    const er_slice path = ER_SLICE("/api/errors/");
    er_slice id = er_slice_starts(key, path) ? er_slice_sub(key, path.len, key.len) : key;
    const er_record *one = er_catalog_by_id(catalog, id);
    one = one ? one : by_repo_slug(catalog, key);
    if (one) {
        add_found(found, one);
    } else {
        add_all(found, catalog, er_catalog_by_slug, key);
        add_all(found, catalog, er_catalog_by_code, key);
    }
}

static void write_record(er_worker *worker, const er_snapshot *snapshot, const er_record *record,
                         er_style style, er_reply *reply)
{
    er_buffer *out = &worker->out;
    er_buffer_clear(out);
    if (style.form == ER_FORM_PAGE) {
        er_page page = er_page_start(out, &worker->text, style);
        er_page_record(&page, record);
    } else {
        er_buffer_add_string(out, "{\"record\":");
        er_buffer_add(out, record->json);
        er_buffer_add_string(out, ",\"datasetVersion\":");
        er_json_write(out, er_catalog_dataset_version(snapshot->catalog));
        er_buffer_add_char(out, '}');
    }
    er_reply_close(worker, style, reply);
}

static void write_several(er_worker *worker, const er_snapshot *snapshot, const found_records *found,
                          er_slice key, er_style style, er_reply *reply)
{
    for (size_t i = 0; i < found->count; i++) {
        worker->nearest[i] = (er_near){.record = found->records[i], .confidence = 1};
    }
    er_failure_write(worker, snapshot, found->count, 400, style, reply,
                     "\"%.*s\" stands for %zu records: ask for one of them by id, or by repo/slug",
                     (int)key.len, key.at, found->total);
}

/* The words of a slug, as a text that the matcher can compare. */
static er_slice words_of(er_buffer *text, er_slice key)
{
    size_t from = key.len > ASKED_TEXT ? key.len - ASKED_TEXT : 0;
    for (size_t i = from; i < key.len; i++) {
        from = key.at[i] == '/' ? i + 1 : from;
    }
    er_buffer_clear(text);
    for (size_t i = from; i < key.len; i++) {
        er_buffer_add_char(text, key.at[i] == '-' ? ' ' : key.at[i]);
    }
    return er_buffer_slice(text);
}

static void write_miss(er_worker *worker, const er_snapshot *snapshot, er_slice key, er_slice shown,
                       er_style style, er_reply *reply)
{
    er_query query = {.text = words_of(&worker->text, key), .limit = ER_DEFAULT_LIMIT};
    er_explanation found = {0};
    size_t count = 0;
    er_status status = worker->text.status;
    if (status == ER_OK && query.text.len > 0) {
        status = er_explain(snapshot->matcher, worker->scratch, &query, &found);
    }
    if (status != ER_OK) {
        er_failure_status(worker, status, query.text.len, ER_MATCH_MAX_TEXT, style, reply);
        return;
    }
    if (found.found) {
        er_suggestion first = {.rule = found.match.rule, .confidence = found.match.confidence};
        count = er_nearest_take(worker, snapshot, &first, 1, 0);
        count = er_nearest_take(worker, snapshot, found.alternatives, found.alternative_count, count);
    } else {
        count = er_nearest_take(worker, snapshot, found.nearest, found.nearest_count, 0);
    }
    er_failure_write(worker, snapshot, count < ER_DEFAULT_LIMIT ? count : ER_DEFAULT_LIMIT, 404, style, reply,
                     "no record has the id, slug or code \"%.*s\"", (int)shown.len, shown.at);
}

void er_answer_get(er_worker *worker, const er_snapshot *snapshot, er_slice request, size_t max_request,
                   er_style style, er_reply *reply)
{
    er_slice key;
    if (!er_request_allowed(worker, snapshot, request.len, max_request, style, reply)) {
        return;
    }
    er_status status = er_request_key(request, &worker->request, &key);
    if (status != ER_OK) {
        er_failure_status(worker, status, request.len, ER_DECODED_MAX, style, reply);
        return;
    }
    if (key.len == 0) {
        er_failure_write(worker, NULL, 0, 400, style, reply, HOW_TO_ASK);
        return;
    }
    er_slice shown = er_slice_sub(key, 0, key.len < SHOWN_KEY ? key.len : SHOWN_KEY);
    found_records found = {.count = 0};
    find(snapshot->catalog, key, &found);
    if (found.total == 0) {
        write_miss(worker, snapshot, key, shown, style, reply);
    } else if (found.total == 1) {
        write_record(worker, snapshot, found.records[0], style, reply);
    } else {
        write_several(worker, snapshot, &found, shown, style, reply);
    }
}
