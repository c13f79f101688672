/*
 * fact.c - see fact.h. Numbers are written in groups of seven bits, the low one first,
 * strings with their length before them; a reader checks every length, because a cache
 * file may have been cut or come from anywhere.
 */
#include "extract/fact.h"

static void put_number(er_buffer *out, uint32_t value)
{
    while (value >= 0x80) {
        er_buffer_add_char(out, (char)(value | 0x80));
        value >>= 7;
    }
    er_buffer_add_char(out, (char)value);
}

static void put_text(er_buffer *out, er_slice text)
{
    put_number(out, (uint32_t)text.len);
    er_buffer_add(out, text);
}

void er_facts_begin(er_buffer *out, er_slice package)
{
    put_number(out, ER_FACT_VERSION);
    put_text(out, package);
}

void er_fact_write(er_buffer *out, const er_fact *fact)
{
    const uint32_t flags = (fact->reason ? 1u : 0) | (fact->spread ? 2u : 0) | (fact->of_error ? 4u : 0);
    put_number(out, (uint32_t)fact->kind);
    put_number(out, fact->line);
    put_number(out, fact->argument);
    put_number(out, fact->number);
    put_number(out, flags);
    put_text(out, fact->function);
    put_text(out, fact->type);
    put_text(out, fact->define);
    put_text(out, fact->qualifier);
    put_text(out, fact->name);
    put_text(out, fact->field);
    put_number(out, fact->piece_count);
    for (uint32_t i = 0; i < fact->piece_count; i++) {
        put_number(out, (uint32_t)fact->pieces[i].kind);
        put_number(out, fact->pieces[i].number);
        put_text(out, fact->pieces[i].qualifier);
        put_text(out, fact->pieces[i].text);
    }
    put_number(out, fact->name_count);
    for (uint32_t i = 0; i < fact->name_count; i++) {
        put_text(out, fact->names[i]);
    }
}

static uint32_t take_number(er_fact_reader *reader)
{
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32 && reader->rest.len > 0; shift += 7) {
        unsigned char byte = (unsigned char)reader->rest.at[0];
        reader->rest = er_slice_sub(reader->rest, 1, reader->rest.len);
        value |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    reader->broken = true;
    return 0;
}

static uint32_t take_below(er_fact_reader *reader, uint32_t limit)
{
    uint32_t value = take_number(reader);
    if (value >= limit) {
        reader->broken = true;
        return 0;
    }
    return value;
}

static er_slice take_text(er_fact_reader *reader)
{
    uint32_t len = take_number(reader);
    if (reader->broken || len > reader->rest.len) {
        reader->broken = true;
        return (er_slice){0};
    }
    er_slice text = er_slice_sub(reader->rest, 0, len);
    reader->rest = er_slice_sub(reader->rest, len, reader->rest.len);
    return text;
}

bool er_facts_open(er_fact_reader *reader, er_slice bytes)
{
    *reader = (er_fact_reader){.rest = bytes};
    if (take_number(reader) != ER_FACT_VERSION) {
        reader->broken = true;
    }
    reader->package = take_text(reader);
    return !reader->broken;
}

bool er_fact_next(er_fact_reader *reader, er_fact *fact)
{
    if (reader->broken || reader->rest.len == 0) {
        return false;
    }
    fact->kind = (er_fact_kind)take_below(reader, ER_FACT_ENTRY + 1);
    fact->line = take_number(reader);
    fact->argument = take_number(reader);
    fact->number = take_number(reader);
    uint32_t flags = take_number(reader);
    fact->reason = (flags & 1) != 0;
    fact->spread = (flags & 2) != 0;
    fact->of_error = (flags & 4) != 0;
    fact->function = take_text(reader);
    fact->type = take_text(reader);
    fact->define = take_text(reader);
    fact->qualifier = take_text(reader);
    fact->name = take_text(reader);
    fact->field = take_text(reader);
    fact->piece_count = take_below(reader, ER_FACT_MAX_PIECES + 1);
    for (uint32_t i = 0; i < fact->piece_count; i++) {
        fact->pieces[i].kind = (er_piece_kind)take_below(reader, ER_PIECE_HOLE + 1);
        fact->pieces[i].number = take_number(reader);
        fact->pieces[i].qualifier = take_text(reader);
        fact->pieces[i].text = take_text(reader);
    }
    fact->name_count = take_below(reader, ER_FACT_MAX_NAMES + 1);
    for (uint32_t i = 0; i < fact->name_count; i++) {
        fact->names[i] = take_text(reader);
    }
    return !reader->broken;
}
