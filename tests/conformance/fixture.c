/*
 * The test server of the conformance suite: its tools, resources and prompts on
 * our protocol and transport. It requires no token, because the suite sends
 * none. Prints its address and serves until it gets a signal.
 */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/serve.h"
#include "sys/sockets.h"

#define MAX_TOOLS 64

struct sq_mcp_server *fixture_server;

static struct sq_mcp_tool tools[MAX_TOOLS];
static fixture_run *runs[MAX_TOOLS];
static size_t tool_count;

static void
add_tools(const struct fixture_tool *rows, size_t count) {
    static const char any[] = "{\"type\":\"object\",\"properties\":{}}";
    for (size_t i = 0; i < count && tool_count < MAX_TOOLS; i++) {
        const char *schema = rows[i].schema ? rows[i].schema : any;
        runs[tool_count] = rows[i].run;
        tools[tool_count++] = (struct sq_mcp_tool){
            .name = rows[i].name,
            .description = "A tool of the conformance suite",
            .input_schema = sq_span_of(schema),
            .has_headers = strstr(schema, "x-mcp-header") != NULL,
            .tasks = rows[i].tasks,
        };
    }
}

static bool
call_tool(void *context, const struct sq_mcp_tool *tool,
          const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)context;
    return runs[tool - tools](arguments, call, &out->content, err);
}

static bool
complete(void *context, const struct sq_mcp_completion_query *query,
         struct sq_mcp_call *call, struct sq_mcp_completion *out,
         struct sq_err *err) {
    (void)context;
    (void)query;
    (void)call;
    (void)out;
    (void)err;
    return true;
}

static void
attach(void *context, struct sq_mcp_server *server) {
    (void)context;
    fixture_server = server;
}

int
main(void) {
    struct sq_err err = { 0 };
    struct sq_http_options options = { .listener_count = 1 };
    const struct sq_mcp_options mcp = { 0 };
    add_tools(fixture_plain_tools, fixture_plain_tool_count);
    add_tools(fixture_asking_tools, fixture_asking_tool_count);
    const struct sq_mcp_host host = {
        .name = "squint-conformance",
        .version = SQ_VERSION,
        .tools = tools,
        .tool_count = tool_count,
        .resources = fixture_resources,
        .resource_count = fixture_resource_count,
        .templates = fixture_templates,
        .template_count = fixture_template_count,
        .prompts = fixture_prompts,
        .prompt_count = fixture_prompt_count,
        .changing_lists = SQ_MCP_TOOL_LIST | SQ_MCP_PROMPT_LIST,
        .call_tool = call_tool,
        .read_resource = fixture_read_resource,
        .get_prompt = fixture_get_prompt,
        .complete = complete,
        .attach = attach,
    };
    if (!sq_socket_listen("127.0.0.1", &options.access.port, options.listeners,
                          &err)) {
        fprintf(stderr, "%s\n", err.message);
        return EXIT_FAILURE;
    }
    printf("http://127.0.0.1:%d%s\n", options.access.port, SQ_HTTP_PATH);
    fflush(stdout);
    return sq_http_serve(&host, &mcp, &options);
}
