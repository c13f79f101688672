/*
 * Small trees under forms/, one for each form that a message takes in a source. Each
 * has a file `sites` with what it must give:
 *
 *     path:line kind severity function class code status "message" [names]
 *     ? path:line function callee: reason            what could not be resolved
 */
#include "base/buffer.h"
#include "base/file.h"
#include "base/memory.h"
#include "extract/program.h"
#include "extract/tree.h"

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMS ERRATA_SOURCE_DIR "/tests/extract/forms/"

static void add_word(er_buffer *out, er_slice word)
{
    er_buffer_add_char(out, ' ');
    er_buffer_add(out, word.len > 0 ? word : ER_SLICE("-"));
}

static void add_site(er_buffer *out, const er_program *program, const er_site *site)
{
    const er_message *message = &program->messages[site->message];
    er_buffer_add(out, program->inputs[site->input].path);
    er_buffer_format(out, ":%u %s %s", site->line, er_error_type_name(site->type),
                     er_severity_name(site->severity));
    add_word(out, site->function);
    add_word(out, message->error_class);
    add_word(out, message->code);
    er_buffer_format(out, " %u \"", site->status);
    for (size_t i = 0; i < message->text.len; i++) {
        char c = message->text.at[i];
        if (c == '\n') {
            er_buffer_add_string(out, "\\n");
        } else {
            er_buffer_add_char(out, c);
        }
    }
    er_buffer_add_string(out, "\" [");
    for (uint32_t i = 0; i < site->name_count; i++) {
        er_buffer_add_string(out, i > 0 ? " " : "");
        er_buffer_add(out, site->names[i]);
    }
    er_buffer_add_string(out, "]\n");
}

static void describe(er_buffer *out, const er_program *program)
{
    for (size_t i = 0; i < program->site_count; i++) {
        add_site(out, program, &program->sites[i]);
    }
    for (size_t i = 0; i < program->unresolved_count; i++) {
        const er_unresolved *one = &program->unresolved[i];
        er_buffer_add_string(out, "? ");
        er_buffer_add(out, program->inputs[one->input].path);
        er_buffer_format(out, ":%u", one->line);
        add_word(out, one->function);
        add_word(out, one->callee);
        er_buffer_format(out, ": %s\n", one->reason);
    }
}

static er_status read_form(const char *form, er_buffer *out, er_fault *fault)
{
    char path[512];
    er_tree tree;
    er_program program;
    snprintf(path, sizeof(path), FORMS "%s", form);
    er_status status = er_tree_read_folder(&tree, path, NULL, NULL, fault);
    if (status != ER_OK) {
        return status;
    }
    status = er_program_link(&program, ER_SLICE("own/code"), tree.inputs, tree.input_count, fault);
    if (status == ER_OK) {
        describe(out, &program);
        status = out->status;
        er_program_free(&program);
    }
    er_tree_free(&tree);
    return status;
}

static void check_form(const char *form)
{
    char path[512];
    er_buffer got, want;
    er_fault fault = {0};
    er_buffer_start(&got, 1 << 20);
    er_buffer_start(&want, 1 << 20);
    assert_int_equal(read_form(form, &got, &fault), ER_OK);
    snprintf(path, sizeof(path), FORMS "%s/sites", form);
    assert_int_equal(er_file_read(path, &want, &fault), ER_OK);
    if (!er_slice_equal(er_buffer_slice(&got), er_buffer_slice(&want))) {
        fprintf(stderr, "--- %s gives\n%.*s", form, (int)got.len, got.at);
        fail_msg("forms/%s does not give what its file `sites` says", form);
    }
    er_buffer_free(&got);
    er_buffer_free(&want);
}

#define FORM(name, folder)                                                                                   \
    static void name(void **state)                                                                           \
    {                                                                                                        \
        (void)state;                                                                                         \
        check_form(folder);                                                                                  \
    }

FORM(errors_and_sentinels, "go-errors")
FORM(log_levels, "go-logs")
FORM(constants_and_literals, "go-strings")
FORM(reasons_through_variables, "go-reasons")
FORM(types_that_describe_themselves, "go-types")
FORM(values_given_to_members, "go-members")
FORM(codes, "go-codes")
FORM(texts_sent_to_clients, "go-protocol")
FORM(names_of_other_packages, "go-packages")
FORM(what_can_not_be_resolved, "go-unresolved")
FORM(c_calls_and_status_texts, "c-status")
FORM(python, "python")
FORM(javascript, "javascript")
FORM(typescript, "typescript")

/* Lets each allocation fail in turn: the fault is reported, nothing leaks or crashes. */
static void survives_want_of_memory(void **state)
{
    (void)state;
    er_buffer got;
    er_fault fault = {0};
    er_buffer_start(&got, 1 << 20);
    assert_int_equal(read_form("go-reasons", &got, &fault), ER_OK);
    size_t whole = got.len;
    for (long allocation = 0;; allocation++) {
        assert_true(allocation < 100000);
        er_buffer_clear(&got);
        er_memory_fail_after(allocation);
        er_status status = read_form("go-reasons", &got, &fault);
        er_memory_fail_after(-1);
        if (status == ER_OK && got.len == whole) {
            break;
        }
        assert_int_equal(status, ER_NO_MEMORY);
    }
    er_buffer_free(&got);
}

static int end(void **state)
{
    (void)state;
    er_languages_free();
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1) { /* prints what a form gives, to make or compare its file */
        er_buffer got;
        er_buffer_start(&got, 1 << 20);
        er_status status = read_form(argv[1], &got, NULL);
        fwrite(got.at, 1, got.len, stdout);
        er_buffer_free(&got);
        er_languages_free();
        return (int)status;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_and_sentinels),
        cmocka_unit_test(log_levels),
        cmocka_unit_test(constants_and_literals),
        cmocka_unit_test(reasons_through_variables),
        cmocka_unit_test(types_that_describe_themselves),
        cmocka_unit_test(values_given_to_members),
        cmocka_unit_test(codes),
        cmocka_unit_test(texts_sent_to_clients),
        cmocka_unit_test(names_of_other_packages),
        cmocka_unit_test(what_can_not_be_resolved),
        cmocka_unit_test(c_calls_and_status_texts),
        cmocka_unit_test(python),
        cmocka_unit_test(javascript),
        cmocka_unit_test(typescript),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
