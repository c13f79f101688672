#include "cli/context.h"

#include "base/file.h"
#include "base/json.h"
#include "service/credential.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define MAX_PATH  4096
#define MAX_DEPTH 16 /* of the JSON; a context is flat */

/* Members that change where or how the `nats` command connects, and that errata has no means for. */
static const char *const refused[] = {"nsc", "socks_proxy", "windows_cert_store"};

/* A name that names nothing outside its folder; the rule of the `nats` command, and no control characters. */
static bool good_name(const char *name)
{
    size_t len = strlen(name);
    if (len == 0 || len > ER_CONTEXT_MAX_NAME || strstr(name, "..") != NULL)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c == '/' || c == '\\' || c < ' ' || c == 127)
            return false;
    }
    return true;
}

/* The folder that holds `context/` and `context.txt`; false where no home folder is known. */
static bool context_folder(er_buffer *out)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    char home[1024];
    if (config != NULL && config[0] != '\0') {
        er_buffer_add_string(out, config);
    } else if (er_credential_home(home, sizeof(home)) != NULL) {
        er_buffer_add_string(out, home);
        er_buffer_add_string(out, "/.config");
    } else {
        return false;
    }
    er_buffer_add_string(out, "/nats/");
    return out->status == ER_OK;
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* The selected context's name into `out`, ended by a NUL; false where none is selected. As for the
   `nats` command a file that can not be read selects nothing. */
static bool selected_name(char out[ER_CONTEXT_MAX_NAME + 1])
{
    er_buffer path;
    er_buffer content;
    bool found = false;
    er_buffer_start(&path, MAX_PATH);
    er_buffer_start(&content, ER_CONTEXT_MAX_NAME);
    if (context_folder(&path)) {
        er_buffer_add(&path, er_slice_of("context.txt", sizeof("context.txt"))); /* with its NUL */
        if (path.status == ER_OK && is_file(path.at) && er_file_read(path.at, &content, NULL) == ER_OK) {
            er_slice name = er_slice_trim(er_buffer_slice(&content));
            found = name.len > 0;
            if (found)
                memcpy(out, name.at, name.len);
            out[name.len] = '\0';
        }
    }
    er_buffer_free(&path);
    er_buffer_free(&content);
    return found;
}

static bool ends_in_json(const char *name)
{
    size_t len = strlen(name);
    return len > 5 && strcmp(name + len - 5, ".json") == 0;
}

/* The path of the file for `name`, in `arena`. */
static er_status context_path(const char **out, er_arena *arena, const char *name, er_fault *fault)
{
    er_buffer path;
    er_status status = ER_OK;
    er_buffer_start(&path, MAX_PATH);
    if (ends_in_json(name) && is_file(name)) {
        er_buffer_add_string(&path, name);
    } else if (!good_name(name)) {
        status = er_fault_set(fault, ER_BAD_USAGE,
                              "\"%.80s\" can not be the name of a context (no \"..\", no slash, no control "
                              "character), and is no file that ends in .json",
                              name);
    } else if (!context_folder(&path)) {
        status = er_fault_set(fault, ER_BAD_USAGE, "no home folder is known, in which contexts are kept");
    } else {
        er_buffer_format(&path, "context/%s.json", name);
    }
    if (status == ER_OK) {
        er_slice copy =
            path.status == ER_OK ? er_arena_copy(arena, er_buffer_slice(&path)) : er_slice_string(NULL);
        *out = copy.at;
        if (copy.at == NULL)
            status = er_fault_set(fault, ER_BAD_USAGE, "the path of the context is too long");
    }
    er_buffer_free(&path);
    return status;
}

static er_status wrong_member(er_fault *fault, const char *path, const char *member, const char *reason)
{
    (void)er_fault_set(fault, ER_BAD_USAGE, "%s", reason);
    er_fault_file(fault, path);
    er_fault_member(fault, member);
    return ER_BAD_USAGE;
}

/* Keys are compared without case, as the `nats` command compares them. */
static bool key_is(er_slice key, const char *name)
{
    return key.len == strlen(name) && strncasecmp(key.at, name, key.len) == 0;
}

static const er_option *option_of(er_slice key)
{
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        if (er_options[i].member != NULL && key_is(key, er_options[i].member))
            return &er_options[i];
    }
    return NULL;
}

static const char *refused_member(er_slice key)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        if (key_is(key, refused[i]))
            return refused[i];
    }
    return NULL;
}

static er_status read_flag(er_context *out, er_json *json, const er_option *option, er_fault *fault)
{
    bool value = false;
    er_json_kind kind = er_json_peek(json);
    if (kind != ER_JSON_TRUE && kind != ER_JSON_FALSE)
        return wrong_member(fault, out->path, option->member, "must be true or false");
    if (er_json_bool(json, &value))
        out->option[option - er_options] = value ? "true" : NULL;
    return ER_OK;
}

/* An empty string counts as not set. */
static er_status read_text(er_context *out, er_arena *arena, er_json *json, const er_option *option,
                           er_fault *fault)
{
    er_slice raw;
    if (er_json_peek(json) != ER_JSON_STRING)
        return wrong_member(fault, out->path, option->member, "must be a string");
    if (!er_json_string(json, &raw))
        return ER_OK; /* er_json_finish reports it */
    char *text = er_arena_take(arena, raw.len + 1);
    if (text == NULL)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    size_t len = er_json_decode(raw, text);
    text[len] = '\0';
    if (strlen(text) != len)
        return wrong_member(fault, out->path, option->member, "holds a NUL character");
    out->option[option - er_options] = len > 0 ? text : NULL;
    return ER_OK;
}

/* One that the `nats` command obeys and errata can not: it may stand there empty. */
static er_status read_refused(er_context *out, er_json *json, const char *member, er_fault *fault)
{
    er_slice raw = {NULL, 0};
    if (er_json_peek(json) != ER_JSON_STRING)
        return wrong_member(fault, out->path, member, "must be a string");
    if (er_json_string(json, &raw) && raw.len > 0)
        return wrong_member(fault, out->path, member, "is set, and errata does not support it");
    return ER_OK;
}

static er_status read_member(er_context *out, er_arena *arena, er_json *json, er_slice key, er_fault *fault)
{
    const er_option *option = option_of(key);
    const char *member = refused_member(key);
    er_json_kind kind = er_json_peek(json);
    if (kind == ER_JSON_NONE)
        return ER_OK;
    if ((option == NULL && member == NULL) || kind == ER_JSON_NULL) {
        (void)er_json_skip(json, NULL);
        return ER_OK;
    }
    if (member != NULL)
        return read_refused(out, json, member, fault);
    if (option->kind == ER_KIND_FLAG)
        return read_flag(out, json, option, fault);
    return read_text(out, arena, json, option, fault);
}

static er_status read_context(er_context *out, er_arena *arena, er_slice text, er_fault *fault)
{
    er_json json;
    er_slice key;
    er_json_start(&json, text, MAX_DEPTH);
    if (er_json_peek(&json) != ER_JSON_OBJECT && json.reason == NULL)
        return wrong_member(fault, out->path, "", "is not a context, which is a JSON object");
    (void)er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        er_status status = read_member(out, arena, &json, key, fault);
        if (status != ER_OK)
            return status;
    }
    if (er_json_finish(&json) != ER_OK) {
        (void)wrong_member(fault, out->path, "", json.reason != NULL ? json.reason : "is not JSON");
        er_fault_offset(fault, json.reason_at);
        return ER_BAD_USAGE;
    }
    return ER_OK;
}

static er_status read_file(er_context *out, er_arena *arena, const char *name, er_fault *fault)
{
    er_buffer content;
    struct stat info;
    er_status status = ER_OK;
    er_buffer_start(&content, ER_CONTEXT_MAX_FILE);
    if (stat(out->path, &info) == 0 && !S_ISREG(info.st_mode)) {
        status = wrong_member(fault, out->path, "", "is not a file");
    } else {
        status = er_file_read(out->path, &content, fault);
        if (status == ER_NOT_FOUND) {
            (void)er_fault_set(fault, ER_BAD_USAGE, "there is no context \"%.80s\"", name);
            er_fault_file(fault, out->path);
        }
        if (status != ER_OK && status != ER_NO_MEMORY) {
            status = ER_BAD_USAGE;
            if (fault != NULL)
                fault->status = status;
        }
    }
    if (status == ER_OK)
        status = read_context(out, arena, er_buffer_slice(&content), fault);
    er_credential_wipe(&content);
    return status;
}

er_status er_context_load(er_context *out, er_arena *arena, const char *name, er_fault *fault)
{
    char selected[ER_CONTEXT_MAX_NAME + 1];
    memset(out, 0, sizeof(*out));
    if (name == NULL || name[0] == '\0') {
        if (!selected_name(selected))
            return ER_OK;
        name = selected;
    }
    er_status status = context_path(&out->path, arena, name, fault);
    return status == ER_OK ? read_file(out, arena, name, fault) : status;
}
