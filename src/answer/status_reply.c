#include "answer/answer.h"

#include "answer/failure.h"
#include "answer/page.h"
#include "answer/utf8.h"
#include "base/clock.h"
#include "base/json.h"

static void add_text(er_buffer *out, const char *key, er_slice value)
{
    er_buffer_add_string(out, key);
    er_json_write(out, value);
}

static void write_json(er_buffer *out, const er_snapshot *snapshot, const er_status_info *info,
                       er_slice loaded_at)
{
    const er_catalog *catalog = snapshot->catalog;
    add_text(out, "{\"instance\":", info->instance);
    add_text(out, ",\"version\":", info->version);
    add_text(out, ",\"datasetVersion\":", er_catalog_dataset_version(catalog));
    add_text(out, ",\"hash\":", er_slice_string(er_catalog_hash(catalog)));
    add_text(out, ",\"source\":", er_slice_string(snapshot->source));
    add_text(out, ",\"loadedAt\":", loaded_at);
    er_buffer_add_string(out, ",\"records\":{");
    for (size_t i = 0; i < er_catalog_repo_count(catalog); i++) {
        size_t records = 0;
        add_text(out, i ? "," : "", er_catalog_repo(catalog, i, &records));
        er_buffer_add_char(out, ':');
        er_buffer_add_uint(out, records);
    }
    er_buffer_add_string(out, "},\"hits\":");
    er_buffer_add_uint(out, info->hits);
    er_buffer_add_string(out, ",\"misses\":");
    er_buffer_add_uint(out, info->misses);
    er_buffer_add_char(out, '}');
}

static void add_line(er_buffer *out, const char *label, er_slice value)
{
    er_buffer_add_string(out, label);
    (void)er_utf8_show(out, value);
    er_buffer_add_char(out, '\n');
}

static void add_count(er_buffer *out, const char *label, unsigned long long value)
{
    er_buffer_add_string(out, label);
    er_buffer_add_uint(out, value);
    er_buffer_add_char(out, '\n');
}

static void write_page(er_page *page, const er_snapshot *snapshot, const er_status_info *info,
                       er_slice loaded_at)
{
    er_buffer *out = page->out;
    const er_catalog *catalog = snapshot->catalog;
    add_line(out, "errata ", info->version);
    er_page_heading(page, "Replica");
    add_line(out, "Instance:         ", info->instance);
    add_count(out, "Hits:             ", info->hits);
    add_count(out, "Misses:           ", info->misses);
    er_page_heading(page, "Catalog");
    add_line(out, "Dataset version:  ", er_catalog_dataset_version(catalog));
    add_line(out, "Hash:             ", er_slice_string(er_catalog_hash(catalog)));
    add_line(out, "Source:           ", er_slice_string(snapshot->source));
    add_line(out, "Loaded at:        ", loaded_at);
    er_page_heading(page, "Records");
    for (size_t i = 0; i < er_catalog_repo_count(catalog); i++) {
        size_t records = 0;
        (void)er_utf8_show(out, er_catalog_repo(catalog, i, &records));
        add_count(out, ": ", records);
    }
}

void er_answer_status(er_worker *worker, const er_snapshot *snapshot, const er_status_info *info,
                      er_style style, er_reply *reply)
{
    char loaded_at[ER_CLOCK_TEXT_SIZE];
    if (!er_request_allowed(worker, snapshot, 0, 0, style, reply)) {
        return;
    }
    er_clock_text(snapshot->loaded_at_ns, loaded_at);
    er_buffer_clear(&worker->out);
    if (style.form == ER_FORM_PAGE) {
        er_page page = er_page_start(&worker->out, &worker->text, style);
        write_page(&page, snapshot, info, er_slice_string(loaded_at));
    } else {
        write_json(&worker->out, snapshot, info, er_slice_string(loaded_at));
    }
    er_reply_close(worker, style, reply);
}
