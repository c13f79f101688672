#include "extract/skeleton.h"

#include "base/json.h"

static void name(er_buffer *out, const char *indent, const char *member)
{
    er_buffer_format(out, ",\n%s\"%s\": ", indent, member);
}

static void text(er_buffer *out, const char *member, er_slice value)
{
    name(out, "    ", member);
    er_json_write(out, value);
}

static void text_or_null(er_buffer *out, const char *member, er_slice value)
{
    name(out, "    ", member);
    if (value.len > 0) {
        er_json_write(out, value);
    } else {
        er_buffer_add_string(out, "null");
    }
}

static void raw(er_buffer *out, const char *member, const char *value)
{
    name(out, "    ", member);
    er_buffer_add_string(out, value);
}

static void number_or_null(er_buffer *out, const char *member, uint32_t value)
{
    name(out, "    ", member);
    if (value > 0) {
        er_buffer_add_uint(out, value);
    } else {
        er_buffer_add_string(out, "null");
    }
}

/* Built in a buffer of its own, since a rule writes plain text and not JSON. */
static void write_rule_members(er_buffer *out, const er_skeleton *one, const er_site *site)
{
    er_slice path = one->program->inputs[site->input].path;
    er_buffer made;
    er_buffer_start(&made, 16 * (size_t)ER_PROGRAM_MAX_TEXT);
    er_rule_pattern(one->message->text, &made);
    text(out, "messagePattern", er_buffer_slice(&made));
    text(out, "errorType", er_slice_string(er_error_type_name(one->message->type)));
    text_or_null(out, "errorClass", one->message->error_class);
    number_or_null(out, "httpStatus", one->message->status);
    text(out, "severity", er_slice_string(er_severity_name(one->message->severity)));
    text(out, "filePath", path);
    number_or_null(out, "lineNumber", site->line);
    raw(out, "sourceCode", "null");
    raw(out, "sourceCodeStart", "null");
    raw(out, "sourceCodeEnd", "null");
    er_status status = made.status;
    er_buffer_clear(&made);
    er_rule_url(one->repo, one->sha, path, site->line, 0, &made);
    text(out, "githubUrl", er_buffer_slice(&made));
    status = status == ER_OK ? made.status : status;
    if (status != ER_OK && out->status == ER_OK) {
        out->status = status;
    }
    er_buffer_free(&made);
}

static void write_record(er_buffer *out, const er_skeleton *one, const er_site *site)
{
    er_buffer_add_string(out, "  \"record\": {\n    \"id\": ");
    er_json_write(out, er_slice_string(one->message->id));
    text(out, "repo", one->repo);
    text(out, "slug", one->slug);
    text_or_null(out, "errorCode", one->message->code);
    text(out, "errorMessage", one->message->text);
    write_rule_members(out, one, site);
    raw(out, "documentation", "\"\"");
    raw(out, "triggerScenarios", "\"\"");
    raw(out, "commonSituations", "\"\"");
    raw(out, "solutions", "[]");
    raw(out, "exampleFix", "null");
    raw(out, "handlingStrategy", "\"escalate\"");
    raw(out, "validationCode", "null");
    raw(out, "typeGuard", "null");
    raw(out, "tryCatchPattern", "null");
    raw(out, "preventionTips", "[]");
    raw(out, "tags", "[]");
    raw(out, "backgroundTag", "\"\"");
    text(out, "analyzedSha", one->sha);
    text(out, "analyzedAt", one->analyzed_at);
    raw(out, "contentChangedAt", "null");
    raw(out, "schemaVersion", "2");
    er_buffer_add_string(out, "\n  }");
}

static bool belongs(const er_skeleton *one, size_t message)
{
    size_t own = (size_t)(one->message - one->program->messages);
    return one->same != NULL ? one->same[message] == own : message == own;
}

/* Whether the message is raised at that place too. */
static bool has_place(const er_program *program, const er_message *message, const er_site *site)
{
    for (uint32_t i = 0; i < message->site_count; i++) {
        const er_site *other = &program->sites[message->first_site + i];
        if (other->input == site->input && other->line == site->line) {
            return true;
        }
    }
    return false;
}

/* The places of the message itself, and of those with the same text; a line that raises two of
   them stands there once. */
static void write_places(er_buffer *out, const er_skeleton *one)
{
    unsigned count = 0;
    name(out, "    ", "alsoAt");
    er_buffer_add_char(out, '[');
    for (size_t i = 0; i < one->program->message_count; i++) {
        const er_message *message = &one->program->messages[i];
        bool own = message == one->message;
        for (uint32_t j = own ? 1 : 0; belongs(one, i) && j < message->site_count; j++) {
            const er_site *site = &one->program->sites[message->first_site + j];
            if (!own && has_place(one->program, one->message, site)) {
                continue;
            }
            er_buffer_add_string(out, count++ > 0 ? ",\n      \"" : "\n      \"");
            er_json_write_inside(out, one->program->inputs[site->input].path);
            er_buffer_format(out, ":%u\"", site->line);
        }
    }
    er_buffer_add_string(out, count > 0 ? "\n    ]" : "]");
}

static void write_guide(er_buffer *out, const er_skeleton *one, const er_site *site)
{
    static const er_versions unknown;
    const er_versions *versions = one->versions != NULL ? one->versions : &unknown;
    bool limited = true;
    for (uint32_t i = 0; i < one->message->site_count; i++) {
        const er_site *place = &one->program->sites[one->message->first_site + i];
        limited &= place->limited;
    }
    er_buffer_add_string(out, "  \"guide\": {\n    \"captureNames\": [");
    for (uint32_t i = 0; i < site->name_count; i++) {
        er_buffer_add_string(out, i > 0 ? ",\n      " : "\n      ");
        er_json_write(out, site->names[i]);
    }
    er_buffer_add_string(out, site->name_count > 0 ? "\n    ]" : "]");
    raw(out, "commands", "[]");
    raw(out, "examples", "[]");
    name(out, "    ", "versions");
    er_buffer_add_string(out, "{\n      \"first\": ");
    if (versions->first.len > 0) {
        er_json_write(out, versions->first);
    } else {
        er_buffer_add_string(out, "null");
    }
    er_buffer_add_string(out, ",\n      \"last\": ");
    if (versions->last.len > 0) {
        er_json_write(out, versions->last);
    } else {
        er_buffer_add_string(out, "null");
    }
    er_buffer_add_string(out, "\n    }");
    write_places(out, one);
    raw(out, "related", "[]");
    raw(out, "supersedes", "null");
    raw(out, "rateLimited", limited ? "true" : "false");
    raw(out, "verified", "{\n      \"how\": \"read\",\n      \"release\": null\n    }");
    er_buffer_add_string(out, "\n  }");
}

void er_skeleton_write(er_buffer *out, const er_skeleton *skeleton)
{
    const er_site *site = &skeleton->program->sites[skeleton->message->first_site];
    er_buffer_add_string(out, "{\n");
    write_record(out, skeleton, site);
    er_buffer_add_string(out, ",\n");
    write_guide(out, skeleton, site);
    er_buffer_add_string(out, "\n}\n");
}
