#include "answer/record_page.h"

#include "answer/command_fill.h"
#include "answer/utf8.h"
#include "answer/wrap.h"
#include "base/json.h"

#include <stdio.h>

#define PINNED_DIGITS 10 /* of a commit's hash */
#define DATE_LENGTH   10 /* of an RFC 3339 time */

static er_slice decode(er_page *page, er_slice raw)
{
    er_buffer_clear(page->text);
    char *at = raw.len ? er_buffer_reserve(page->text, raw.len) : NULL;
    if (!at) {
        if (raw.len && page->out->status == ER_OK) {
            page->out->status = page->text->status; /* a page without it must not be sent */
        }
        return er_slice_of(NULL, 0);
    }
    page->text->len = er_json_decode(raw, at);
    return er_buffer_slice(page->text);
}

/* A string's bytes between its quotes, a number's digits; empty for null. */
static er_slice raw_member(const er_record *record, er_member member)
{
    er_slice value = er_record_member(record, member);
    if (value.len >= 2 && value.at[0] == '"') {
        return er_slice_sub(value, 1, value.len - 1);
    }
    return er_slice_is(value, "null") ? er_slice_of(NULL, 0) : value;
}

/* Lives in page->text until the next call. */
static er_slice text_member(er_page *page, const er_record *record, er_member member)
{
    return decode(page, raw_member(record, member));
}

static er_slice cut(er_slice text, size_t length)
{
    return er_slice_sub(text, 0, text.len < length ? text.len : length);
}

void er_page_kind(er_page *page, const er_record *record)
{
    static const er_tone tones[] = {ER_TONE_PLAIN, ER_TONE_YELLOW, ER_TONE_RED, ER_TONE_RED};
    (void)er_utf8_show(page->out, record->repo);
    er_buffer_add_string(page->out, " \xC2\xB7 ");
    er_page_tone(page, tones[record->severity]);
    er_buffer_add_string(page->out, er_severity_name(record->severity));
    er_page_tone(page, ER_TONE_PLAIN);
    er_buffer_add_char(page->out, '\n');
}

void er_page_message(er_page *page, const er_record *record)
{
    er_page_gap(page);
    er_page_tone(page, ER_TONE_BOLD);
    er_wrap(page->out, record->message, page->width, 0, 0);
    er_page_tone(page, ER_TONE_PLAIN);
    er_buffer_add_char(page->out, '\n');
}

/* The message as it can be searched for, and the numbers that stand for it. */
static void add_error_message(er_page *page, const er_record *record)
{
    er_slice status = raw_member(record, ER_MEMBER_HTTP_STATUS);
    er_page_heading(page, "Error message");
    er_page_line(page, 0, record->message);
    if (record->code.len > 0) {
        er_page_gap(page);
        er_buffer_add_string(page->out, "Error code ");
        (void)er_utf8_show(page->out, record->code);
        er_buffer_add_string(page->out, status.len ? ", HTTP status " : "");
        (void)er_utf8_show(page->out, status);
        er_buffer_add_char(page->out, '\n');
    }
}

void er_page_meaning(er_page *page, const er_record *record)
{
    er_slice text = text_member(page, record, ER_MEMBER_DOCUMENTATION);
    if (text.len > 0) {
        er_page_heading(page, "What it means");
        er_page_paragraph(page, "", text);
    }
}

static void add_place(er_page *page, const er_record *record)
{
    er_slice line = raw_member(record, ER_MEMBER_LINE_NUMBER);
    er_slice path = text_member(page, record, ER_MEMBER_FILE_PATH);
    er_buffer_add_string(page->out, "Thrown at ");
    (void)er_utf8_show(page->out, path);
    er_buffer_add_string(page->out, line.len ? ":" : "");
    (void)er_utf8_show(page->out, line);
    er_buffer_add_char(page->out, '\n');
}

static void add_excerpt(er_page *page, const er_record *record)
{
    er_slice excerpt = text_member(page, record, ER_MEMBER_SOURCE_CODE);
    if (excerpt.len > 0) {
        er_page_gap(page);
        er_page_verbatim(page, 0, excerpt);
    }
}

static void add_link(er_page *page, const er_record *record)
{
    er_slice url = text_member(page, record, ER_MEMBER_GITHUB_URL);
    if (url.len == 0) {
        return;
    }
    er_slice sha = cut(raw_member(record, ER_MEMBER_ANALYZED_SHA), PINNED_DIGITS);
    er_page_gap(page);
    er_buffer_add_string(page->out, "View on GitHub");
    er_buffer_add_string(page->out, sha.len ? " (pinned to " : "");
    (void)er_utf8_show(page->out, sha);
    er_buffer_add_string(page->out, sha.len ? ")\n" : "\n");
    er_page_line(page, 0, url);
}

void er_page_source(er_page *page, const er_record *record, bool whole)
{
    if (raw_member(record, ER_MEMBER_FILE_PATH).len > 0) {
        er_page_heading(page, "Source");
        add_place(page, record);
        if (whole) {
            add_excerpt(page, record);
            add_link(page, record);
        }
    }
}

/* A list of strings under a heading; numbered, or else with dashes. */
static void add_list(er_page *page, const er_record *record, er_member member, const char *heading,
                     bool numbered)
{
    er_json json;
    er_slice raw;
    er_json_start(&json, er_record_member(record, member), ER_JSON_MAX_DEPTH);
    if (er_json_peek(&json) != ER_JSON_ARRAY || !er_json_array_begin(&json)) {
        return;
    }
    for (unsigned i = 1; er_json_array_next(&json) && er_json_string(&json, &raw); i++) {
        char mark[16] = "- ";
        if (numbered) {
            (void)snprintf(mark, sizeof mark, "%u. ", i);
        }
        if (i == 1) {
            er_page_heading(page, heading);
        }
        er_page_item(page, mark, decode(page, raw));
    }
}

void er_page_solutions(er_page *page, const er_record *record)
{
    add_list(page, record, ER_MEMBER_SOLUTIONS, "Solutions", true);
}

void er_page_commands(er_page *page, const er_record *record, const er_match *match)
{
    for (uint32_t i = 0; i < record->command_count; i++) {
        if (i == 0) {
            er_page_heading(page, "Commands");
        } else {
            er_page_gap(page);
        }
        er_page_paragraph(page, "", record->commands[i].purpose);
        er_buffer_clear(page->text);
        er_command_fill(page->text, record, i, match);
        er_page_line(page, 4, er_buffer_slice(page->text));
        if (page->text->status != ER_OK && page->out->status == ER_OK) {
            page->out->status = page->text->status; /* a command cut short must not be sent */
        }
    }
}

void er_page_occasions(er_page *page, const er_record *record)
{
    static const struct {
        er_member member;
        const char *label;
    } parts[] = {{ER_MEMBER_TRIGGER_SCENARIOS, "Trigger: "},
                 {ER_MEMBER_COMMON_SITUATIONS, "Common situations: "}};
    bool headed = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        er_slice text = text_member(page, record, parts[i].member);
        if (text.len == 0) {
            continue;
        }
        if (headed) {
            er_page_gap(page);
        } else {
            er_page_heading(page, "When it happens");
        }
        headed = true;
        er_page_paragraph(page, parts[i].label, text);
    }
    add_list(page, record, ER_MEMBER_PREVENTION_TIPS, "Prevention", false);
}

void er_page_provenance(er_page *page, const er_record *record)
{
    er_slice sha = cut(raw_member(record, ER_MEMBER_ANALYZED_SHA), PINNED_DIGITS);
    er_slice date = cut(raw_member(record, ER_MEMBER_ANALYZED_AT), DATE_LENGTH);
    er_buffer_clear(page->text);
    er_buffer_add(page->text, record->repo);
    er_buffer_add_string(page->text, sha.len ? "@" : "");
    er_buffer_add(page->text, sha);
    er_buffer_add_string(page->text, date.len ? " (" : "");
    er_buffer_add(page->text, date);
    er_buffer_add_string(page->text,
                         date.len ? "). Data as JSON: /api/errors/" : ". Data as JSON: /api/errors/");
    er_buffer_add(page->text, record->id);
    er_page_gap(page);
    er_page_tone(page, ER_TONE_DIM);
    er_wrap(page->out, er_buffer_slice(page->text), page->width, 0, 0);
    er_page_tone(page, ER_TONE_PLAIN);
    er_buffer_add_char(page->out, '\n');
    if (page->text->status != ER_OK && page->out->status == ER_OK) {
        page->out->status = page->text->status;
    }
}

void er_page_opening(er_page *page, const er_record *record)
{
    er_page_kind(page, record);
    er_page_message(page, record);
    add_error_message(page, record);
    er_page_meaning(page, record);
    er_page_source(page, record, true);
}

void er_page_record(er_page *page, const er_record *record)
{
    er_page_opening(page, record);
    er_page_solutions(page, record);
    er_page_occasions(page, record);
    er_page_provenance(page, record);
}
