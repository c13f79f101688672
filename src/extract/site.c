#include "extract/site.h"

#include "base/json.h"

static void member(er_buffer *out, const char *name, er_slice value)
{
    er_buffer_format(out, ",\"%s\":", name);
    er_json_write(out, value);
}

static void member_or_null(er_buffer *out, const char *name, er_slice value)
{
    if (value.len > 0) {
        member(out, name, value);
    } else {
        er_buffer_format(out, ",\"%s\":null", name);
    }
}

static void number_or_null(er_buffer *out, const char *name, uint32_t value)
{
    if (value > 0) {
        er_buffer_format(out, ",\"%s\":%u", name, value);
    } else {
        er_buffer_format(out, ",\"%s\":null", name);
    }
}

static void write_names(er_buffer *out, const er_site *site)
{
    er_buffer_add_string(out, ",\"captureNames\":[");
    for (uint32_t i = 0; i < site->name_count; i++) {
        er_buffer_add_string(out, i > 0 ? "," : "");
        er_json_write(out, site->names[i]);
    }
    er_buffer_add_char(out, ']');
}

static void write_excerpt(er_buffer *out, const er_lines *lines, uint32_t line)
{
    if (lines->count < line) {
        er_buffer_add_string(out, ",\"sourceCode\":null,\"sourceCodeStart\":null,\"sourceCodeEnd\":null");
        return;
    }
    uint32_t from = line > ER_SOURCE_LINES ? line - ER_SOURCE_LINES : 1;
    uint32_t to = line + ER_SOURCE_LINES < lines->count ? line + ER_SOURCE_LINES : lines->count;
    member(out, "sourceCode", er_lines_between(lines, from, to));
    er_buffer_format(out, ",\"sourceCodeStart\":%u,\"sourceCodeEnd\":%u", from, to);
}

void er_versions_write(er_buffer *out, const er_versions *versions)
{
    er_buffer_add_string(out, "{\"first\":");
    if (versions->first.len > 0) {
        er_json_write(out, versions->first);
    } else {
        er_buffer_add_string(out, "null");
    }
    er_buffer_add_string(out, ",\"last\":");
    if (versions->last.len > 0) {
        er_json_write(out, versions->last);
    } else {
        er_buffer_add_string(out, "null");
    }
    er_buffer_add_char(out, '}');
}

static void write_pattern(er_buffer *out, er_slice message)
{
    er_buffer pattern;
    er_buffer_start(&pattern, 8 * (size_t)ER_PROGRAM_MAX_TEXT);
    er_rule_pattern(message, &pattern);
    if (pattern.status != ER_OK) {
        out->status = pattern.status;
    }
    member(out, "messagePattern", er_buffer_slice(&pattern));
    er_buffer_free(&pattern);
}

void er_site_write(er_buffer *out, const er_program *program, const er_site *site, er_slice repo,
                   er_slice sha, const er_lines *lines, const er_versions *versions)
{
    const er_message *message = &program->messages[site->message];
    er_slice path = program->inputs[site->input].path;
    er_buffer_add_string(out, "{\"repo\":");
    er_json_write(out, repo);
    member(out, "sha", sha);
    member(out, "filePath", path);
    er_buffer_format(out, ",\"lineNumber\":%u", site->line);
    member_or_null(out, "function", site->function);
    member(out, "kind", er_slice_string(er_error_type_name(site->type)));
    member(out, "severity", er_slice_string(er_severity_name(site->severity)));
    member_or_null(out, "errorClass", message->error_class);
    member_or_null(out, "errorCode", message->code);
    number_or_null(out, "httpStatus", site->status);
    member(out, "errorMessage", message->text);
    write_pattern(out, message->text);
    member(out, "slug", message->slug);
    member(out, "id", er_slice_string(message->id));
    write_names(out, site);
    write_excerpt(out, lines, site->line);
    er_buffer_add_string(out, ",\"githubUrl\":\"");
    er_rule_url(repo, sha, path, site->line, 0, out);
    er_buffer_add_char(out, '"');
    if (versions != NULL) {
        er_buffer_add_string(out, ",\"versions\":");
        er_versions_write(out, versions);
    }
    er_buffer_add_string(out, "}\n");
}
