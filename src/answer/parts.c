#include "answer/parts.h"

#include "answer/command_fill.h"
#include "base/json.h"

/* Without printf, whose decimal point follows the locale. */
void er_part_confidence(er_buffer *out, double confidence)
{
    bool in_range = confidence > 0; /* false for NaN too */
    unsigned hundredths = !in_range ? 0 : confidence >= 1 ? 100 : (unsigned)(confidence * 100 + 0.5);
    er_buffer_add_uint(out, hundredths / 100);
    unsigned rest = hundredths % 100;
    if (rest > 0) {
        er_buffer_add_char(out, '.');
        er_buffer_add_char(out, (char)('0' + rest / 10));
    }
    if (rest % 10 > 0) {
        er_buffer_add_char(out, (char)('0' + rest % 10));
    }
}

void er_part_record(er_buffer *out, const er_record *record, er_fields fields)
{
    er_json json;
    er_slice key, value;
    er_member member;
    if (fields == ER_ALL_FIELDS) {
        er_buffer_add(out, record->json);
        return;
    }
    er_buffer_add_char(out, '{');
    const char *separator = "\"";
    er_json_start(&json, record->json, ER_JSON_MAX_DEPTH);
    (void)er_json_object_begin(&json);
    while (er_json_object_next(&json, &key) && er_json_skip(&json, &value)) {
        if (er_member_parse(key, &member) && (fields >> member & 1)) {
            er_buffer_add_string(out, separator);
            er_buffer_add(out, key);
            er_buffer_add_string(out, "\":");
            er_buffer_add(out, value);
            separator = ",\"";
        }
    }
    er_buffer_add_char(out, '}');
}

/* Begins a summary; the caller adds what follows `severity`, and the brace. */
static void begin_summary(er_buffer *out, const er_record *record)
{
    er_buffer_add_string(out, "{\"id\":");
    er_json_write(out, record->id);
    er_buffer_add_string(out, ",\"repo\":");
    er_json_write(out, record->repo);
    er_buffer_add_string(out, ",\"slug\":");
    er_json_write(out, record->slug);
    er_buffer_add_string(out, ",\"errorMessage\":");
    er_json_write(out, record->message);
    er_buffer_add_string(out, ",\"severity\":\"");
    er_buffer_add_string(out, er_severity_name(record->severity));
    er_buffer_add_char(out, '"');
}

static void add_near(er_buffer *out, const er_record *record, double confidence)
{
    begin_summary(out, record);
    er_buffer_add_string(out, ",\"confidence\":");
    er_part_confidence(out, confidence);
    er_buffer_add_char(out, '}');
}

void er_part_nearest(er_buffer *out, const er_near *nearest, size_t count)
{
    er_buffer_add_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        er_buffer_add_string(out, i ? "," : "");
        add_near(out, nearest[i].record, nearest[i].confidence);
    }
    er_buffer_add_char(out, ']');
}

static void add_captures(er_buffer *out, const er_record *record, const er_match *match)
{
    er_buffer_add_string(out, ",\"captures\":[");
    for (uint32_t i = 0; i < match->capture_count; i++) {
        char digits[ER_GROUP_NAME_SIZE];
        er_buffer_add_string(out, i ? ",{\"name\":" : "{\"name\":");
        er_json_write(out, er_group_name(record, match->captures[i].group, digits));
        er_buffer_add_string(out, ",\"value\":");
        er_json_write(out, match->captures[i].value);
        er_buffer_add_char(out, '}');
    }
    er_buffer_add_char(out, ']');
}

static void add_known(er_buffer *out, const char *key, er_slice value)
{
    er_buffer_add_string(out, key);
    if (value.len > 0) {
        er_json_write(out, value);
    } else {
        er_buffer_add_string(out, "null");
    }
}

static void add_frame(er_buffer *out, const er_frame *frame)
{
    add_known(out, ",\"frame\":{\"level\":", frame->level);
    add_known(out, ",\"time\":", frame->time);
    add_known(out, ",\"kind\":", frame->kind);
    add_known(out, ",\"name\":", frame->name);
    er_buffer_add_char(out, '}');
}

void er_part_match(er_buffer *out, const er_record *record, const er_match *match)
{
    er_buffer_add_string(out, "{\"status\":\"");
    er_buffer_add_string(out, er_match_status_name(match->status));
    er_buffer_add_string(out, "\",\"confidence\":");
    er_part_confidence(out, match->confidence);
    er_buffer_add_string(out, ",\"line\":");
    er_buffer_add_uint(out, match->line);
    er_buffer_add_string(out, ",\"span\":[");
    er_buffer_add_uint(out, match->start);
    er_buffer_add_char(out, ',');
    er_buffer_add_uint(out, match->end);
    er_buffer_add_string(out, "],\"text\":");
    er_json_write(out, match->text);
    add_captures(out, record, match);
    add_frame(out, &match->frame);
    er_buffer_add_char(out, '}');
}

static void add_commands(er_buffer *out, er_buffer *command, const er_record *record, const er_match *match)
{
    er_buffer_add_char(out, '[');
    for (uint32_t i = 0; i < record->command_count; i++) {
        er_buffer_add_string(out, i ? ",{\"purpose\":" : "{\"purpose\":");
        er_json_write(out, record->commands[i].purpose);
        er_buffer_clear(command);
        er_command_fill(command, record, i, match);
        er_buffer_add_string(out, ",\"command\":");
        er_json_write(out, er_buffer_slice(command));
        er_buffer_add_char(out, '}');
        if (command->status != ER_OK && out->status == ER_OK) {
            out->status = command->status; /* a command cut short must not be sent */
        }
    }
    er_buffer_add_char(out, ']');
}

void er_part_guide(er_buffer *out, er_buffer *command, const er_record *record, const er_match *match)
{
    er_slice guide = record->guide_json, commands = record->commands_json;
    if (!record->has_guide) {
        er_buffer_add_string(out, "null");
        return;
    }
    if (commands.len == 0) {
        er_buffer_add(out, guide); /* nothing to fill in: as it was rendered at load time */
        return;
    }
    size_t at = (size_t)(commands.at - guide.at);
    er_buffer_add(out, er_slice_sub(guide, 0, at));
    add_commands(out, command, record, match);
    er_buffer_add(out, er_slice_sub(guide, at + commands.len, guide.len));
}

static const er_record *record_of(const er_snapshot *snapshot, uint32_t rule)
{
    return er_catalog_record(snapshot->catalog, rule);
}

static void add_causes(er_buffer *out, const er_snapshot *snapshot, const er_explanation *found,
                       er_fields fields)
{
    er_buffer_add_string(out, ",\"causes\":[");
    for (uint32_t i = 0; i < found->cause_count; i++) {
        const er_record *record = record_of(snapshot, found->causes[i].rule);
        er_buffer_add_string(out, i ? ",{\"record\":" : "{\"record\":");
        er_part_record(out, record, fields);
        er_buffer_add_string(out, ",\"match\":");
        er_part_match(out, record, &found->causes[i]);
        er_buffer_add_char(out, '}');
    }
    er_buffer_add_char(out, ']');
}

static void add_alternatives(er_buffer *out, const er_snapshot *snapshot, const er_explanation *found)
{
    er_buffer_add_string(out, ",\"alternatives\":[");
    for (uint32_t i = 0; i < found->alternative_count; i++) {
        er_buffer_add_string(out, i ? "," : "");
        add_near(out, record_of(snapshot, found->alternatives[i].rule), found->alternatives[i].confidence);
    }
    er_buffer_add_char(out, ']');
}

static void add_others(er_buffer *out, const er_snapshot *snapshot, const er_explanation *found)
{
    er_buffer_add_string(out, ",\"others\":[");
    for (uint32_t i = 0; i < found->other_count; i++) {
        const er_record *record = record_of(snapshot, found->others[i].rule);
        er_buffer_add_string(out, i ? "," : "");
        begin_summary(out, record);
        er_buffer_add_string(out, ",\"match\":");
        er_part_match(out, record, &found->others[i]);
        er_buffer_add_char(out, '}');
    }
    er_buffer_add_char(out, ']');
}

void er_part_explanation(er_worker *worker, const er_snapshot *snapshot, const er_explanation *found,
                         er_fields fields)
{
    er_buffer *out = &worker->out;
    const er_record *record = record_of(snapshot, found->match.rule);
    er_buffer_add_string(out, "{\"record\":");
    er_part_record(out, record, fields);
    er_buffer_add_string(out, ",\"match\":");
    er_part_match(out, record, &found->match);
    add_causes(out, snapshot, found, fields);
    er_buffer_add_string(out, ",\"guide\":");
    er_part_guide(out, &worker->text, record, &found->match);
    add_alternatives(out, snapshot, found);
    add_others(out, snapshot, found);
    er_buffer_add_string(out, ",\"datasetVersion\":");
    er_json_write(out, er_catalog_dataset_version(snapshot->catalog));
    er_buffer_add_char(out, '}');
}
