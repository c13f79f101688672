/*
 * bench_bundle: writes a bundle of many records, for measures that need a large catalog.
 *
 * Each record is one of a real catalog with a message of its own, so that sizes
 * and the mix of members are those of real records.
 */
#include "base/json.h"
#include "bench/corpus.h"
#include "catalog/catalog.h"
#include "catalog/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RECORD  ((size_t)1 << 20)
#define RELATED     3u
#define SLUG_LENGTH 68u /* what a number behind it leaves */

typedef struct maker {
    const er_catalog *catalog;
    const bench_corpus *corpus;
    size_t number; /* of the record, from 0 */
    er_buffer out;
    er_buffer text;
} maker;

static void add_slug(maker *make, const er_rule *rule)
{
    er_buffer_clear(&make->text);
    er_rule_slug(rule->message, rule->error_class, &make->text);
    size_t len = make->text.len < SLUG_LENGTH ? make->text.len : SLUG_LENGTH;
    er_buffer_add_char(&make->out, '"');
    er_buffer_add(&make->out, er_slice_of(make->text.at, len));
    er_buffer_format(&make->out, "%s%zu\"", len > 0 ? "-" : "", make->number + 1);
}

/* What is the new message's own; all other members stay. */
static bool add_own_member(maker *make, er_slice key, const er_rule *rule)
{
    if (er_slice_is(key, "id")) {
        er_json_write(&make->out, rule->id);
    } else if (er_slice_is(key, "repo")) {
        er_json_write(&make->out, rule->repo);
    } else if (er_slice_is(key, "slug")) {
        add_slug(make, rule);
    } else if (er_slice_is(key, "errorCode") && rule->code.len == 0) {
        er_buffer_add_string(&make->out, "null");
    } else if (er_slice_is(key, "errorCode")) {
        er_json_write(&make->out, rule->code);
    } else if (er_slice_is(key, "errorMessage")) {
        er_json_write(&make->out, rule->message);
    } else if (er_slice_is(key, "messagePattern")) {
        er_json_write(&make->out, rule->pattern);
    } else {
        return false;
    }
    return true;
}

static void count_one(void *context, er_slice placeholder)
{
    size_t *count = context;
    (void)placeholder;
    ++*count;
}

static bool add_own_guide_member(maker *make, er_slice key, const er_rule *rule)
{
    if (er_slice_is(key, "captureNames")) {
        size_t groups = 0;
        er_rule_placeholders(rule->message, count_one, &groups);
        for (size_t i = 0; i < groups; i++) {
            er_buffer_format(&make->out, "%s\"value%zu\"", i == 0 ? "[" : ",", i + 1);
        }
        er_buffer_add_string(&make->out, groups == 0 ? "[]" : "]");
    } else if (er_slice_is(key, "related")) {
        size_t last = make->number < RELATED ? make->number : RELATED;
        er_buffer_add_char(&make->out, '[');
        for (size_t i = 1; i <= last; i++) {
            er_buffer_add_string(&make->out, i == 1 ? "" : ",");
            er_json_write(&make->out, make->corpus->rules[make->number - i].id);
        }
        er_buffer_add_char(&make->out, ']');
    } else {
        return false;
    }
    return true;
}

typedef bool own_member(maker *make, er_slice key, const er_rule *rule);

static void add_object(maker *make, er_slice from, own_member *own, const er_rule *rule)
{
    er_json json;
    er_slice key, value;
    const char *before = "{";
    er_json_start(&json, from, ER_JSON_MAX_DEPTH);
    (void)er_json_object_begin(&json);
    while (er_json_object_next(&json, &key) && er_json_skip(&json, &value)) {
        er_buffer_format(&make->out, "%s\"%.*s\":", before, (int)key.len, key.at);
        if (!own(make, key, rule)) {
            er_buffer_add(&make->out, value);
        }
        before = ",";
    }
    er_buffer_add_char(&make->out, '}');
}

static bool write_record(maker *make)
{
    const er_rule *rule = &make->corpus->rules[make->number];
    const er_record *from = er_catalog_record(make->catalog, make->number % er_catalog_count(make->catalog));
    er_buffer_clear(&make->out);
    er_buffer_add_string(&make->out, "{\"record\":");
    add_object(make, from->json, add_own_member, rule);
    if (from->has_guide) {
        er_buffer_add_string(&make->out, ",\"guide\":");
        add_object(make, from->guide_json, add_own_guide_member, rule);
    }
    er_buffer_add_string(&make->out, "}\n");
    return make->out.status == ER_OK && make->text.status == ER_OK &&
           fwrite(make->out.at, 1, make->out.len, stdout) == make->out.len;
}

static bool write_bundle(const er_catalog *catalog, const bench_corpus *corpus)
{
    maker make = {.catalog = catalog, .corpus = corpus};
    bool good = er_catalog_count(catalog) > 0;
    er_buffer_start(&make.out, MAX_RECORD);
    er_buffer_start(&make.text, MAX_RECORD);
    while (good && make.number < corpus->rule_count) {
        good = write_record(&make);
        make.number++;
    }
    er_buffer_free(&make.out);
    er_buffer_free(&make.text);
    return good && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    size_t count = argc == 3 ? strtoul(argv[1], &end, 10) : 0;
    if (count == 0 || *end != '\0' || count > ER_CATALOG_MAX_RECORDS) {
        (void)fprintf(stderr, "usage: bench_bundle COUNT CATALOG > FILE\n");
        return 2;
    }
    er_catalog *catalog = NULL;
    bench_corpus corpus = {0};
    bench_random random = {1};
    er_fault fault;
    char text[1024];
    er_status status = er_catalog_load(&catalog, argv[2], NULL, &fault);
    if (status == ER_OK) {
        status = bench_corpus_invent(&corpus, &random, count, &fault);
    }
    bool good = status == ER_OK && write_bundle(catalog, &corpus);
    if (!good) {
        (void)fprintf(stderr, "bench_bundle: %s\n",
                      status == ER_OK ? "writing failed" : er_fault_print(&fault, text, sizeof text));
    }
    bench_corpus_free(&corpus);
    er_catalog_free(&catalog);
    return good ? 0 : 1;
}
