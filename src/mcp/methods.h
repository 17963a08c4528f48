/* The methods of the protocol, and the steps that they share. */
#ifndef SQ_MCP_METHODS_H
#define SQ_MCP_METHODS_H

#include "mcp/request.h"

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
    sq_mcp_body *list; /* for sq_mcp_run_list */
};

/* What sq_mcp_run_list answers. */
sq_mcp_body sq_mcp_put_tools;
sq_mcp_body sq_mcp_put_resources;
sq_mcp_body sq_mcp_put_templates;
sq_mcp_body sq_mcp_put_prompts;

/* Writes the names of the modern revisions as an array. */
void sq_mcp_put_modern_versions(struct sq_json_writer *w, const char *key);

/* Returns the host's tool with that name, or NULL. */
const struct sq_mcp_tool *sq_mcp_find_tool(const struct sq_mcp_host *host,
                                           struct sq_span name);

/* These answer immediately. */
void sq_mcp_run_initialize(struct sq_mcp_request *request);
void sq_mcp_run_ping(struct sq_mcp_request *request);
void sq_mcp_run_discover(struct sq_mcp_request *request);
void sq_mcp_run_set_level(struct sq_mcp_request *request);
void sq_mcp_run_list(struct sq_mcp_request *request);
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

/*
 * Compares the headers of a message with its body, as modern revisions require
 * of transports that have headers. A gateway that routes by headers and we, who
 * read the body, must not see different requests.
 */

/*
 * Checks the header of the protocol version against the version in _meta.
 * Answers with an error and returns false if they differ. Returns true if the
 * transport has no headers.
 */
bool sq_mcp_check_version_header(struct sq_mcp_request *request,
                                 struct sq_span version);

/*
 * Checks the headers that repeat the method, the name and arguments of a
 * request, in the same way.
 */
bool sq_mcp_check_headers(struct sq_mcp_request *request,
                          const struct sq_mcp_method *method,
                          struct sq_span method_name);

/*
 * Questions to the client while a call runs: requests on the wire in legacy
 * revisions, results that require input in modern ones.
 */

/* Returns what the client declares, enum sq_mcp_capability. */
unsigned sq_mcp_read_capabilities(const struct sq_json *declared);

/* Returns what the client of a request declares: its own or its session's. */
unsigned sq_mcp_request_capabilities(const struct sq_mcp_request *request);

/*
 * Reads the answers and the state that the client has sent with a modern
 * request. Answers with an error and returns false if they are malformed.
 */
bool sq_mcp_read_input(struct sq_mcp_request *request);

/*
 * Answers the request if its handler needs input or capabilities of the client
 * first. Returns false if that is not why it failed.
 */
bool sq_mcp_reply_needs(struct sq_mcp_request *request);

/* Returns whether an answer has the members that its kind requires. */
bool sq_mcp_is_valid_answer(const char *method, const struct sq_json *answer);

/* Writes one member of inputRequests. */
void sq_mcp_put_question(struct sq_json_writer *w,
                         const struct sq_mcp_question *question);

/* Receives the client's answer to a question: a message without method. */
void sq_mcp_receive_answer(struct sq_mcp_connection *connection,
                           const struct sq_json *message);

/* Answers a listening request, which ends its subscription. */
void sq_mcp_listener_end(struct sq_mcp_request *listener);

/* The table of tasks: see tasks.c. */
bool sq_mcp_tasks_create(struct sq_mcp_tasks **out, struct sq_err *err);

/* No task may be running. Accepts NULL. */
void sq_mcp_tasks_destroy(struct sq_mcp_tasks *tasks);

/* Cancels all running tasks; those of a legacy client that has gone, if given.
 */
void sq_mcp_tasks_cancel(struct sq_mcp_tasks *tasks,
                         const struct sq_mcp_connection *owner);

/*
 * Reads whether a legacy client asks to run this tool as a task. Answers with
 * an error and returns false if the tool cannot.
 */
bool sq_mcp_read_task_wish(struct sq_mcp_request *request,
                           const struct sq_mcp_tool *tool);

/*
 * Stores the answer of the request that runs as the task. Takes ownership.
 * NULL: it has none, because it was cancelled.
 */
void sq_mcp_task_finish(struct sq_mcp_request *request,
                        struct sq_mcp_message *answer);

/* The request is no longer used; its task stays for the client. */
void sq_mcp_task_leave(struct sq_mcp_request *request);

/* Like sq_mcp_call_ask: the client finds the questions when it polls. */
bool sq_mcp_task_ask(struct sq_mcp_call *call,
                     const struct sq_mcp_question *questions, int count,
                     const struct sq_json **answers, struct sq_err *err);

#endif
