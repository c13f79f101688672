#include "answer/wrap.h"

#include "answer/utf8.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_word(char c)
{
    return is_blank(c) || c == '\n';
}

/* Just behind the code span that opens at `at`; `at` itself where the backtick
   opens none before the end of the line. */
static size_t span_end(er_slice text, size_t at)
{
    for (size_t i = at + 1; i < text.len && text.at[i] != '\n'; i++) {
        if (text.at[i] == '`') {
            return i + 1;
        }
    }
    return at;
}

static size_t word_end(er_slice text, size_t at)
{
    while (at < text.len && !ends_word(text.at[at])) {
        size_t end = text.at[at] == '`' ? span_end(text, at) : at;
        at = end > at ? end : at + 1;
    }
    return at;
}

static void indent_line(er_buffer *out, unsigned indent)
{
    for (unsigned i = 0; i < indent; i++) {
        er_buffer_add_char(out, ' ');
    }
}

/* Writes what stands between the last word and one of so many columns; returns the column it starts in. */
static unsigned separate(er_buffer *out, bool line_has_word, unsigned column, unsigned columns,
                         unsigned width, unsigned indent)
{
    if (line_has_word && column + 1 + columns <= width) {
        er_buffer_add_char(out, ' ');
        return column + 1;
    }
    if (line_has_word) {
        er_buffer_add_char(out, '\n');
    }
    if (line_has_word || column == 0) {
        indent_line(out, indent);
        return indent;
    }
    return column;
}

void er_wrap(er_buffer *out, er_slice text, unsigned width, unsigned column, unsigned indent)
{
    bool line_has_word = false;
    for (size_t at = 0; at < text.len;) {
        if (text.at[at] == '\n') {
            er_buffer_add_char(out, '\n');
            line_has_word = false;
            column = 0;
            at++;
        } else if (is_blank(text.at[at])) {
            at++;
        } else {
            size_t end = word_end(text, at);
            er_slice word = er_slice_sub(text, at, end);
            unsigned columns = er_utf8_show(NULL, word);
            column = separate(out, line_has_word, column, columns, width, indent) + columns;
            (void)er_utf8_show(out, word);
            line_has_word = true;
            at = end;
        }
    }
}
