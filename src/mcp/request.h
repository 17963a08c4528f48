/* A request from its arrival to its answer, alone or in a batch. */
#ifndef SQ_MCP_REQUEST_H
#define SQ_MCP_REQUEST_H

#include <stdatomic.h>

#include "mcp/server.h"
#include "sys/lock.h"

/* Memory limit of one parsed message and the work on it. */
#define SQ_MCP_MAX_REQUEST_MEMORY ((size_t)32 << 20)

/*
 * Limits per connection: running requests that need a device, and as many that
 * need none; and the memory of all their messages.
 */
#define SQ_MCP_MAX_CALLS 256
#define SQ_MCP_MAX_CALL_BYTES ((size_t)64 << 20)
#define SQ_MCP_MAX_LISTENERS 32

#define SQ_MCP_CLIENT_SIZE 64

#define SQ_MCP_META_VERSION "io.modelcontextprotocol/protocolVersion"
#define SQ_MCP_META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define SQ_MCP_META_CLIENT "io.modelcontextprotocol/clientInfo"
#define SQ_MCP_META_SERVER "io.modelcontextprotocol/serverInfo"
#define SQ_MCP_META_LOG_LEVEL "io.modelcontextprotocol/logLevel"
#define SQ_MCP_META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"

#define SQ_MCP_TASKS_EXTENSION "io.modelcontextprotocol/tasks"
#define SQ_MCP_UI_EXTENSION "io.modelcontextprotocol/ui"

struct sq_mcp_tasks;

struct sq_mcp_server {
    const struct sq_mcp_host *host;
    struct sq_mcp_options options;
    struct sq_pool *pool; /* NULL: calls run on the receiving thread */
    struct sq_lock *lock; /* guards connections and the order of calls */
    struct sq_mcp_connection *connections;
    uint64_t last_number;          /* of a connection */
    struct sq_mcp_tasks *tasks;    /* NULL: the host has none */
    uint8_t key[SQ_MCP_KEY_BYTES]; /* of the states that clients keep */
};

struct sq_mcp_question_sent;
struct sq_mcp_task;

struct sq_mcp_connection {
    struct sq_mcp_server *server;
    struct sq_mcp_connection *next;
    struct sq_mcp_sink sink;

    uint64_t number; /* from 1, in the order of their creation */
    struct sq_mcp_user user;
    void *state; /* from the host's open_client */

    /* Used only by the receiving thread. */
    bool has_session; /* initialize was answered */
    enum sq_mcp_revision revision;

    /* Set before the first call of the session starts. */
    char client[SQ_MCP_CLIENT_SIZE];
    unsigned capabilities; /* enum sq_mcp_capability */
    atomic_int log_level;  /* SQ_MCP_LOG_LEVELS: send none */

    /* Bytes of answers that wait for the rest of their batch. */
    atomic_size_t batch_bytes;

    struct sq_lock *lock; /* guards the fields below */
    bool closed;
    bool is_ended_by_client;         /* it ended its session */
    bool is_abandoned;               /* freed with its last request */
    int acquired;                    /* requests that are in use */
    struct sq_mcp_request *requests; /* the running ones */
    int calls;                       /* running, without device */
    int device_calls;
    int listeners;
    size_t call_bytes;
    uint64_t subscribed; /* bit set of resources, in legacy revisions */
    struct sq_mcp_question_sent *questions; /* without an answer */
    int64_t last_question;                  /* id of the last one */
    bool is_ready; /* initialize was answered: notifications may be sent */
};

struct sq_mcp_batch;

struct sq_mcp_request {
    struct sq_mcp_request *next; /* in the connection's list */
    struct sq_mcp_connection *connection;
    struct sq_mcp_sink sink;
    struct sq_buf text;
    struct sq_arena arena; /* for the fields below, which point into text */
    const struct sq_json *id;
    const struct sq_json *params; /* an object or NULL */
    const struct sq_json *meta;   /* an object or NULL */
    const struct sq_mcp_method *method;
    const struct sq_mcp_tool *tool; /* to call; NULL: none, or unknown */
    enum sq_mcp_revision revision;

    struct sq_mcp_batch *batch; /* the batch that it belongs to; NULL: none */
    bool is_on_thread;          /* its own thread, which may block */

    /* Guarded by the connection's lock. */
    bool is_registered; /* in the connection's list */
    bool is_answered;
    bool is_cancelled; /* the client has cancelled it */
    size_t counted;    /* its share of call_bytes */
    bool is_listener;
    uint64_t subscribed;  /* bit set of a listener's resources */
    unsigned lists;       /* and its lists: enum sq_mcp_list */
    bool is_acknowledged; /* a listener may be notified */
    struct sq_cancel *cancel;
    void *ticket;      /* from the host's admit */
    bool needs_device; /* from the host's admit, too */
    bool is_quick;     /* likewise: runs on the receiving thread */

    const struct sq_json *progress_token; /* NULL: not requested */
    double progress_done;
    int64_t progress_at_ns;

    const char *result_type;       /* of a modern result; NULL: "complete" */
    const struct sq_json *answers; /* to earlier questions; an object or NULL */
    struct sq_span state;          /* that the client has sent back */
    struct sq_span next_state;     /* that it shall send back, sealed */
    struct sq_mcp_question asked[SQ_MCP_MAX_QUESTIONS];
    int asked_count;
    bool has_bad_answer;
    unsigned missing_capabilities;

    bool wants_task;          /* a legacy client asks for a task */
    bool has_failed;          /* the result of the tool says so */
    struct sq_mcp_task *task; /* that this request runs as; NULL: none */
    const struct sq_json *task_answer; /* of the task that tasks/get reads */
};

/* Returns a new request; NULL without memory. */
struct sq_mcp_request *sq_mcp_request_acquire(struct sq_mcp_connection *owner);

/* Tells the transport that nothing more is sent for this message. */
void sq_mcp_request_release_sink(struct sq_mcp_request *request);

/* Frees a closed connection without requests. */
void sq_mcp_connection_free(struct sq_mcp_connection *connection);

/* Frees a request, which must not be registered. */
void sq_mcp_request_release(struct sq_mcp_request *request);

static inline const struct sq_mcp_host *
sq_mcp_request_host(const struct sq_mcp_request *request) {
    return request->connection->server->host;
}

/*
 * Returns whether a value is a string or a 64-bit integer, and so can be sent
 * back exactly.
 */
bool sq_mcp_is_id(const struct sq_json *value);

/* Returns whether two ids are equal. */
bool sq_mcp_same_id(const struct sq_json *a, const struct sq_json *b);

/*
 * Registers a request as running: it can be cancelled, and is answered at most
 * once. Fails with SQ_ERR_ARGUMENT if its id is in use and with SQ_ERR_LIMIT if
 * there are too many.
 */
bool sq_mcp_request_register(struct sq_mcp_request *request,
                             struct sq_err *err);

/*
 * Sends the answer, or none if it is NULL, and unregisters the request. Drops
 * the answer if the request was cancelled or answered meanwhile. On a thread of
 * its own this waits until there is space to send.
 */
void sq_mcp_request_finish(struct sq_mcp_request *request,
                           struct sq_mcp_message *answer);

/* Returns the maximum size of its answer in bytes. */
size_t sq_mcp_request_room(const struct sq_mcp_request *request);

/*
 * Answers a registered request immediately and cancels it; its thread may
 * still run. Does nothing if the client no longer needs an answer. Called with
 * the connection's lock held.
 */
void sq_mcp_request_answer_early(struct sq_mcp_request *request,
                                 struct sq_mcp_message *answer);

/* Sends a message about a request unless the request was cancelled. */
void sq_mcp_request_notify(struct sq_mcp_request *request,
                           struct sq_mcp_message *message);

/* Cancels the request with that id, as the client demanded. */
void sq_mcp_request_cancel(struct sq_mcp_connection *connection,
                           const struct sq_json *id);

/*
 * JSON-RPC batches, which only revision 2025-03-26 has: an array of messages
 * arrives, and one array of answers is sent when all its requests have been
 * answered. initialize cannot be part of a batch, because the revision is not
 * known before it; the specification forbids it as well.
 */

/* Maximum number of messages in a batch. */
#define SQ_MCP_MAX_BATCH 100

/*
 * Maximum bytes of finished answers that wait for the rest of their batch, over
 * all batches of a connection.
 */
#define SQ_MCP_MAX_BATCH_BYTES ((size_t)32 << 20)

/* Returns whether the connection's revision has batches. */
bool sq_mcp_has_batches(const struct sq_mcp_connection *connection);

/*
 * Receives all messages of an array. Calls handle for each, with a request of
 * its own; handle returns whether that request is still running. Returns true
 * if any is; the batch then owns the request `whole`.
 */
bool sq_mcp_batch_receive(struct sq_mcp_request *whole,
                          const struct sq_json *messages,
                          bool (*handle)(struct sq_mcp_request *request,
                                         const struct sq_json *message));

enum sq_mcp_error_code {
    SQ_MCP_PARSE_ERROR = -32700,
    SQ_MCP_INVALID_REQUEST = -32600,
    SQ_MCP_METHOD_NOT_FOUND = -32601,
    SQ_MCP_INVALID_PARAMS = -32602,
    SQ_MCP_INTERNAL_ERROR = -32603,
    SQ_MCP_HEADER_MISMATCH = -32020,
    SQ_MCP_MISSING_CAPABILITY = -32021,
    SQ_MCP_UNSUPPORTED_VERSION = -32022,
    SQ_MCP_RESOURCE_NOT_FOUND = -32002, /* legacy revisions only */
    SQ_MCP_NOT_SERVED = -32000,         /* too many calls, or shutting down */
};

/* Writes the members of an object; context is the caller's data. */
typedef void sq_mcp_body(struct sq_json_writer *w,
                         const struct sq_mcp_request *request,
                         const void *context);

/*
 * The first writes no members. The second writes "uri"; its context is a struct
 * sq_span.
 */
sq_mcp_body sq_mcp_put_nothing;
sq_mcp_body sq_mcp_put_uri;

/*
 * Returns a result whose members the body writes. Adds the members that the
 * revision requires in every result. Returns NULL if it cannot be written or is
 * too large.
 */
struct sq_mcp_message *sq_mcp_write_result(const struct sq_mcp_request *request,
                                           sq_mcp_body *body,
                                           const void *context,
                                           struct sq_err *err);

/* Answers with such a result. Returns false and sends nothing on failure. */
bool sq_mcp_try_result(struct sq_mcp_request *request, sq_mcp_body *body,
                       const void *context, struct sq_err *err);

/* Like sq_mcp_try_result, but answers with an error on failure. */
void sq_mcp_reply_result(struct sq_mcp_request *request, sq_mcp_body *body,
                         const void *context);

struct sq_mcp_error {
    int code; /* enum sq_mcp_error_code */
    struct sq_span message;
    sq_mcp_body *data; /* members of error.data; NULL: none */
    const void *context;
};

/* Writes the members of an error message after "jsonrpc". */
void sq_mcp_put_error(struct sq_json_writer *w,
                      const struct sq_mcp_request *request,
                      const struct sq_mcp_error *error);

/*
 * Returns an error message, or NULL without memory. It has no id if the request
 * has none or is NULL.
 */
struct sq_mcp_message *sq_mcp_write_error(const struct sq_mcp_request *request,
                                          const struct sq_mcp_error *error);

/* Answers with an error. */
void sq_mcp_reply_error(struct sq_mcp_request *request,
                        const struct sq_mcp_error *error);

/* Answers with an error that has only a code and a text. Returns false. */
bool sq_mcp_refuse(struct sq_mcp_request *request, int code, const char *text);

/* Sends an error that belongs to no request. */
void sq_mcp_send_error(const struct sq_mcp_sink *sink, int code,
                       const char *text);

/*
 * Writes how long a list or resource may be cached. Writes nothing in legacy
 * revisions.
 */
void sq_mcp_put_cache(struct sq_json_writer *w,
                      const struct sq_mcp_request *request, int fresh_ms,
                      const char *scope);

/* Writes the member "extensions" that declares tasks. */
void sq_mcp_put_tasks_extension(struct sq_json_writer *w);

/* Writes "key": "text", or nothing if text is NULL. */
void sq_mcp_put_text(struct sq_json_writer *w, const char *key,
                     const char *text);

/*
 * Returns a notification whose params the body writes. Returns NULL if the sink
 * has too little space or there is no memory.
 */
struct sq_mcp_message *sq_mcp_notification(const struct sq_mcp_sink *sink,
                                           const char *method,
                                           sq_mcp_body *params,
                                           const struct sq_mcp_request *request,
                                           const void *context);

/* Writes one block as an object. */
void sq_mcp_put_block(struct sq_json_writer *w, const struct sq_block *block,
                      enum sq_mcp_revision revision);

/* Writes all blocks of a result as an array. */
void sq_mcp_put_blocks(struct sq_json_writer *w, const struct sq_result *result,
                       enum sq_mcp_revision revision);

/*
 * Appends the text of a failed call: its stable name, what happened, what to do
 * next, and the details, which are a JSON object on one line or empty.
 */
bool sq_mcp_write_failure(struct sq_buf *out, const struct sq_err *other_err,
                          const struct sq_buf *details, struct sq_err *err);

/* Returns the number of the client, see struct sq_mcp_call. */
uint64_t sq_mcp_client_number(const struct sq_mcp_request *request);

/* The request must outlive the call. */
struct sq_mcp_call sq_mcp_call_begin(struct sq_mcp_request *request);

#endif
