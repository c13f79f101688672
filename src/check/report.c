/* report.c - the findings and the coverage as lines, and as JSON. */
#include "base/json.h"
#include "check/check.h"

static void add_part(er_buffer *out, er_slice part)
{
    if (part.len > 0) {
        er_buffer_add(out, part);
        er_buffer_add_string(out, ": ");
    }
}

static void write_finding(er_buffer *out, const er_finding *finding)
{
    add_part(out, finding->file);
    add_part(out, finding->record);
    add_part(out, finding->member);
    er_buffer_add(out, finding->what);
    if (finding->offset != ER_FAULT_NOWHERE) {
        er_buffer_format(out, " (at byte %zu)", finding->offset);
    }
    er_buffer_add_char(out, '\n');
}

static void write_share(er_buffer *out, const er_coverage_row *row)
{
    er_buffer_format(out, "%zu of %zu", row->covered, row->messages);
    if (row->messages > 0) {
        er_buffer_format(out, " (%.1f %%)", 100.0 * (double)row->covered / (double)row->messages);
    }
}

static void write_row(er_buffer *out, const er_coverage_row *row)
{
    er_buffer_add_string(out, "  ");
    if (row->repo.len > 0) {
        er_buffer_add(out, row->repo);
        er_buffer_add_char(out, ' ');
    }
    er_buffer_add(out, row->name);
    er_buffer_add_string(out, ": ");
    write_share(out, row);
    er_buffer_add_char(out, '\n');
}

/* A message may hold anything; one line of it is shown. */
static void add_line(er_buffer *out, er_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        er_buffer_add_char(out, c < 0x20 || c == 0x7F ? ' ' : text.at[i]);
    }
}

static void write_coverage(er_buffer *out, const er_coverage *coverage)
{
    er_buffer_add_string(out, "coverage: ");
    write_share(out, &coverage->all);
    er_buffer_add_string(out, " messages have a record\nby severity:\n");
    for (int i = ER_FATAL; i >= 0; i--) {
        write_row(out, &coverage->severities[i]);
    }
    er_buffer_add_string(out, "by file:\n");
    for (size_t i = 0; i < coverage->file_count; i++) {
        write_row(out, &coverage->files[i]);
    }
    if (coverage->uncovered_count > 0) {
        er_buffer_add_string(out, "without a record:\n");
    }
    for (size_t i = 0; i < coverage->uncovered_count; i++) {
        const er_uncovered *one = &coverage->uncovered[i];
        er_buffer_add_string(out, "  ");
        er_buffer_add(out, one->repo);
        er_buffer_add_char(out, ' ');
        er_buffer_add(out, one->path);
        er_buffer_format(out, ":%u: %s: ", one->line, er_severity_name(one->severity));
        add_line(out, one->message);
        er_buffer_add_char(out, '\n');
    }
}

void er_check_write_text(const er_check *check, er_buffer *out)
{
    for (size_t i = 0; i < er_check_finding_count(check); i++) {
        write_finding(out, er_check_finding(check, i));
    }
    if (er_check_coverage(check) != NULL) {
        write_coverage(out, er_check_coverage(check));
    }
}

/* ---- JSON ---- */

static void add_member(er_buffer *out, const char *before, const char *name, er_slice value)
{
    er_buffer_format(out, "%s\"%s\":", before, name);
    er_json_write(out, value);
}

static void write_json_finding(er_buffer *out, const er_finding *finding)
{
    add_member(out, "{", "rule", er_slice_string(finding->rule));
    add_member(out, ",", "file", finding->file);
    add_member(out, ",", "record", finding->record);
    add_member(out, ",", "member", finding->member);
    er_buffer_add_string(out, ",\"offset\":");
    if (finding->offset == ER_FAULT_NOWHERE) {
        er_buffer_add_string(out, "null");
    } else {
        er_buffer_add_uint(out, finding->offset);
    }
    add_member(out, ",", "reason", finding->what);
    er_buffer_add_char(out, '}');
}

static void write_counts(er_buffer *out, const er_coverage_row *row)
{
    er_buffer_format(out, "\"messages\":%zu,\"covered\":%zu", row->messages, row->covered);
}

static void write_json_uncovered(er_buffer *out, const er_uncovered *one)
{
    add_member(out, "{", "repo", one->repo);
    add_member(out, ",", "filePath", one->path);
    er_buffer_format(out, ",\"lineNumber\":%u", one->line);
    add_member(out, ",", "severity", er_slice_string(er_severity_name(one->severity)));
    add_member(out, ",", "id", one->id);
    add_member(out, ",", "errorMessage", one->message);
    er_buffer_add_char(out, '}');
}

static void write_json_coverage(er_buffer *out, const er_coverage *coverage)
{
    er_buffer_add_char(out, '{');
    write_counts(out, &coverage->all);
    er_buffer_add_string(out, ",\"severities\":{");
    for (int i = ER_FATAL; i >= 0; i--) {
        er_json_write(out, coverage->severities[i].name);
        er_buffer_add_string(out, ":{");
        write_counts(out, &coverage->severities[i]);
        er_buffer_add_string(out, i > 0 ? "}," : "}");
    }
    er_buffer_add_string(out, "},\"files\":[");
    for (size_t i = 0; i < coverage->file_count; i++) {
        add_member(out, i > 0 ? ",{" : "{", "repo", coverage->files[i].repo);
        add_member(out, ",", "filePath", coverage->files[i].name);
        er_buffer_add_char(out, ',');
        write_counts(out, &coverage->files[i]);
        er_buffer_add_char(out, '}');
    }
    er_buffer_add_string(out, "],\"uncovered\":[");
    for (size_t i = 0; i < coverage->uncovered_count; i++) {
        er_buffer_add_string(out, i > 0 ? "," : "");
        write_json_uncovered(out, &coverage->uncovered[i]);
    }
    er_buffer_add_string(out, "]}");
}

void er_check_write_json(const er_check *check, er_buffer *out)
{
    er_buffer_add_string(out, "{\"findings\":[");
    for (size_t i = 0; i < er_check_finding_count(check); i++) {
        er_buffer_add_string(out, i > 0 ? "," : "");
        write_json_finding(out, er_check_finding(check, i));
    }
    er_buffer_format(out, "],\"records\":%zu,\"unknownIds\":%zu,\"coverage\":", er_check_record_count(check),
                     er_check_unknown_count(check));
    if (er_check_coverage(check) != NULL) {
        write_json_coverage(out, er_check_coverage(check));
    } else {
        er_buffer_add_string(out, "null");
    }
    er_buffer_add_char(out, '}');
}
