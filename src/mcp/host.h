/*
 * The interface between the protocol and the program, which fills in a struct
 * sq_mcp_host. Its arrays and strings must outlive the server and never change.
 * Its functions are called concurrently by several server threads; on failure
 * they leave *out unchanged.
 */
#ifndef SQ_MCP_HOST_H
#define SQ_MCP_HOST_H

#include "tool/tool.h"

/* Effects of a tool, for clients that ask the user before a call. */
enum sq_mcp_hint {
    SQ_MCP_READ_ONLY = 1 << 0,
    SQ_MCP_DESTRUCTIVE = 1 << 1,
    SQ_MCP_IDEMPOTENT = 1 << 2,
    SQ_MCP_OPEN_WORLD = 1 << 3,
};

struct sq_mcp_tool {
    const char *name;
    const char *title;           /* may be NULL */
    const char *description;     /* may be NULL */
    struct sq_span input_schema; /* a JSON object on one line */
    /* Likewise, for clients whose requests are not related; may be empty. */
    struct sq_span stateless_schema;
    struct sq_span output_schema; /* likewise, or empty */
    unsigned hints;               /* enum sq_mcp_hint */
    bool has_headers;             /* the input schema contains x-mcp-header */
    bool is_hidden;               /* not listed, but can be called */
    bool may_be_task; /* legacy clients may ask to run it as a task */
    const char *page; /* "ui://...", for clients with SQ_MCP_UI; may be NULL */
};

struct sq_mcp_resource {
    const char *uri; /* a template contains {placeholders} */
    const char *name;
    const char *title;       /* may be NULL */
    const char *description; /* may be NULL */
    const char *mime_type;   /* may be NULL */
};

/* The type of the pages that clients with SQ_MCP_UI show. */
#define SQ_MCP_PAGE_TYPE "text/html;profile=mcp-app"

/* Only the first 64 resources can be subscribed to. */
#define SQ_MCP_MAX_SUBSCRIBABLE 64

struct sq_mcp_prompt_argument {
    const char *name;
    const char *description; /* may be NULL */
    bool required;
};

struct sq_mcp_prompt {
    const char *name;
    const char *title;       /* may be NULL */
    const char *description; /* may be NULL */
    const struct sq_mcp_prompt_argument *arguments;
    size_t argument_count;
};

enum sq_mcp_log_level {
    SQ_MCP_LOG_DEBUG,
    SQ_MCP_LOG_INFO,
    SQ_MCP_LOG_NOTICE,
    SQ_MCP_LOG_WARNING,
    SQ_MCP_LOG_ERROR,
    SQ_MCP_LOG_CRITICAL,
    SQ_MCP_LOG_ALERT,
    SQ_MCP_LOG_EMERGENCY,
    SQ_MCP_LOG_LEVELS,
};

/* One running request, as its handler receives it. */
struct sq_mcp_call {
    struct sq_deadline deadline; /* with the cancel token */
    struct sq_arena *arena;      /* freed after the reply is written */
    struct sq_span client;       /* the client's name; may be empty */
    /*
     * Tells clients apart: the number of the connection. Stateless clients of
     * one name and version have the same.
     */
    uint64_t client_number;
    void *ticket;   /* from the host's admit; may be NULL */
    void *state;    /* from the host's open_client */
    bool is_person; /* see struct sq_mcp_user, as the next */
    int policy;
    void *private;
};

/*
 * Reports progress to the client. total 0 means unknown; message may be NULL.
 * Sent only if the client requested it and done has grown, and rate-limited.
 */
void sq_mcp_call_progress(struct sq_mcp_call *call, double done, double total,
                          const char *message);

/* Sends a line to the client's log. Modern revisions have no log. */
void sq_mcp_call_log(struct sq_mcp_call *call, enum sq_mcp_log_level level,
                     const char *message);

/*
 * Closes the client's connection while the call goes on, if the client can
 * connect again for the rest. Frees the connection during a long call.
 */
void sq_mcp_call_hang_up(struct sq_mcp_call *call);

/* What the client of a call can do; it declares this. */
enum sq_mcp_capability {
    SQ_MCP_ELICITATION = 1 << 0, /* ask its user to fill in a form */
    SQ_MCP_SAMPLING = 1 << 1,    /* ask its model */
    SQ_MCP_ROOTS = 1 << 2,       /* list its folders */
    SQ_MCP_TASKS = 1 << 3,       /* poll for the results of long calls */
    SQ_MCP_UI = 1 << 4,          /* show pages of a tool */
    SQ_MCP_OLD_TASKS = 1 << 5,   /* knows the tasks of 2025-11-25 */
};

/* Returns the capabilities of the client, enum sq_mcp_capability. */
unsigned sq_mcp_call_capabilities(const struct sq_mcp_call *call);

/*
 * Fails unless the client has all these capabilities. The handler then returns
 * false, too, and the client is told which are missing.
 */
bool sq_mcp_call_require(struct sq_mcp_call *call, unsigned capabilities,
                         struct sq_err *err);

/* A question to the client. */
struct sq_mcp_question {
    const char *key;    /* constant; names it among the questions of a call */
    const char *method; /* constant, such as "elicitation/create" */
    struct sq_span params; /* a JSON object on one line; empty: none */
};

#define SQ_MCP_MAX_QUESTIONS 8

/*
 * Asks the client and returns its answers, owned by the call. Waits for them in
 * legacy revisions. In modern ones it fails the first time, and the handler
 * must return false: the client then repeats the call with its answers, and
 * this returns them. Also fails if the client cannot be asked.
 */
bool sq_mcp_call_ask(struct sq_mcp_call *call,
                     const struct sq_mcp_question *questions, int count,
                     const struct sq_json **answers, struct sq_err *err);

/*
 * Gives the client a text to send back when it repeats the call, and returns
 * the text that it has sent back; empty: none. The client cannot change it.
 * Legacy revisions do not repeat calls.
 */
bool sq_mcp_call_keep_state(struct sq_mcp_call *call, struct sq_span state,
                            struct sq_err *err);
struct sq_span sq_mcp_call_state(const struct sq_mcp_call *call);

/*
 * Answers the call with a task, if the client can poll for tasks; the handler
 * goes on, and its result is what the client finds later. Does nothing if the
 * client cannot, the call is a task, or there are too many tasks. Before a
 * handler has asked the client something, or after it got the answers.
 */
bool sq_mcp_call_become_task(struct sq_mcp_call *call, struct sq_err *err);

/* The result of a tool. Empty before the call, freed by the server. */
struct sq_mcp_tool_result {
    struct sq_result content;
    /*
     * The first block is one JSON object on one line and is also sent as
     * structured content.
     */
    bool is_structured;
};

/* The content of a resource. */
struct sq_mcp_content {
    const char *mime_type; /* static string; may be NULL */
    bool is_text;          /* otherwise data is sent as base64 */
    struct sq_buf data;
    int fresh_ms;     /* how long clients may cache it */
    const char *meta; /* static JSON object on one line; may be NULL */
};

#define SQ_MCP_MAX_MESSAGES 16

/* A prompt with its arguments filled in: a list of messages. */
struct sq_mcp_prompt_result {
    struct sq_result messages;
    bool is_from_assistant[SQ_MCP_MAX_MESSAGES]; /* otherwise from the user */
};

struct sq_mcp_completion_query {
    bool is_prompt;      /* otherwise a resource template */
    struct sq_span name; /* of the prompt, or the template's URI */
    struct sq_span argument;
    struct sq_span value;           /* what has been typed so far */
    const struct sq_json *resolved; /* other arguments by name; may be NULL */
};

#define SQ_MCP_MAX_COMPLETIONS 100

struct sq_mcp_completion {
    struct sq_span values[SQ_MCP_MAX_COMPLETIONS]; /* in the call's arena */
    size_t count;
    size_t total; /* number of all matches; values holds the first ones */
};

/*
 * The target of a call, as passed to admit. Only one of tool, uri and query is
 * set.
 */
struct sq_mcp_call_target {
    const struct sq_mcp_tool *tool;  /* the tool to call */
    const struct sq_json *arguments; /* its arguments: an object or NULL */
    struct sq_span uri;              /* the resource to read */
    const struct sq_mcp_completion_query *query; /* the completion */
    uint64_t client; /* number of the client, see struct sq_mcp_call */
};

struct sq_mcp_admission {
    /*
     * The call may have to wait for a device. Such calls have a separate limit,
     * so that waiting calls do not block the others.
     */
    bool needs_device;
    /*
     * The call is answered from memory within microseconds: it runs on the
     * thread that received it, and later messages wait for it. Must not use a
     * device, a file, another process or sq_mcp_call_ask.
     */
    bool is_quick;
    void *ticket; /* may be NULL */
};

/* Lists whose changes clients can be told of. */
enum sq_mcp_list {
    SQ_MCP_TOOL_LIST = 1 << 0,
    SQ_MCP_PROMPT_LIST = 1 << 1,
    SQ_MCP_RESOURCE_LIST = 1 << 2,
};

struct sq_mcp_server;

/*
 * A function that is NULL means that we lack this feature and do not declare it
 * to the client.
 */
struct sq_mcp_host {
    void *context;
    const char *name;
    const char *title; /* may be NULL */
    const char *version;
    const char *instructions; /* may be NULL */

    const struct sq_mcp_tool *tools;
    size_t tool_count;
    const struct sq_mcp_resource *resources;
    size_t resource_count;
    const struct sq_mcp_resource *templates;
    size_t template_count;
    const struct sq_mcp_prompt *prompts;
    size_t prompt_count;
    unsigned changing_lists; /* enum sq_mcp_list */
    bool has_tasks;          /* some calls become tasks */
    bool has_log;            /* calls send lines to the client's log */

    /*
     * arguments is an object or NULL. A failure is sent as a result with an
     * error text; content.details may then hold a JSON object on one line.
     */
    bool (*call_tool)(void *context, const struct sq_mcp_tool *tool,
                      const struct sq_json *arguments, struct sq_mcp_call *call,
                      struct sq_mcp_tool_result *out, struct sq_err *err);

    /*
     * Writes one sentence about a name that is not in tools, or "". May be
     * NULL.
     */
    void (*explain_unknown_tool)(void *context, struct sq_span name, char *out,
                                 size_t size);

    /* Fails with SQ_ERR_NOT_FOUND if there is no such resource. */
    bool (*read_resource)(void *context, struct sq_span uri,
                          struct sq_mcp_call *call, struct sq_mcp_content *out,
                          struct sq_err *err);

    /*
     * Called when a call arrives, in the order in which the client sent the
     * calls; later that order is lost. Must not wait. *out is zeroed before.
     * The handler finds the ticket in its call. release_ticket receives the
     * ticket when the call has been answered or was dropped before it started.
     * Both may be NULL.
     */
    bool (*admit)(void *context, const struct sq_mcp_call_target *target,
                  struct sq_mcp_admission *out, struct sq_err *err);
    void (*release_ticket)(void *context, void *ticket);

    /* Called only if all required arguments are present and all are strings. */
    bool (*get_prompt)(void *context, const struct sq_mcp_prompt *prompt,
                       const struct sq_json *arguments,
                       struct sq_mcp_call *call,
                       struct sq_mcp_prompt_result *out, struct sq_err *err);

    bool (*complete)(void *context, const struct sq_mcp_completion_query *query,
                     struct sq_mcp_call *call, struct sq_mcp_completion *out,
                     struct sq_err *err);

    /*
     * Creates what is remembered about a client between its calls, before its
     * first call. is_stateless: its requests are not related, and another
     * process may get the next. close_client frees it. Both may be NULL.
     */
    bool (*open_client)(void *context, bool is_stateless, void **out,
                        struct sq_err *err);
    void (*close_client)(void *context, void *state);

    /*
     * Called when a client subscribes to a resource of the host's list.
     * sq_mcp_server_is_watched returns whether any client still does. Must not
     * wait. May be NULL.
     */
    void (*watched)(void *context, const char *uri);

    /*
     * Called with the server when it has started, and with NULL before it ends.
     * May be NULL.
     */
    void (*attach)(void *context, struct sq_mcp_server *server);
};

#endif
