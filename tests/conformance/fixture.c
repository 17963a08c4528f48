/*
 * The test server of the conformance suite: its tools, resources and prompts on
 * our protocol and transport. It requires no token, because the suite sends
 * none. Prints its address and serves until it gets a signal. Arguments are
 * limits of the transport, for other tests: head=200 or clients=8.
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

/* Reads "NAME=VALUE", a limit of the transport. */
static bool
read_limit(const char *text, struct sq_http_limits *limits) {
    const struct {
        const char *name;
        int *value;
    } rows[] = {
        { "clients=", &limits->max_clients },
        { "sessions=", &limits->max_sessions },
        { "head=", &limits->head_ms },
        { "body=", &limits->body_ms },
        { "idle=", &limits->idle_ms },
        { "stalled=", &limits->stalled_ms },
        { "flush=", &limits->flush_ms },
        { "keep-alive=", &limits->keep_alive_ms },
        { "session=", &limits->session_ms },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct sq_span rest = sq_span_of(text);
        int64_t value;
        if (sq_span_take_prefix(&rest, rows[i].name)
            && sq_span_to_int64(rest, &value)) {
            *rows[i].value = (int)value;
            return true;
        }
    }
    return false;
}

static void
print_address(const struct sq_http_options *options) {
    printf("http://127.0.0.1:%d%s\n", options->access.port, SQ_HTTP_PATH);
    fflush(stdout);
}

int
main(int argc, char **argv) {
    struct sq_err err = { 0 };
    struct sq_http_options options = { .listener_count = 1,
                                       .started = print_address };
    const struct sq_mcp_options mcp = { 0 };
    for (int i = 1; i < argc; i++) {
        if (!read_limit(argv[i], &options.limits)) {
            fprintf(stderr, "unknown limit %s\n", argv[i]);
            return EXIT_FAILURE;
        }
    }
    add_tools(fixture_plain_tools, fixture_plain_tool_count);
    add_tools(fixture_asking_tools, fixture_asking_tool_count);
    add_tools(fixture_task_tools, fixture_task_tool_count);
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
        .has_tasks = true,
        .has_log = true,
        .call_tool = call_tool,
        .read_resource = fixture_read_resource,
        .get_prompt = fixture_get_prompt,
        .complete = complete,
        .attach = attach,
    };
    if (!sq_socket_listen("127.0.0.1", false, &options.access.port,
                          options.listeners, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return EXIT_FAILURE;
    }
    return sq_http_serve(&host, &mcp, &options);
}
