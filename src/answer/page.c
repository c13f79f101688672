#include "answer/page.h"

#include "answer/utf8.h"
#include "answer/wrap.h"

er_page er_page_start(er_buffer *out, er_buffer *text, er_style style)
{
    unsigned width = style.width ? style.width : ER_PAGE_DEFAULT_WIDTH;
    width = width < ER_PAGE_MIN_WIDTH ? ER_PAGE_MIN_WIDTH : width;
    width = width > ER_PAGE_MAX_WIDTH ? ER_PAGE_MAX_WIDTH : width;
    return (er_page){.out = out, .text = text, .width = width, .colour = style.colour};
}

void er_page_tone(er_page *page, er_tone tone)
{
    static const char *const codes[] = {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m"};
    if (page->colour) {
        er_buffer_add_string(page->out, codes[tone]);
    }
}

void er_page_gap(er_page *page)
{
    if (page->out->len > 0) {
        er_buffer_add_char(page->out, '\n');
    }
}

void er_page_heading(er_page *page, const char *text)
{
    er_page_gap(page);
    er_page_tone(page, ER_TONE_BOLD);
    er_buffer_add_string(page->out, text);
    er_page_tone(page, ER_TONE_PLAIN);
    er_buffer_add_string(page->out, "\n\n");
}

void er_page_paragraph(er_page *page, const char *label, er_slice text)
{
    er_buffer_add_string(page->out, label);
    er_wrap(page->out, text, page->width, (unsigned)strlen(label), 0);
    er_buffer_add_char(page->out, '\n');
}

void er_page_item(er_page *page, const char *mark, er_slice text)
{
    unsigned indent = (unsigned)strlen(mark);
    er_buffer_add_string(page->out, mark);
    er_wrap(page->out, text, page->width, indent, indent);
    er_buffer_add_char(page->out, '\n');
}

static void add_blanks(er_page *page, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        er_buffer_add_char(page->out, ' ');
    }
}

void er_page_line(er_page *page, unsigned indent, er_slice text)
{
    add_blanks(page, indent);
    (void)er_utf8_show(page->out, text);
    er_buffer_add_char(page->out, '\n');
}

static void add_verbatim_line(er_page *page, unsigned indent, er_slice line)
{
    unsigned columns = 0;
    if (line.len > 0 && line.at[line.len - 1] == '\r') {
        line.len--;
    }
    add_blanks(page, line.len > 0 ? indent : 0);
    for (size_t at = 0; at < line.len;) {
        if (line.at[at] == '\t') {
            er_buffer_add_char(page->out, '\t');
            at++;
        } else {
            at += er_utf8_show_one(page->out, line, at, &columns);
        }
    }
    er_buffer_add_char(page->out, '\n');
}

void er_page_verbatim(er_page *page, unsigned indent, er_slice text)
{
    while (text.len > 0) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t length = end ? (size_t)(end - text.at) : text.len;
        add_verbatim_line(page, indent, er_slice_sub(text, 0, length));
        text = er_slice_sub(text, end ? length + 1 : length, text.len);
    }
}
