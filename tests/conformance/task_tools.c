/* Tools of the conformance suite that become tasks. */
#include <stdio.h>

#include "fixture.h"

#define TEXT_SIZE 200
#define SECOND_MS 1000

#define QUESTION(key, field)                                                   \
    {                                                                          \
        key, "elicitation/create",                                             \
            SQ_SPAN_INIT("{\"message\":\"Please answer\","                     \
                         "\"requestedSchema\":{\"type\":\"object\","           \
                         "\"properties\":{\"" field "\":{\"type\":"            \
                         "\"string\"}},\"required\":[\"" field "\"]}}")        \
    }

static bool
run_greet(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    char text[TEXT_SIZE];
    (void)call;
    snprintf(text, sizeof(text), "Hello, %.*s!",
             SQ_SPAN_ARGS(sq_json_text_of(arguments, "name")));
    return add_text(out, text, err);
}

static bool
run_slow(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_result *out, struct sq_err *err) {
    int seconds = sq_json_int_of(arguments, "seconds");
    return sq_mcp_call_become_task(call, err)
        && sq_wait_ms(seconds * SECOND_MS, &call->deadline, err)
        && add_text(out, "Computed", err);
}

static bool
run_failing(const struct sq_json *arguments, struct sq_mcp_call *call,
            struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)out;
    return sq_mcp_call_require(call, SQ_MCP_TASKS, err)
        && sq_mcp_call_become_task(call, err)
        && sq_wait_ms(SECOND_MS, &call->deadline, err)
        && sq_fail(err, SQ_ERR_UNSUPPORTED, "The job failed");
}

static bool
run_protocol_error(const struct sq_json *arguments, struct sq_mcp_call *call,
                   struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)out;
    return sq_mcp_call_become_task(call, err) && sq_fail_nomem(err);
}

static bool
run_confirm(const struct sq_json *arguments, struct sq_mcp_call *call,
            struct sq_result *out, struct sq_err *err) {
    static const struct sq_mcp_question question =
        QUESTION("confirm", "confirm");
    const struct sq_json *answer;
    (void)arguments;
    return sq_mcp_call_become_task(call, err)
        && sq_mcp_call_ask(call, &question, 1, &answer, err)
        && add_text(out, "Deleted", err);
}

static bool
run_multi(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    static const struct sq_mcp_question questions[] = {
        QUESTION("first", "first"),
        QUESTION("second", "second"),
    };
    const struct sq_json *answers[2];
    (void)arguments;
    return sq_mcp_call_become_task(call, err)
        && sq_mcp_call_ask(call, questions, 2, answers, err)
        && add_text(out, "Both were answered", err);
}

/* Asks first, and becomes a task when it has the answer. */
static bool
run_with_task(const struct sq_json *arguments, struct sq_mcp_call *call,
              struct sq_result *out, struct sq_err *err) {
    static const struct sq_mcp_question question =
        QUESTION("user_name", "name");
    const struct sq_json *answer;
    char text[TEXT_SIZE];
    (void)arguments;
    if (!sq_mcp_call_require(call, SQ_MCP_TASKS, err)
        || !sq_mcp_call_ask(call, &question, 1, &answer, err)
        || !sq_mcp_call_become_task(call, err)) {
        return false;
    }
    struct sq_span name =
        sq_json_text_of(sq_json_get(answer, "content"), "name");
    snprintf(text, sizeof(text), "Hello, %.*s!", SQ_SPAN_ARGS(name));
    return add_text(out, text, err);
}

#define NAME_SCHEMA                                                            \
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}"
#define SECONDS_SCHEMA                                                         \
    "{\"type\":\"object\",\"properties\":{\"seconds\":{\"type\":"              \
    "\"number\"}}}"

const struct fixture_tool fixture_task_tools[] = {
    { "greet", NAME_SCHEMA, run_greet },
    { "slow_compute", SECONDS_SCHEMA, run_slow },
    { "failing_job", NULL, run_failing },
    { "protocol_error_job", NULL, run_protocol_error },
    { "confirm_delete", NULL, run_confirm },
    { "multi_input", NULL, run_multi },
    { "test_tool_with_task", NULL, run_with_task },
};
const size_t fixture_task_tool_count =
    sizeof(fixture_task_tools) / sizeof(fixture_task_tools[0]);
