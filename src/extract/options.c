#include "extract/options.h"

#include <stdlib.h>
#include <string.h>

const char er_extract_usage[] =
    "usage: errata extract --repo OWNER/NAME [OPTION]... [CHECKOUT]\n"
    "       errata extract --diff OLD NEW [--json] [CHECKOUT]\n"
    "\n"
    "Finds the places in a source tree that raise errors, warnings and notices, and\n"
    "prints one JSON object a line for each. CHECKOUT is a folder, or a git repository,\n"
    "by default the current folder.\n"
    "\n"
    "  --repo OWNER/NAME    repository that the sites are said to come from\n"
    "  --sha SHA            commit that links are pinned to (default: the checkout's HEAD)\n"
    "  --at REVISION        read that revision from git, without a checkout\n"
    "  --new-records DIR    write a catalog file for each message without a record\n"
    "  --update DIR         pin existing records to the commit: line, URL, SHA\n"
    "  --releases           say in which releases each message stands\n"
    "  --tags A,B,...       the same for these tags only\n"
    "  --cache DIR          where facts of releases are kept between runs\n"
    "                       (default: $XDG_CACHE_HOME/errata, ~/.cache/errata)\n"
    "  --no-cache           keep nothing\n"
    "  --unresolved FILE    list what could not be resolved there, not on standard error\n"
    "  --date TIME          analyzedAt of new records (default: the commit's date, or now)\n"
    "  --jobs N             threads that read releases (default: one a processor)\n"
    "  --diff OLD NEW       compare two trees: files that this command printed, folders, or\n"
    "                       revisions of CHECKOUT\n"
    "  --json               of --diff: one JSON object a line\n"
    "\n"
    "Exit status: 0 sites (differences) were found, 1 none, 2 bad usage or a fault.\n";

typedef struct option {
    const char *name;
    size_t text; /* offset of a text, or of a flag */
    bool flag;
} option;

#define TEXT(name, member)                                                                                   \
    {                                                                                                        \
        name, offsetof(er_extract_options, member), false                                                    \
    }
#define FLAG(name, member)                                                                                   \
    {                                                                                                        \
        name, offsetof(er_extract_options, member), true                                                     \
    }

static const option options_known[] = {
    TEXT("--repo", repo),
    TEXT("--sha", sha),
    TEXT("--at", at),
    TEXT("--date", date),
    TEXT("--new-records", new_records),
    TEXT("--update", update),
    TEXT("--cache", cache),
    TEXT("--unresolved", unresolved),
    TEXT("--tags", tags),
    FLAG("--releases", releases),
    FLAG("--no-cache", no_cache),
    FLAG("--json", json),
    FLAG("--help", help),
    FLAG("-h", help),
};

static const option *find_option(const char *word, size_t len)
{
    for (size_t i = 0; i < sizeof(options_known) / sizeof(options_known[0]); i++) {
        if (strlen(options_known[i].name) == len && memcmp(options_known[i].name, word, len) == 0) {
            return &options_known[i];
        }
    }
    return NULL;
}

static er_status usage(er_fault *fault, const char *word, const char *what)
{
    return er_fault_set(fault, ER_BAD_USAGE, "%.80s %s", word, what);
}

/* The words behind argv[*at]: "--name value", "--name=value", a flag. */
static er_status read_option(er_extract_options *options, int argc, char **argv, int *at, er_fault *fault)
{
    const char *word = argv[*at];
    const char *equals = strchr(word, '=');
    size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
    const option *found = find_option(word, len);
    if (found == NULL) {
        return usage(fault, word, "is no option of extract; try errata extract --help");
    }
    if (found->flag) {
        if (equals != NULL) {
            return usage(fault, found->name, "takes no value");
        }
        *(bool *)(void *)((char *)options + found->text) = true;
        return ER_OK;
    }
    const char *value = equals != NULL ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
    if (value == NULL || value[0] == '\0') {
        return usage(fault, found->name, "needs a value");
    }
    *(const char **)(void *)((char *)options + found->text) = value;
    return ER_OK;
}

static er_status read_jobs(er_extract_options *options, const char *value, er_fault *fault)
{
    char *end = NULL;
    long jobs = value != NULL ? strtol(value, &end, 10) : 0;
    if (value == NULL || *end != '\0' || jobs < 1 || jobs > 64) {
        return er_fault_set(fault, ER_BAD_USAGE, "--jobs needs a number from 1 to 64");
    }
    options->jobs = (unsigned)jobs;
    return ER_OK;
}

static er_status read_word(er_extract_options *options, int argc, char **argv, int *at, bool *words_only,
                           er_fault *fault)
{
    const char *word = argv[*at];
    if (!*words_only && strcmp(word, "--") == 0) {
        *words_only = true;
        return ER_OK;
    }
    if (!*words_only && strcmp(word, "--jobs") == 0) {
        return read_jobs(options, *at + 1 < argc ? argv[++*at] : NULL, fault);
    }
    if (!*words_only && strcmp(word, "--diff") == 0) {
        if (*at + 2 >= argc) {
            return er_fault_set(fault, ER_BAD_USAGE, "--diff needs two trees, OLD and NEW");
        }
        options->diff_old = argv[++*at];
        options->diff_new = argv[++*at];
        return ER_OK;
    }
    if (!*words_only && word[0] == '-' && word[1] != '\0') {
        return read_option(options, argc, argv, at, fault);
    }
    if (options->path != NULL) {
        return usage(fault, word, "is one argument too many");
    }
    options->path = word;
    return ER_OK;
}

/* "owner/name" of letters, digits, '.', '_' and '-', since it becomes a path and a URL. */
static bool is_repo(const char *repo)
{
    size_t slashes = 0;
    for (const char *at = repo; *at != '\0'; at++) {
        bool first = at == repo || at[-1] == '/';
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                     *at == '_' || ((*at == '-' || *at == '.') && !first);
        slashes += *at == '/';
        if (!plain && (*at != '/' || first || at[1] == '\0')) {
            return false;
        }
    }
    return slashes == 1 && strlen(repo) <= 140;
}

static bool is_sha(const char *sha)
{
    return strlen(sha) == 40 && strspn(sha, "0123456789abcdef") == 40;
}

static er_status check(er_extract_options *options, er_fault *fault)
{
    if (options->path == NULL) {
        options->path = ".";
    }
    if (options->help || options->diff_old != NULL) {
        return ER_OK;
    }
    if (options->repo == NULL || !is_repo(options->repo)) {
        return er_fault_set(fault, ER_BAD_USAGE, "--repo needs OWNER/NAME, such as nats-io/nats-server");
    }
    if (options->sha != NULL && !is_sha(options->sha)) {
        return er_fault_set(fault, ER_BAD_USAGE, "--sha needs 40 hexadecimal digits");
    }
    if (options->sha != NULL && options->at != NULL) {
        return er_fault_set(fault, ER_BAD_USAGE, "--sha and --at exclude each other");
    }
    if (options->releases && options->tags != NULL) {
        return er_fault_set(fault, ER_BAD_USAGE, "--releases and --tags exclude each other");
    }
    return ER_OK;
}

er_status er_extract_options_read(er_extract_options *options, int argc, char **argv, er_fault *fault)
{
    *options = (er_extract_options){0};
    bool words_only = false;
    er_status status = ER_OK;
    for (int at = 1; at < argc && status == ER_OK; at++) {
        status = read_word(options, argc, argv, &at, &words_only, fault);
    }
    return status == ER_OK ? check(options, fault) : status;
}
