/*
 * suggestion.h - the known name that is nearest to what was typed.
 */
#ifndef ERRATA_CLI_SUGGESTION_H
#define ERRATA_CLI_SUGGESTION_H

#include "base/slice.h"

typedef struct er_suggestion_list {
    er_slice typed;
    const char *best; /* NULL while nothing is near; borrowed from an offer */
    unsigned distance;
} er_suggestion_list;

void er_suggestion_start(er_suggestion_list *list, er_slice typed);
/* Takes `name` when it is nearer than what is there, and near at all: at most a third of its letters differ.
 */
void er_suggestion_offer(er_suggestion_list *list, const char *name);

#endif
