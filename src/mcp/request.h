/* What the files of this room share: servers, connections, requests. */
#ifndef SQ_MCP_REQUEST_H
#define SQ_MCP_REQUEST_H

#include <stdatomic.h>
#include <stdint.h>

#include "json/value.h"
#include "mcp/host.h"
#include "mcp/message.h"
#include "mcp/revision.h"
#include "mcp/server.h"
#include "sys/lock.h"
#include "sys/pool.h"
#include "util/arena.h"

/* What a message, once read, and the work on it may take. */
#define SQ_MCP_MAX_REQUEST_MEMORY ((size_t)32 << 20)

/*
 * Requests that may be under way at a time: those that need a device, and as
 * many that need none; and the memory that the messages of all of them take.
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

struct sq_mcp_server {
    const struct sq_mcp_host *host;
    struct sq_mcp_options options;
    struct sq_pool *pool; /* NULL: calls run in line */
    struct sq_lock *lock; /* guards the list, and the order of calls */
    struct sq_mcp_connection *connections;
};

struct sq_mcp_connection {
    struct sq_mcp_server *server;
    struct sq_mcp_connection *next;
    struct sq_mcp_sink sink;

    /* Only the thread that receives looks at these. */
    bool has_session; /* initialize was answered */
    enum sq_mcp_revision revision;

    /* Set before the first call of the session begins. */
    char client[SQ_MCP_CLIENT_SIZE];
    atomic_int log_level; /* SQ_MCP_LOG_LEVELS: send none */

    /* Of answers that wait for others of their batch. */
    atomic_size_t batch_bytes;

    struct sq_lock *lock; /* guards what follows */
    bool closed;
    struct sq_mcp_request *spare;    /* to be used again; may be NULL */
    struct sq_mcp_request *requests; /* those under way */
    int calls;                       /* that need no device */
    int device_calls;
    int listeners;
    size_t call_bytes;
    uint64_t subscribed; /* resources, in legacy revisions */
};

struct sq_mcp_batch;

struct sq_mcp_request {
    struct sq_mcp_request *next; /* under way on the connection */
    struct sq_mcp_connection *connection;
    struct sq_mcp_sink sink;
    struct sq_buf text;
    struct sq_arena arena; /* of what follows, which points into text */
    const struct sq_json *id;
    const struct sq_json *params; /* an object or NULL */
    const struct sq_json *meta;   /* an object or NULL */
    const struct sq_mcp_method *method;
    enum sq_mcp_revision revision;

    struct sq_mcp_batch *batch; /* it is part of; NULL: none */
    bool is_on_thread;          /* of its own: nobody waits for that */

    /* Guarded by the connection's lock. */
    bool is_registered; /* in its list */
    bool is_answered;
    bool is_unwanted; /* the client has said so */
    size_t counted;   /* bytes of it that are in call_bytes */
    bool is_listener;
    uint64_t subscribed; /* resources a listener wants to hear of */
    struct sq_cancel *cancel;
    void *ticket;      /* of the host's admit */
    bool needs_device; /* what it says of the call */

    const struct sq_json *progress_token; /* NULL: not asked for */
    double progress_done;
    int64_t progress_at_ns;
};

/* A new one, or one that was put away; NULL without memory. */
struct sq_mcp_request *sq_mcp_request_take(struct sq_mcp_connection *owner);

/* Accepts NULL; the request must not be registered. */
void sq_mcp_request_destroy(struct sq_mcp_request *request);

/* The same, but its memory is kept for the next one. */
void sq_mcp_request_put_away(struct sq_mcp_request *request);

static inline const struct sq_mcp_host *
sq_mcp_request_host(const struct sq_mcp_request *request) {
    return request->connection->server->host;
}

/* A string or an integer of 64 bits: it can be given back exactly. */
bool sq_mcp_is_id(const struct sq_json *value);

/* The two ids are the same. */
bool sq_mcp_same_id(const struct sq_json *a, const struct sq_json *b);

/*
 * From now on the request is under way: it can be called off, and is answered
 * at most once. SQ_ERR_ARGUMENT if its id is in use, SQ_ERR_LIMIT if there
 * are too many.
 */
bool sq_mcp_request_register(struct sq_mcp_request *request,
                             struct sq_err *err);

/*
 * Send the answer, or NULL for none. If the request was registered it no
 * longer is; was it called off or answered meanwhile, this answer is thrown
 * away. On a thread of its own it waits until there is room.
 */
void sq_mcp_request_finish(struct sq_mcp_request *request,
                           struct sq_mcp_message *answer);

/* Send one message after the other; is_lost: there was no memory for one. */
void sq_mcp_send_all(const struct sq_mcp_sink *sink,
                     struct sq_mcp_message *messages, bool is_lost);

/* Bytes that its answer may have. */
size_t sq_mcp_request_room(const struct sq_mcp_request *request);

/*
 * With the connection's lock held: answer a registered request now, whatever
 * its thread does, and call it off. Nothing happens if the client has no need
 * of an answer any more.
 */
void sq_mcp_request_answer_early(struct sq_mcp_request *request,
                                 struct sq_mcp_message *answer);

/* Send something about a request unless it was called off. */
void sq_mcp_request_notify(struct sq_mcp_request *request,
                           struct sq_mcp_message *message);

/* The client no longer wants the answer to the request of that id. */
void sq_mcp_request_cancel(struct sq_mcp_connection *connection,
                           const struct sq_json *id);

#endif
