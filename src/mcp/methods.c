/* The table of protocol methods. */
#include "mcp/methods.h"

#include <stddef.h>

#define BOTH (SQ_MCP_LEGACY | SQ_MCP_MODERN)

static const struct sq_mcp_method methods[] = {
    { "initialize", SQ_MCP_LEGACY | SQ_MCP_EARLY, SQ_MCP_CORE,
      sq_mcp_run_initialize, NULL, NULL },
    { "ping", SQ_MCP_LEGACY | SQ_MCP_EARLY, SQ_MCP_CORE, sq_mcp_run_ping, NULL,
      NULL },
    { "logging/setLevel", SQ_MCP_LEGACY, SQ_MCP_CORE, sq_mcp_run_set_level,
      NULL, NULL },
    { "server/discover", SQ_MCP_MODERN, SQ_MCP_CORE, sq_mcp_run_discover, NULL,
      NULL },
    { "tools/call", BOTH | SQ_MCP_CALL | SQ_MCP_ERROR_IN_RESULT, SQ_MCP_TOOLS,
      sq_mcp_run_call_tool, sq_mcp_admit_call_tool, "name" },
    { "tools/list", BOTH, SQ_MCP_TOOLS, sq_mcp_run_list_tools, NULL, NULL },
    { "resources/list", BOTH, SQ_MCP_RESOURCES, sq_mcp_run_list_resources, NULL,
      NULL },
    { "resources/templates/list", BOTH, SQ_MCP_RESOURCES,
      sq_mcp_run_list_templates, NULL, NULL },
    { "resources/read", BOTH | SQ_MCP_CALL, SQ_MCP_RESOURCES,
      sq_mcp_run_read_resource, sq_mcp_admit_read_resource, "uri" },
    { "resources/subscribe", SQ_MCP_LEGACY, SQ_MCP_RESOURCES,
      sq_mcp_run_subscribe, NULL, NULL },
    { "resources/unsubscribe", SQ_MCP_LEGACY, SQ_MCP_RESOURCES,
      sq_mcp_run_unsubscribe, NULL, NULL },
    { "subscriptions/listen", SQ_MCP_MODERN | SQ_MCP_LISTEN, SQ_MCP_CORE,
      sq_mcp_run_listen, NULL, NULL },
    { "tasks/get", BOTH | SQ_MCP_LAST_ONLY, SQ_MCP_LONG_CALLS,
      sq_mcp_run_get_task, NULL, "taskId" },
    { "tasks/update", SQ_MCP_MODERN, SQ_MCP_LONG_CALLS, sq_mcp_run_update_task,
      NULL, "taskId" },
    { "tasks/cancel", BOTH | SQ_MCP_LAST_ONLY, SQ_MCP_LONG_CALLS,
      sq_mcp_run_cancel_task, NULL, "taskId" },
    { "tasks/list", SQ_MCP_LEGACY | SQ_MCP_LAST_ONLY, SQ_MCP_LONG_CALLS,
      sq_mcp_run_list_tasks, NULL, NULL },
    { "tasks/result", SQ_MCP_LEGACY | SQ_MCP_LAST_ONLY | SQ_MCP_CALL,
      SQ_MCP_LONG_CALLS, sq_mcp_run_task_result, NULL, NULL },
    { "prompts/list", BOTH, SQ_MCP_PROMPTS, sq_mcp_run_list_prompts, NULL,
      NULL },
    { "prompts/get", BOTH | SQ_MCP_CALL, SQ_MCP_PROMPTS, sq_mcp_run_get_prompt,
      NULL, "name" },
    { "completion/complete", BOTH | SQ_MCP_CALL, SQ_MCP_COMPLETIONS,
      sq_mcp_run_complete, sq_mcp_admit_complete, NULL },
};

const struct sq_mcp_method *
sq_mcp_method_find(struct sq_span name) {
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (sq_span_is(name, methods[i].name)) {
            return &methods[i];
        }
    }
    return NULL;
}

const struct sq_mcp_tool *
sq_mcp_find_tool(const struct sq_mcp_host *host, struct sq_span name) {
    for (size_t i = 0; i < host->tool_count; i++) {
        if (sq_span_is(name, host->tools[i].name)) {
            return &host->tools[i];
        }
    }
    return NULL;
}

bool
sq_mcp_host_has(const struct sq_mcp_host *host, enum sq_mcp_feature feature) {
    switch (feature) {
    case SQ_MCP_TOOLS:
        return host->call_tool != NULL;
    case SQ_MCP_RESOURCES:
        return host->read_resource != NULL;
    case SQ_MCP_PROMPTS:
        return host->get_prompt != NULL;
    case SQ_MCP_COMPLETIONS:
        return host->complete != NULL;
    case SQ_MCP_LONG_CALLS:
        return host->has_tasks;
    case SQ_MCP_LOG:
        return host->has_log;
    case SQ_MCP_CORE:
    default:
        return true;
    }
}
