/* The table of all protocol methods. */
#ifndef SQ_MCP_METHODS_H
#define SQ_MCP_METHODS_H

#include <stdbool.h>

#include "mcp/request.h"
#include "util/span.h"

enum sq_mcp_feature {
    SQ_MCP_CORE,
    SQ_MCP_TOOLS,
    SQ_MCP_RESOURCES,
    SQ_MCP_PROMPTS,
    SQ_MCP_COMPLETIONS,
    SQ_MCP_LONG_CALLS,
    SQ_MCP_LOG,
};

/* Returns whether the host has the feature, and so all its methods. */
bool sq_mcp_host_has(const struct sq_mcp_host *host,
                     enum sq_mcp_feature feature);

enum sq_mcp_method_flag {
    SQ_MCP_LEGACY = 1 << 0,          /* exists in revisions with a handshake */
    SQ_MCP_MODERN = 1 << 1,          /* exists in revisions without */
    SQ_MCP_EARLY = 1 << 2,           /* legacy: allowed before the handshake */
    SQ_MCP_CALL = 1 << 3,            /* calls the host: runs on a thread */
    SQ_MCP_LISTEN = 1 << 4,          /* stays open after run returns */
    SQ_MCP_ERROR_IN_RESULT = 1 << 5, /* a failure is sent as a result */
    SQ_MCP_LAST_ONLY = 1 << 6, /* legacy: only in the last such revision */
};

struct sq_mcp_method {
    const char *name;
    unsigned flags; /* enum sq_mcp_method_flag */
    enum sq_mcp_feature feature;
    /* Answers the request exactly once. A listener is answered later. */
    void (*run)(struct sq_mcp_request *request);
    /*
     * Called before run, in order of arrival. NULL if the order does not
     * matter.
     */
    bool (*admit)(struct sq_mcp_request *request, struct sq_err *err);
    /* The member of params that names what is asked for; NULL: none. */
    const char *name_key;
};

/* Returns the host's tool with that name, or NULL. */
const struct sq_mcp_tool *sq_mcp_find_tool(const struct sq_mcp_host *host,
                                           struct sq_span name);

/* Returns NULL if there is no such method. */
const struct sq_mcp_method *sq_mcp_method_find(struct sq_span name);

/* These answer immediately. */
void sq_mcp_run_initialize(struct sq_mcp_request *request);
void sq_mcp_run_ping(struct sq_mcp_request *request);
void sq_mcp_run_discover(struct sq_mcp_request *request);
void sq_mcp_run_set_level(struct sq_mcp_request *request);
void sq_mcp_run_list_tools(struct sq_mcp_request *request);
void sq_mcp_run_list_resources(struct sq_mcp_request *request);
void sq_mcp_run_list_templates(struct sq_mcp_request *request);
void sq_mcp_run_list_prompts(struct sq_mcp_request *request);
void sq_mcp_run_subscribe(struct sq_mcp_request *request);
void sq_mcp_run_unsubscribe(struct sq_mcp_request *request);
void sq_mcp_run_listen(struct sq_mcp_request *request);

void sq_mcp_run_get_task(struct sq_mcp_request *request);
void sq_mcp_run_update_task(struct sq_mcp_request *request);
void sq_mcp_run_cancel_task(struct sq_mcp_request *request);
void sq_mcp_run_list_tasks(struct sq_mcp_request *request);

/* These answer when the host has finished. */
void sq_mcp_run_call_tool(struct sq_mcp_request *request);
void sq_mcp_run_read_resource(struct sq_mcp_request *request);
void sq_mcp_run_get_prompt(struct sq_mcp_request *request);
void sq_mcp_run_complete(struct sq_mcp_request *request);

/* Answers when the task has ended. */
void sq_mcp_run_task_result(struct sq_mcp_request *request);

/*
 * Answers a call that was refused before it started: too many calls, no memory,
 * or an id that is in use.
 */
void sq_mcp_reply_refusal(struct sq_mcp_request *request,
                          const struct sq_err *err);

/* Returns that answer instead of sending it; NULL without memory. */
struct sq_mcp_message *
sq_mcp_write_refusal(const struct sq_mcp_request *request,
                     const struct sq_err *err);

/* Request a ticket from the host, one function per kind of call. */
bool sq_mcp_admit_call_tool(struct sq_mcp_request *request, struct sq_err *err);
bool sq_mcp_admit_read_resource(struct sq_mcp_request *request,
                                struct sq_err *err);
bool sq_mcp_admit_complete(struct sq_mcp_request *request, struct sq_err *err);

/*
 * Finds the level by its name in logging/setLevel. Returns false if there is
 * none.
 */
bool sq_mcp_log_level_find(struct sq_span name, enum sq_mcp_log_level *out);
const char *sq_mcp_log_level_name(enum sq_mcp_log_level level);

#endif
