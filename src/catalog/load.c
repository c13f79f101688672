/* load.c - reads the files of a catalog into records. */
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "catalog/build.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* A window on a bundle holds the longest line and a piece more; pieces are small
   enough that what was read is still in the processor's cache when it is parsed. */
#define PIECE  ((size_t)256 << 10)
#define WINDOW ((size_t)ER_CATALOG_MAX_FILE + 2 * PIECE)

er_status er_loading_report(er_loading *loading, const er_fault *fault)
{
    bool last = fault->status == ER_NO_MEMORY;
    if (loading->fault != NULL && (loading->first == ER_OK || last)) {
        *loading->fault = *fault;
    }
    const er_catalog_options *options = loading->options;
    if (options == NULL || options->faults == NULL || last) {
        return fault->status;
    }
    options->faults(options->context, fault);
    if (loading->first == ER_OK) {
        loading->first = fault->status;
    }
    return ER_OK;
}

static er_status out_of_memory(er_loading *loading)
{
    er_fault fault;
    er_fault_set(&fault, ER_NO_MEMORY, "out of memory");
    er_fault_file(&fault, loading->file.at);
    return er_loading_report(loading, &fault);
}

/* ---- From a document to a record ---- */

/* The values of the members in `json`, which is compact: mostly the document was too,
   and then they stand at the same places. */
static void find_members(er_slice json, const er_document *document, er_slice member[ER_MEMBER_COUNT])
{
    if (document->compact) {
        for (size_t i = 0; i < ER_MEMBER_COUNT; i++) {
            size_t at = (size_t)(document->member[i].at - document->record.at);
            member[i] = er_slice_sub(json, at, at + document->member[i].len);
        }
        return;
    }
    er_json reader;
    er_slice key, value;
    er_member which;
    er_json_start(&reader, json, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&reader);
    while (er_json_object_next(&reader, &key) && er_json_skip(&reader, &value)) {
        if (er_member_parse(key, &which)) {
            member[which] = value;
        }
    }
}

static bool is_null(er_slice value)
{
    return value.at[0] == 'n';
}

/* A text, empty where it is null. */
static er_status decode(er_catalog *catalog, er_slice value, er_slice *out)
{
    *out = (er_slice){value.at, 0};
    if (is_null(value)) {
        return ER_OK;
    }
    *out = er_text_decode(er_document_inside(value), &catalog->arena);
    return out->at ? ER_OK : ER_NO_MEMORY;
}

static er_status decode_members(er_catalog *catalog, const er_slice member[ER_MEMBER_COUNT],
                                er_record *record)
{
    const struct {
        er_member member;
        er_slice *out;
    } all[] = {{ER_MEMBER_ID, &record->id},
               {ER_MEMBER_REPO, &record->repo},
               {ER_MEMBER_SLUG, &record->slug},
               {ER_MEMBER_ERROR_CODE, &record->code},
               {ER_MEMBER_ERROR_MESSAGE, &record->message},
               {ER_MEMBER_MESSAGE_PATTERN, &record->pattern},
               {ER_MEMBER_ERROR_CLASS, &record->error_class}};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (decode(catalog, member[all[i].member], all[i].out) != ER_OK) {
            return ER_NO_MEMORY;
        }
    }
    return ER_OK;
}

/* The digits of a fraction go on for ever as zeros; otherwise times order as bytes do. */
static int compare_times(er_slice a, er_slice b)
{
    for (size_t i = 0; i < a.len || i < b.len; i++) {
        char left = i < a.len && a.at[i] >= '0' ? a.at[i] : '0';
        char right = i < b.len && b.at[i] >= '0' ? b.at[i] : '0';
        left = left == 'Z' ? '0' : left;
        right = right == 'Z' ? '0' : right;
        if (left != right) {
            return left < right ? -1 : 1;
        }
    }
    return 0;
}

static void note_time(er_loading *loading, er_slice value)
{
    if (!is_null(value)) {
        er_slice time = er_document_inside(value);
        if (loading->newest.len == 0 || compare_times(loading->newest, time) < 0) {
            loading->newest = time;
        }
    }
}

/* Moves what the scratch buffer holds into the arena. */
static er_status keep(er_loading *loading, er_slice *out)
{
    if (loading->scratch.status != ER_OK) {
        return loading->scratch.status;
    }
    *out = er_arena_copy(&loading->catalog->arena, er_buffer_slice(&loading->scratch));
    return out->at ? ER_OK : ER_NO_MEMORY;
}

static er_status build_json(er_loading *loading, const er_document *document, er_record *record)
{
    if (document->compact) {
        record->json = er_arena_copy(&loading->catalog->arena, document->record);
        return record->json.at ? ER_OK : ER_NO_MEMORY;
    }
    er_buffer_clear(&loading->scratch);
    er_json_write_compact(&loading->scratch, document->record);
    return keep(loading, &record->json);
}

static er_status build_guide(er_loading *loading, const er_document *document, er_loaded *loaded)
{
    er_record *record = &loaded->record;
    record->has_guide = document->guide.at != NULL;
    if (!record->has_guide) {
        return ER_OK;
    }
    er_guide_places places;
    er_buffer_clear(&loading->scratch);
    er_guide_compact(document->guide, &loading->scratch, &places);
    er_status status = keep(loading, &record->guide_json);
    if (status != ER_OK) {
        return status;
    }
    size_t at = places.at[ER_GUIDE_RELATED];
    loaded->related = er_slice_sub(record->guide_json, at, at + places.len[ER_GUIDE_RELATED]);
    er_slice commands = er_slice_sub(record->guide_json, places.at[ER_GUIDE_COMMANDS],
                                     places.at[ER_GUIDE_COMMANDS] + places.len[ER_GUIDE_COMMANDS]);
    status = er_guide_decode(record, &places, &loading->catalog->arena);
    for (uint32_t i = 0; i < record->command_count && record->commands_json.len == 0; i++) {
        er_slice command = record->commands[i].command;
        if (memchr(command.at, '{', command.len)) {
            record->commands_json = commands;
        }
    }
    return status;
}

static er_status build_record(er_loading *loading, const er_document *document, er_loaded *loaded)
{
    er_record *record = &loaded->record;
    er_slice member[ER_MEMBER_COUNT];
    if (build_json(loading, document, record) != ER_OK) {
        return ER_NO_MEMORY;
    }
    find_members(record->json, document, member);
    if (decode_members(loading->catalog, member, record) != ER_OK) {
        return ER_NO_MEMORY;
    }
    note_time(loading, member[ER_MEMBER_ANALYZED_AT]);
    note_time(loading, member[ER_MEMBER_CONTENT_CHANGED_AT]);
    record->severity = document->severity;
    record->type = document->type;
    if (document->dataset_version.at != NULL) {
        er_slice copy = er_arena_copy(&loading->catalog->arena, document->dataset_version);
        record->dataset_version = copy.at ? er_text_decode(copy, &loading->catalog->arena) : copy;
        if (record->dataset_version.at == NULL) {
            return ER_NO_MEMORY;
        }
    }
    return build_guide(loading, document, loaded);
}

static er_status make_room(er_loading *loading)
{
    if (loading->count < loading->capacity) {
        return ER_OK;
    }
    size_t capacity = loading->capacity ? loading->capacity * 2 : 64;
    er_loaded *grown = er_realloc(loading->records, capacity * sizeof(*grown));
    if (grown == NULL) {
        return ER_NO_MEMORY;
    }
    loading->records = grown;
    loading->capacity = capacity;
    return ER_OK;
}

static void place_fault(const er_loading *loading, er_fault *fault, size_t offset, uint32_t line)
{
    er_fault_file(fault, loading->file.at);
    er_fault_offset(fault, offset);
    if (line > 0 && fault->record[0] == '\0') {
        char name[32];
        int length = snprintf(name, sizeof(name), "line %u", line);
        er_fault_record(fault, name, (size_t)length);
    }
}

static er_status too_many(er_loading *loading)
{
    er_fault fault;
    er_fault_set(&fault, ER_TOO_LARGE, "the catalog has more than %u records", ER_CATALOG_MAX_RECORDS);
    er_fault_file(&fault, loading->file.at);
    er_status status = er_loading_report(loading, &fault);
    return status != ER_OK ? status : ER_TOO_LARGE;
}

static er_status give_guide(const er_loading *loading, const er_document *document, const er_loaded *loaded)
{
    const er_catalog_options *options = loading->options;
    bool wanted = options != NULL && options->guides != NULL && document->guide.at != NULL;
    return wanted ? options->guides(options->context, &loaded->record, document->guide) : ER_OK;
}

/* `text` begins at `offset` of the current file; `line` is 0 for a file of its own. */
static er_status load_document(er_loading *loading, er_slice text, size_t offset, uint32_t line)
{
    er_document document;
    er_fault fault;
    if (er_document_read(&document, text, &fault) != ER_OK) {
        place_fault(loading, &fault, offset + fault.offset, line);
        return er_loading_report(loading, &fault);
    }
    if (loading->count == ER_CATALOG_MAX_RECORDS) {
        return too_many(loading);
    }
    if (make_room(loading) != ER_OK) {
        return out_of_memory(loading);
    }
    er_loaded *loaded = &loading->records[loading->count];
    *loaded = (er_loaded){.record = {.file = loading->file, .line = line}};
    loaded->id_at = offset + (size_t)(document.member[ER_MEMBER_ID].at - text.at);
    loaded->slug_at = offset + (size_t)(document.member[ER_MEMBER_SLUG].at - text.at);
    if (build_record(loading, &document, loaded) != ER_OK ||
        give_guide(loading, &document, loaded) != ER_OK) {
        return out_of_memory(loading);
    }
    loading->count++;
    return ER_OK;
}

/* ---- From a bundle to documents ---- */

typedef struct bundle_reader {
    int fd;
    bool end;
    bool skipping; /* the rest of a line that was refused as too long */
    uint32_t line;
    size_t offset; /* of the window, in the file */
} bundle_reader;

static er_status load_line(er_loading *loading, bundle_reader *bundle, er_slice text, size_t offset)
{
    if (er_slice_trim(text).len == 0) {
        return ER_OK;
    }
    if (text.len > ER_CATALOG_MAX_FILE) {
        er_fault fault;
        er_fault_set(&fault, ER_TOO_LARGE, "the line has more than %u bytes", ER_CATALOG_MAX_FILE);
        place_fault(loading, &fault, offset, bundle->line);
        return er_loading_report(loading, &fault);
    }
    return load_document(loading, text, offset, bundle->line);
}

/* Reads what the window has of whole lines, and keeps the rest at its beginning. */
static er_status load_window(er_loading *loading, bundle_reader *bundle)
{
    er_slice window = er_buffer_slice(&loading->document);
    size_t at = 0;
    er_status status = ER_OK;
    while (status == ER_OK && at < window.len) {
        const char *feed = memchr(window.at + at, '\n', window.len - at);
        size_t end = feed ? (size_t)(feed - window.at) : window.len;
        bool too_long = feed == NULL && end - at > ER_CATALOG_MAX_FILE;
        if (feed == NULL && !bundle->end && !too_long && !bundle->skipping) {
            break;
        }
        if (!bundle->skipping) {
            status = load_line(loading, bundle, er_slice_sub(window, at, end), bundle->offset + at);
        }
        bundle->skipping = feed == NULL;
        bundle->line += feed != NULL && bundle->line < UINT32_MAX;
        at = feed ? end + 1 : end;
    }
    memmove(loading->document.at, window.at + at, window.len - at);
    loading->document.len -= at;
    bundle->offset += at;
    return status;
}

static er_status fill_window(er_loading *loading, bundle_reader *bundle)
{
    er_buffer *window = &loading->document;
    er_fault fault;
    size_t count = 0;
    char *room = er_buffer_reserve(window, PIECE);
    if (room == NULL) {
        return out_of_memory(loading);
    }
    er_status status = er_file_read_piece(bundle->fd, loading->file.at, room, PIECE, &count, &fault);
    window->len += count;
    if (status == ER_OK && bundle->offset + window->len > ER_CATALOG_MAX_BUNDLE) {
        status = er_fault_set(&fault, ER_TOO_LARGE, "is larger than the limit of %zu bytes",
                              ER_CATALOG_MAX_BUNDLE);
        er_fault_file(&fault, loading->file.at);
    }
    bundle->end = count == 0 || status != ER_OK;
    return status == ER_OK ? ER_OK : er_loading_report(loading, &fault);
}

static er_status load_bundle(er_loading *loading, int fd)
{
    bundle_reader bundle = {.fd = fd, .line = 1};
    er_status status = ER_OK;
    er_buffer_clear(&loading->document);
    while (status == ER_OK && !bundle.end) {
        status = fill_window(loading, &bundle);
        if (status == ER_OK) {
            status = load_window(loading, &bundle);
        }
    }
    return status;
}

/* ---- From a path to files ---- */

static bool ends_in(const char *path, er_slice ending)
{
    er_slice whole = er_slice_string(path);
    return whole.len >= ending.len &&
           er_slice_equal(er_slice_sub(whole, whole.len - ending.len, whole.len), ending);
}

static er_status load_file(er_loading *loading, const char *path)
{
    er_fault fault;
    int fd;
    loading->file = er_arena_copy(&loading->catalog->arena, er_slice_string(path));
    if (loading->file.at == NULL) {
        return out_of_memory(loading);
    }
    if (er_file_open(path, &fd, &fault) != ER_OK) {
        return er_loading_report(loading, &fault);
    }
    er_status status;
    if (ends_in(path, ER_SLICE(".ndjson"))) {
        status = load_bundle(loading, fd);
    } else {
        er_buffer_clear(&loading->document);
        loading->document.ceiling = ER_CATALOG_MAX_FILE;
        status = er_file_read_fd(fd, path, &loading->document, &fault);
        loading->document.ceiling = WINDOW;
        status = status == ER_OK ? load_document(loading, er_buffer_slice(&loading->document), 0, 0)
                                 : er_loading_report(loading, &fault);
    }
    close(fd);
    return status;
}

typedef struct folder_visit {
    er_loading *loading;
    size_t prefix;  /* bytes of a path before what is below the folder */
    er_status hard; /* of a fault that was reported and ends loading */
} folder_visit;

static er_status visit(void *context, const char *path, er_fault *fault)
{
    (void)fault;
    folder_visit *folder = context;
    const char *below = path + folder->prefix;
    while (*below == '/') {
        below++;
    }
    if (strcmp(below, "tags.json") == 0 || strncmp(below, "schema/", 7) == 0) {
        return ER_OK;
    }
    folder->hard = load_file(folder->loading, path);
    return folder->hard;
}

static er_status load_folder(er_loading *loading, const char *path)
{
    static const char *const endings[] = {".json", ".ndjson", NULL};
    folder_visit folder = {.loading = loading, .prefix = strlen(path)};
    er_fault fault;
    while (folder.prefix > 0 && path[folder.prefix - 1] == '/') {
        folder.prefix--;
    }
    er_status status = er_file_walk(path, endings, ER_CATALOG_MAX_RECORDS, visit, &folder, &fault);
    if (status == ER_OK || folder.hard != ER_OK) {
        return status;
    }
    return er_loading_report(loading, &fault);
}

static er_status load_path(er_loading *loading, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0) {
        return S_ISDIR(info.st_mode) ? load_folder(loading, path) : load_file(loading, path);
    }
    er_fault fault;
    bool missing = errno == ENOENT || errno == ENOTDIR;
    er_fault_set(&fault, missing ? ER_NOT_FOUND : ER_SYSTEM, "can not be read: %s", strerror(errno));
    er_fault_file(&fault, path);
    return er_loading_report(loading, &fault);
}

er_status er_catalog_load(er_catalog **out, const char *path, const er_catalog_options *options,
                          er_fault *fault)
{
    er_loading loading = {.options = options, .fault = fault};
    er_buffer_start(&loading.document, WINDOW);
    er_buffer_start(&loading.scratch, WINDOW);
    loading.catalog = er_calloc(1, sizeof(*loading.catalog));
    if (loading.catalog == NULL) {
        return out_of_memory(&loading);
    }
    er_status status = load_path(&loading, path);
    er_buffer_free(&loading.document);
    if (status == ER_OK) {
        loading.file = (er_slice){0};
        status = er_loading_index(&loading);
        status = status == ER_NO_MEMORY ? out_of_memory(&loading) : status;
    }
    if (status == ER_OK && !(options != NULL && options->partial)) {
        status = loading.first;
    }
    er_buffer_free(&loading.scratch);
    er_free(loading.records);
    if (status == ER_OK) {
        *out = loading.catalog;
    } else {
        er_catalog_free(&loading.catalog);
    }
    return status;
}
