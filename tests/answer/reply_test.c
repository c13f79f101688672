/*
 * Whole replies of errors.explain and errors.status, from explanations made by
 * hand, against files: what the matcher finds is its own tests' business.
 */
#include "answer/command_fill.h"
#include "answer/explain_page.h"
#include "answer/failure.h"
#include "answer/fixture.h"
#include "answer/parts.h"
#include "answer/utf8.h"
#include "base/memory.h"
#include "support/test.h"

#include <cjson/cJSON.h>
#include <math.h>

static const char text[] =
    "[7] 2026/05/04 03:02:01.000001 [WRN] Branch [Delft] Checkout of cart 'c-1' took 3.5s\n"
    "cannot place order 17: item \"blue mug\" is out of stock\n";

static er_slice part_of_text(size_t from, size_t to)
{
    return er_slice_of(text + from, to - from);
}

/* An order that could not be placed because an item was out of stock, behind a slow checkout. */
typedef struct order_story {
    er_capture place[2], stock[1], slow[2];
    er_match cause, other;
    er_suggestion alternative;
    er_explanation found;
} order_story;

static er_match match_at(uint32_t rule, uint32_t line, size_t start, size_t end, const er_capture *captures,
                         uint32_t count)
{
    return (er_match){
        .rule = rule,
        .status = ER_MATCH_EXACT,
        .confidence = 1,
        .line = line,
        .start = start,
        .end = end,
        .text = part_of_text(start, end),
        .captures = captures,
        .capture_count = count,
    };
}

static void tell_order(order_story *story, const fixture *all)
{
    *story = (order_story){
        .place = {{1, part_of_text(104, 106)}, {2, part_of_text(108, 139)}},
        .stock = {{1, part_of_text(114, 122)}},
        .slow = {{1, part_of_text(70, 73)}, {2, part_of_text(80, 84)}},
    };
    story->cause = match_at(fixture_rule(all, STOCK_ID), 2, 108, 139, story->stock, 1);
    story->other = match_at(fixture_rule(all, SLOW_ID), 1, 52, 84, story->slow, 2);
    story->other.confidence = 0.954;
    story->other.frame = (er_frame){
        ER_SLICE("WRN"),
        ER_SLICE("2026/05/04 03:02:01.000001"),
        ER_SLICE("Branch"),
        ER_SLICE("Delft"),
    };
    story->alternative = (er_suggestion){fixture_rule(all, WRAP_ID), 0.2};
    story->found = (er_explanation){
        .found = true,
        .match = match_at(fixture_rule(all, PLACE_ID), 2, 85, 139, story->place, 2),
        .causes = &story->cause,
        .cause_count = 1,
        .others = &story->other,
        .other_count = 1,
        .alternatives = &story->alternative,
        .alternative_count = 1,
    };
}

static er_slice json_of(const fixture *all, const er_explanation *found, er_fields fields)
{
    er_buffer_clear(&all->worker->out);
    er_part_explanation(all->worker, all->snapshot, found, fields);
    assert_int_equal(all->worker->out.status, ER_OK);
    er_slice reply = er_buffer_slice(&all->worker->out);
    check_well_formed(reply, ER_FORM_JSON);
    return reply;
}

static er_slice page_of(const fixture *all, const er_explanation *found, unsigned width, bool colour)
{
    er_style style = {.form = ER_FORM_PAGE, .width = width, .colour = colour};
    er_buffer_clear(&all->worker->out);
    er_page page = er_page_start(&all->worker->out, &all->worker->text, style);
    er_page_explanation(&page, all->snapshot, found);
    assert_int_equal(all->worker->out.status, ER_OK);
    return er_buffer_slice(&all->worker->out);
}

/* No line is wider than the page, unless what is on it must not be cut. */
static void check_width(er_slice page, unsigned width)
{
    for (size_t from = 0; from < page.len;) {
        const char *end = memchr(page.at + from, '\n', page.len - from);
        size_t to = end ? (size_t)(end - page.at) : page.len;
        er_slice line = er_slice_sub(page, from, to);
        bool whole = er_slice_starts(line, ER_SLICE("    ")) || er_slice_starts(line, ER_SLICE("https://")) ||
                     er_slice_starts(line, ER_SLICE("Thrown at")) || er_slice_starts(line, ER_SLICE("Line "));
        if (!whole && er_utf8_show(NULL, line) > width) {
            print_error("wider than %u: %.*s\n", width, (int)line.len, line.at);
            fail();
        }
        from = to + 1;
    }
}

static void an_explanation_is_written_whole(void **state)
{
    const fixture *all = *state;
    order_story story;
    tell_order(&story, all);
    golden_check("explanation.json", json_of(all, &story.found, ER_ALL_FIELDS));
    er_slice page = page_of(all, &story.found, 0, false);
    check_well_formed(page, ER_FORM_PAGE);
    check_width(page, 80);
    golden_check("explanation.txt", page);
}

static void pages_keep_their_width_and_colours(void **state)
{
    const fixture *all = *state;
    order_story story;
    tell_order(&story, all);
    check_width(page_of(all, &story.found, 1, false), 40);
    check_width(page_of(all, &story.found, 55, false), 55);
    check_width(page_of(all, &story.found, 500, false), 100);
    assert_null(memchr(all->worker->out.at, '\x1b', all->worker->out.len));
    golden_check("explanation-colour.txt", page_of(all, &story.found, 60, true));
}

static void fields_pick_members_of_records(void **state)
{
    const fixture *all = *state;
    order_story story;
    tell_order(&story, all);
    er_fields fields = (er_fields)1 << ER_MEMBER_SEVERITY | (er_fields)1 << ER_MEMBER_ID;
    golden_check("fields.json", json_of(all, &story.found, fields));
    assert_true(holds(json_of(all, &story.found, 0), "{\"record\":{},\"match\":"));
}

/* The second of two records that fit equally well, in the seed's form: no guide, its own order. */
static void an_ambiguous_match_names_the_other(void **state)
{
    const fixture *all = *state;
    er_suggestion other = {fixture_rule(all, PAY_ID), 0.5};
    er_explanation found = {
        .found = true,
        .match = {.rule = fixture_rule(all, DEPOT_ID),
                  .status = ER_MATCH_AMBIGUOUS,
                  .confidence = 0.5,
                  .line = 1,
                  .end = 16,
                  .text = ER_SLICE("payment declined")},
        .alternatives = &other,
        .alternative_count = 1,
    };
    golden_check("ambiguous.json", json_of(all, &found, ER_ALL_FIELDS));
    golden_check("ambiguous.txt", page_of(all, &found, 0, false));
}

/* Bytes that are not UTF-8, NUL, controls: the JSON stays JSON, the page acts on no terminal. */
static void hostile_captures_stay_inside_the_reply(void **state)
{
    const fixture *all = *state;
    const er_slice value = ER_SLICE("x\"}],\n\x1b[31m\xC2\x9B\xFF\xFE\x00; rm -rf ~ \xE2\x80\xAE'`$(id)");
    er_capture captures[2] = {{1, value}, {2, value}};
    er_explanation found = {
        .found = true,
        .match = {.rule = fixture_rule(all, WRAP_ID),
                  .status = ER_MATCH_PARTIAL,
                  .confidence = 0.3,
                  .line = 1,
                  .end = value.len,
                  .text = value,
                  .captures = captures,
                  .capture_count = 2,
                  .frame = {.name = value, .kind = value, .time = value}},
    };
    er_slice reply = json_of(all, &found, ER_ALL_FIELDS);
    assert_true(holds(reply, "\"captures\":[{\"name\":\"1\",\"value\":"));
    cJSON *tree = cJSON_ParseWithLength(reply.at, reply.len);
    const cJSON *guide = cJSON_GetObjectItemCaseSensitive(tree, "guide");
    assert_true(cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(guide, "commands")));
    cJSON_Delete(tree);
    check_well_formed(page_of(all, &found, 0, false), ER_FORM_PAGE);
    er_slice page = page_of(all, &found, 0, false);
    assert_true(holds(page, "\n    x\"}],\n    \\x1b[31m\\u009b\\xff\\xfe\\x00; rm -rf ~ \\u202e'`$(id)\n"));
}

static void confidence_has_two_decimals_at_most(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},     {1, "1"},       {0.5, "0.5"},    {0.97, "0.97"},
                 {0.3, "0.3"}, {0.07, "0.07"}, {0.994, "0.99"}, {0.996, "1"},
                 {1.5, "1"},   {-1, "0"},      {NAN, "0"},      {0.1 + 0.2, "0.3"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        er_buffer out;
        er_buffer_start(&out, 16);
        er_part_confidence(&out, cases[i].value);
        assert_true(er_slice_is(er_buffer_slice(&out), cases[i].text));
        er_buffer_free(&out);
    }
}

static void status_tells_of_the_catalog(void **state)
{
    const fixture *all = *state;
    er_status_info info = {ER_SLICE("in\"stance"), ER_SLICE("1.2.3"), 18446744073709551615u, 7};
    er_reply reply;
    er_answer_status(all->worker, all->snapshot, &info, as_json, &reply);
    assert_int_equal(reply.code, 0);
    check_well_formed(reply.body, ER_FORM_JSON);
    assert_true(
        er_slice_starts(reply.body, ER_SLICE("{\"instance\":\"in\\\"stance\",\"version\":\"1.2.3\","
                                             "\"datasetVersion\":\"2026-09-02T04:41:54.247Z\",\"hash\":\"")));
    assert_true(holds(reply.body, er_catalog_hash(all->snapshot->catalog)));
    assert_true(holds(reply.body, "\"source\":\"" FIXTURE_CATALOG "\",\"loadedAt\":\"2"));
    assert_true(holds(reply.body, ",\"records\":{\"acme/depot\":2,\"acme/shop\":4},"
                                  "\"hits\":18446744073709551615,\"misses\":7}"));
    er_answer_status(all->worker, all->snapshot, &info, as_page, &reply);
    check_well_formed(reply.body, ER_FORM_PAGE);
    assert_true(holds(reply.body, "errata 1.2.3\n\nReplica\n\nInstance:         in\"stance\n"));
    assert_true(holds(reply.body, "\nRecords\n\nacme/depot: 2\nacme/shop: 4\n"));
    er_answer_status(all->worker, NULL, &info, as_json, &reply);
    assert_int_equal(reply.code, 503);
}

/* A reply over the ceiling is a failure that fits. */
static void a_reply_over_the_ceiling_is_a_failure(void **state)
{
    const fixture *all = *state;
    size_t room = (ER_REPLY_CEILING / 6) + 1;
    char *zeros = er_calloc(room, 1);
    assert_non_null(zeros);
    er_explanation found = {
        .found = true,
        .match = {.rule = fixture_rule(all, PAY_ID),
                  .line = 1,
                  .end = room,
                  .text = er_slice_of(zeros, room)},
    };
    er_reply reply;
    er_buffer_clear(&all->worker->out);
    er_part_explanation(all->worker, all->snapshot, &found, ER_ALL_FIELDS);
    er_reply_close(all->worker, as_json, &reply);
    assert_int_equal(reply.code, 500);
    assert_true(holds(reply.body,
                      "{\"error\":{\"code\":500,\"description\":\"the reply is over 8388608 bytes; "
                      "nothing was lost"));
    check_well_formed(reply.body, ER_FORM_JSON);
    er_free(zeros);
}

/* Where there is no memory for `nearest`, the failure is still told. */
static void a_failure_needs_no_memory(void **state)
{
    const fixture *all = *state;
    er_worker *worker = NULL;
    er_reply reply;
    assert_int_equal(er_worker_new(&worker), ER_OK);
    for (size_t i = 0; i < ER_NEAR_MAX; i++) {
        worker->nearest[i].record = er_catalog_record(all->snapshot->catalog, 0);
    }
    (void)er_memory_fail_after(0);
    er_failure_write(worker, all->snapshot, ER_NEAR_MAX, 404, as_json, &reply, "no %s", "record");
    assert_int_equal(er_memory_fail_after(-1), 1); /* the one that failed */
    assert_int_equal(reply.code, 404);
    assert_true(er_slice_is(reply.body, "{\"error\":{\"code\":404,\"description\":\"no record\"}}"));
    er_failure_write(worker, all->snapshot, ER_NEAR_MAX, 404, as_json, &reply, "no %s", "record");
    assert_true(reply.body.len > ER_REPLY_ROOM);
    check_well_formed(reply.body, ER_FORM_JSON);
    er_worker_free(&worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_explanation_is_written_whole),
        cmocka_unit_test(pages_keep_their_width_and_colours),
        cmocka_unit_test(fields_pick_members_of_records),
        cmocka_unit_test(an_ambiguous_match_names_the_other),
        cmocka_unit_test(hostile_captures_stay_inside_the_reply),
        cmocka_unit_test(confidence_has_two_decimals_at_most),
        cmocka_unit_test(status_tells_of_the_catalog),
        cmocka_unit_test(a_reply_over_the_ceiling_is_a_failure),
        cmocka_unit_test(a_failure_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, fixture_start, fixture_end);
}
