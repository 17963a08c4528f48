/* Tools of the conformance suite that ask the client nothing. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"

#define MAX_BYTES ((size_t)1 << 20)
#define STEP_MS 50
#define HANG_MS 60000
#define LARGE_BYTES ((size_t)8 << 20)

static bool
run_text(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    return add_text(out, "This is a simple text response for testing.", err);
}

static bool
run_image(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    return add_image(out, err);
}

/* A WAV file without samples. */
static const unsigned char wav[] = {
    'R', 'I', 'F', 'F', 36, 0, 0,   0,   'W', 'A',  'V',  'E', 'f', 'm',  't',
    ' ', 16,  0,   0,   0,  1, 0,   1,   0,   0x40, 0x1f, 0,   0,   0x40, 0x1f,
    0,   0,   1,   0,   8,  0, 'd', 'a', 't', 'a',  0,    0,   0,   0,
};

static bool
run_audio(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    struct sq_block *block;
    if (!sq_result_add(out, SQ_BLOCK_AUDIO, MAX_BYTES, &block, err)) {
        return false;
    }
    block->mime_type = "audio/wav";
    return sq_buf_append(&block->data, wav, sizeof(wav), err);
}

static bool
run_embedded(const struct sq_json *arguments, struct sq_mcp_call *call,
             struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    return add_resource(out, "test://embedded-resource", "text/plain",
                        "This is an embedded resource content.", err);
}

static bool
run_mixed(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    return add_text(out, "Multiple content types test:", err)
        && add_image(out, err)
        && add_resource(out, "test://mixed-content-resource",
                        "application/json", "{\"test\":\"data\",\"value\":123}",
                        err);
}

static bool
run_error(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    (void)out;
    return sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "This tool intentionally returns an error for testing");
}

static bool
run_progress(const struct sq_json *arguments, struct sq_mcp_call *call,
             struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    for (int done = 0; done <= 100; done += 50) {
        sq_mcp_call_progress(call, done, 100, NULL);
        if (!sq_wait_ms(STEP_MS + 10, &call->deadline, err)) {
            return false;
        }
    }
    return add_text(out, "Progress complete", err);
}

static bool
run_logging(const struct sq_json *arguments, struct sq_mcp_call *call,
            struct sq_result *out, struct sq_err *err) {
    static const char *const lines[] = { "Tool execution started",
                                         "Tool processing data",
                                         "Tool execution completed" };
    (void)arguments;
    for (int i = 0; i < 3; i++) {
        sq_mcp_call_log(call, SQ_MCP_LOG_INFO, lines[i]);
        if (!sq_wait_ms(STEP_MS, &call->deadline, err)) {
            return false;
        }
    }
    return add_text(out, "Tool with logging executed successfully", err);
}

static bool
run_tool_change(const struct sq_json *arguments, struct sq_mcp_call *call,
                struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    sq_mcp_server_list_changed(fixture_server, SQ_MCP_TOOL_LIST);
    return add_text(out, "Mutation triggered", err);
}

static bool
run_prompt_change(const struct sq_json *arguments, struct sq_mcp_call *call,
                  struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    sq_mcp_server_list_changed(fixture_server, SQ_MCP_PROMPT_LIST);
    return add_text(out, "Mutation triggered", err);
}

static bool
run_missing_capability(const struct sq_json *arguments,
                       struct sq_mcp_call *call, struct sq_result *out,
                       struct sq_err *err) {
    (void)arguments;
    return sq_mcp_call_require(call, SQ_MCP_SAMPLING, err)
        && add_text(out, "The client can sample", err);
}

static bool
run_reconnection(const struct sq_json *arguments, struct sq_mcp_call *call,
                 struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    sq_mcp_call_hang_up(call);
    return sq_wait_ms(2 * STEP_MS, &call->deadline, err)
        && add_text(out, "Reconnection test completed", err);
}

static atomic_int hanging;
static atomic_int cancelled;

/* Waits until it is cancelled. */
static bool
run_hang(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)out;
    atomic_fetch_add(&hanging, 1);
    sq_mcp_call_progress(call, 1, 0, NULL);
    bool ok = sq_wait_ms(HANG_MS, &call->deadline, err);
    atomic_fetch_sub(&hanging, 1);
    atomic_fetch_add(&cancelled, !ok);
    return ok;
}

static bool
run_hang_count(const struct sq_json *arguments, struct sq_mcp_call *call,
               struct sq_result *out, struct sq_err *err) {
    char text[80];
    (void)arguments;
    (void)call;
    snprintf(text, sizeof(text), "%d hanging, %d cancelled",
             atomic_load(&hanging), atomic_load(&cancelled));
    return add_text(out, text, err);
}

/* Answers with 8 MB, more than the buffers of a socket hold. */
static bool
run_large(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_result *out, struct sq_err *err) {
    struct sq_block *block;
    uint8_t *space;
    (void)arguments;
    (void)call;
    if (!sq_result_add(out, SQ_BLOCK_TEXT, LARGE_BYTES, &block, err)
        || !sq_buf_reserve(&block->data, LARGE_BYTES, &space, err)) {
        return false;
    }
    memset(space, 'x', LARGE_BYTES);
    sq_buf_commit(&block->data, LARGE_BYTES);
    return true;
}

static bool
run_schema(const struct sq_json *arguments, struct sq_mcp_call *call,
           struct sq_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    return add_text(out, "The schema was accepted", err);
}

#define SCHEMA_2020_12                                                         \
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","           \
    "\"type\":\"object\",\"$defs\":{\"address\":{\"$anchor\":\"addressDef\","  \
    "\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},"    \
    "\"city\":{\"type\":\"string\"}}}},\"properties\":{\"name\":{\"type\":"    \
    "\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},"                  \
    "\"contactMethod\":{\"type\":\"string\",\"enum\":[\"phone\",\"email\"]},"  \
    "\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},"        \
    "\"allOf\":[{\"anyOf\":[{\"required\":[\"phone\"]},{\"required\":["        \
    "\"email\"]}]}],\"if\":{\"properties\":{\"contactMethod\":{\"const\":"     \
    "\"phone\"}},\"required\":[\"contactMethod\"]},\"then\":{\"required\":["   \
    "\"phone\"]},\"else\":{\"required\":[\"email\"]},"                         \
    "\"additionalProperties\":false}"

#define REGION_SCHEMA                                                          \
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","    \
    "\"x-mcp-header\":\"Region\"}},\"required\":[\"region\"]}"

const struct fixture_tool fixture_plain_tools[] = {
    { "test_simple_text", NULL, run_text },
    { "test_image_content", NULL, run_image },
    { "test_audio_content", NULL, run_audio },
    { "test_embedded_resource", NULL, run_embedded },
    { "test_multiple_content_types", NULL, run_mixed },
    { "test_error_handling", NULL, run_error },
    { "test_tool_with_progress", NULL, run_progress },
    { "test_tool_with_logging", NULL, run_logging },
    { "test_logging_tool", NULL, run_logging },
    { "test_streaming_elicitation", NULL, run_progress },
    { "test_missing_capability", NULL, run_missing_capability },
    { "test_trigger_tool_change", NULL, run_tool_change },
    { "test_trigger_prompt_change", NULL, run_prompt_change },
    { "test_reconnection", NULL, run_reconnection },
    { "json_schema_2020_12_tool", SCHEMA_2020_12, run_schema },
    { "hang", NULL, run_hang },
    { "hang_count", NULL, run_hang_count },
    { "large", NULL, run_large },
    { "test_region", REGION_SCHEMA, run_text },
};
const size_t fixture_plain_tool_count =
    sizeof(fixture_plain_tools) / sizeof(fixture_plain_tools[0]);
