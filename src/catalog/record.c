#include "catalog/record.h"

#include "base/json.h"

#include <assert.h>

static const char *const severity_names[] = {"info", "warning", "error", "fatal"};
static const char *const type_names[] = {"exception", "log", "api", "protocol"};

static const char *const member_names[ER_MEMBER_COUNT] = {
    [ER_MEMBER_ID] = "id",
    [ER_MEMBER_REPO] = "repo",
    [ER_MEMBER_SLUG] = "slug",
    [ER_MEMBER_ERROR_CODE] = "errorCode",
    [ER_MEMBER_ERROR_MESSAGE] = "errorMessage",
    [ER_MEMBER_MESSAGE_PATTERN] = "messagePattern",
    [ER_MEMBER_ERROR_TYPE] = "errorType",
    [ER_MEMBER_ERROR_CLASS] = "errorClass",
    [ER_MEMBER_HTTP_STATUS] = "httpStatus",
    [ER_MEMBER_SEVERITY] = "severity",
    [ER_MEMBER_FILE_PATH] = "filePath",
    [ER_MEMBER_LINE_NUMBER] = "lineNumber",
    [ER_MEMBER_SOURCE_CODE] = "sourceCode",
    [ER_MEMBER_SOURCE_CODE_START] = "sourceCodeStart",
    [ER_MEMBER_SOURCE_CODE_END] = "sourceCodeEnd",
    [ER_MEMBER_GITHUB_URL] = "githubUrl",
    [ER_MEMBER_DOCUMENTATION] = "documentation",
    [ER_MEMBER_TRIGGER_SCENARIOS] = "triggerScenarios",
    [ER_MEMBER_COMMON_SITUATIONS] = "commonSituations",
    [ER_MEMBER_SOLUTIONS] = "solutions",
    [ER_MEMBER_EXAMPLE_FIX] = "exampleFix",
    [ER_MEMBER_HANDLING_STRATEGY] = "handlingStrategy",
    [ER_MEMBER_VALIDATION_CODE] = "validationCode",
    [ER_MEMBER_TYPE_GUARD] = "typeGuard",
    [ER_MEMBER_TRY_CATCH_PATTERN] = "tryCatchPattern",
    [ER_MEMBER_PREVENTION_TIPS] = "preventionTips",
    [ER_MEMBER_TAGS] = "tags",
    [ER_MEMBER_BACKGROUND_TAG] = "backgroundTag",
    [ER_MEMBER_ANALYZED_SHA] = "analyzedSha",
    [ER_MEMBER_ANALYZED_AT] = "analyzedAt",
    [ER_MEMBER_CONTENT_CHANGED_AT] = "contentChangedAt",
    [ER_MEMBER_SCHEMA_VERSION] = "schemaVersion",
};

static bool find(er_slice text, const char *const *names, size_t count, size_t *index)
{
    for (size_t i = 0; i < count; i++) {
        if (er_slice_is(text, names[i])) {
            *index = i;
            return true;
        }
    }
    return false;
}

const char *er_severity_name(er_severity severity)
{
    return severity_names[severity];
}

bool er_severity_parse(er_slice text, er_severity *severity)
{
    size_t index;
    if (!find(text, severity_names, sizeof(severity_names) / sizeof(severity_names[0]), &index)) {
        return false;
    }
    *severity = (er_severity)index;
    return true;
}

const char *er_error_type_name(er_error_type type)
{
    return type_names[type];
}

bool er_error_type_parse(er_slice text, er_error_type *type)
{
    size_t index;
    if (!find(text, type_names, sizeof(type_names) / sizeof(type_names[0]), &index)) {
        return false;
    }
    *type = (er_error_type)index;
    return true;
}

const char *er_member_name(er_member member)
{
    return member_names[member];
}

bool er_member_parse(er_slice raw, er_member *member)
{
    for (size_t i = 0; i < ER_MEMBER_COUNT; i++) {
        if (er_json_equal(raw, member_names[i])) {
            *member = (er_member)i;
            return true;
        }
    }
    return false;
}

er_slice er_record_member(const er_record *record, er_member member)
{
    er_json json;
    er_slice key;
    er_json_start(&json, record->json, ER_JSON_MAX_DEPTH);
    er_json_object_begin(&json);
    while (er_json_object_next(&json, &key)) {
        er_slice value;
        if (!er_json_skip(&json, &value)) {
            break;
        }
        if (er_json_equal(key, member_names[member])) {
            return value;
        }
    }
    assert(false); /* a loaded record has all members */
    return (er_slice){0};
}
