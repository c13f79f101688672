#include "cli/option.h"

#include "cli/suggestion.h"

#include <string.h>

/* clang-format off */
const er_option er_options[ER_OPTION_COUNT] = {
    [ER_OPTION_HELP] = {"help", NULL, 'h', NULL, NULL, ER_KIND_FLAG, ER_GROUP_ALWAYS, NULL, NULL,
        "show the help of the command"},

    [ER_OPTION_JSON] = {"json", NULL, 'j', NULL, NULL, ER_KIND_FLAG, ER_GROUP_OUTPUT, NULL, NULL,
        "print JSON, the same as the service replies"},
    [ER_OPTION_REMOTE] = {"remote", NULL, 'r', NULL, NULL, ER_KIND_FLAG, ER_GROUP_REMOTE, NULL, NULL,
        "ask the service over NATS, not the local catalog"},
    [ER_OPTION_REPO] = {"repo", NULL, 0, NULL, NULL, ER_KIND_TEXT, ER_GROUP_ASK, "OWNER/NAME", NULL,
        "answer from this repo only"},
    [ER_OPTION_RELEASE] = {"release", NULL, 0, NULL, NULL, ER_KIND_TEXT, ER_GROUP_ASK, "RELEASE", NULL,
        "the release that the text comes from, like v2.10.29"},
    [ER_OPTION_LIMIT] = {"limit", NULL, 0, NULL, NULL, ER_KIND_LIMIT, ER_GROUP_ASK, "N", "5",
        "at most so many alternatives, nearest and others; up to 50"},
    [ER_OPTION_FIELDS] = {"fields", NULL, 0, NULL, NULL, ER_KIND_FIELDS, ER_GROUP_ASK, "NAME,…", NULL,
        "the members of the record that are wanted"},

    [ER_OPTION_SITES] = {"sites", NULL, 0, NULL, NULL, ER_KIND_TEXT, ER_GROUP_CHECK, "FILE", NULL,
        "what errata extract printed of a checkout: tells which messages have a record"},
    [ER_OPTION_DRAFT] = {"draft", NULL, 0, NULL, NULL, ER_KIND_FLAG, ER_GROUP_CHECK, NULL, NULL,
        "only count the ids that no record has, as long as the catalog is not whole"},

    [ER_OPTION_CATALOG] = {"catalog", NULL, 'c', "ERRATA_CATALOG", NULL, ER_KIND_TEXT, ER_GROUP_CATALOG,
        "PATH", "the installed folder; in a checkout its catalog/", "a folder of records, a record file, or a bundle"},
    [ER_OPTION_PREFIX] = {"prefix", NULL, 0, "ERRATA_PREFIX", NULL, ER_KIND_SUBJECT, ER_GROUP_SUBJECT,
        "SUBJECT", "errors", "what the subjects of the service begin with"},

    [ER_OPTION_QUEUE] = {"queue", NULL, 0, "ERRATA_QUEUE", NULL, ER_KIND_SUBJECT, ER_GROUP_SERVE,
        "NAME", "errata", "the queue group in which replicas share the load"},
    [ER_OPTION_KV] = {"kv", NULL, 0, "ERRATA_KV", NULL, ER_KIND_LATER, ER_GROUP_SERVE,
        "BUCKET", NULL, "serve a key-value bucket (not yet supported)"},
    [ER_OPTION_MAX_REQUEST] = {"max-request", NULL, 0, "ERRATA_MAX_REQUEST", NULL, ER_KIND_SIZE, ER_GROUP_SERVE,
        "SIZE", "64KiB", "the largest request that is answered"},
    [ER_OPTION_DRAIN_TIMEOUT] = {"drain-timeout", NULL, 0, "ERRATA_DRAIN_TIMEOUT", NULL, ER_KIND_DURATION,
        ER_GROUP_SERVE, "DURATION", "10s", "the longest that stopping may take"},
    [ER_OPTION_LOG_LEVEL] = {"log-level", NULL, 0, "ERRATA_LOG_LEVEL", NULL, ER_KIND_LEVEL, ER_GROUP_SERVE,
        "LEVEL", "info", "debug, info, warn, error or off"},
    [ER_OPTION_LOG_FORMAT] = {"log-format", NULL, 0, "ERRATA_LOG_FORMAT", NULL, ER_KIND_FORMAT, ER_GROUP_SERVE,
        "FORMAT", "text", "text or json"},

    [ER_OPTION_SERVER] = {"server", NULL, 's', "NATS_URL", "url", ER_KIND_ADDRESS, ER_GROUP_CONNECTION,
        "URL,…", "nats://127.0.0.1:4222", "NATS servers"},
    [ER_OPTION_USER] = {"user", NULL, 0, "NATS_USER", "user", ER_KIND_SECRET, ER_GROUP_CONNECTION,
        "USER", NULL, "user name; a token when no password is given"},
    [ER_OPTION_PASSWORD] = {"password", NULL, 0, "NATS_PASSWORD", "password", ER_KIND_SECRET, ER_GROUP_CONNECTION,
        "PASSWORD", NULL, "password"},
    [ER_OPTION_TOKEN] = {"token", NULL, 0, "NATS_TOKEN", "token", ER_KIND_SECRET, ER_GROUP_CONNECTION,
        "TOKEN", NULL, "token"},
    [ER_OPTION_CREDS] = {"creds", NULL, 0, "NATS_CREDS", "creds", ER_KIND_TEXT, ER_GROUP_CONNECTION,
        "FILE", NULL, "credentials file"},
    [ER_OPTION_NKEY] = {"nkey", NULL, 0, "NATS_NKEY", "nkey", ER_KIND_TEXT, ER_GROUP_CONNECTION,
        "FILE", NULL, "file with an NKey seed"},
    [ER_OPTION_JWT] = {"jwt", NULL, 0, "NATS_JWT", "user_jwt", ER_KIND_SECRET, ER_GROUP_CONNECTION,
        "JWT", NULL, "user JWT, or file://PATH"},
    [ER_OPTION_SEED] = {"seed", NULL, 0, "NATS_SEED", "user_seed", ER_KIND_SECRET, ER_GROUP_CONNECTION,
        "SEED", NULL, "seed that goes with the JWT, or file://PATH"},
    [ER_OPTION_TLSCERT] = {"tlscert", NULL, 0, "NATS_CERT", "cert", ER_KIND_TEXT, ER_GROUP_CONNECTION,
        "FILE", NULL, "certificate of this client"},
    [ER_OPTION_TLSKEY] = {"tlskey", NULL, 0, "NATS_KEY", "key", ER_KIND_TEXT, ER_GROUP_CONNECTION,
        "FILE", NULL, "private key of that certificate"},
    [ER_OPTION_TLSCA] = {"tlsca", NULL, 0, "NATS_CA", "ca", ER_KIND_TEXT, ER_GROUP_CONNECTION,
        "FILE", NULL, "certificate authorities that the server's certificate is checked with"},
    [ER_OPTION_TLSFIRST] = {"tlsfirst", "tls-first", 0, NULL, "tls_first", ER_KIND_FLAG, ER_GROUP_CONNECTION,
        NULL, NULL, "start TLS before the server's greeting"},
    [ER_OPTION_TIMEOUT] = {"timeout", NULL, 0, "NATS_TIMEOUT", NULL, ER_KIND_DURATION, ER_GROUP_CONNECTION,
        "DURATION", "5s", "how long to wait for a connection, and for a reply"},
    [ER_OPTION_INBOX_PREFIX] = {"inbox-prefix", NULL, 0, NULL, "inbox_prefix", ER_KIND_SUBJECT, ER_GROUP_CONNECTION,
        "SUBJECT", "_INBOX", "what the subjects of replies begin with"},
    [ER_OPTION_CONTEXT] = {"context", NULL, 0, "NATS_CONTEXT", NULL, ER_KIND_TEXT, ER_GROUP_CONNECTION,
        "NAME", "the selected one", "a context of the nats command, or the path of its .json file"},
    [ER_OPTION_NO_CONTEXT] = {"no-context", NULL, 0, NULL, NULL, ER_KIND_FLAG, ER_GROUP_CONNECTION,
        NULL, NULL, "leave the contexts of the nats command alone"},
};
/* clang-format on */

const er_option *er_option_find(er_slice name)
{
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        const er_option *option = &er_options[i];
        if (er_slice_is(name, option->name) || (option->alias != NULL && er_slice_is(name, option->alias)))
            return option;
    }
    return NULL;
}

static const er_option *find_letter(char letter)
{
    for (size_t i = 0; i < ER_OPTION_COUNT; i++) {
        if (letter != 0 && er_options[i].letter == letter)
            return &er_options[i];
    }
    return NULL;
}

static er_status unknown(er_slice name, const char *argument, er_fault *fault)
{
    er_suggestion_list list;
    er_suggestion_start(&list, name);
    for (size_t i = 0; i < ER_OPTION_COUNT; i++)
        er_suggestion_offer(&list, er_options[i].name);
    int shown = name.len < 60 ? (int)name.len : 60;
    if (strncmp(argument, "--", 2) != 0)
        return er_fault_set(fault, ER_BAD_USAGE,
                            "unknown option \"%.60s\" (put -- before a text that begins with a dash)",
                            argument);
    if (list.best == NULL)
        return er_fault_set(fault, ER_BAD_USAGE, "unknown option \"--%.*s\"", shown, name.at);
    return er_fault_set(fault, ER_BAD_USAGE, "unknown option \"--%.*s\", did you mean --%s?", shown, name.at,
                        list.best);
}

/* What others can read of this process's arguments must not hold a secret. */
static void hide(const er_option *option, char *value)
{
    size_t from = 0;
    size_t to = 0;
    if (option->kind == ER_KIND_SECRET) {
        to = strlen(value);
    } else if (option->kind == ER_KIND_ADDRESS) {
        char *at = strrchr(value, '@');
        char *scheme = strstr(value, "://");
        to = at != NULL ? (size_t)(at - value) : 0;
        from = scheme != NULL && scheme < value + to ? (size_t)(scheme - value) + 3 : 0;
    }
    for (size_t i = from; i < to; i++)
        value[i] = 'x';
}

typedef struct reader {
    er_arguments *out;
    er_arena *arena;
    char **argv;
    int argc;
    int at; /* the argument after the one that is read */
} reader;

static er_status take_flag(reader *read, const er_option *option, const char *value, er_fault *fault)
{
    const char **into = &read->out->option[option - er_options];
    if (value == NULL || strcmp(value, "true") == 0) {
        *into = "true";
    } else if (strcmp(value, "false") == 0) {
        *into = NULL;
    } else {
        return er_fault_set(fault, ER_BAD_USAGE, "--%s takes no value", option->name);
    }
    return ER_OK;
}

/* `value` is what stood behind `=` or the letter, NULL for the next argument. */
static er_status take_option(reader *read, const er_option *option, char *value, er_fault *fault)
{
    if (option->kind == ER_KIND_FLAG)
        return take_flag(read, option, value, fault);
    if (value == NULL) {
        if (read->at >= read->argc)
            return er_fault_set(fault, ER_BAD_USAGE, "--%s needs a value (%s)", option->name,
                                option->placeholder);
        value = read->argv[read->at++];
    }
    er_slice copy = er_arena_copy(read->arena, er_slice_string(value));
    if (copy.at == NULL)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    read->out->option[option - er_options] = copy.at;
    hide(option, value);
    return ER_OK;
}

static er_status take_long(reader *read, char *argument, er_fault *fault)
{
    char *equals = strchr(argument, '=');
    er_slice name =
        er_slice_of(argument + 2, equals != NULL ? (size_t)(equals - argument) - 2 : strlen(argument) - 2);
    const er_option *option = er_option_find(name);
    if (option == NULL)
        return unknown(name, argument, fault);
    return take_option(read, option, equals != NULL ? equals + 1 : NULL, fault);
}

/* `-s URL`, `-sURL`; flags may stand together: `-rj`. */
static er_status take_short(reader *read, char *argument, er_fault *fault)
{
    for (char *letter = argument + 1; *letter != '\0'; letter++) {
        const er_option *option = find_letter(*letter);
        if (option == NULL)
            return unknown(er_slice_string(argument + 1), argument, fault);
        if (option->kind != ER_KIND_FLAG)
            return take_option(read, option, letter[1] != '\0' ? letter + 1 : NULL, fault);
        er_status status = take_flag(read, option, NULL, fault);
        if (status != ER_OK)
            return status;
    }
    return ER_OK;
}

er_status er_arguments_parse(er_arguments *out, er_arena *arena, int argc, char **argv, er_fault *fault)
{
    reader read = {out, arena, argv, argc, 1};
    bool options = true;
    memset(out, 0, sizeof(*out));
    out->words = er_arena_take(arena, sizeof(char *) * ((size_t)argc + 1));
    if (out->words == NULL)
        return er_fault_set(fault, ER_NO_MEMORY, "out of memory");
    while (read.at < argc) {
        char *argument = argv[read.at++];
        er_status status = ER_OK;
        if (options && strcmp(argument, "--") == 0) {
            options = false;
        } else if (options && strncmp(argument, "--", 2) == 0) {
            status = take_long(&read, argument, fault);
        } else if (options && argument[0] == '-' && argument[1] != '\0') {
            status = take_short(&read, argument, fault);
        } else {
            out->words[out->word_count++] = argument;
            out->after_dashes = out->after_dashes || !options;
        }
        if (status != ER_OK)
            return status;
    }
    out->words[out->word_count] = NULL;
    return ER_OK;
}
