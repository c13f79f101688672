/* identity.c - what follows by rule, or from other members: id, slug, link, place, versions. */
#include "catalog/rules.h"
#include "check/entry.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_LINE 9u /* digits of a line number that are read */

/* A number of decimal digits without leading zeros, from the beginning; its length, 0 for none. */
static size_t read_number(er_slice text, unsigned *value)
{
    size_t len = 0;
    *value = 0;
    while (len < text.len && len < MAX_LINE && text.at[len] >= '0' && text.at[len] <= '9') {
        *value = *value * 10 + (unsigned)(text.at[len++] - '0');
    }
    return len > 1 && text.at[0] == '0' ? 0 : len;
}

static bool is_true(er_slice value)
{
    return er_slice_is(value, "true");
}

static void check_id(er_check *check, const er_entry *entry)
{
    const er_record *record = entry->record;
    char id[ER_ID_LEN + 1];
    if (er_rule_id(record->repo, record->message, record->code, id) != ER_OK) {
        check->status = ER_NO_MEMORY;
        return;
    }
    bool follows = er_slice_is(record->id, id);
    if (is_true(entry->guide[ER_GUIDE_FOREIGN_ID])) {
        if (follows) {
            er_finding_add(check, "id", entry, "guide.foreignId", "the id follows the rule: leave it out");
        }
    } else if (!follows) {
        er_finding_add(check, "id", entry, "record.id", "the rule gives %s", id);
    }
}

/* The slug of the rule, or that and a number from 2 on. */
static bool slug_fits(er_slice slug, er_slice rule)
{
    unsigned number;
    if (!er_slice_starts(slug, rule)) {
        return false;
    }
    er_slice rest = er_slice_sub(slug, rule.len, slug.len);
    if (rest.len == 0) {
        return true;
    }
    er_slice digits = er_slice_sub(rest, 1, rest.len);
    return rest.at[0] == '-' && digits.len > 0 && read_number(digits, &number) == digits.len && number >= 2;
}

static void check_slug(er_check *check, const er_entry *entry)
{
    const er_record *record = entry->record;
    er_buffer_clear(&check->scratch);
    er_rule_slug(record->message, record->error_class, &check->scratch);
    er_slice rule;
    if (er_check_scratch(check, &rule) && !slug_fits(record->slug, rule)) {
        er_finding_add(check, "slug", entry, "record.slug", "the rule gives %.*s", (int)rule.len, rule.at);
    }
}

static unsigned line_of(const er_entry *entry)
{
    unsigned line;
    read_number(entry->member[ER_MEMBER_LINE_NUMBER], &line);
    return line;
}

/* The last line of the link may be nearer where the file ends. */
static void check_url(er_check *check, const er_entry *entry)
{
    unsigned line = line_of(entry), to = 0;
    er_slice sha = er_entry_text(check, entry->member[ER_MEMBER_ANALYZED_SHA]);
    er_slice path = er_entry_text(check, entry->member[ER_MEMBER_FILE_PATH]);
    er_slice url = er_entry_text(check, entry->member[ER_MEMBER_GITHUB_URL]);
    er_slice whole;
    er_buffer *rule = &check->scratch;
    er_buffer_clear(rule);
    er_rule_url(entry->record->repo, sha, path, line, 0, rule);
    if (!er_check_scratch(check, &whole)) {
        return;
    }
    size_t fixed = rule->len;
    while (rule->at[fixed - 1] != 'L') {
        fixed--;
    }
    bool good = er_slice_starts(url, er_slice_of(rule->at, fixed));
    if (good) {
        er_slice last = er_slice_sub(url, fixed, url.len);
        good =
            last.len > 0 && read_number(last, &to) == last.len && to >= line && to <= line + ER_SOURCE_LINES;
    }
    if (!good) {
        er_finding_add(check, "url", entry, "record.githubUrl", "the rule gives %.*s", (int)rule->len,
                       rule->at);
    }
}

static bool ends_in_path(er_slice whole, er_slice path)
{
    return whole.len >= path.len &&
           er_slice_equal(er_slice_sub(whole, whole.len - path.len, whole.len), path) &&
           (whole.len == path.len || whole.at[whole.len - path.len - 1] == '/');
}

/* Below the catalog's folder the path is exact; without one, as much of it as was given. */
static void check_place(er_check *check, const er_entry *entry)
{
    const er_record *record = entry->record;
    er_slice path = er_entry_text(check, entry->member[ER_MEMBER_FILE_PATH]);
    er_buffer *rule = &check->scratch;
    er_buffer_clear(rule);
    er_buffer_format(rule, "%.*s/%.*s/%.*s.json", (int)record->repo.len, record->repo.at, (int)path.len,
                     path.at, (int)record->slug.len, record->slug.at);
    er_slice wanted;
    er_slice file = record->file;
    if (record->line > 0 || !er_check_scratch(check, &wanted)) {
        return; /* in a bundle */
    }
    bool good = ends_in_path(file, wanted);
    if (check->root != NULL && er_slice_starts(file, er_slice_string(check->root))) {
        size_t at = strlen(check->root);
        while (at < file.len && file.at[at] == '/') {
            at++;
        }
        good = er_slice_equal(er_slice_sub(file, at, file.len), wanted);
    } else if (!good) {
        good = ends_in_path(wanted, file);
    }
    if (!good) {
        er_finding_add(check, "place", entry, "", "the file's place in the catalog must be %.*s",
                       (int)wanted.len, wanted.at);
    }
}

/* Releases are compared by their numbers; what is none was told by its form. */
static int compare_releases(er_slice a, er_slice b)
{
    for (;;) {
        unsigned left = 0, right = 0;
        if (a.len == 0 || b.len == 0) {
            return 0;
        }
        a = er_slice_sub(a, 1, a.len); /* the v, then a dot */
        b = er_slice_sub(b, 1, b.len);
        size_t from_a = read_number(a, &left), from_b = read_number(b, &right);
        if (from_a == 0 || from_b == 0 || left != right) {
            return (left > right) - (left < right);
        }
        a = er_slice_sub(a, from_a, a.len);
        b = er_slice_sub(b, from_b, b.len);
    }
}

static void check_versions(er_check *check, const er_entry *entry)
{
    er_slice first = entry->record->first_release, last = entry->record->last_release;
    if (last.len > 0 && first.len == 0) {
        er_finding_add(check, "versions", entry, "guide.versions.first",
                       "must be a release where there is a last one");
    } else if (first.len > 0 && last.len > 0 && compare_releases(first, last) > 0) {
        er_finding_add(check, "versions", entry, "guide.versions", "first is %.*s, which is after last, %.*s",
                       ER_SHOWN(first), ER_SHOWN(last));
    }
}

static void check_verified(er_check *check, const er_entry *entry)
{
    er_slice verified = entry->guide[ER_GUIDE_VERIFIED];
    if (verified.at == NULL) {
        return;
    }
    er_slice how = er_entry_text(check, er_entry_member(verified, "how"));
    bool has_release = er_entry_text(check, er_entry_member(verified, "release")).len > 0;
    if (er_slice_is(how, "run") && !has_release) {
        er_finding_add(check, "verified", entry, "guide.verified.release",
                       "must name the release that it was run with");
    } else if (er_slice_is(how, "read") && has_release) {
        er_finding_add(check, "verified", entry, "guide.verified.release",
                       "must be null where the code was only read");
    }
}

static void check_also_at(er_check *check, const er_entry *entry)
{
    char member[64];
    er_texts places = er_entry_texts(check, entry->guide[ER_GUIDE_ALSO_AT]);
    er_slice path = er_entry_text(check, entry->member[ER_MEMBER_FILE_PATH]);
    er_buffer *own = &check->scratch;
    er_buffer_clear(own);
    er_buffer_format(own, "%.*s:%u", (int)path.len, path.at, line_of(entry));
    er_slice own_place;
    if (!er_check_scratch(check, &own_place)) {
        return;
    }
    for (size_t i = 0; i < places.count; i++) {
        (void)snprintf(member, sizeof(member), "guide.alsoAt[%zu]", i);
        if (er_slice_equal(places.at[i], own_place)) {
            er_finding_add(check, "also-at", entry, member, "is the record's own place");
        }
        for (size_t j = 0; j < i; j++) {
            if (er_slice_equal(places.at[i], places.at[j])) {
                er_finding_add(check, "also-at", entry, member, "stands there twice");
                break;
            }
        }
    }
}

void er_check_identity(er_check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        const er_entry *entry = &check->entries[i];
        if (entry->record->has_guide) {
            check_id(check, entry);
            check_slug(check, entry);
            check_url(check, entry);
            check_place(check, entry);
            check_versions(check, entry);
            check_verified(check, entry);
            check_also_at(check, entry);
        }
    }
}
