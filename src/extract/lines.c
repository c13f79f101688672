#include "extract/lines.h"

#include "base/memory.h"

er_status er_lines_make(er_lines *lines, er_slice content)
{
    *lines = (er_lines){.content = content};
    if (content.len == 0) {
        return ER_OK;
    }
    if (content.len >= UINT32_MAX) {
        return ER_TOO_LARGE;
    }
    uint32_t feeds = 0;
    for (size_t i = 0; i + 1 < content.len; i++) {
        feeds += content.at[i] == '\n';
    }
    lines->starts = er_alloc(((size_t)feeds + 2) * sizeof(uint32_t));
    if (lines->starts == NULL) {
        return ER_NO_MEMORY;
    }
    lines->starts[lines->count++] = 0;
    for (size_t i = 0; i + 1 < content.len; i++) {
        if (content.at[i] == '\n') {
            lines->starts[lines->count++] = (uint32_t)i + 1;
        }
    }
    /* As if the last line ended in a line feed, whether it does or not. */
    bool ended = content.at[content.len - 1] == '\n';
    lines->starts[lines->count] = (uint32_t)content.len + (ended ? 0 : 1);
    return ER_OK;
}

void er_lines_free(er_lines *lines)
{
    er_free(lines->starts);
    *lines = (er_lines){0};
}

er_slice er_lines_between(const er_lines *lines, uint32_t from, uint32_t to)
{
    if (from < 1 || from > to || to > lines->count) {
        return (er_slice){0};
    }
    return er_slice_sub(lines->content, lines->starts[from - 1], lines->starts[to] - 1);
}
