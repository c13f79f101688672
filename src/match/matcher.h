/*
 * matcher.h - text in, ranked matches out.
 *
 * The pure engine: it knows patterns and text, nothing of NATS, of the terminal
 * or of how a record is written. docs/matcher.md is its design.
 *
 * An er_matcher is immutable and shared by any number of threads. An er_scratch
 * belongs to one thread at a time; results live in it until its next use. Once a
 * scratch is warm, explaining allocates nothing.
 */
#ifndef ERRATA_MATCH_MATCHER_H
#define ERRATA_MATCH_MATCHER_H

#include "base/slice.h"
#include "base/status.h"

#include <stdint.h>

#define ER_MATCH_MAX_TEXT    ((size_t)8 << 20) /* bytes of one text; er_explain says ER_TOO_LARGE above */
#define ER_MATCH_MAX_GROUPS  32                /* groups of one pattern */
#define ER_MATCH_MAX_PATTERN 8192              /* bytes of one pattern */
#define ER_MATCH_MAX_CAUSES  16                /* depth of a chain of causes */
#define ER_MATCH_MAX_LISTED  50                /* alternatives, nearest, others */

typedef struct er_matcher er_matcher;
typedef struct er_scratch er_scratch;

/* What the matcher needs to know of a record. The slices are borrowed and must
   outlive the matcher. Its place in the array is how matches name it. */
typedef struct er_rule {
    er_slice pattern; /* PCRE2 */
    er_slice message; /* format string; its words are what `nearest` compares */
    er_slice code;    /* error code, empty for none */
    er_slice repo;
    er_slice id;            /* breaks the last tie, so that load order never shows */
    er_slice error_class;   /* identifier in the source, empty for none */
    er_slice first_release; /* "v2.2.0", empty where unknown */
    er_slice last_release;  /* empty while the newest holds it */
    int severity;           /* 0 info, 1 warning, 2 error, 3 fatal */
} er_rule;

/*
 * Builds the index. A pattern that does not compile, holds too many groups or
 * is too long is ER_BAD_INPUT: `bad_rule` (NULL allowed) says which, and the
 * fault's offset is the place inside the pattern.
 */
er_status er_matcher_build(er_matcher **out, const er_rule *rules, size_t count, size_t *bad_rule,
                           er_fault *fault) ER_MUST_CHECK;
void er_matcher_free(er_matcher **matcher);
size_t er_matcher_memory(const er_matcher *matcher); /* bytes held */

/* Checks one pattern alone, as er_matcher_build would. `groups` (NULL allowed) gets their number. */
er_status er_pattern_check(er_slice pattern, uint32_t *groups, er_fault *fault) ER_MUST_CHECK;

er_status er_scratch_new(er_scratch **out) ER_MUST_CHECK;
void er_scratch_free(er_scratch **scratch);

typedef struct er_query {
    er_slice text;
    er_slice repo;    /* answer from this repo only; empty for all */
    er_slice release; /* the release that the text comes from; empty for unknown */
    unsigned limit;   /* most alternatives, nearest and others; at most ER_MATCH_MAX_LISTED */
} er_query;

typedef enum er_match_status { ER_MATCH_EXACT, ER_MATCH_PARTIAL, ER_MATCH_AMBIGUOUS } er_match_status;
const char *er_match_status_name(er_match_status status); /* "exact", ... */

typedef struct er_capture {
    uint32_t group; /* from 1 */
    er_slice value; /* without escapes and colours */
} er_capture;

/* What the framing of the line said; an empty slice where it said nothing. */
typedef struct er_frame {
    er_slice level; /* DBG INF WRN ERR FTL */
    er_slice time;  /* as written */
    er_slice kind;  /* "Filestore", "RAFT", ... of `Filestore [ORDERS]` */
    er_slice name;  /* ORDERS; for RAFT the group */
} er_frame;

typedef struct er_match {
    uint32_t rule;
    er_match_status status;
    double confidence; /* 0 to 1 */
    uint32_t line;     /* of the query's text, from 1, where the span begins */
    size_t start, end; /* bytes of the query's text */
    er_slice text;     /* that part, without escapes and colours */
    const er_capture *captures;
    uint32_t capture_count;
    er_frame frame;
} er_match;

typedef struct er_suggestion {
    uint32_t rule;
    double confidence;
} er_suggestion;

/* A list that lives in the scratch. */
typedef struct er_explanation {
    bool found;
    er_match match;         /* the answer, when found */
    const er_match *causes; /* outermost first */
    uint32_t cause_count;
    const er_match *others; /* the other messages of the text, in their order */
    uint32_t other_count;
    const er_suggestion *alternatives; /* when found: other records that fit, best first */
    uint32_t alternative_count;
    const er_suggestion *nearest; /* when not found: records that share rare words, best first */
    uint32_t nearest_count;
} er_explanation;

/* ER_TOO_LARGE, ER_NO_MEMORY; that nothing matches is ER_OK with found == false. */
er_status er_explain(const er_matcher *matcher, er_scratch *scratch, const er_query *query,
                     er_explanation *out) ER_MUST_CHECK;

#endif
