/*
 * grammar.h - the grammars and query files that were built in.
 *
 * The query texts are made by CMake from queries/NAME.scm (cmake/Embed.cmake).
 */
#ifndef ERRATA_EXTRACT_GRAMMAR_H
#define ERRATA_EXTRACT_GRAMMAR_H

#include <tree_sitter/api.h>

extern const char er_query_go[], er_query_c[], er_query_python[], er_query_javascript[],
    er_query_typescript[];

const TSLanguage *tree_sitter_go(void);
const TSLanguage *tree_sitter_c(void);
const TSLanguage *tree_sitter_python(void);
const TSLanguage *tree_sitter_javascript(void);
const TSLanguage *tree_sitter_typescript(void);

#endif
