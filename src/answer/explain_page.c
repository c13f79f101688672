#include "answer/explain_page.h"

#include "answer/command_fill.h"
#include "answer/parts.h"
#include "answer/record_page.h"
#include "answer/utf8.h"

#define INDENT 4 /* of what comes from the request, so that it can not pass for a line of ours */

static const er_record *record_of(const er_snapshot *snapshot, uint32_t rule)
{
    return er_catalog_record(snapshot->catalog, rule);
}

static void add_named(er_page *page, er_slice name, er_slice value)
{
    er_buffer_add_string(page->out, "    ");
    (void)er_utf8_show(page->out, name);
    er_buffer_add_string(page->out, ": ");
    (void)er_utf8_show(page->out, value);
    er_buffer_add_char(page->out, '\n');
}

static void add_matched(er_page *page, const er_record *record, const er_match *match)
{
    er_page_verbatim(page, INDENT, match->text);
    if (match->capture_count > 0) {
        er_page_gap(page);
    }
    for (uint32_t i = 0; i < match->capture_count; i++) {
        char digits[ER_GROUP_NAME_SIZE];
        add_named(page, er_group_name(record, match->captures[i].group, digits), match->captures[i].value);
    }
}

static void add_frame(er_page *page, const er_frame *frame)
{
    const struct {
        const char *name;
        er_slice value;
    } parts[] = {
        {"level", frame->level}, {"time", frame->time}, {"component", frame->kind}, {"name", frame->name}};
    bool any = false;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].value.len > 0) {
            if (!any) {
                er_page_gap(page);
            }
            any = true;
            add_named(page, er_slice_string(parts[i].name), parts[i].value);
        }
    }
}

/* "Exact match, confidence 0.97, line 1", and which record fits as well. */
static void add_verdict(er_page *page, const er_snapshot *snapshot, const er_explanation *found)
{
    static const char *const verdicts[] = {"Exact match", "Partial match", "Ambiguous match"};
    er_page_gap(page);
    er_buffer_add_string(page->out, verdicts[found->match.status]);
    er_buffer_add_string(page->out, ", confidence ");
    er_part_confidence(page->out, found->match.confidence);
    er_buffer_add_string(page->out, ", line ");
    er_buffer_add_uint(page->out, found->match.line);
    er_buffer_add_char(page->out, '\n');
    if (found->match.status == ER_MATCH_AMBIGUOUS && found->alternative_count > 0) {
        const er_record *second = record_of(snapshot, found->alternatives[0].rule);
        er_buffer_add_string(page->out, "Fits as well: ");
        (void)er_utf8_show(page->out, second->repo);
        er_buffer_add_char(page->out, '/');
        (void)er_utf8_show(page->out, second->slug);
        er_buffer_add_char(page->out, '\n');
    }
}

/* A short page of its own: no excerpt, no occasions. */
static void add_cause(er_page *page, const er_record *record, const er_match *match)
{
    er_page_kind(page, record);
    er_page_message(page, record);
    er_page_gap(page);
    add_matched(page, record, match);
    er_page_meaning(page, record);
    er_page_source(page, record, false);
    er_page_solutions(page, record);
}

static void add_causes(er_page *page, const er_snapshot *snapshot, const er_explanation *found)
{
    for (uint32_t i = 0; i < found->cause_count; i++) {
        er_page_heading(page, i == 0 ? "Cause" : "Cause of the cause");
        add_cause(page, record_of(snapshot, found->causes[i].rule), &found->causes[i]);
    }
}

static void add_others(er_page *page, const er_snapshot *snapshot, const er_explanation *found)
{
    for (uint32_t i = 0; i < found->other_count; i++) {
        const er_match *match = &found->others[i];
        const er_record *record = record_of(snapshot, match->rule);
        if (i == 0) {
            er_page_heading(page, "Other messages");
        } else {
            er_page_gap(page);
        }
        er_buffer_add_string(page->out, "Line ");
        er_buffer_add_uint(page->out, match->line);
        er_buffer_add_string(page->out, ", ");
        (void)er_utf8_show(page->out, record->repo);
        er_buffer_add_string(page->out, " \xC2\xB7 ");
        er_buffer_add_string(page->out, er_severity_name(record->severity));
        er_buffer_add_string(page->out, ", /api/errors/");
        (void)er_utf8_show(page->out, record->id);
        er_buffer_add_char(page->out, '\n');
        add_matched(page, record, match);
    }
}

void er_page_explanation(er_page *page, const er_snapshot *snapshot, const er_explanation *found)
{
    const er_record *record = record_of(snapshot, found->match.rule);
    er_page_heading(page, "Matched");
    add_matched(page, record, &found->match);
    add_frame(page, &found->match.frame);
    add_verdict(page, snapshot, found);
    er_page_gap(page);
    er_page_opening(page, record);
    er_page_solutions(page, record);
    er_page_commands(page, record, &found->match);
    er_page_occasions(page, record);
    add_causes(page, snapshot, found);
    er_page_provenance(page, record);
    add_others(page, snapshot, found);
}
