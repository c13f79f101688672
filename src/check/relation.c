/* relation.c - the ids that a record names: of records, of others than itself, each once. */
#include "check/entry.h"

#include <stdio.h>

static void check_one(er_check *check, const er_entry *entry, const char *member, er_slice id)
{
    if (er_slice_equal(id, entry->record->id)) {
        er_finding_add(check, "related", entry, member, "is the record's own id");
    } else if (er_catalog_by_id(check->catalog, id) == NULL) {
        check->unknown++;
        if (!check->draft) {
            er_finding_add(check, "related", entry, member, "no record has the id %.*s", ER_SHOWN(id));
        }
    }
}

static void check_entry(er_check *check, const er_entry *entry)
{
    char member[64];
    er_texts related = er_entry_texts(check, entry->guide[ER_GUIDE_RELATED]);
    for (size_t i = 0; i < related.count; i++) {
        bool again = false;
        (void)snprintf(member, sizeof(member), "guide.related[%zu]", i);
        for (size_t j = 0; j < i && !again; j++) {
            again = er_slice_equal(related.at[i], related.at[j]);
        }
        if (again) {
            er_finding_add(check, "related", entry, member, "stands there twice");
        } else {
            check_one(check, entry, member, related.at[i]);
        }
    }
    er_slice supersedes = er_entry_text(check, entry->guide[ER_GUIDE_SUPERSEDES]);
    if (supersedes.len > 0) {
        check_one(check, entry, "guide.supersedes", supersedes);
    }
}

void er_check_relations(er_check *check)
{
    for (size_t i = 0; i < check->count; i++) {
        if (check->entries[i].record->has_guide) {
            check_entry(check, &check->entries[i]);
        }
    }
}
