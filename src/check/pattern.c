/* pattern.c - the pattern by itself: it compiles, takes its own message, and meets no limit. */
#include "match/pattern.h"
#include "base/memory.h"
#include "catalog/rules.h"
#include "check/entry.h"
#include "match/regex.h"

#include <stdio.h>

#define MAX_SEED  256u /* bytes of its own text that are repeated */
#define MAX_HEADS 8u   /* groups that are led into */

typedef struct pattern_room {
    er_regex_room *regex;
    er_piece_pool pool;
    char *hostile; /* ER_CHECK_HOSTILE bytes */
} pattern_room;

static void check_captures(er_check *check, const er_entry *entry)
{
    const er_record *record = entry->record;
    char member[64];
    if (entry->guide[ER_GUIDE_CAPTURE_NAMES].at != NULL && record->capture_count != entry->groups) {
        er_finding_add(check, "captures", entry, "guide.captureNames",
                       "names %u groups, and messagePattern has %u", record->capture_count, entry->groups);
    }
    for (uint32_t i = 0; i < record->capture_count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (er_slice_equal(record->capture_names[i], record->capture_names[j])) {
                (void)snprintf(member, sizeof(member), "guide.captureNames[%u]", i);
                er_finding_add(check, "captures", entry, member, "\"%.*s\" stands there twice",
                               ER_SHOWN(record->capture_names[i]));
                break;
            }
        }
    }
}

/* Its own message with values filled in, all of it. */
static void check_sample(er_check *check, const er_entry *entry, const pattern_room *room)
{
    size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
    er_regex *regex = NULL;
    er_buffer_clear(&check->scratch);
    er_rule_sample(entry->record->message, &check->scratch);
    er_slice sample;
    if (!er_check_scratch(check, &sample)) {
        return;
    }
    check->status = er_regex_compile(&regex, entry->record->pattern, false, true, NULL);
    if (check->status != ER_OK) {
        return;
    }
    er_regex_outcome outcome = er_regex_match(regex, room->regex, sample, 0, sample.len, spans);
    if (outcome != ER_REGEX_MATCH || spans[0] != 0 || spans[1] != sample.len) {
        er_finding_add(check, "pattern", entry, "record.messagePattern",
                       "does not match its own message with sample values: %.*s", ER_SHOWN(sample));
    }
    er_regex_free(&regex);
}

/* A head, then a run of the seed; ends in a sign that nothing takes, so that what wants the end is
   not found at once. */
static er_slice make_hostile(const pattern_room *room, er_slice head, er_slice seed)
{
    size_t used = head.len < ER_CHECK_HOSTILE / 2 ? head.len : 0;
    memcpy(room->hostile, head.at, used);
    for (size_t i = used; i < ER_CHECK_HOSTILE; i++) {
        room->hostile[i] = seed.at[(i - used) % seed.len];
    }
    room->hostile[ER_CHECK_HOSTILE - 1] = '!';
    return er_slice_of(room->hostile, ER_CHECK_HOSTILE);
}

typedef struct trial {
    const er_regex *regex;
    const pattern_room *room;
    er_buffer *text; /* for heads */
    er_slice message;
    er_status status;
    unsigned heads;
    const char *met; /* which text met the limit; NULL while none did */
} trial;

static void try_text(trial *one, er_slice head, er_slice seed, const char *name)
{
    size_t spans[2 * (ER_MATCH_MAX_GROUPS + 1)];
    if (one->met == NULL && seed.len > 0) {
        er_slice text = make_hostile(one->room, head, seed);
        if (er_regex_match(one->regex, one->room->regex, text, 0, text.len, spans) == ER_REGEX_LIMIT) {
            one->met = name;
        }
    }
}

static void try_runs(trial *one, er_slice head)
{
    static const struct {
        const char *seed, *name;
    } runs[] = {{"a", "a letter repeated"},
                {"0123456789", "digits"},
                {" ", "blanks"},
                {"a ", "letters and blanks"},
                {"\"'", "quotes"}};
    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        try_text(one, head, er_slice_string(runs[i].seed), runs[i].name);
    }
}

/* What stands before a placeholder, with values, leads into its group. */
static void try_placeholder(void *context, er_slice placeholder)
{
    trial *one = context;
    if (one->heads++ >= MAX_HEADS || one->met != NULL) {
        return;
    }
    er_buffer message;
    er_buffer_start(&message, ER_RECORD_MAX_TEXT + 1);
    er_buffer_add(&message, er_slice_of(one->message.at, (size_t)(placeholder.at - one->message.at)));
    er_buffer_add_char(&message, '|'); /* a sample has no outer blanks; this one's matter */
    er_buffer_clear(one->text);
    er_rule_sample(er_buffer_slice(&message), one->text);
    if (message.status != ER_OK || one->text->status != ER_OK) {
        one->status = ER_NO_MEMORY;
    } else {
        try_runs(one, er_slice_of(one->text->at, one->text->len - 1));
    }
    er_buffer_free(&message);
}

/* The texts that make a pattern try again and again: its own beginnings repeated, and runs of
   one kind, by themselves and where each of its groups begins. */
static void find_limit(trial *one)
{
    const er_slice none = {"", 0};
    er_buffer_clear(one->text);
    er_rule_sample(one->message, one->text);
    if (one->text->status != ER_OK) {
        one->status = one->text->status;
        return;
    }
    er_slice sample = er_buffer_slice(one->text);
    size_t len = sample.len < MAX_SEED ? sample.len : MAX_SEED;
    try_text(one, none, er_slice_sub(sample, 0, len), "its own text repeated");
    try_text(one, none, er_slice_sub(sample, 0, len / 2), "the first half of its text repeated");
    try_text(one, none, er_slice_sub(sample, 0, len / 4), "the first words of its text repeated");
    try_runs(one, none);
    er_rule_placeholders(one->message, try_placeholder, one);
}

/*
 * A pattern of the rule alone is matched in linear time without a limit; what is finer
 * is compiled here as the matcher compiles it, and tried with the same limits.
 */
static void check_limits(er_check *check, const er_entry *entry, pattern_room *room)
{
    er_pattern parsed;
    check->status = er_pattern_parse(entry->record->pattern, &room->pool, &parsed);
    if (check->status != ER_OK || !parsed.regex) {
        return;
    }
    trial one = {.room = room, .text = &check->scratch, .message = er_slice_trim(entry->record->message)};
    for (int caseless = 0; caseless < 2 && one.met == NULL && check->status == ER_OK; caseless++) {
        er_regex *regex = NULL;
        check->status = er_regex_compile(&regex, entry->record->pattern, caseless == 1, parsed.any_end, NULL);
        if (check->status == ER_OK) {
            one.regex = regex;
            one.heads = 0;
            find_limit(&one);
            check->status = one.status;
        }
        er_regex_free(&regex);
    }
    if (one.met != NULL) {
        er_finding_add(check, "limit", entry, "record.messagePattern",
                       "meets a match limit on %zu bytes of hostile text (%s)", ER_CHECK_HOSTILE, one.met);
    }
}

static void check_entry(er_check *check, er_entry *entry, pattern_room *room)
{
    er_fault fault;
    er_status status = er_pattern_check(entry->record->pattern, &entry->groups, &fault);
    entry->compiles = status == ER_OK;
    if (status == ER_NO_MEMORY) {
        check->status = status;
    } else if (status != ER_OK) {
        er_finding_add(check, "pattern", entry, "record.messagePattern", "%s (at byte %zu of it)",
                       fault.reason, fault.offset == ER_FAULT_NOWHERE ? 0 : fault.offset);
    } else if (entry->record->has_guide) {
        check_captures(check, entry);
        check_sample(check, entry, room);
        if (check->status == ER_OK) {
            check_limits(check, entry, room);
        }
    }
}

void er_check_patterns(er_check *check)
{
    pattern_room room = {0};
    er_piece_pool_start(&room.pool);
    room.hostile = er_alloc(ER_CHECK_HOSTILE);
    check->status = er_regex_room_new(&room.regex);
    if (room.hostile == NULL) {
        check->status = ER_NO_MEMORY;
    }
    for (size_t i = 0; i < check->count && check->status == ER_OK; i++) {
        check_entry(check, &check->entries[i], &room);
    }
    er_free(room.hostile);
    er_regex_room_free(&room.regex);
    er_piece_pool_free(&room.pool);
}
