#include "extract/catalog_files.h"

#include "base/json.h"
#include "base/memory.h"
#include "extract/skeleton.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_PATH  2048
#define MOST_EDITS 512

static er_status system_fault(er_fault *fault, const char *path)
{
    er_fault_set(fault, ER_SYSTEM, "%s", strerror(errno));
    er_fault_file(fault, path);
    return ER_SYSTEM;
}

static er_status make_folders(char *path, er_fault *fault)
{
    for (char *at = path + 1; *at != '\0'; at++) {
        if (*at != '/') {
            continue;
        }
        *at = '\0';
        int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        er_status status = failed ? system_fault(fault, path) : ER_OK;
        *at = '/';
        if (status != ER_OK) {
            return status;
        }
    }
    return ER_OK;
}

static bool write_whole(int fd, er_slice bytes)
{
    while (bytes.len > 0) {
        ssize_t done = write(fd, bytes.at, bytes.len);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return false;
        }
        bytes = er_slice_sub(bytes, (size_t)done, bytes.len);
    }
    return true;
}

/* Through a file beside it, so that nobody ever sees half a record. */
static er_status write_file(const char *path, er_slice bytes, bool fresh, er_fault *fault)
{
    char part[MOST_PATH + 8];
    snprintf(part, sizeof(part), "%s.part", path);
    if (fresh && access(path, F_OK) == 0) {
        errno = EEXIST;
        return system_fault(fault, path);
    }
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        return system_fault(fault, part);
    }
    bool good = write_whole(fd, bytes);
    good = close(fd) == 0 && good;
    if (!good || rename(part, path) != 0) {
        er_status status = system_fault(fault, path);
        unlink(part);
        return status;
    }
    return ER_OK;
}

/* --- new files ------------------------------------------------------------------------ */

typedef struct adding {
    const char *folder;
    const er_records *records;
    const er_pin *pin;
    er_table taken; /* slugs given in this run */
    er_arena arena;
    uint32_t *same; /* by message: the one whose record it belongs to */
} adding;

static bool is_taken(const adding *to, er_slice slug)
{
    return er_table_get(&to->records->slugs, (er_key){to->pin->repo, slug}) != ER_TABLE_NONE ||
           er_table_get(&to->taken, (er_key){slug, {0}}) != ER_TABLE_NONE;
}

static er_status free_slug(adding *to, const er_message *message, er_slice *slug)
{
    er_buffer made;
    er_buffer_start(&made, 512);
    er_rule_slug(message->text, message->error_class, &made);
    size_t len = made.len;
    for (unsigned number = 2; made.status == ER_OK && is_taken(to, er_buffer_slice(&made)); number++) {
        made.len = len;
        er_buffer_format(&made, "-%u", number);
    }
    *slug = er_arena_copy(&to->arena, er_buffer_slice(&made));
    er_status status = made.status;
    er_buffer_free(&made);
    if (status == ER_OK && slug->at == NULL) {
        status = ER_NO_MEMORY;
    }
    return status == ER_OK ? er_table_put(&to->taken, (er_key){*slug, {0}}, 0) : status;
}

/* A slug and a source path hold nothing that leads out of the folder: slugs by their rule,
   paths because the tree was walked, or listed by git, without "..". */
static er_status add_file(adding *to, const er_message *message, er_slice slug, er_fault *fault)
{
    const er_pin *pin = to->pin;
    const er_site *site = &pin->program->sites[message->first_site];
    er_slice source = pin->program->inputs[site->input].path;
    char path[MOST_PATH];
    int len = snprintf(path, sizeof(path), "%s/%.*s/%.*s/%.*s.json", to->folder, (int)pin->repo.len,
                       pin->repo.at, (int)source.len, source.at, (int)slug.len, slug.at);
    if (len < 0 || (size_t)len >= sizeof(path)) {
        return er_fault_set(fault, ER_TOO_LARGE, "the path of a new file is too long");
    }
    er_buffer bytes;
    er_buffer_start(&bytes, (size_t)1 << 20);
    er_skeleton one = {pin->program,
                       message,
                       pin->repo,
                       pin->sha,
                       slug,
                       pin->analyzed_at,
                       pin->versions != NULL ? &pin->versions[site->message] : NULL,
                       to->same};
    er_skeleton_write(&bytes, &one);
    er_status status =
        bytes.status != ER_OK ? er_fault_set(fault, bytes.status, "a new file is too large") : ER_OK;
    if (status == ER_OK) {
        status = make_folders(path, fault);
    }
    if (status == ER_OK) {
        status = write_file(path, er_buffer_slice(&bytes), true, fault);
    }
    er_buffer_free(&bytes);
    return status;
}

/* The text as it is compared: in lower case, without outer blanks. */
static er_slice folded(er_arena *arena, er_slice text)
{
    er_slice trimmed = er_slice_trim(text);
    char *out = er_arena_take(arena, trimmed.len + 1);
    for (size_t i = 0; i < trimmed.len && out != NULL; i++) {
        char c = trimmed.at[i];
        out[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return out != NULL ? er_slice_of(out, trimmed.len) : (er_slice){0};
}

/* Whether the second is the better one to hold the record of a text. */
static bool goes_before(const er_message *held, const er_message *other)
{
    if ((held->code.len > 0) != (other->code.len > 0)) {
        return other->code.len > 0;
    }
    return held->code.len == 0 && other->site_count > held->site_count;
}

#define OF_RECORD (ER_TABLE_NONE - 1) /* the text is that of a record that was there before */

static er_status find_holders(adding *to, er_table *holders)
{
    const er_program *program = to->pin->program;
    er_status status = ER_OK;
    for (size_t i = 0; i < to->records->count && status == ER_OK; i++) {
        er_slice key = folded(&to->arena, to->records->items[i].message);
        status = key.at != NULL ? er_table_put(holders, (er_key){key, to->records->items[i].repo}, OF_RECORD)
                                : ER_NO_MEMORY;
    }
    for (size_t i = 0; i < program->message_count && status == ER_OK; i++) {
        er_slice key = folded(&to->arena, program->messages[i].text);
        er_key place = {key, to->pin->repo};
        uint32_t held = key.at != NULL ? er_table_get(holders, place) : ER_TABLE_NONE;
        if (key.at == NULL) {
            status = ER_NO_MEMORY;
        } else if (held == ER_TABLE_NONE ||
                   (held != OF_RECORD && goes_before(&program->messages[held], &program->messages[i]))) {
            status = er_table_put(holders, place, (uint32_t)i);
        }
    }
    return status;
}

/* Fills to->same. A code is always a record of its own. */
static er_status find_same(adding *to)
{
    const er_program *program = to->pin->program;
    er_table holders;
    er_table_start(&holders);
    to->same = er_alloc((program->message_count + 1) * sizeof(uint32_t));
    er_status status = to->same != NULL ? find_holders(to, &holders) : ER_NO_MEMORY;
    for (size_t i = 0; i < program->message_count && status == ER_OK; i++) {
        er_slice key = folded(&to->arena, program->messages[i].text);
        bool own = program->messages[i].code.len > 0 || key.at == NULL;
        to->same[i] = own ? (uint32_t)i : er_table_get(&holders, (er_key){key, to->pin->repo});
    }
    er_table_free(&holders);
    return status;
}

static er_status add_files(adding *to, size_t *written, size_t *repeats, er_fault *fault)
{
    const er_pin *pin = to->pin;
    er_status status = ER_OK;
    for (size_t i = 0; i < pin->program->message_count && status == ER_OK; i++) {
        const er_message *message = &pin->program->messages[i];
        er_slice slug;
        if ((pin->only != NULL && !pin->only[i]) ||
            er_records_cover(to->records, pin->sha, pin->program, message)) {
            continue;
        }
        if (to->same[i] != i) {
            ++*repeats;
            continue;
        }
        status = free_slug(to, message, &slug);
        if (status != ER_OK) {
            return er_fault_set(fault, status, "no memory for the new files");
        }
        status = add_file(to, message, slug, fault);
        *written += status == ER_OK;
    }
    return status;
}

er_status er_catalog_add(const char *folder, const er_records *records, const er_pin *pin, size_t *written,
                         size_t *repeats, er_fault *fault)
{
    adding to = {.folder = folder, .records = records, .pin = pin};
    er_table_start(&to.taken);
    er_arena_start(&to.arena);
    *written = *repeats = 0;
    er_status status = find_same(&to);
    if (status == ER_OK) {
        status = add_files(&to, written, repeats, fault);
    } else {
        er_fault_set(fault, status, "no memory for the new files");
    }
    er_free(to.same);
    er_table_free(&to.taken);
    er_arena_free(&to.arena);
    return status;
}

/* --- records that are pinned anew ------------------------------------------------------ */

static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static const er_site *nearest_site(const er_pin *pin, const er_message *message, const er_kept *kept)
{
    const er_site *best = &pin->program->sites[message->first_site];
    bool same_file = false;
    for (uint32_t i = 0; i < message->site_count; i++) {
        const er_site *site = &pin->program->sites[message->first_site + i];
        if (!er_slice_equal(pin->program->inputs[site->input].path, kept->file_path)) {
            continue;
        }
        if (!same_file || distance(site->line, kept->line) < distance(best->line, kept->line)) {
            best = site;
            same_file = true;
        }
    }
    return best;
}

typedef struct edit {
    er_span span;
    er_slice text;
} edit;

static int compare_edits(const void *a, const void *b)
{
    const edit *left = a, *right = b;
    return (left->span.from > right->span.from) - (left->span.from < right->span.from);
}

static void apply(er_buffer *out, er_slice content, edit *edits, size_t count)
{
    uint32_t at = 0;
    qsort(edits, count, sizeof(edit), compare_edits);
    for (size_t i = 0; i < count; i++) {
        if (edits[i].span.to == 0) {
            continue; /* the member is absent */
        }
        er_buffer_add(out, er_slice_sub(content, at, edits[i].span.from));
        er_buffer_add(out, edits[i].text);
        at = edits[i].span.to;
    }
    er_buffer_add(out, er_slice_sub(content, at, content.len));
}

/* What changes in one file. The texts live in the arena until it is written. */
typedef struct edits {
    const er_pin *pin;
    er_places *places;
    er_arena arena;
    edit items[MOST_EDITS];
    size_t count;
    er_status status; /* ER_NO_MEMORY, sticky */
} edits;

static void add_edit(edits *to, er_span span, const er_buffer *text)
{
    er_slice copy = er_arena_copy(&to->arena, er_buffer_slice(text));
    if (text->status != ER_OK || copy.at == NULL) {
        to->status = text->status != ER_OK ? text->status : ER_NO_MEMORY;
    } else if (to->count < MOST_EDITS) {
        to->items[to->count++] = (edit){span, copy};
    }
}

static void edit_record(edits *to, const er_kept *kept, const er_site *site)
{
    const er_pin *pin = to->pin;
    er_slice path = pin->program->inputs[site->input].path;
    er_buffer text, url;
    er_buffer_start(&text, 8192);
    er_buffer_start(&url, 4096);
    er_json_write(&text, path);
    add_edit(to, kept->at_file_path, &text);
    er_buffer_clear(&text);
    er_buffer_add_uint(&text, site->line);
    add_edit(to, kept->at_line, &text);
    er_buffer_clear(&text);
    er_rule_url(pin->repo, pin->sha, path, site->line, 0, &url);
    er_json_write(&text, er_buffer_slice(&url));
    add_edit(to, kept->at_url, &text);
    er_buffer_clear(&text);
    er_json_write(&text, pin->sha);
    add_edit(to, kept->at_sha, &text);
    er_buffer_free(&text);
    er_buffer_free(&url);
}

/* "server/store.go:12", between its quotes; false where it has another form. */
static bool read_place(er_slice place, er_slice *path, uint32_t *line)
{
    size_t colon = place.len;
    while (colon > 0 && place.at[colon - 1] != ':') {
        colon--;
    }
    *line = 0;
    for (size_t i = colon; i < place.len; i++) {
        if (place.at[i] < '0' || place.at[i] > '9' || i - colon > 8) {
            return false;
        }
        *line = *line * 10 + (uint32_t)(place.at[i] - '0');
    }
    *path = er_slice_sub(place, 0, colon > 0 ? colon - 1 : 0);
    return path->len > 0 && *line > 0 && memchr(place.at, '\\', place.len) == NULL;
}

static void edit_places(edits *to, const er_kept *kept)
{
    er_json json;
    er_slice content = er_buffer_slice(&kept->content), raw, path;
    uint32_t line = 0;
    er_json_start(&json, er_slice_sub(content, kept->at_also.from, kept->at_also.to), 4);
    er_json_array_begin(&json);
    while (to->status == ER_OK && er_json_array_next(&json) && er_json_string(&json, &raw)) {
        const er_site *site = NULL;
        if (!read_place(raw, &path, &line)) {
            continue;
        }
        to->status = er_places_find(to->places, kept->sha, path, line, &site);
        if (site != NULL) {
            uint32_t from = (uint32_t)(raw.at - content.at);
            er_buffer text;
            er_buffer_start(&text, 4096);
            er_json_write_inside(&text, to->pin->program->inputs[site->input].path);
            er_buffer_format(&text, ":%u", site->line);
            add_edit(to, (er_span){from, from + (uint32_t)raw.len}, &text);
            er_buffer_free(&text);
        }
    }
}

static er_status collect_edits(edits *to, const er_message *message, const er_kept *kept)
{
    const er_site *site = NULL;
    er_status status = er_places_find(to->places, kept->sha, kept->file_path, kept->line, &site);
    if (status != ER_OK) {
        return status;
    }
    bool own = site != NULL && &to->pin->program->messages[site->message] == message;
    edit_record(to, kept, own ? site : nearest_site(to->pin, message, kept));
    if (to->status == ER_OK && kept->at_also.to > 0) {
        edit_places(to, kept);
    }
    return to->status;
}

static er_status pin_record(edits *to, const er_message *message, const er_kept *kept, bool *changed,
                            er_fault *fault)
{
    er_buffer out;
    er_buffer_start(&out, (size_t)1 << 20);
    er_arena_start(&to->arena);
    to->count = 0;
    to->status = ER_OK;
    er_status status = collect_edits(to, message, kept);
    if (status == ER_OK) {
        apply(&out, er_buffer_slice(&kept->content), to->items, to->count);
        status = out.status;
    }
    if (status != ER_OK) {
        er_fault_set(fault, status, "the record is too large");
        er_fault_file(fault, kept->path);
    }
    *changed = status == ER_OK && !er_slice_equal(er_buffer_slice(&out), er_buffer_slice(&kept->content));
    if (*changed) {
        status = write_file(kept->path, er_buffer_slice(&out), false, fault);
    }
    er_arena_free(&to->arena);
    er_buffer_free(&out);
    return status;
}

/* A record with a foreign id is found by its message and code. */
static const er_message *message_of(const er_pin *pin, const er_kept *kept, const er_table *by_text)
{
    uint32_t at = er_table_get(by_text, (er_key){kept->message, kept->code});
    return at != ER_TABLE_NONE ? &pin->program->messages[at] : NULL;
}

er_status er_catalog_update(const er_records *records, const er_pin *pin, er_places *places, size_t *changed,
                            size_t *gone, er_fault *fault)
{
    er_table by_text;
    er_table_start(&by_text);
    edits *to = er_calloc(1, sizeof(*to));
    er_status status = to != NULL ? ER_OK : ER_NO_MEMORY;
    *changed = *gone = 0;
    for (size_t i = 0; i < pin->program->message_count && status == ER_OK; i++) {
        const er_message *message = &pin->program->messages[i];
        status = er_table_put(&by_text, (er_key){message->text, message->code}, (uint32_t)i);
    }
    if (status != ER_OK) {
        er_fault_set(fault, status, "no memory for the messages");
    } else {
        to->pin = pin;
        to->places = places;
    }
    for (size_t i = 0; i < records->count && status == ER_OK; i++) {
        const er_kept *kept = &records->items[i];
        if (!er_slice_equal(kept->repo, pin->repo)) {
            continue;
        }
        const er_message *message = message_of(pin, kept, &by_text);
        bool moved = false;
        if (message == NULL) {
            ++*gone;
        } else {
            status = pin_record(to, message, kept, &moved, fault);
            *changed += moved;
        }
    }
    er_table_free(&by_text);
    er_free(to);
    return status;
}
