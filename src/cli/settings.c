#include "cli/settings.h"

#include "answer/answer.h"
#include "catalog/record.h"
#include "cli/catalog_path.h"
#include "cli/context.h"
#include "cli/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SUBJECT 255

static bool good_subject(const char *text)
{
    size_t len = strlen(text);
    bool token = false;
    if (len > MAX_SUBJECT)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '.') {
            if (!token)
                return false;
            token = false;
        } else if (c <= ' ' || c == 127 || c == '*' || c == '>') {
            return false;
        } else {
            token = true;
        }
    }
    return token;
}

static bool good_fields(const char *text)
{
    while (true) {
        size_t len = strcspn(text, ",");
        er_member member;
        if (!er_member_parse(er_slice_trim(er_slice_of(text, len)), &member))
            return false;
        if (text[len] == '\0')
            return true;
        text += len + 1;
    }
}

/* What a value of the kind must be, or NULL when `text` is one. */
static const char *value_fault(er_option_kind kind, const char *text)
{
    int64_t ns;
    size_t bytes;
    unsigned count;
    er_log_level level;
    er_log_format format;
    switch (kind) {
    case ER_KIND_SUBJECT:
        return good_subject(text) ? NULL : "must be a subject without wildcards and blanks, like \"errors\"";
    case ER_KIND_DURATION:
        return er_duration_parse(text, &ns) ? NULL : "must be a duration above zero, like 5s, 200ms or 1m30s";
    case ER_KIND_SIZE:
        return er_size_parse(text, &bytes) ? NULL
                                           : "must be a size from 1 to 64MiB, like 65536, 64KiB or 1MiB";
    case ER_KIND_LIMIT:
        return er_count_parse(text, ER_MAX_LIMIT, &count) ? NULL : "must be a number from 0 to 50";
    case ER_KIND_FIELDS:
        return good_fields(text) ? NULL : "must be names of a record's members, like \"slug,severity\"";
    case ER_KIND_LEVEL:
        return er_log_level_parse(text, &level) ? NULL : "must be debug, info, warn, error or off";
    case ER_KIND_FORMAT:
        return er_log_format_parse(text, &format) ? NULL : "must be text or json";
    case ER_KIND_LATER:
        return "is not yet supported";
    case ER_KIND_FLAG:
    case ER_KIND_TEXT:
    case ER_KIND_SECRET:
    case ER_KIND_ADDRESS:
        break;
    }
    return NULL;
}

void er_settings_blame(const er_settings *settings, er_fault *fault)
{
    char name[64];
    const er_option *option = er_option_find(er_slice_string(fault->member));
    if (option == NULL)
        return;
    switch (settings->given[option - er_options].source) {
    case ER_SOURCE_ENVIRONMENT:
        er_fault_member(fault, option->variable);
        break;
    case ER_SOURCE_CONTEXT:
        er_fault_member(fault, option->member);
        if (fault->file[0] == '\0')
            er_fault_file(fault, settings->context_path);
        break;
    case ER_SOURCE_NONE:
    case ER_SOURCE_OPTION:
        (void)snprintf(name, sizeof(name), "--%s", option->name);
        er_fault_member(fault, name);
        break;
    }
}

static er_status check_values(const er_settings *settings, er_fault *fault)
{
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        const char *text = settings->given[i].text;
        const char *reason = text != NULL ? value_fault(er_options[i].kind, text) : NULL;
        if (reason == NULL)
            continue;
        er_fault local;
        er_fault *into = fault != NULL ? fault : &local;
        (void)er_fault_set(into, ER_BAD_USAGE, "%s", reason);
        er_fault_member(into, er_options[i].name);
        er_settings_blame(settings, into);
        return ER_BAD_USAGE;
    }
    return ER_OK;
}

static void set(er_setting *setting, const char *text, er_source source)
{
    if (setting->text == NULL && text != NULL && text[0] != '\0')
        *setting = (er_setting){text, source};
}

static void unset(er_setting *setting)
{
    *setting = (er_setting){NULL, ER_SOURCE_NONE};
}

/* Empty values count as not given, except in an option of our own, where they are a mistake that shows. */
static void take_given(er_settings *out, const er_arguments *arguments, unsigned groups)
{
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        const er_option *option = &er_options[i];
        if ((groups & option->group) == 0)
            continue;
        const char *text = arguments->option[i];
        if (text != NULL && (text[0] != '\0' || option->group != ER_GROUP_CONNECTION))
            out->given[i] = (er_setting){text, ER_SOURCE_OPTION};
        if (option->variable != NULL)
            set(&out->given[i], getenv(option->variable), ER_SOURCE_ENVIRONMENT);
    }
}

/* As the `nats` command has it: a user without a password is a token, and leaves the user of a context in
 * place. */
static void take_user_as_token(er_settings *out)
{
    if (out->given[ER_OPTION_USER].text != NULL && out->given[ER_OPTION_PASSWORD].text == NULL) {
        out->given[ER_OPTION_TOKEN] = out->given[ER_OPTION_USER];
        unset(&out->given[ER_OPTION_USER]);
    }
}

static er_status take_context(er_settings *out, er_arena *arena, er_fault *fault)
{
    er_context context;
    const er_setting *name = &out->given[ER_OPTION_CONTEXT];
    if (out->given[ER_OPTION_NO_CONTEXT].text != NULL)
        return ER_OK;
    er_status status = er_context_load(&context, arena, name->text, fault);
    if (status != ER_OK) {
        if (fault != NULL && fault->file[0] == '\0' && name->text != NULL) {
            er_fault_member(fault, "context");
            er_settings_blame(out, fault);
        }
        return status;
    }
    out->context_path = context.path;
    for (size_t i = 0; i < ER_OPTION_COUNT; i++)
        set(&out->given[i], context.option[i], ER_SOURCE_CONTEXT);
    return ER_OK;
}

static const char *text_of(const er_settings *settings, er_option_id id)
{
    return settings->given[id].text;
}

static void fill_connection(er_settings *out)
{
    er_connection_settings *to = &out->service.connection;
    to->server = text_of(out, ER_OPTION_SERVER);
    to->user = text_of(out, ER_OPTION_USER);
    to->password = text_of(out, ER_OPTION_PASSWORD);
    to->token = text_of(out, ER_OPTION_TOKEN);
    to->creds = text_of(out, ER_OPTION_CREDS);
    to->nkey = text_of(out, ER_OPTION_NKEY);
    to->jwt = text_of(out, ER_OPTION_JWT);
    to->seed = text_of(out, ER_OPTION_SEED);
    to->tls_cert = text_of(out, ER_OPTION_TLSCERT);
    to->tls_key = text_of(out, ER_OPTION_TLSKEY);
    to->tls_ca = text_of(out, ER_OPTION_TLSCA);
    to->tls_first = text_of(out, ER_OPTION_TLSFIRST) != NULL;
    to->inbox_prefix = text_of(out, ER_OPTION_INBOX_PREFIX);
    to->name = ER_SERVICE_NAME;
    if (text_of(out, ER_OPTION_TIMEOUT) != NULL)
        (void)er_duration_parse(text_of(out, ER_OPTION_TIMEOUT), &to->timeout_ns);
}

/* The texts were checked before. */
static void fill(er_settings *out)
{
    out->json = text_of(out, ER_OPTION_JSON) != NULL;
    out->repo = text_of(out, ER_OPTION_REPO);
    out->release = text_of(out, ER_OPTION_RELEASE);
    out->limit = text_of(out, ER_OPTION_LIMIT);
    out->fields = text_of(out, ER_OPTION_FIELDS);
    out->sites = text_of(out, ER_OPTION_SITES);
    out->draft = text_of(out, ER_OPTION_DRAFT) != NULL;
    out->service.prefix = text_of(out, ER_OPTION_PREFIX);
    out->service.queue = text_of(out, ER_OPTION_QUEUE);
    out->prefix = out->service.prefix != NULL ? out->service.prefix : ER_DEFAULT_PREFIX;
    out->log_level = ER_LOG_INFO;
    out->log_format = ER_LOG_TEXT;
    if (text_of(out, ER_OPTION_LOG_LEVEL) != NULL)
        (void)er_log_level_parse(text_of(out, ER_OPTION_LOG_LEVEL), &out->log_level);
    if (text_of(out, ER_OPTION_LOG_FORMAT) != NULL)
        (void)er_log_format_parse(text_of(out, ER_OPTION_LOG_FORMAT), &out->log_format);
    if (text_of(out, ER_OPTION_MAX_REQUEST) != NULL)
        (void)er_size_parse(text_of(out, ER_OPTION_MAX_REQUEST), &out->service.max_request);
    if (text_of(out, ER_OPTION_DRAIN_TIMEOUT) != NULL)
        (void)er_duration_parse(text_of(out, ER_OPTION_DRAIN_TIMEOUT), &out->service.drain_timeout_ns);
    fill_connection(out);
}

er_status er_settings_load(er_settings *out, er_arena *arena, const er_arguments *arguments, unsigned groups,
                           bool connects, er_fault *fault)
{
    memset(out, 0, sizeof(*out));
    out->remote = arguments->option[ER_OPTION_REMOTE] != NULL;
    if (!connects && !out->remote)
        groups &= ~(unsigned)ER_GROUP_CONNECTION;
    take_given(out, arguments, groups);
    if ((groups & ER_GROUP_CONNECTION) != 0) {
        take_user_as_token(out);
        er_status status = take_context(out, arena, fault);
        if (status != ER_OK)
            return status;
    }
    er_status status = check_values(out, fault);
    if (status != ER_OK)
        return status;
    fill(out);
    if ((groups & ER_GROUP_CATALOG) != 0 && !out->remote) {
        out->service.catalog = text_of(out, ER_OPTION_CATALOG);
        if (out->service.catalog == NULL)
            out->service.catalog = er_catalog_path_find(arena, NULL, ERRATA_INSTALLED_CATALOG);
    }
    return ER_OK;
}
