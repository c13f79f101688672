#include "answer/failure.h"

#include "answer/page.h"
#include "answer/parts.h"
#include "answer/utf8.h"
#include "base/json.h"

#include <stdarg.h>
#include <stdio.h>

/* Copies what fits as whole characters, escaped where they may not stand in a header. */
static void set_description(er_reply *reply, const char *text)
{
    er_slice source = er_slice_string(text);
    size_t used = 0;
    for (size_t at = 0; at < source.len;) {
        uint32_t rune = 0;
        size_t length = er_utf8_read(source, at, &rune);
        bool shown = length > 0 && !er_utf8_is_control(rune);
        size_t needed = shown ? length : 1;
        if (used + needed >= sizeof reply->description) {
            break;
        }
        memcpy(reply->description + used, shown ? source.at + at : "?", needed);
        used += needed;
        at += length > 0 ? length : 1;
    }
    reply->description[used] = '\0';
}

static void write_json(er_worker *worker, const er_snapshot *snapshot, size_t count, const er_reply *reply)
{
    er_buffer *out = &worker->out;
    er_buffer_add_string(out, "{\"error\":{\"code\":");
    er_buffer_add_uint(out, (unsigned)reply->code);
    er_buffer_add_string(out, ",\"description\":");
    er_json_write(out, er_slice_string(reply->description));
    er_buffer_add_char(out, '}');
    if (snapshot) {
        er_buffer_add_string(out, ",\"nearest\":");
        er_part_nearest(out, worker->nearest, count);
        er_buffer_add_string(out, ",\"datasetVersion\":");
        er_json_write(out, er_catalog_dataset_version(snapshot->catalog));
    }
    er_buffer_add_char(out, '}');
}

/* One line, and what came near. */
static void write_page(er_worker *worker, size_t count, er_style style, const er_reply *reply)
{
    er_page page = er_page_start(&worker->out, &worker->text, style);
    er_page_tone(&page, ER_TONE_RED);
    er_buffer_add_uint(page.out, (unsigned)reply->code);
    er_buffer_add_string(page.out, ": ");
    er_buffer_add_string(page.out, reply->description);
    er_page_tone(&page, ER_TONE_PLAIN);
    er_buffer_add_char(page.out, '\n');
    for (size_t i = 0; i < count; i++) {
        if (i == 0) {
            er_page_heading(&page, "Nearest");
        }
        er_part_confidence(page.out, worker->nearest[i].confidence);
        er_buffer_add_string(page.out, "  ");
        (void)er_utf8_show(page.out, worker->nearest[i].record->repo);
        er_buffer_add_char(page.out, '/');
        (void)er_utf8_show(page.out, worker->nearest[i].record->slug);
        er_buffer_add_char(page.out, '\n');
        er_page_line(&page, 4, worker->nearest[i].record->message);
    }
}

static void write_body(er_worker *worker, const er_snapshot *snapshot, size_t count, er_style style,
                       const er_reply *reply)
{
    er_buffer_clear(&worker->out);
    if (style.form == ER_FORM_PAGE) {
        write_page(worker, count, style, reply);
    } else {
        write_json(worker, snapshot, count, reply);
    }
}

void er_failure_write(er_worker *worker, const er_snapshot *snapshot, size_t count, int code, er_style style,
                      er_reply *reply, const char *format, ...)
{
    char text[2 * sizeof reply->description];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reply->code = code;
    set_description(reply, length < 0 ? "" : text);
    write_body(worker, snapshot, count, style, reply);
    if (worker->out.status != ER_OK) {
        write_body(worker, NULL, 0, style, reply); /* fits the room that is there from the start */
    }
    reply->body = er_buffer_slice(&worker->out);
}

size_t er_nearest_take(er_worker *worker, const er_snapshot *snapshot, const er_suggestion *suggestions,
                       size_t more, size_t count)
{
    for (size_t i = 0; i < more && count < ER_NEAR_MAX; i++, count++) {
        worker->nearest[count] = (er_near){
            .record = er_catalog_record(snapshot->catalog, suggestions[i].rule),
            .confidence = suggestions[i].confidence,
        };
    }
    return count;
}

void er_failure_status(er_worker *worker, er_status status, size_t size, size_t limit, er_style style,
                       er_reply *reply)
{
    switch (status) {
    case ER_TOO_LARGE:
        er_failure_write(worker, NULL, 0, 413, style, reply, "the text is %zu bytes, the limit is %zu", size,
                         limit);
        break;
    case ER_NO_MEMORY:
        er_failure_write(worker, NULL, 0, 500, style, reply, "out of memory; nothing was lost, ask again");
        break;
    default:
        er_failure_write(worker, NULL, 0, 500, style, reply, "%s; nothing was lost", er_status_name(status));
        break;
    }
}

void er_reply_close(er_worker *worker, er_style style, er_reply *reply)
{
    if (worker->out.status == ER_TOO_LARGE) {
        er_failure_write(
            worker, NULL, 0, 500, style, reply,
            "the reply is over %zu bytes; nothing was lost, ask with a shorter text or with fields",
            ER_REPLY_CEILING);
    } else if (worker->out.status != ER_OK) {
        er_failure_status(worker, worker->out.status, 0, 0, style, reply);
    } else {
        reply->code = 0;
        reply->description[0] = '\0';
        reply->body = er_buffer_slice(&worker->out);
    }
}

bool er_request_allowed(er_worker *worker, const er_snapshot *snapshot, size_t size, size_t max_request,
                        er_style style, er_reply *reply)
{
    if (!snapshot) {
        er_failure_write(worker, NULL, 0, 503, style, reply, "no catalog is loaded");
        return false;
    }
    if (max_request > 0 && size > max_request) {
        er_failure_write(worker, NULL, 0, 413, style, reply, "the request is %zu bytes, the limit is %zu",
                         size, max_request);
        return false;
    }
    return true;
}

void er_answer_failure(er_worker *worker, int code, const char *description, er_style style, er_reply *reply)
{
    er_failure_write(worker, NULL, 0, code, style, reply, "%s", description);
}
