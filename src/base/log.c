#include "base/log.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/json.h"

#include <errno.h>
#include <unistd.h>

#define MAX_VALUE ((size_t)1024)
#define MAX_LINE  ((size_t)16 * 1024)
#define LINE_END  ((size_t)16) /* kept free for what closes a line */

static er_log_level least = ER_LOG_INFO;
static er_log_format line_format = ER_LOG_TEXT;
static int output = STDERR_FILENO;

static const char *const level_names[] = {"debug", "info", "warn", "error", "off"};
static const char *const level_letters[] = {"DBG", "INF", "WRN", "ERR", "OFF"};

void er_log_setup(er_log_level level, er_log_format format, int fd)
{
    least = level;
    line_format = format;
    output = fd;
}

bool er_log_enabled(er_log_level level)
{
    return level >= least && level < ER_LOG_OFF;
}

bool er_log_level_parse(const char *text, er_log_level *level)
{
    for (size_t i = 0; text != NULL && i < sizeof(level_names) / sizeof(level_names[0]); i++) {
        if (strcmp(text, level_names[i]) == 0) {
            *level = (er_log_level)i;
            return true;
        }
    }
    return false;
}

bool er_log_format_parse(const char *text, er_log_format *format)
{
    if (text != NULL && strcmp(text, "text") == 0) {
        *format = ER_LOG_TEXT;
        return true;
    }
    if (text != NULL && strcmp(text, "json") == 0) {
        *format = ER_LOG_JSON;
        return true;
    }
    return false;
}

/* Without blanks, quotes, '=', or anything else that would need an escape. */
static bool plain(er_slice value)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char byte = (unsigned char)value.at[i];
        if (byte <= ' ' || byte >= 0x7F || byte == '"' || byte == '\\' || byte == '=') {
            return false;
        }
    }
    return value.len > 0;
}

static void write_text(er_buffer *line, er_slice value)
{
    if (line_format == ER_LOG_TEXT && plain(value) && value.len <= MAX_VALUE) {
        er_buffer_add(line, value);
        return;
    }
    size_t cut = value.len;
    if (cut > MAX_VALUE) {
        cut = MAX_VALUE;
        while (cut > MAX_VALUE - 3 && ((unsigned char)value.at[cut] & 0xC0) == 0x80) {
            cut--;
        }
    }
    er_buffer_add_char(line, '"');
    er_json_write_inside(line, er_slice_of(value.at, cut));
    er_buffer_add_string(line, cut < value.len ? "…\"" : "\"");
}

static void write_field(er_buffer *line, const er_log_field *field)
{
    er_buffer_add_string(line, line_format == ER_LOG_JSON ? ",\"" : " ");
    er_buffer_add_string(line, field->name);
    er_buffer_add_string(line, line_format == ER_LOG_JSON ? "\":" : "=");
    if (field->is_number) {
        er_buffer_format(line, "%lld", field->number);
    } else {
        write_text(line, field->text);
    }
}

static void write_head(er_buffer *line, er_log_level level, const char *event)
{
    char time[ER_CLOCK_TEXT_SIZE];
    er_clock_text(er_clock_now_ns(), time);
    if (line_format == ER_LOG_JSON) {
        er_buffer_format(line, "{\"time\":\"%s\",\"level\":\"%s\",\"event\":", time, level_names[level]);
        er_json_write(line, er_slice_string(event));
    } else {
        er_buffer_format(line, "%s %s %s", time, level_letters[level], event);
    }
}

static void send_line(const char *at, size_t len)
{
    while (len > 0) {
        ssize_t sent = write(output, at, len);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return; /* there is nowhere left to report to */
        }
        at += sent;
        len -= (size_t)sent;
    }
}

/* The line is built on the stack: a log line about a lack of memory needs none. */
void er_log(er_log_level level, const char *event, const er_log_field *fields, size_t count)
{
    if (!er_log_enabled(level)) {
        return;
    }
    int kept_errno = errno;
    char memory[MAX_LINE];
    er_buffer line = {.at = memory, .capacity = MAX_LINE - LINE_END, .ceiling = MAX_LINE - LINE_END};
    write_head(&line, level, event);
    for (size_t i = 0; i < count; i++) {
        size_t before = line.len;
        write_field(&line, &fields[i]);
        if (line.status != ER_OK) {
            line.len = before; /* a field is there whole or not at all */
            line.status = ER_OK;
        }
    }
    line.capacity = line.ceiling = MAX_LINE;
    er_buffer_add_string(&line, line_format == ER_LOG_JSON ? "}\n" : "\n");
    send_line(line.at, line.len);
    errno = kept_errno;
}
