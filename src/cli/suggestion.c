#include "cli/suggestion.h"

#define LONGEST 32

/* Edits (one letter more, less or other, or two that changed places) between the two; rows of the usual
 * table. */
static unsigned distance_of(er_slice a, er_slice b)
{
    unsigned row[3][LONGEST + 1];
    for (unsigned j = 0; j <= b.len; j++)
        row[0][j] = j;
    for (unsigned i = 1; i <= a.len; i++) {
        unsigned *now = row[i % 3];
        const unsigned *before = row[(i + 2) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= b.len; j++) {
            unsigned least = before[j - 1] + (a.at[i - 1] != b.at[j - 1]);
            if (before[j] + 1 < least)
                least = before[j] + 1;
            if (now[j - 1] + 1 < least)
                least = now[j - 1] + 1;
            if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1] &&
                row[(i + 1) % 3][j - 2] + 1 < least)
                least = row[(i + 1) % 3][j - 2] + 1;
            now[j] = least;
        }
    }
    return row[a.len % 3][b.len];
}

void er_suggestion_start(er_suggestion_list *list, er_slice typed)
{
    list->typed = typed;
    list->best = NULL;
    list->distance = LONGEST;
}

void er_suggestion_offer(er_suggestion_list *list, const char *name)
{
    er_slice offered = er_slice_string(name);
    if (offered.len > LONGEST || list->typed.len > LONGEST || list->typed.len == 0)
        return;
    unsigned distance = distance_of(list->typed, offered);
    if (distance < list->distance && distance * 3 <= (offered.len < 3 ? 3 : offered.len)) {
        list->distance = distance;
        list->best = name;
    }
}
