/*
 * What the protocol serves, without knowing what it is: the program fills in
 * a struct sq_mcp_host. Its arrays and strings must outlive the server and
 * never change. Its functions are called on threads of the server, several at
 * a time; on failure they leave *out as it was.
 */
#ifndef SQ_MCP_HOST_H
#define SQ_MCP_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "json/value.h"
#include "sys/deadline.h"
#include "tool/tool.h"
#include "util/arena.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* What a tool does to the world, for hosts that ask people first. */
enum sq_mcp_hint {
    SQ_MCP_READ_ONLY = 1 << 0,
    SQ_MCP_DESTRUCTIVE = 1 << 1,
    SQ_MCP_IDEMPOTENT = 1 << 2,
    SQ_MCP_OPEN_WORLD = 1 << 3,
};

struct sq_mcp_tool {
    const char *name;
    const char *title;            /* may be NULL */
    const char *description;      /* may be NULL */
    struct sq_span input_schema;  /* a JSON object on one line */
    struct sq_span output_schema; /* likewise, or empty */
    unsigned hints;               /* enum sq_mcp_hint */
};

struct sq_mcp_resource {
    const char *uri; /* of a template: with {holes} */
    const char *name;
    const char *title;       /* may be NULL */
    const char *description; /* may be NULL */
    const char *mime_type;   /* may be NULL */
};

/* So many resources can be subscribed to, the first ones. */
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

/* One running request, as its handler sees it. */
struct sq_mcp_call {
    struct sq_deadline deadline; /* with the token that calls it off */
    struct sq_arena *arena;      /* lives until the reply is written */
    struct sq_span client; /* what the client calls itself; may be empty */
    void *ticket;          /* from the host's admit; may be NULL */
    void *private;
};

/*
 * Tell the client how far a call is; total 0 is unknown, message may be NULL.
 * Sent only if the client asked, if done has grown, and not too often.
 */
void sq_mcp_call_progress(struct sq_mcp_call *call, double done, double total,
                          const char *message);

/* A line for the client's log, where there is one (not in modern revisions) */
void sq_mcp_call_log(struct sq_mcp_call *call, enum sq_mcp_log_level level,
                     const char *message);

/* What a tool gives back. A value: zeroed before, finished by the server. */
struct sq_mcp_tool_result {
    struct sq_result content;
    /* The first block is one JSON object on one line, to be structured too. */
    bool is_structured;
};

/* The content of a resource. */
struct sq_mcp_content {
    const char *mime_type; /* constant; may be NULL */
    bool is_text;          /* else data is sent in base64 */
    struct sq_buf data;
    int fresh_ms; /* how long it may be kept */
};

#define SQ_MCP_MAX_MESSAGES 16

/* A prompt, filled in: a conversation of blocks. */
struct sq_mcp_prompt_result {
    struct sq_result messages;
    bool is_from_assistant[SQ_MCP_MAX_MESSAGES]; /* the others: from the user */
};

struct sq_mcp_completion_query {
    bool is_prompt;      /* else a resource template */
    struct sq_span name; /* of the prompt, or the template's URI */
    struct sq_span argument;
    struct sq_span value;           /* what has been typed so far */
    const struct sq_json *resolved; /* other arguments by name; may be NULL */
};

#define SQ_MCP_MAX_COMPLETIONS 100

struct sq_mcp_completion {
    struct sq_span values[SQ_MCP_MAX_COMPLETIONS]; /* in the call's arena */
    size_t count;
    size_t total; /* of which these are the first */
};

/* What a call is about, as far as that matters before it begins. */
struct sq_mcp_asked {
    const struct sq_mcp_tool *tool;  /* this is to be called, ... */
    const struct sq_json *arguments; /* with these: an object or NULL; */
    struct sq_span uri;              /* or this resource is to be read, */
    const struct sq_mcp_completion_query *query; /* or this to be completed */
};

struct sq_mcp_admission {
    /*
     * The call may have to wait for a device. Such calls have a limit of their
     * own, so that however many wait, they are in nobody else's way.
     */
    bool needs_device;
    void *ticket; /* may be NULL */
};

struct sq_mcp_server;

/* A function that is NULL is a feature we do not have, and do not declare. */
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

    /*
     * arguments is an object or NULL. A failure becomes a result that says
     * so; content.details may then hold a JSON object on one line.
     */
    bool (*call_tool)(void *context, const struct sq_mcp_tool *tool,
                      const struct sq_json *arguments, struct sq_mcp_call *call,
                      struct sq_mcp_tool_result *out, struct sq_err *err);

    /* SQ_ERR_NOT_FOUND if there is no such resource. */
    bool (*read_resource)(void *context, struct sq_span uri,
                          struct sq_mcp_call *call, struct sq_mcp_content *out,
                          struct sq_err *err);

    /*
     * A call has arrived: the one moment at which calls are still in the order
     * they were sent in. Must not wait. *out is zeroed before. The handler
     * finds the ticket in its call; dismiss gets it back when the call has been
     * answered, or given up before it began. Both may be NULL.
     */
    bool (*admit)(void *context, const struct sq_mcp_asked *asked,
                  struct sq_mcp_admission *out, struct sq_err *err);
    void (*dismiss)(void *context, void *ticket);

    /* All required arguments are there, and all are strings. */
    bool (*get_prompt)(void *context, const struct sq_mcp_prompt *prompt,
                       const struct sq_json *arguments,
                       struct sq_mcp_call *call,
                       struct sq_mcp_prompt_result *out, struct sq_err *err);

    bool (*complete)(void *context, const struct sq_mcp_completion_query *query,
                     struct sq_mcp_call *call, struct sq_mcp_completion *out,
                     struct sq_err *err);

    /*
     * Somebody has begun to listen to changes of a resource of the host's
     * list; sq_mcp_server_is_watched tells whether anybody still does. Must
     * not wait. May be NULL.
     */
    void (*watched)(void *context, const char *uri);

    /* The server, when it has begun; NULL when it is about to end. May be
     * NULL itself. */
    void (*attach)(void *context, struct sq_mcp_server *server);
};

#endif
