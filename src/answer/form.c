#include "answer/answer.h"

#include <strings.h>

static bool type_is(er_slice type, const char *name)
{
    return type.len == strlen(name) && strncasecmp(type.at, name, type.len) == 0;
}

/* The first media type of the list that says anything decides: what a caller names first it prefers. */
er_form er_form_accepted(const char *accept)
{
    er_slice rest = er_slice_string(accept);
    while (rest.len > 0) {
        const char *comma = memchr(rest.at, ',', rest.len);
        size_t length = comma ? (size_t)(comma - rest.at) : rest.len;
        er_slice type = er_slice_sub(rest, 0, length);
        const char *parameter = memchr(type.at, ';', type.len);
        type = er_slice_trim(parameter ? er_slice_sub(type, 0, (size_t)(parameter - type.at)) : type);
        if (type_is(type, "text/plain") || type_is(type, "text/markdown")) {
            return ER_FORM_PAGE;
        }
        if (type_is(type, "application/json") || type_is(type, "application/*") || type_is(type, "*/*")) {
            return ER_FORM_JSON;
        }
        rest = er_slice_sub(rest, comma ? length + 1 : length, rest.len);
    }
    return ER_FORM_JSON;
}
