#include "extract/codes.h"

#include "base/buffer.h"
#include "base/json.h"
#include "extract/list.h"

static er_slice take_string(er_json *json, er_arena *arena)
{
    er_slice raw = {0};
    if (!er_json_string(json, &raw)) {
        return (er_slice){0};
    }
    char *out = er_arena_take(arena, raw.len + 1);
    return out != NULL ? er_slice_of(out, er_json_decode(raw, out)) : (er_slice){0};
}

static uint32_t line_at(er_slice text, size_t offset)
{
    uint32_t line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++) {
        line += text.at[i] == '\n';
    }
    return line;
}

static er_slice number_text(er_arena *arena, long long number)
{
    er_buffer text;
    er_buffer_start(&text, 32);
    er_buffer_add_uint(&text, (unsigned long long)number);
    er_slice copy = er_arena_copy(arena, er_buffer_slice(&text));
    er_buffer_free(&text);
    return copy;
}

static void take_member(er_json *json, er_arena *arena, er_slice key, er_code *code)
{
    long long number = 0;
    er_json_kind kind = er_json_peek(json);
    if (kind == ER_JSON_STRING && er_slice_is(key, "constant")) {
        code->line = line_at(json->text, json->at);
        code->constant = take_string(json, arena);
    } else if (kind == ER_JSON_STRING && er_slice_is(key, "description")) {
        code->description = take_string(json, arena);
    } else if (kind == ER_JSON_NUMBER && er_slice_is(key, "code")) {
        if (er_json_integer(json, &number) && number >= 0 && number < 1000) {
            code->status = (uint32_t)number;
        }
    } else if (kind == ER_JSON_NUMBER && er_slice_is(key, "error_code")) {
        if (er_json_integer(json, &number) && number > 0) {
            code->code = number_text(arena, number);
        }
    } else {
        er_json_skip(json, NULL);
    }
}

static er_slice constructor_of(er_arena *arena, er_slice constant, er_slice prefix, er_slice suffix)
{
    static const char *const endings[] = {"ErrorF", "ErrF", "Err", "F"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t len = strlen(endings[i]);
        if (constant.len > len && memcmp(constant.at + constant.len - len, endings[i], len) == 0) {
            constant = er_slice_sub(constant, 0, constant.len - len);
            break;
        }
    }
    char *out = er_arena_take(arena, prefix.len + constant.len + suffix.len + 1);
    if (out == NULL) {
        return (er_slice){0};
    }
    memcpy(out, prefix.at, prefix.len);
    memcpy(out + prefix.len, constant.at, constant.len);
    memcpy(out + prefix.len + constant.len, suffix.at, suffix.len);
    return er_slice_of(out, prefix.len + constant.len + suffix.len);
}

static er_status add_code(er_codes *codes, er_arena *arena, er_code code, er_slice prefix, er_slice suffix)
{
    if (code.constant.len == 0 || code.code.len == 0 || code.description.len == 0) {
        return ER_OK; /* another form, or none of ours */
    }
    code.constructor = constructor_of(arena, code.constant, prefix, suffix);
    if (code.constructor.at == NULL ||
        !er_list_room((void **)&codes->items, &codes->capacity, codes->count, sizeof(code))) {
        return ER_NO_MEMORY;
    }
    codes->items[codes->count++] = code;
    return ER_OK;
}

er_status er_codes_read(er_codes *codes, er_arena *arena, er_slice text, er_slice prefix, er_slice suffix,
                        er_fault *fault)
{
    er_json json;
    er_slice key;
    er_status status = ER_OK;
    er_json_start(&json, text, 16);
    if (er_json_peek(&json) != ER_JSON_ARRAY) {
        return ER_OK;
    }
    er_json_array_begin(&json);
    while (status == ER_OK && er_json_array_next(&json)) {
        er_code code = {0};
        if (er_json_peek(&json) != ER_JSON_OBJECT) {
            er_json_skip(&json, NULL);
            continue;
        }
        er_json_object_begin(&json);
        while (er_json_object_next(&json, &key)) {
            take_member(&json, arena, key, &code);
        }
        status = codes->count < ER_CODES_MAX ? add_code(codes, arena, code, prefix, suffix) : ER_TOO_LARGE;
    }
    if (status != ER_OK) {
        return er_fault_set(fault, status, "more codes than can be held");
    }
    if (er_json_finish(&json) != ER_OK) {
        er_fault_set(fault, ER_BAD_INPUT, "%s", json.reason != NULL ? json.reason : "not JSON");
        er_fault_offset(fault, json.reason_at);
        return ER_BAD_INPUT;
    }
    return ER_OK;
}

void er_codes_free(er_codes *codes)
{
    er_free(codes->items);
    *codes = (er_codes){0};
}
