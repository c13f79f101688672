/*
 * run.h - one run of `errata extract` over a tree.
 */
#ifndef ERRATA_EXTRACT_RUN_H
#define ERRATA_EXTRACT_RUN_H

#include "extract/history.h"
#include "extract/options.h"
#include "extract/tree.h"

#include <stdio.h>

typedef struct er_run {
    const er_extract_options *options;
    er_slice repo;
    er_commit commit; /* of the tree */
    er_tree tree;
    er_program program;
    bool has_history;
    er_store store;
    er_history history;
    char cache[4096]; /* "": none */
} er_run;

/* Reads the tree that the options name, and links it. */
er_status er_run_tree(er_run *run, er_fault *fault) ER_MUST_CHECK;
/* Reads the releases when the options ask for them. */
er_status er_run_history(er_run *run, er_fault *fault) ER_MUST_CHECK;
/* Prints the sites, with their versions where there is a history, and then those that only
   releases have. */
er_status er_run_print(er_run *run, FILE *to, er_fault *fault) ER_MUST_CHECK;
/* Pins and adds records as the options ask; says on standard error what was done. */
er_status er_run_records(er_run *run, er_fault *fault) ER_MUST_CHECK;
/* Lists what could not be resolved. */
er_status er_run_unresolved(const er_run *run, er_fault *fault) ER_MUST_CHECK;
void er_run_free(er_run *run);

#endif
