#include "match/filled.h"

#include "match/engine.h"
#include "support/test.h"

#include <stdio.h>

static void put(value *v, const char *text)
{
    v->len = strlen(text);
    memcpy(v->at, text, v->len);
}

/* Letters that no message of rules.tsv is made of, so that a value says nothing by itself. */
static void put_word(dice *d, value *v)
{
    static const char *const parts[] = {"zu", "qo", "xi", "vy", "ZA", "Qx", "jj", "7", "-", "_", "yw"};
    v->len = 0;
    for (uint32_t n = 1 + dice_throw(d, 4); n > 0; n--) {
        const char *part = parts[dice_throw(d, sizeof parts / sizeof *parts)];
        memcpy(v->at + v->len, part, strlen(part));
        v->len += strlen(part);
    }
    if (v->at[0] == '-') {
        v->at[0] = 'w';
    }
}

static void put_text(dice *d, value *v)
{
    static const char *const texts[] = {
        "$G",
        "ORDERS_7",
        "/data/zu/$G/qo/1.blk",
        "C:\\zu\\qo",
        "zu.qo.>",
        "zu.*",
        "10.0.0.5:4222",
        "[::1]:6222",
        "1.5s",
        "0",
        "zuqo xivy jjyw",
        "zu (qo) [xi] {vy}",
        "<zu>",
        "gr\303\266\303\237e zu",
        "\xFF\xFEzu",
        "zu=qo",
        "zu, qo & xi",
        "100%",
        "zu: qo: xi",
        "zu - qo",
        "zu.",
        "a|b|c",
        "S-R3F-Zq7",
        "2026-09-02T10:11:12Z",
    };
    put(v, texts[dice_throw(d, sizeof texts / sizeof *texts)]);
}

static void put_number(dice *d, value *v, bool fraction)
{
    int length = snprintf(v->at, VALUE_MOST, "%s%u", dice_throw(d, 4) ? "" : "-", dice_throw(d, 1000000));
    v->len = (size_t)length;
    if (fraction && dice_throw(d, 2)) {
        v->len += (size_t)snprintf(v->at + v->len, VALUE_MOST - v->len, ".%u", dice_throw(d, 1000));
    }
}

/* `lead`: a value that a message begins with is a word, since where it begins is what framing says. */
static void put_value(dice *d, value *v, er_group kind, bool lead)
{
    switch (kind) {
    case ER_GROUP_INT:
    case ER_GROUP_NUMBER:
        put_number(d, v, kind == ER_GROUP_NUMBER);
        break;
    case ER_GROUP_HEX:
        v->len = (size_t)snprintf(v->at, VALUE_MOST, "%x", dice_throw(d, 1u << 30));
        break;
    case ER_GROUP_BOOL:
        put(v, dice_throw(d, 2) ? "true" : "false");
        break;
    case ER_GROUP_CHAR:
        put(v, dice_throw(d, 2) ? "z" : "Q");
        break;
    default:
        if (lead || dice_throw(d, 2)) {
            put_word(d, v);
        } else {
            put_text(d, v);
        }
    }
}

/* Whether the literal stands behind the value only, not in it or over its end. */
static bool apart(const value *v, er_slice literal)
{
    char both[VALUE_MOST + ER_MATCH_MAX_PATTERN];
    memcpy(both, v->at, v->len);
    memcpy(both + v->len, literal.at, literal.len);
    const char *found = memmem(both + 1, v->len + literal.len - 1, literal.at, literal.len);
    return found == both + v->len;
}

void filled_make(filled *f, const er_rule *rule)
{
    er_piece_pool pool;
    er_pattern pattern;
    er_piece_pool_start(&pool);
    assert_int_equal(er_pattern_parse(rule->pattern, &pool, &pattern), ER_OK);
    er_buffer_clear(&f->message);
    f->value_count = 0;
    for (uint32_t i = 0; i <= pattern.piece_count; i++) {
        bool tail = i == pattern.piece_count;
        const er_piece *piece = &pool.pieces[pattern.first_piece + (tail ? 0 : i)];
        er_slice literal = tail ? (er_slice){"", 0} : er_piece_raw(&pool, piece);
        er_group kind = tail ? (er_group)pattern.tail : (er_group)piece->before;
        if (kind != ER_GROUP_NONE) {
            value *v = &f->values[f->value_count++];
            do {
                put_value(&f->dice, v, kind, i == 0);
            } while (!tail && !apart(v, literal));
            er_buffer_add(&f->message, er_slice_of(v->at, v->len));
        }
        er_buffer_add(&f->message, literal);
    }
    assert_int_equal(f->message.status, ER_OK);
    er_piece_pool_free(&pool);
}

static void add(filled *f, const char *text)
{
    er_buffer_add_string(&f->line, text);
}

/* As JSON encoders do; `html`: with the escapes of Go's. Bytes that are no UTF-8 stay. */
static void add_escaped(er_buffer *out, er_slice text, bool html)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        if (c == '"' || c == '\\') {
            er_buffer_add_char(out, '\\');
            er_buffer_add_char(out, c);
        } else if (html && strchr("<>&", c) != NULL) {
            er_buffer_format(out, "\\u%04x", c);
        } else {
            er_buffer_add_char(out, c);
        }
    }
}

static void add_message(filled *f)
{
    er_buffer_add(&f->line, er_buffer_slice(&f->message));
}

static void add_header(filled *f)
{
    static const char *const tags[] = {"ERR", "WRN", "INF", "FTL", "DBG"};
    if (dice_throw(&f->dice, 4)) {
        er_buffer_format(&f->line, "[%u] ", 1 + dice_throw(&f->dice, 99999));
    }
    if (dice_throw(&f->dice, 4)) {
        add(f, "2026/09/02 10:11:12.131415 ");
    }
    er_buffer_format(&f->line, "[%s] ", tags[dice_throw(&f->dice, 5)]);
}

static bool holds(const filled *f, const char *bytes)
{
    for (size_t i = 0; i < f->message.len; i++) {
        if (f->message.at[i] && strchr(bytes, f->message.at[i])) {
            return true;
        }
    }
    return false;
}

static void frame_bare(filled *f)
{
    add_message(f);
}

static void frame_server(filled *f)
{
    add_header(f);
    add_message(f);
}

static void frame_connection(filled *f)
{
    static const char *const kinds[] = {"cid", "rid", "gid", "lid", "mid", "wid", "lid_ws", "mid_ws"};
    static const char *const names[] = {"", "", "\"v1.31.0:go\" - ", "\"v1.31.0:go:shop\" - \"ACME/app\" - "};
    add_header(f);
    er_buffer_format(&f->line, "10.0.0.5:4222 - %s:%u - %s", kinds[dice_throw(&f->dice, 8)],
                     dice_throw(&f->dice, 1000), names[dice_throw(&f->dice, 4)]);
    add_message(f);
}

static void frame_object(filled *f)
{
    static const char *const objects[] = {"Filestore [ORDERS] ", "RAFT [yrzKKRBu - _meta_] "};
    add_header(f);
    add(f, objects[dice_throw(&f->dice, 2)]);
    add_message(f);
}

static void frame_colour(filled *f)
{
    static const char *const forms[] = {
        "[1] 2026/09/02 10:11:12.131415 [\x1b[31mERR\x1b[0m] ",
        "[1] 2026/09/02 10:11:12.131415 [\xE2\x86\x90[31mERR\xE2\x86\x90[0m] "};
    add(f, forms[dice_throw(&f->dice, 2)]);
    add_message(f);
}

static void frame_collector(filled *f)
{
    static const char *const forms[] = {
        "Sep 02 10:11:12 node-3 depotd[812]: ",
        "2026-09-02T10:11:12.131415+02:00 node-3 depotd[812]: ",
        "depot-1  | ",
        "2026-09-02T10:11:12.131415926Z ",
        "2026-09-02T10:11:12.131415926Z stderr F ",
        "depot-0 depot ",
    };
    add(f, forms[dice_throw(&f->dice, sizeof forms / sizeof *forms)]);
    add_header(f);
    add_message(f);
}

static void frame_klog(filled *f)
{
    add(f, "E0902 10:11:12.131415       1 controller.go:114] ");
    add_message(f);
}

static void frame_client(filled *f)
{
    add(f, "nats: error: ");
    add_message(f);
}

static void frame_protocol(filled *f)
{
    if (holds(f, "'\"")) { /* a quote of the message would end the value */
        add_message(f);
        return;
    }
    add(f, "-ERR '");
    add_message(f);
    add(f, "'");
}

static void frame_ticks(filled *f)
{
    add(f, "`");
    add_message(f);
    add(f, "`");
}

static void frame_json(filled *f)
{
    static const char *const forms[] = {
        "{\"level\":\"error\",\"ts\":1788343872.131,\"msg\":\"",
        "{\"time\":\"2026-09-02T10:11:12Z\",\"level\":\"ERROR\",\"msg\":\"x\",\"err\":\"",
        "{\"name\":\"shop\",\"v\":0,\"err\":{\"name\":\"Error\",\"message\":\"",
    };
    uint32_t form = dice_throw(&f->dice, 3);
    add(f, forms[form]);
    add_escaped(&f->line, er_buffer_slice(&f->message), dice_throw(&f->dice, 2));
    add(f, form == 2 ? "\"}}" : "\",\"n\":3}");
}

static void frame_docker(filled *f)
{
    add(f, "{\"log\":\"");
    add_header(f);
    add_escaped(&f->line, er_buffer_slice(&f->message), false);
    add(f, "\\n\",\"stream\":\"stderr\",\"time\":\"2026-09-02T10:11:12.131415926Z\"}");
}

/* JSON inside JSON, as docker's log driver writes what a program logs. */
static void frame_nested(filled *f)
{
    er_buffer inner;
    er_buffer_start(&inner, LINE_MOST);
    er_buffer_add_string(&inner, "{\"level\":\"error\",\"msg\":\"");
    add_escaped(&inner, er_buffer_slice(&f->message), dice_throw(&f->dice, 2));
    er_buffer_add_string(&inner, "\"}");
    add(f, "{\"log\":\"");
    add_escaped(&f->line, er_buffer_slice(&inner), false);
    add(f, "\",\"stream\":\"stdout\"}");
    er_buffer_free(&inner);
}

static void frame_logfmt(filled *f)
{
    add(f, "time=2026-09-02T10:11:12Z level=error msg=\"");
    add_escaped(&f->line, er_buffer_slice(&f->message), false);
    add(f, dice_throw(&f->dice, 2) ? "\"" : "\" n=3");
}

static void frame_lines(filled *f)
{
    add(f, "[1] 2026/09/02 10:11:12.131415 [INF] zuqo xivy\n");
    add_header(f);
    add_message(f);
    add(f, "\n[1] 2026/09/02 10:11:12.131416 [INF] xivy zuqo\n");
}

static const struct {
    const char *name;
    void (*write)(filled *f);
} frames[] = {
    {"bare", frame_bare},          {"server", frame_server}, {"connection", frame_connection},
    {"object", frame_object},      {"colour", frame_colour}, {"collector", frame_collector},
    {"klog", frame_klog},          {"client", frame_client}, {"protocol", frame_protocol},
    {"ticks", frame_ticks},        {"json", frame_json},     {"docker", frame_docker},
    {"nested json", frame_nested}, {"logfmt", frame_logfmt}, {"lines", frame_lines},
};
#define FRAMES (sizeof frames / sizeof *frames)

size_t filled_frame_count(void)
{
    return FRAMES;
}

const char *filled_frame_name(size_t frame)
{
    return frames[frame].name;
}

void filled_frame(filled *f, size_t frame)
{
    er_buffer_clear(&f->line);
    f->frame = frames[frame].name;
    frames[frame].write(f);
}
