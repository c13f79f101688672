#include "cli/body.h"

#include "base/json.h"

#include <string.h>

static void write_member(er_buffer *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    er_buffer_format(out, ",\"%s\":", name);
    er_json_write(out, er_slice_string(value));
}

/* "a, b" as ["a","b"]; the names were checked. */
static void write_fields(er_buffer *out, const char *fields)
{
    if (fields == NULL)
        return;
    er_buffer_add_string(out, ",\"fields\":[");
    while (true) {
        size_t len = strcspn(fields, ",");
        er_json_write(out, er_slice_trim(er_slice_of(fields, len)));
        if (fields[len] == '\0')
            break;
        er_buffer_add_char(out, ',');
        fields += len + 1;
    }
    er_buffer_add_char(out, ']');
}

void er_body_write(er_buffer *out, const er_settings *settings, er_slice text)
{
    if (settings->repo == NULL && settings->release == NULL && settings->limit == NULL &&
        settings->fields == NULL) {
        er_buffer_add(out, text);
        return;
    }
    er_buffer_add_string(out, "{\"message\":");
    er_json_write(out, text);
    write_member(out, "repo", settings->repo);
    write_member(out, "release", settings->release);
    if (settings->limit != NULL) {
        const char *digits = settings->limit + strspn(settings->limit, "0");
        er_buffer_format(out, ",\"limit\":%s", digits[0] != '\0' ? digits : "0");
    }
    write_fields(out, settings->fields);
    er_buffer_add_char(out, '}');
}
