#include "extract/places.h"

#include "base/memory.h"
#include "extract/list.h"

#include <stdio.h>

void er_places_start(er_places *places, const char *folder, er_slice repo, const er_program *now)
{
    *places = (er_places){.folder = folder, .repo = repo, .now = now};
}

void er_places_free(er_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        er_program_free(&places->trees[i].program);
        er_tree_free(&places->trees[i].tree);
    }
    er_free(places->trees);
    *places = (er_places){0};
}

static er_status read_tree(er_places *places, er_old_tree *made)
{
    er_commit commit;
    if (er_git_commit(places->folder, made->sha, &commit, NULL) != ER_OK) {
        return ER_OK;
    }
    er_status status = er_tree_read_commit(&made->tree, places->folder, made->sha, NULL, NULL, NULL);
    if (status == ER_OK) {
        status =
            er_program_link(&made->program, places->repo, made->tree.inputs, made->tree.input_count, NULL);
    }
    made->known = status == ER_OK;
    return status == ER_NO_MEMORY ? status : ER_OK;
}

static er_status find_tree(er_places *places, er_slice sha, const er_old_tree **found)
{
    *found = NULL;
    for (size_t i = 0; i < places->count; i++) {
        if (er_slice_is(sha, places->trees[i].sha)) {
            *found = &places->trees[i];
            return ER_OK;
        }
    }
    if (places->folder == NULL || sha.len != ER_GIT_SHA || places->count == ER_PLACES_MAX_TREES) {
        return ER_OK;
    }
    if (!er_list_room((void **)&places->trees, &places->capacity, places->count, sizeof(er_old_tree))) {
        return ER_NO_MEMORY;
    }
    er_old_tree *made = &places->trees[places->count++];
    *made = (er_old_tree){.known = false};
    snprintf(made->sha, sizeof(made->sha), "%.*s", (int)sha.len, sha.at);
    *found = made;
    return read_tree(places, made);
}

static const er_message *same_message(const er_program *program, const er_message *message)
{
    for (size_t i = 0; i < program->message_count; i++) {
        if (er_slice_equal(program->messages[i].text, message->text) &&
            er_slice_equal(program->messages[i].code, message->code)) {
            return &program->messages[i];
        }
    }
    return NULL;
}

static bool in_file(const er_program *program, const er_site *site, er_slice path)
{
    return er_slice_equal(program->inputs[site->input].path, path);
}

/* How many of a message's places are in the file above the line; with no line, all. Places are
   counted and not looked up, as their order in the list puts definitions first. */
static uint32_t places_above(const er_program *program, const er_message *message, er_slice path,
                             uint32_t line)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < message->site_count; i++) {
        const er_site *site = &program->sites[message->first_site + i];
        count += in_file(program, site, path) && site->line < line;
    }
    return count;
}

/* The place in the file that has so many above it. */
static const er_site *place_at(const er_program *program, const er_message *message, er_slice path,
                               uint32_t rank)
{
    for (uint32_t i = 0; i < message->site_count; i++) {
        const er_site *site = &program->sites[message->first_site + i];
        if (in_file(program, site, path) && places_above(program, message, path, site->line) == rank) {
            return site;
        }
    }
    return NULL;
}

/* The place with the same rank among those of its file; where some were dropped, the last one
   at most; in another file, one of the same function, or the first. */
static const er_site *counterpart(const er_old_tree *old, const er_message *before, const er_site *site,
                                  const er_program *now, const er_message *after)
{
    er_slice path = old->program.inputs[site->input].path;
    uint32_t rank = places_above(&old->program, before, path, site->line);
    uint32_t all = places_above(now, after, path, UINT32_MAX);
    if (all > 0) {
        return place_at(now, after, path, rank < all ? rank : all - 1);
    }
    for (uint32_t i = 0; i < after->site_count; i++) {
        const er_site *other = &now->sites[after->first_site + i];
        if (er_slice_equal(other->function, site->function)) {
            return other;
        }
    }
    return &now->sites[after->first_site];
}

er_status er_places_find(er_places *places, er_slice sha, er_slice path, uint32_t line, const er_site **site)
{
    const er_old_tree *old = NULL;
    *site = NULL;
    er_status status = find_tree(places, sha, &old);
    if (status != ER_OK || old == NULL || !old->known) {
        return status;
    }
    for (size_t i = 0; i < old->program.site_count && *site == NULL; i++) {
        const er_site *one = &old->program.sites[i];
        if (one->line != line || !in_file(&old->program, one, path)) {
            continue;
        }
        const er_message *before = &old->program.messages[one->message];
        const er_message *after = same_message(places->now, before);
        if (after != NULL) {
            *site = counterpart(old, before, one, places->now, after);
        }
    }
    return ER_OK;
}
