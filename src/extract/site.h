/*
 * site.h - a site as a line of NDJSON.
 */
#ifndef ERRATA_EXTRACT_SITE_H
#define ERRATA_EXTRACT_SITE_H

#include "extract/lines.h"
#include "extract/program.h"

/* First and last release that hold a message; empty: none, or (last) the newest one still does. */
typedef struct er_versions {
    er_slice first;
    er_slice last;
} er_versions;

/*
 * Appends one object and a line feed. `lines` are those of the site's file, for the
 * excerpt; where it has none the three members of the excerpt are null. `versions` (NULL allowed) adds a
 * member of that name. docs/extract.md describes the members.
 */
void er_site_write(er_buffer *out, const er_program *program, const er_site *site, er_slice repo,
                   er_slice sha, const er_lines *lines, const er_versions *versions);

/* `{"first":…,"last":…}` */
void er_versions_write(er_buffer *out, const er_versions *versions);

#endif
