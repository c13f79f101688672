/* sentence.c - a sentence that stands in many records says nothing about any of them. */
#include "base/memory.h"
#include "check/entry.h"

#include <stdlib.h>

#define LEAST_WORDS 4 /* shorter ones may well be the same */

typedef struct sentence {
    uint64_t hash; /* of the text without letter case and with single blanks */
    er_slice text; /* as it stands */
    const er_entry *entry;
} sentence;

typedef struct sentence_list {
    sentence *at;
    size_t count, capacity;
} sentence_list;

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next character in the form that is compared, from `at` on; 0 at the end. */
static char next_character(er_slice text, size_t *at)
{
    if (*at >= text.len) {
        return '\0';
    }
    char c = text.at[(*at)++];
    if (!is_blank(c)) {
        return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    while (*at < text.len && is_blank(text.at[*at])) {
        (*at)++;
    }
    return ' ';
}

/* Compares what next_character gives; FNV-1a over the same is the hash. */
static bool same_text(er_slice a, er_slice b)
{
    size_t at_a = 0, at_b = 0;
    char left, right;
    do {
        left = next_character(a, &at_a);
        right = next_character(b, &at_b);
    } while (left == right && left != '\0');
    return left == right;
}

static void add_sentence(er_check *check, sentence_list *list, const er_entry *entry, er_slice text)
{
    sentence one = {UINT64_C(0xcbf29ce484222325), er_slice_trim(text), entry};
    size_t at = 0, words = 1;
    for (char c; (c = next_character(one.text, &at)) != '\0';) {
        words += c == ' ';
        one.hash = (one.hash ^ (unsigned char)c) * UINT64_C(0x100000001b3);
    }
    if (words >= LEAST_WORDS &&
        er_check_grow(check, (void **)&list->at, &list->capacity, list->count, sizeof(one))) {
        list->at[list->count++] = one;
    }
}

/* A sentence ends at . ! or ? before a blank, at a line's end, or with the text; the
   sign at its end is no part of it. */
static void add_text(er_check *check, sentence_list *list, const er_entry *entry, er_slice text)
{
    size_t from = 0;
    for (size_t i = 0; i <= text.len; i++) {
        bool end = i == text.len || text.at[i] == '\n';
        if (!end && strchr(".!?", text.at[i]) != NULL) {
            end = i + 1 == text.len || is_blank(text.at[i + 1]);
        }
        if (end) {
            add_sentence(check, list, entry, er_slice_sub(text, from, i));
            from = i < text.len ? i + 1 : i;
        }
    }
}

static void add_entry(er_check *check, sentence_list *list, const er_entry *entry)
{
    static const er_member texts[] = {ER_MEMBER_DOCUMENTATION, ER_MEMBER_TRIGGER_SCENARIOS,
                                      ER_MEMBER_COMMON_SITUATIONS};
    static const er_member lists[] = {ER_MEMBER_SOLUTIONS, ER_MEMBER_PREVENTION_TIPS};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        add_text(check, list, entry, er_entry_text(check, entry->member[texts[i]]));
    }
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        er_texts all = er_entry_texts(check, entry->member[lists[i]]);
        for (size_t j = 0; j < all.count; j++) {
            add_text(check, list, entry, all.at[j]);
        }
    }
}

static int sentence_order(const void *a, const void *b)
{
    const sentence *left = a;
    const sentence *right = b;
    if (left->hash != right->hash) {
        return left->hash < right->hash ? -1 : 1;
    }
    return (left->entry > right->entry) - (left->entry < right->entry);
}

/* A run of equal sentences; those of one record stand together. */
static void report_run(er_check *check, const sentence *run, size_t count)
{
    size_t records = 1;
    for (size_t i = 1; i < count; i++) {
        records += run[i].entry != run[i - 1].entry;
    }
    for (size_t i = 0; records > ER_CHECK_REPEATS && i < count; i++) {
        if (i == 0 || run[i].entry != run[i - 1].entry) {
            er_finding_add(check, "template", run[i].entry, "", "the sentence \"%.*s\" stands in %zu records",
                           ER_SHOWN(run[i].text), records);
        }
    }
}

void er_check_sentences(er_check *check)
{
    sentence_list list = {0};
    for (size_t i = 0; i < check->count; i++) {
        if (check->entries[i].record->has_guide) {
            add_entry(check, &list, &check->entries[i]);
        }
    }
    if (list.count > 0) {
        qsort(list.at, list.count, sizeof(*list.at), sentence_order);
    }
    for (size_t from = 0; from < list.count;) {
        size_t to = from + 1;
        while (to < list.count && list.at[to].hash == list.at[from].hash &&
               same_text(list.at[to].text, list.at[from].text)) {
            to++;
        }
        report_run(check, list.at + from, to - from);
        from = to;
    }
    er_free(list.at);
}
