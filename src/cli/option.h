/*
 * option.h - every option there is, in one table, and the reading of a command line.
 *
 * Parsing, checking, `errata help`, the variables of the environment and the
 * members of a context file all follow from the table; a test holds the man
 * page and the completion to it.
 */
#ifndef ERRATA_CLI_OPTION_H
#define ERRATA_CLI_OPTION_H

#include "base/arena.h"
#include "base/status.h"

typedef enum er_option_id {
    ER_OPTION_HELP,
    ER_OPTION_JSON,
    ER_OPTION_REMOTE,
    ER_OPTION_REPO,
    ER_OPTION_RELEASE,
    ER_OPTION_LIMIT,
    ER_OPTION_FIELDS,
    ER_OPTION_SITES,
    ER_OPTION_DRAFT,
    ER_OPTION_CATALOG,
    ER_OPTION_PREFIX,
    ER_OPTION_QUEUE,
    ER_OPTION_KV,
    ER_OPTION_MAX_REQUEST,
    ER_OPTION_DRAIN_TIMEOUT,
    ER_OPTION_LOG_LEVEL,
    ER_OPTION_LOG_FORMAT,
    ER_OPTION_SERVER,
    ER_OPTION_USER,
    ER_OPTION_PASSWORD,
    ER_OPTION_TOKEN,
    ER_OPTION_CREDS,
    ER_OPTION_NKEY,
    ER_OPTION_JWT,
    ER_OPTION_SEED,
    ER_OPTION_TLSCERT,
    ER_OPTION_TLSKEY,
    ER_OPTION_TLSCA,
    ER_OPTION_TLSFIRST,
    ER_OPTION_TIMEOUT,
    ER_OPTION_INBOX_PREFIX,
    ER_OPTION_CONTEXT,
    ER_OPTION_NO_CONTEXT,
    ER_OPTION_COUNT
} er_option_id;

typedef enum er_option_kind {
    ER_KIND_FLAG,     /* takes no value; "true" when given */
    ER_KIND_TEXT,     /* anything */
    ER_KIND_SECRET,   /* anything; overwritten in argv, never printed */
    ER_KIND_ADDRESS,  /* server URLs, which may hold a secret: user information is overwritten in argv */
    ER_KIND_SUBJECT,  /* a subject without wildcards */
    ER_KIND_DURATION, /* cli/quantity.h */
    ER_KIND_SIZE,
    ER_KIND_LIMIT,  /* 0 to ER_MAX_LIMIT */
    ER_KIND_FIELDS, /* members of a record, comma-separated */
    ER_KIND_LEVEL,  /* base/log.h */
    ER_KIND_FORMAT,
    ER_KIND_LATER /* known, and not yet supported */
} er_option_kind;

/* Which commands take an option: a command lists the groups that it takes. */
typedef enum er_option_group {
    ER_GROUP_ALWAYS = 1,
    ER_GROUP_OUTPUT = 2,
    ER_GROUP_ASK = 4,
    ER_GROUP_REMOTE = 8,
    ER_GROUP_CATALOG = 16,
    ER_GROUP_SUBJECT = 32,
    ER_GROUP_SERVE = 64,
    ER_GROUP_CONNECTION = 128,
    ER_GROUP_CHECK = 256
} er_option_group;

typedef struct er_option {
    const char *name;     /* without its dashes */
    const char *alias;    /* a second spelling, not shown; NULL for none */
    char letter;          /* 0 for none */
    const char *variable; /* environment; NULL for none */
    const char *member;   /* of a context file; NULL for none */
    er_option_kind kind;
    er_option_group group;
    const char *placeholder; /* of its value, in help */
    const char *fallback;    /* as help shows the default; NULL for none */
    const char *help;
} er_option;

extern const er_option er_options[ER_OPTION_COUNT];

/* NULL when there is none of that name. */
const er_option *er_option_find(er_slice name);

typedef struct er_arguments {
    const char *option[ER_OPTION_COUNT]; /* NULL: not given; the last one counts */
    const char **words;                  /* what is no option, in order, NULL behind */
    size_t word_count;
    bool after_dashes; /* a word stood behind `--` */
} er_arguments;

/*
 * Reads argv[1] and on. Options may stand anywhere, `--name value`, `--name=value`,
 * `-n value`; behind `--` all are words. Everything is copied into `arena`, then
 * secrets are overwritten in argv. ER_BAD_USAGE names the argument that is wrong.
 */
er_status er_arguments_parse(er_arguments *out, er_arena *arena, int argc, char **argv,
                             er_fault *fault) ER_MUST_CHECK;

#endif
