#include "base/json.h"
#include "catalog/catalog.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "match/matcher.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MAX_REPORT ((size_t)256 << 20)

/* The findings so far, written as they come: lines, or the members of a JSON array. */
typedef struct report {
    er_buffer text;
    size_t findings;
    bool json;
} report;

static void write_json(er_buffer *out, const er_fault *fault)
{
    er_buffer_add_string(out, "{\"file\":");
    er_json_write(out, er_slice_string(fault->file));
    er_buffer_add_string(out, ",\"record\":");
    er_json_write(out, er_slice_string(fault->record));
    er_buffer_add_string(out, ",\"member\":");
    er_json_write(out, er_slice_string(fault->member));
    er_buffer_add_string(out, ",\"offset\":");
    if (fault->offset == ER_FAULT_NOWHERE) {
        er_buffer_add_string(out, "null");
    } else {
        er_buffer_add_uint(out, fault->offset);
    }
    er_buffer_add_string(out, ",\"reason\":");
    er_json_write(out, er_slice_string(fault->reason));
    er_buffer_add_char(out, '}');
}

static void add_finding(void *context, const er_fault *fault)
{
    report *to = context;
    char line[1024];
    if (to->json) {
        if (to->findings > 0)
            er_buffer_add_char(&to->text, ',');
        write_json(&to->text, fault);
    } else {
        er_buffer_add_string(&to->text, er_fault_print(fault, line, sizeof(line)));
        er_buffer_add_char(&to->text, '\n');
    }
    to->findings++;
}

static void finding_of(const er_record *record, const char *member, er_fault *fault)
{
    char file[sizeof(fault->file)];
    size_t len = record->file.len < sizeof(file) ? record->file.len : sizeof(file) - 1;
    memcpy(file, record->file.at, len);
    file[len] = '\0';
    er_fault_file(fault, file);
    er_fault_record(fault, record->id.at, record->id.len);
    er_fault_member(fault, member);
}

/* A pattern must compile, and where its groups are named, all of them are. */
static void check_pattern(report *to, const er_record *record)
{
    er_fault fault;
    uint32_t groups = 0;
    if (er_pattern_check(record->pattern, &groups, &fault) != ER_OK) {
        finding_of(record, "messagePattern", &fault);
        add_finding(to, &fault);
    } else if (record->capture_count > 0 && record->capture_count != groups) {
        (void)er_fault_set(&fault, ER_BAD_INPUT, "names %u groups, and messagePattern has %u",
                           record->capture_count, groups);
        finding_of(record, "guide.captureNames", &fault);
        add_finding(to, &fault);
    }
}

static er_exit print(report *to, const char *path, size_t records)
{
    if (to->json) {
        er_buffer_format(&to->text, "],\"records\":%zu}", records);
    }
    if (to->text.status != ER_OK) {
        er_terminal_complain("the report is too large");
        return ER_EXIT_USAGE;
    }
    if (to->text.len > 0 && er_terminal_write(STDOUT_FILENO, er_buffer_slice(&to->text)) != ER_OK)
        return ER_EXIT_USAGE;
    er_terminal_complain("%s: %zu record%s, %zu finding%s", path, records, records == 1 ? "" : "s",
                         to->findings, to->findings == 1 ? "" : "s");
    return to->findings == 0 ? ER_EXIT_FOUND : ER_EXIT_NOTHING;
}

static er_exit check(const er_call *call, const char *path)
{
    report to = {.json = call->settings->json};
    er_catalog *catalog = NULL;
    er_fault fault;
    er_buffer_start(&to.text, MAX_REPORT);
    if (to.json)
        er_buffer_add_string(&to.text, "{\"findings\":[");
    er_catalog_options options = {add_finding, &to};
    er_status status = er_catalog_load(&catalog, path, &options, &fault);
    size_t records = status == ER_OK ? er_catalog_count(catalog) : 0;
    for (size_t i = 0; i < records; i++)
        check_pattern(&to, er_catalog_record(catalog, i));
    er_exit result = ER_EXIT_USAGE;
    if (status == ER_NO_MEMORY) {
        er_terminal_complain_fault(&fault);
    } else {
        if (to.findings == 0 && status != ER_OK)
            add_finding(&to, &fault);
        result = print(&to, path, records);
    }
    er_catalog_free(&catalog);
    er_buffer_free(&to.text);
    return result;
}

er_exit er_command_check(const er_call *call)
{
    const char *path = call->word_count > 0 ? call->words[0] : call->settings->service.catalog;
    if (path == NULL) {
        er_terminal_complain("no catalog is installed, name one: errata check PATH");
        return ER_EXIT_USAGE;
    }
    if (access(path, R_OK) != 0) { /* a wrong argument, no finding */
        er_terminal_complain("%s: %s", path, strerror(errno));
        return ER_EXIT_USAGE;
    }
    return check(call, path);
}
