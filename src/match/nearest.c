#include "match/nearest.h"

#include "base/memory.h"

#include "base/ascii.h"
#include <math.h>
#include <stdlib.h>

#define WORD_LEAST    3u
#define WORDS_OF_TEXT 200u  /* of a text that are looked up */
#define COMMON_SHARE  8u    /* a word in more than 1/8 of all messages says nothing */
#define POSTINGS_MOST 4000u /* nor one in more messages than this, in a large catalog */
#define SHARE_LEAST   0.55f /* of the weight of a record's words */
#define TEXT_LEAST    0.30f /* and of the weight of the text's words */

typedef struct word {
    uint32_t hash;
    uint32_t first, count; /* in postings */
} word;

struct er_nearest {
    word *words; /* in the order of their hash */
    uint32_t word_count;
    uint32_t *postings; /* rules */
    float *totals;      /* weight of all words of a rule; 0 for fewer than two */
    uint32_t count;
    size_t memory;
};

typedef struct occurrence {
    uint32_t hash, rule;
} occurrence;

/* The next word of `text` from *at on, as a hash of its lower-case letters; false at the end. */
static bool next_word(er_slice text, size_t *at, uint32_t *hash)
{
    while (*at < text.len) {
        while (*at < text.len && !er_is_alpha((unsigned char)text.at[*at]) && text.at[*at] != '%' &&
               text.at[*at] != '{')
            ++*at;
        if (*at < text.len && text.at[*at] == '{') { /* a named placeholder is no word */
            while (*at < text.len && text.at[*at] != '}' && !er_is_blank((unsigned char)text.at[*at]))
                ++*at;
            continue;
        }
        if (*at < text.len && text.at[*at] == '%') { /* nor is the verb of another */
            ++*at;
            while (*at < text.len && !er_is_alpha((unsigned char)text.at[*at]) &&
                   !er_is_blank((unsigned char)text.at[*at]))
                ++*at;
            ++*at;
            continue;
        }
        size_t start = *at;
        uint32_t h = 2166136261u;
        for (; *at < text.len && er_is_alpha((unsigned char)text.at[*at]); ++*at)
            h = (h ^ (uint32_t)er_to_lower((unsigned char)text.at[*at])) * 16777619u;
        if (*at - start >= WORD_LEAST) {
            *hash = h;
            return true;
        }
    }
    return false;
}

static int by_hash(const void *a, const void *b)
{
    const occurrence *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static float weight_of(const er_nearest *nearest, const word *w)
{
    return logf(1.0f + (float)nearest->count / (float)w->count);
}

static bool common(const er_nearest *nearest, const word *w)
{
    return w->count > POSTINGS_MOST || (nearest->count >= 64 && w->count > nearest->count / COMMON_SHARE);
}

static const word *find_word(const er_nearest *nearest, uint32_t hash)
{
    uint32_t low = 0, high = nearest->word_count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (nearest->words[mid].hash < hash)
            low = mid + 1;
        else
            high = mid;
    }
    return low < nearest->word_count && nearest->words[low].hash == hash ? &nearest->words[low] : NULL;
}

/* Sorted occurrences become words and postings; a word that a message repeats counts once. */
static er_status fill(er_nearest *nearest, const occurrence *list, size_t total)
{
    nearest->postings = er_alloc((total + 1) * sizeof *nearest->postings);
    nearest->words = er_alloc((total + 1) * sizeof *nearest->words);
    if (!nearest->postings || !nearest->words)
        return ER_NO_MEMORY;
    uint32_t postings = 0;
    for (size_t i = 0; i < total; i++) {
        if (i > 0 && list[i].hash == list[i - 1].hash && list[i].rule == list[i - 1].rule)
            continue;
        if (i == 0 || list[i].hash != list[i - 1].hash)
            nearest->words[nearest->word_count++] = (word){list[i].hash, postings, 0};
        nearest->postings[postings++] = list[i].rule;
        nearest->words[nearest->word_count - 1].count++;
    }
    word *fit = er_realloc(nearest->words, (nearest->word_count + 1) * sizeof *fit);
    nearest->words = fit ? fit : nearest->words;
    uint32_t *several = er_calloc(nearest->count + 1, sizeof *several);
    if (!several)
        return ER_NO_MEMORY;
    for (uint32_t w = 0; w < nearest->word_count; w++)
        for (uint32_t i = 0; i < nearest->words[w].count; i++) {
            uint32_t rule = nearest->postings[nearest->words[w].first + i];
            nearest->totals[rule] += weight_of(nearest, &nearest->words[w]);
            several[rule]++;
        }
    for (uint32_t r = 0; r < nearest->count; r++)
        if (several[r] < 2)
            nearest->totals[r] = 0;
    er_free(several);
    nearest->memory = sizeof *nearest + (nearest->word_count + 1) * sizeof *nearest->words +
                      (total + 1) * sizeof *nearest->postings +
                      (nearest->count + 1) * sizeof *nearest->totals;
    return ER_OK;
}

er_status er_nearest_build(er_nearest **out, const er_rule *rules, uint32_t count)
{
    er_nearest *nearest = er_calloc(1, sizeof *nearest);
    occurrence *list = NULL;
    size_t total = 0, at;
    uint32_t hash;
    er_status status = ER_NO_MEMORY;
    if (!nearest)
        goto done;
    nearest->count = count;
    nearest->totals = er_calloc(count + 1u, sizeof *nearest->totals);
    for (uint32_t r = 0; r < count; r++)
        for (at = 0; next_word(rules[r].message, &at, &hash);)
            total++;
    list = er_alloc((total + 1) * sizeof *list);
    if (!nearest->totals || !list)
        goto done;
    total = 0;
    for (uint32_t r = 0; r < count; r++)
        for (at = 0; next_word(rules[r].message, &at, &hash);)
            list[total++] = (occurrence){hash, r};
    qsort(list, total, sizeof *list, by_hash);
    status = fill(nearest, list, total);
done:
    er_free(list);
    if (status != ER_OK)
        er_nearest_free(&nearest);
    *out = nearest;
    return status;
}

void er_nearest_free(er_nearest **nearest)
{
    if (*nearest) {
        er_free((*nearest)->words);
        er_free((*nearest)->postings);
        er_free((*nearest)->totals);
    }
    er_free(*nearest);
    *nearest = NULL;
}

size_t er_nearest_memory(const er_nearest *nearest)
{
    return nearest->memory;
}

/* Puts a suggestion where it belongs in a short sorted list. */
static uint32_t insert(er_suggestion *list, uint32_t count, uint32_t most, er_suggestion s,
                       const er_rule *rules)
{
    uint32_t at = count;
    while (at > 0 && (list[at - 1].confidence < s.confidence ||
                      (list[at - 1].confidence <= s.confidence &&
                       er_slice_compare(rules[s.rule].id, rules[list[at - 1].rule].id) < 0)))
        at--;
    if (at == most)
        return count;
    count += count < most;
    for (uint32_t i = count - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = s;
    return count;
}

static bool seen_before(const uint32_t *hashes, uint32_t count, uint32_t hash)
{
    for (uint32_t i = 0; i < count; i++)
        if (hashes[i] == hash)
            return true;
    return false;
}

uint32_t er_nearest_find(const er_nearest *nearest, const er_rule *rules, er_slice text, er_slice repo,
                         er_nearest_room room, er_suggestion *out, uint32_t most)
{
    uint32_t hashes[WORDS_OF_TEXT], words = 0, touched = 0, count = 0, hash;
    float weight = 0; /* of the text; a word that no message has weighs as one that one message has */
    for (size_t at = 0; words < WORDS_OF_TEXT && next_word(text, &at, &hash);) {
        if (seen_before(hashes, words, hash))
            continue;
        hashes[words++] = hash;
        const word *w = find_word(nearest, hash);
        weight += w ? weight_of(nearest, w) : logf(1.0f + (float)nearest->count);
        if (!w || common(nearest, w))
            continue;
        for (uint32_t i = 0; i < w->count; i++) {
            uint32_t rule = nearest->postings[w->first + i];
            if (room.scores[rule] <= 0.0f)
                room.touched[touched++] = rule;
            room.scores[rule] += weight_of(nearest, w);
        }
    }
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t rule = room.touched[i];
        float share = nearest->totals[rule] > 0 ? room.scores[rule] / nearest->totals[rule] : 0;
        if (most && share >= SHARE_LEAST && room.scores[rule] >= TEXT_LEAST * weight &&
            (repo.len == 0 || er_slice_equal(repo, rules[rule].repo)))
            count =
                insert(out, count, most, (er_suggestion){rule, 0.5 * (double)(share > 1 ? 1 : share)}, rules);
        room.scores[rule] = 0;
        room.touched[i] = 0;
    }
    return count;
}
