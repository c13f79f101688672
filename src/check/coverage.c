/*
 * coverage.c - the messages of the source beside the records.
 *
 * A message is all places of a repo with the same id. It is covered when a record has
 * that id by the rule, or when each of its places stands in some record's alsoAt.
 */
#include "base/memory.h"
#include "catalog/rules.h"
#include "check/site.h"

#include <stdio.h>
#include <stdlib.h>

/* An entry by the id that the rule gives its message: a foreign id says nothing here. */
typedef struct known {
    er_slice repo;
    char id[ER_ID_LEN + 1];
    const er_entry *entry;
} known;

typedef struct covering {
    er_check *check;
    er_place_list by_message, by_line; /* the same places in two orders */
    er_place_list also_at;             /* of all records, by line; ids empty */
    known *known;
    er_coverage_row *files; /* as many as there are messages at most */
    er_uncovered *uncovered;
} covering;

static er_slice id_of(const known *one)
{
    return er_slice_of(one->id, strlen(one->id));
}

static int known_order(const void *a, const void *b)
{
    const known *left = a;
    const known *right = b;
    int by = er_slice_compare(left->repo, right->repo);
    return by != 0 ? by : strcmp(left->id, right->id);
}

static const er_entry *find_entry(const covering *cover, const er_place *place)
{
    known wanted = {.repo = place->repo};
    (void)snprintf(wanted.id, sizeof(wanted.id), "%.*s", (int)place->id.len, place->id.at);
    if (place->id.len != ER_ID_LEN || cover->check->count == 0) {
        return NULL;
    }
    const known *found = bsearch(&wanted, cover->known, cover->check->count, sizeof(wanted), known_order);
    return found != NULL ? found->entry : NULL;
}

/* "path:line"; false where it is not that. */
static bool read_place(er_slice text, er_slice repo, er_place *out)
{
    size_t colon = text.len;
    while (colon > 0 && text.at[colon - 1] != ':') {
        colon--;
    }
    unsigned long line = 0;
    for (size_t i = colon; i < text.len && line < 100000000; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
        line = line * 10 + (unsigned long)(text.at[i] - '0');
    }
    *out = (er_place){.repo = repo, .line = (unsigned)line};
    out->path = colon > 0 ? er_slice_sub(text, 0, colon - 1) : (er_slice){"", 0};
    out->id = (er_slice){"", 0};
    return colon > 1 && line > 0;
}

static er_place own_place(er_check *check, const er_entry *entry)
{
    er_slice line = entry->member[ER_MEMBER_LINE_NUMBER];
    char digits[16];
    (void)snprintf(digits, sizeof(digits), "%.*s", (int)line.len, line.at);
    return (er_place){.repo = entry->record->repo,
                      .path = er_entry_text(check, entry->member[ER_MEMBER_FILE_PATH]),
                      .id = {"", 0},
                      .line = (unsigned)strtoul(digits, NULL, 10)};
}

/* The first place of a list in line order that is not before `wanted`; ids are not looked at. */
static const er_place *find_line(const er_place_list *list, const er_place *wanted)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (er_place_by_line(&list->at[middle], wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < list->count ? &list->at[low] : NULL;
}

static bool same_line(const er_place *a, const er_place *b)
{
    return a != NULL && a->line == b->line && er_slice_equal(a->path, b->path) &&
           er_slice_equal(a->repo, b->repo);
}

static bool is_listed(const er_place_list *list, const er_place *place)
{
    er_place wanted = *place;
    wanted.id = (er_slice){"", 0};
    return same_line(find_line(list, &wanted), &wanted);
}

/* ---- Preparing ---- */

static void add_also_at(covering *cover, const er_entry *entry)
{
    er_texts texts = er_entry_texts(cover->check, entry->guide[ER_GUIDE_ALSO_AT]);
    er_place_list *list = &cover->also_at;
    for (size_t i = 0; i < texts.count; i++) {
        if (er_check_grow(cover->check, (void **)&list->at, &list->capacity, list->count,
                          sizeof(*list->at))) {
            list->count += read_place(texts.at[i], entry->record->repo, &list->at[list->count]);
        }
    }
}

static void prepare(covering *cover)
{
    er_check *check = cover->check;
    size_t places = cover->by_message.count;
    cover->known = er_check_take(check, check->count * sizeof(*cover->known));
    cover->files = er_check_take(check, places * sizeof(*cover->files));
    cover->uncovered = er_check_take(check, places * sizeof(*cover->uncovered));
    cover->by_line.at = er_alloc((places > 0 ? places : 1) * sizeof(*cover->by_line.at));
    if (check->status != ER_OK || cover->by_line.at == NULL) {
        check->status = ER_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < check->count && check->status == ER_OK; i++) {
        const er_entry *entry = &check->entries[i];
        const er_record *record = entry->record;
        cover->known[i] = (known){.repo = record->repo, .entry = entry};
        if (er_rule_id(record->repo, record->message, record->code, cover->known[i].id) != ER_OK) {
            check->status = ER_NO_MEMORY;
        }
        if (entry->guide[ER_GUIDE_ALSO_AT].at != NULL) {
            add_also_at(cover, entry);
        }
    }
    if (places > 0) {
        qsort(cover->by_message.at, places, sizeof(er_place), er_place_by_message);
        memcpy(cover->by_line.at, cover->by_message.at, places * sizeof(er_place));
        cover->by_line.count = places;
        qsort(cover->by_line.at, places, sizeof(er_place), er_place_by_line);
    }
    if (check->count > 0) {
        qsort(cover->known, check->count, sizeof(*cover->known), known_order);
    }
    if (cover->also_at.count > 0) {
        qsort(cover->also_at.at, cover->also_at.count, sizeof(er_place), er_place_by_line);
    }
}

/* ---- Counting ---- */

static void count_row(er_coverage_row *row, bool covered)
{
    row->messages++;
    row->covered += covered;
}

static void count_message(covering *cover, const er_place *places, size_t count)
{
    er_coverage *total = &cover->check->coverage;
    er_severity worst = ER_INFO;
    bool listed = true;
    for (size_t i = 0; i < count; i++) {
        worst = places[i].severity > worst ? places[i].severity : worst;
        listed = listed && is_listed(&cover->also_at, &places[i]);
    }
    bool covered = listed || find_entry(cover, places) != NULL;
    count_row(&total->all, covered);
    count_row(&total->severities[worst], covered);
    cover->files[total->file_count] = (er_coverage_row){places->repo, places->path, 1, covered};
    total->file_count++;
    if (!covered) {
        cover->uncovered[total->uncovered_count++] =
            (er_uncovered){places->repo, places->path, places->id, places->message, places->line, worst};
    }
}

static int file_order(const void *a, const void *b)
{
    const er_coverage_row *left = a;
    const er_coverage_row *right = b;
    int by = er_slice_compare(left->repo, right->repo);
    return by != 0 ? by : er_slice_compare(left->name, right->name);
}

static int uncovered_order(const void *a, const void *b)
{
    const er_uncovered *left = a;
    const er_uncovered *right = b;
    int by = er_slice_compare(left->repo, right->repo);
    by = by != 0 ? by : er_slice_compare(left->path, right->path);
    by = by != 0 ? by : (left->line > right->line) - (left->line < right->line);
    return by != 0 ? by : er_slice_compare(left->id, right->id);
}

/* Until here there is a row for each message; those of a file become one. */
static void join_files(covering *cover)
{
    er_coverage *total = &cover->check->coverage;
    size_t kept = 0;
    if (total->file_count > 0) {
        qsort(cover->files, total->file_count, sizeof(*cover->files), file_order);
    }
    for (size_t i = 0; i < total->file_count; i++) {
        er_coverage_row *last = kept > 0 ? &cover->files[kept - 1] : NULL;
        if (last != NULL && file_order(last, &cover->files[i]) == 0) {
            last->messages += cover->files[i].messages;
            last->covered += cover->files[i].covered;
        } else {
            cover->files[kept++] = cover->files[i];
        }
    }
    total->file_count = kept;
}

static void count_all(covering *cover)
{
    er_coverage *total = &cover->check->coverage;
    const er_place_list *list = &cover->by_message;
    for (size_t i = 0; i <= ER_FATAL; i++) {
        total->severities[i].name = er_slice_string(er_severity_name((er_severity)i));
    }
    for (size_t from = 0; from < list->count;) {
        size_t to = from + 1;
        while (to < list->count && er_slice_equal(list->at[to].id, list->at[from].id) &&
               er_slice_equal(list->at[to].repo, list->at[from].repo)) {
            to++;
        }
        count_message(cover, &list->at[from], to - from);
        from = to;
    }
    join_files(cover);
    if (total->uncovered_count > 0) {
        qsort(cover->uncovered, total->uncovered_count, sizeof(*cover->uncovered), uncovered_order);
    }
    total->files = cover->files;
    total->uncovered = cover->uncovered;
}

/* ---- Records beside the source ---- */

static bool has_repo(const er_place_list *by_line, er_slice repo)
{
    const er_place wanted = {.repo = repo, .path = {"", 0}, .id = {"", 0}};
    const er_place *found = find_line(by_line, &wanted);
    return found != NULL && er_slice_equal(found->repo, repo);
}

/* Where the message of the entry is: a place in the file that the record names before others, or NULL. */
static const er_place *find_message(const covering *cover, const known *one, const er_place *own,
                                    bool *at_own)
{
    const er_place wanted = {.repo = one->repo, .path = {"", 0}, .id = id_of(one)};
    const er_place_list *list = &cover->by_message;
    const er_place *best = NULL;
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (er_place_by_message(&list->at[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *at_own = false;
    for (; low < list->count && er_slice_equal(list->at[low].id, wanted.id) &&
           er_slice_equal(list->at[low].repo, wanted.repo);
         low++) {
        const er_place *place = &list->at[low];
        bool nearer = best == NULL ||
                      (er_slice_equal(place->path, own->path) && !er_slice_equal(best->path, own->path));
        best = nearer ? place : best;
        *at_own = *at_own || same_line(place, own);
    }
    return best;
}

static void check_moved(covering *cover, const known *one)
{
    er_check *check = cover->check;
    const er_entry *entry = one->entry;
    er_place own = own_place(check, entry);
    bool at_own;
    const er_place *place = find_message(cover, one, &own, &at_own);
    if (place != NULL && !at_own) {
        er_finding_add(check, "moved", entry, "record.lineNumber",
                       "names %.*s:%u, and the message stands at %.*s:%u", ER_SHOWN(own.path), own.line,
                       ER_SHOWN(place->path), place->line);
    } else if (place == NULL && entry->record->last_release.len == 0) {
        const er_place *there = find_line(&cover->by_line, &own);
        if (same_line(there, &own)) {
            er_finding_add(check, "gone", entry, "record.errorMessage",
                           "is not in the source any more; at %.*s:%u stands: %.*s", ER_SHOWN(own.path),
                           own.line, ER_SHOWN(there->message));
        } else {
            er_finding_add(check, "gone", entry, "record.errorMessage", "is not in the source any more");
        }
    }
}

static void check_also_at(covering *cover, const er_entry *entry)
{
    char member[64];
    er_place place;
    er_texts texts = er_entry_texts(cover->check, entry->guide[ER_GUIDE_ALSO_AT]);
    for (size_t i = 0; i < texts.count; i++) {
        if (read_place(texts.at[i], entry->record->repo, &place) && !is_listed(&cover->by_line, &place)) {
            (void)snprintf(member, sizeof(member), "guide.alsoAt[%zu]", i);
            er_finding_add(cover->check, "moved", entry, member, "no message stands at %.*s",
                           ER_SHOWN(texts.at[i]));
        }
    }
}

er_status er_check_cover(er_check *check, const char *sites, er_fault *fault)
{
    covering all = {.check = check};
    er_status status = er_places_read(check, sites, &all.by_message, fault);
    if (status != ER_OK) {
        goto done;
    }
    prepare(&all);
    if (check->status == ER_OK) {
        count_all(&all);
        check->has_coverage = true;
    }
    for (size_t i = 0; i < check->count && check->status == ER_OK; i++) {
        const known *one = &all.known[i];
        if (one->entry->record->has_guide && has_repo(&all.by_line, one->repo)) {
            check_moved(&all, one);
            check_also_at(&all, one->entry);
        }
    }
done:
    er_free(all.by_message.at);
    er_free(all.by_line.at);
    er_free(all.also_at.at);
    return status;
}
