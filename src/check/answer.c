/*
 * answer.c - each record's sample message and examples are asked of the whole catalog.
 *
 * Where another repo has the same message, the two tie, and asking without a repo has
 * no better answer than either; then the answer within the record's repo decides.
 */
#include "answer/request.h"
#include "answer/snapshot.h"
#include "base/memory.h"
#include "catalog/rules.h"
#include "check/entry.h"

#include <stdio.h>

/* What is known of a question: who asks, and how findings name it. */
typedef struct question {
    const er_entry *entry;
    const char *member; /* of the finding */
    const char *noun;   /* "the sample message", "this line" */
    er_query query;
} question;

typedef struct expected {
    er_slice name, value;
} expected;

typedef struct expectation {
    expected at[ER_RECORD_MAX_CAPTURES];
    size_t count;
} expectation;

typedef struct asker {
    er_check *check;
    er_matcher *matcher;
    er_scratch *scratch;
    er_rule *rules;
    const er_entry **entries; /* one a rule */
    size_t count;
    er_buffer decoded;
} asker;

/* A matcher over the records whose pattern compiles; the others have a finding. */
static er_status build(asker *ask)
{
    er_check *check = ask->check;
    ask->rules = er_check_take(check, check->count * sizeof(*ask->rules));
    ask->entries = er_check_take(check, check->count * sizeof(*ask->entries));
    if (ask->rules == NULL || ask->entries == NULL) {
        return ER_NO_MEMORY;
    }
    for (size_t i = 0; i < check->count; i++) {
        if (check->entries[i].compiles) {
            ask->entries[ask->count] = &check->entries[i];
            ask->rules[ask->count++] = er_snapshot_rule(check->entries[i].record);
        }
    }
    er_status status = er_matcher_build(&ask->matcher, ask->rules, ask->count, NULL, NULL);
    return status == ER_OK ? er_scratch_new(&ask->scratch) : status;
}

static void tell(asker *ask, const question *about, const char *what, er_slice more)
{
    er_finding_add(ask->check, "answer", about->entry, about->member, "%s %s%.*s", about->noun, what,
                   ER_SHOWN(more));
}

static void tell_winner(asker *ask, const question *about, const er_record *winner)
{
    er_finding_add(ask->check, "answer", about->entry, about->member, "%s is answered by %.*s/%.*s (%.*s)",
                   about->noun, ER_SHOWN(winner->repo), ER_SHOWN(winner->slug), ER_SHOWN(winner->id));
}

/* The value of a name among the captures of a match; false where it has none. */
static bool captured(const er_record *record, const er_match *match, er_slice name, er_slice *value)
{
    for (uint32_t i = 0; i < match->capture_count; i++) {
        uint32_t group = match->captures[i].group;
        if (group >= 1 && group <= record->capture_count &&
            er_slice_equal(record->capture_names[group - 1], name)) {
            *value = match->captures[i].value;
            return true;
        }
    }
    return false;
}

static void check_captures(asker *ask, const question *about, const er_match *match,
                           const expectation *wanted)
{
    const er_record *record = about->entry->record;
    for (size_t i = 0; i < wanted->count; i++) {
        const expected *one = &wanted->at[i];
        er_slice value = {0};
        if (!captured(record, match, one->name, &value)) {
            er_finding_add(ask->check, "answer", about->entry, about->member, "%s has no capture %.*s",
                           about->noun, ER_SHOWN(one->name));
        } else if (!er_slice_equal(value, one->value)) {
            er_finding_add(ask->check, "answer", about->entry, about->member,
                           "%s captures %.*s \"%.*s\", not \"%.*s\"", about->noun, ER_SHOWN(one->name),
                           ER_SHOWN(value), ER_SHOWN(one->value));
        }
    }
    for (uint32_t i = 0; i < match->capture_count; i++) {
        uint32_t group = match->captures[i].group;
        bool named = group >= 1 && group <= record->capture_count;
        for (size_t j = 0; named && j < wanted->count; j++) {
            if (er_slice_equal(wanted->at[j].name, record->capture_names[group - 1])) {
                named = false;
            }
        }
        if (named) {
            er_finding_add(ask->check, "answer", about->entry, about->member,
                           "%s also captures %.*s \"%.*s\"", about->noun,
                           ER_SHOWN(record->capture_names[group - 1]), ER_SHOWN(match->captures[i].value));
        }
    }
}

static bool explain(asker *ask, const question *about, const er_query *query, er_explanation *out)
{
    er_status status = er_explain(ask->matcher, ask->scratch, query, out);
    if (status == ER_TOO_LARGE) {
        tell(ask, about, "is too long to be explained", (er_slice){"", 0});
    } else if (status != ER_OK) {
        ask->check->status = status;
    }
    return status == ER_OK;
}

/* Whether a record of another repo won a draw only. */
static bool is_foreign_tie(const asker *ask, const question *about, const er_explanation *answer)
{
    return answer->match.status == ER_MATCH_AMBIGUOUS && about->query.repo.len == 0 &&
           !er_slice_equal(ask->rules[answer->match.rule].repo, about->entry->record->repo);
}

/* `wanted` NULL: any captures. */
static void check_answer(asker *ask, const question *about, const expectation *wanted)
{
    er_explanation answer;
    if (!explain(ask, about, &about->query, &answer)) {
        return;
    }
    if (answer.found && ask->entries[answer.match.rule] != about->entry &&
        is_foreign_tie(ask, about, &answer)) {
        er_query within = about->query;
        within.repo = about->entry->record->repo;
        if (!explain(ask, about, &within, &answer)) {
            return;
        }
    }
    if (!answer.found) {
        tell(ask, about, "is answered by no record", (er_slice){"", 0});
    } else if (ask->entries[answer.match.rule] != about->entry) {
        tell_winner(ask, about, ask->entries[answer.match.rule]->record);
    } else if (wanted != NULL) {
        check_captures(ask, about, &answer.match, wanted);
    }
}

static void check_cause(asker *ask, const question *about, const expectation *wanted)
{
    er_explanation answer;
    if (!explain(ask, about, &about->query, &answer)) {
        return;
    }
    for (uint32_t i = 0; answer.found && i < answer.cause_count; i++) {
        if (ask->entries[answer.causes[i].rule] == about->entry) {
            check_captures(ask, about, &answer.causes[i], wanted);
            return;
        }
    }
    tell(ask, about, "does not have this record among its causes", (er_slice){"", 0});
}

/* ---- The sample message ---- */

typedef struct placeholder_list {
    er_buffer *text;
    size_t count;
    const char *end; /* of the last one, in the message */
    bool adjacent;   /* two without text between: where one value ends can not be known */
} placeholder_list;

static void add_placeholder(void *context, er_slice placeholder)
{
    placeholder_list *list = context;
    list->adjacent = list->adjacent || (list->count > 0 && placeholder.at == list->end);
    list->end = placeholder.at + placeholder.len;
    list->count++;
    er_buffer_add(list->text, placeholder);
    er_buffer_add_char(list->text, '\n');
}

/*
 * The values that the sample has: of a message that is its placeholders alone, a line each.
 * False where the pattern is finer than the rule, whose groups are the author's.
 */
static bool expect_sample(asker *ask, const er_record *record, er_buffer *lines, expectation *out)
{
    er_buffer text;
    er_buffer_start(&text, ER_RECORD_MAX_TEXT * 2);
    placeholder_list list = {.text = &text};
    er_rule_pattern(record->message, &text);
    bool by_rule = er_slice_equal(er_buffer_slice(&text), record->pattern);
    bool whole = text.status == ER_OK; /* clearing it forgets */
    er_buffer_clear(&text);
    er_rule_placeholders(er_slice_trim(record->message), add_placeholder, &list);
    er_buffer_clear(lines);
    er_rule_sample(er_buffer_slice(&text), lines);
    bool good = by_rule && !list.adjacent && list.count == record->capture_count;
    whole = whole && text.status == ER_OK && lines->status == ER_OK;
    er_buffer_free(&text);
    if (!whole) {
        ask->check->status = ER_NO_MEMORY;
        return false;
    }
    size_t at = 0;
    for (out->count = 0; good && out->count < record->capture_count; out->count++) {
        size_t end = at;
        while (end < lines->len && lines->at[end] != '\n') {
            end++;
        }
        er_slice value = er_slice_of(lines->at + at, end - at);
        if (value.len > 2 && value.at[0] == '"') { /* of %q, whose quotes are outside the group */
            value = er_slice_sub(value, 1, value.len - 1);
        }
        out->at[out->count] = (expected){record->capture_names[out->count], value};
        at = end + 1;
    }
    return good;
}

static void check_sample(asker *ask, const er_entry *entry)
{
    const er_record *record = entry->record;
    er_buffer *text = &ask->check->scratch;
    expectation wanted;
    er_buffer_clear(text);
    er_rule_sample(record->message, text);
    if (record->code.len > 0) {
        er_buffer_format(text, " (%.*s)", (int)record->code.len, record->code.at);
    }
    bool known = expect_sample(ask, record, &ask->decoded, &wanted);
    er_slice sample = {"", 0};
    if (!er_check_scratch(ask->check, &sample)) {
        return;
    }
    question about = {.entry = entry,
                      .member = "record.errorMessage",
                      .noun = "the sample message",
                      .query = {.text = sample, .limit = 1}};
    if (ask->check->status == ER_OK) {
        check_answer(ask, &about, known ? &wanted : NULL);
    }
}

/* ---- Examples ---- */

static void read_captures(er_check *check, er_slice object, expectation *out)
{
    er_json json;
    er_slice key, value;
    out->count = 0;
    er_json_start(&json, object, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (out->count < ER_RECORD_MAX_CAPTURES && er_json_object_next(&json, &key) &&
           er_json_skip(&json, &value)) {
        er_slice quoted = er_slice_of(key.at - 1, key.len + 2);
        out->at[out->count++] = (expected){er_entry_text(check, quoted), er_entry_text(check, value)};
    }
}

static void check_example(asker *ask, const er_entry *entry, er_slice example, size_t index)
{
    char member[64];
    er_check *check = ask->check;
    expectation wanted = {.count = 0};
    er_request request;
    er_fault fault;
    er_slice captures = er_entry_member(example, "captures");
    er_slice line = er_entry_text(check, er_entry_member(example, "line"));
    (void)snprintf(member, sizeof(member), "guide.examples[%zu].line", index);
    question about = {.entry = entry, .member = member, .noun = "this line"};
    if (captures.at != NULL) {
        read_captures(check, captures, &wanted);
    }
    er_status status = er_request_parse(line, &ask->decoded, &request, &fault);
    if (status == ER_NO_MEMORY || check->status != ER_OK) {
        check->status = ER_NO_MEMORY;
        return;
    }
    if (status != ER_OK) {
        tell(ask, &about, "is a request that is refused: ", er_slice_string(fault.reason));
        return;
    }
    about.query = request.query;
    if (er_slice_is(er_entry_text(check, er_entry_member(example, "as")), "cause")) {
        check_cause(ask, &about, &wanted);
    } else {
        check_answer(ask, &about, &wanted);
    }
}

static void check_entry(asker *ask, const er_entry *entry)
{
    er_json json;
    er_slice example;
    size_t index = 0;
    check_sample(ask, entry);
    if (entry->guide[ER_GUIDE_EXAMPLES].at == NULL) {
        return;
    }
    er_json_start(&json, entry->guide[ER_GUIDE_EXAMPLES], ER_JSON_MAX_DEPTH);
    er_json_array_begin(&json);
    while (ask->check->status == ER_OK && er_json_array_next(&json) && er_json_skip(&json, &example)) {
        check_example(ask, entry, example, index++);
    }
}

void er_check_answers(er_check *check)
{
    asker ask = {.check = check};
    er_buffer_start(&ask.decoded, 4 * (size_t)ER_RECORD_MAX_TEXT);
    check->status = build(&ask);
    for (size_t i = 0; i < ask.count && check->status == ER_OK; i++) {
        if (ask.entries[i]->record->has_guide) {
            check_entry(&ask, ask.entries[i]);
        }
    }
    er_scratch_free(&ask.scratch);
    er_matcher_free(&ask.matcher);
    er_buffer_free(&ask.decoded);
}
