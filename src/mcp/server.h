/* The protocol engine: connections, messages and revisions. */
#ifndef SQ_MCP_SERVER_H
#define SQ_MCP_SERVER_H

#include "mcp/host.h"

/*
 * The supported protocol revisions, oldest first, so that they can be compared
 * with < and >=.
 */
enum sq_mcp_revision {
    SQ_MCP_2024_11_05,
    SQ_MCP_2025_03_26,
    SQ_MCP_2025_06_18,
    SQ_MCP_2025_11_25,
    SQ_MCP_2026_07_28,
    SQ_MCP_REVISIONS,
};

/* The last revision with a handshake, and the first without. */
#define SQ_MCP_LAST_LEGACY SQ_MCP_2025_11_25
#define SQ_MCP_FIRST_MODERN SQ_MCP_2026_07_28

static inline bool
sq_mcp_is_modern(enum sq_mcp_revision revision) {
    return revision >= SQ_MCP_FIRST_MODERN;
}

/* Returns the name, such as "2025-11-25". */
const char *sq_mcp_revision_name(enum sq_mcp_revision revision);

/*
 * Finds a revision by name. Returns false and leaves *out unchanged if we do
 * not support it.
 */
bool sq_mcp_revision_find(struct sq_span name, enum sq_mcp_revision *out);

/* Clients reject a line of 10 MiB, so every message is shorter. */
#define SQ_MCP_MAX_LINE_OUT (((size_t)10 << 20) - 1)

enum sq_mcp_message_kind {
    SQ_MCP_ANSWER,
    SQ_MCP_NOTIFICATION,
    SQ_MCP_REQUEST, /* asks the client something */
};

/* One JSON text, followed by a newline and without one inside. */
struct sq_mcp_message {
    struct sq_mcp_message *next; /* for lists of messages */
    struct sq_buf bytes;
    enum sq_mcp_message_kind kind;
    int error_code; /* of an answer that is an error; 0: a result */
    /* The message was refused before its method was called. */
    bool is_rejected;
};

/*
 * Creates an empty message of at most max_bytes. Returns NULL without memory.
 */
struct sq_mcp_message *sq_mcp_message_create(size_t max_bytes,
                                             struct sq_err *err);

/* Accepts NULL. */
void sq_mcp_message_destroy(struct sq_mcp_message *message);

/* Destroys all messages of a list. */
void sq_mcp_messages_destroy(struct sq_mcp_message *first);

/* The destination of the messages for one client or one request. */
struct sq_mcp_sink {
    /*
     * Takes ownership of the message, on any thread, and does not block. NULL
     * means that there was no memory for a message that had to be sent.
     */
    void (*send)(void *context, struct sq_mcp_message *message);
    /* Returns how many more bytes may be queued for the client. */
    size_t (*capacity)(void *context);
    void *context;
    /*
     * Waits until the client has read enough that there is space, or the token
     * is set. Only for threads that no other thread waits for. May be NULL.
     */
    void (*await_space)(void *context, struct sq_cancel *cancel);
    /*
     * Called once per received message, when nothing more will be sent for it
     * and the sink is no longer used. On any thread. May be NULL.
     */
    void (*release)(void *context);
    /*
     * Closes the client's connection; what follows is kept until the client
     * connects again. May be NULL.
     */
    void (*hang_up)(void *context);
    /*
     * Finds a header of the message by its name in lower case. Used only while
     * the message is received. NULL: the transport has no headers.
     */
    bool (*header)(void *context, const char *name, struct sq_span *out);
};

/* Writes "jsonrpc":"2.0". */
void sq_mcp_put_version(struct sq_json_writer *w);

/*
 * Starts a message {"jsonrpc":"2.0", ... of at most max_bytes. Returns NULL
 * without memory. The caller ends it with sq_mcp_message_end.
 */
struct sq_mcp_message *sq_mcp_message_begin(struct sq_json_writer *w,
                                            size_t max_bytes,
                                            struct sq_err *err);

/* Writes the closing brace. On failure the message is destroyed. */
bool sq_mcp_message_end(struct sq_mcp_message *message,
                        struct sq_json_writer *w, struct sq_err *err);

/*
 * Seals the state that a server gives a client to send back with its next
 * request, so that the client can neither change it nor use it elsewhere.
 */

#define SQ_MCP_KEY_BYTES 32

/* Bytes of a state before it is sealed. */
#define SQ_MCP_MAX_STATE ((size_t)4 << 10)

/*
 * Appends the sealed state. `purpose` is what it is for; only a request for the
 * same purpose can open it.
 */
bool sq_mcp_state_seal(const uint8_t key[SQ_MCP_KEY_BYTES],
                       struct sq_span purpose, struct sq_span state,
                       struct sq_buf *out, struct sq_err *err);

/*
 * Opens a sealed state into the arena. Fails with SQ_ERR_ARGUMENT if it was
 * changed, is for another purpose or too old.
 */
bool sq_mcp_state_open(const uint8_t key[SQ_MCP_KEY_BYTES],
                       struct sq_span purpose, struct sq_span sealed,
                       struct sq_arena *arena, struct sq_span *out,
                       struct sq_err *err);

/*
 * The protocol without its transport. A transport creates one connection per
 * client and passes it every message that arrives.
 */

/* A lower limit of concurrent calls, and the error text for the client. */
struct sq_mcp_call_limit {
    int max;
    const char *reason; /* why, such as "this is the maximum" */
    const char *hint;   /* what to do about it */
};

/* Options; zero means the default. */
struct sq_mcp_options {
    int max_threads;                       /* concurrent calls; default 512 */
    struct sq_mcp_call_limit device_calls; /* calls that need a device */
    int call_timeout_ms;                   /* for a call that sets no limit */
    /*
     * SQ_MCP_KEY_BYTES bytes that seal what clients send back; NULL: random.
     * Replicas that share it accept each other's.
     */
    const unsigned char *key;
    bool in_line; /* no threads: calls run on the receiving thread */
    /* How long calls may run after the input has ended; default 1 s. */
    int drain_ms;
    /* Prints one line for the user; NULL: print nothing. */
    void (*print_message)(const char *message);
};

struct sq_mcp_server;
struct sq_mcp_connection;

/* The host must outlive the server. */
bool sq_mcp_server_create(const struct sq_mcp_host *host,
                          const struct sq_mcp_options *options,
                          struct sq_mcp_server **out, struct sq_err *err);

/*
 * Waits until no call is running. Close the connections first, which cancels
 * their calls. Returns false if some still run at the timeout: nothing that
 * they use may then be freed, and only the end of the process stops them.
 */
bool sq_mcp_server_stop(struct sq_mcp_server *server, int timeout_ms);

/* Frees the server. Destroy all its connections first. Accepts NULL. */
void sq_mcp_server_destroy(struct sq_mcp_server *server);

/*
 * Notifies all subscribers of a resource that it has changed. Safe on any
 * thread.
 */
void sq_mcp_server_resource_updated(struct sq_mcp_server *server,
                                    const char *uri);

/* Tells clients that a list has changed. Safe on any thread. */
void sq_mcp_server_list_changed(struct sq_mcp_server *server,
                                enum sq_mcp_list list);

/*
 * Returns whether any client has subscribed to the resource. Safe on any
 * thread.
 */
bool sq_mcp_server_is_watched(struct sq_mcp_server *server, const char *uri);

/* Who uses a connection. */
struct sq_mcp_user {
    bool is_stateless; /* legacy messages are refused */
    /* A person who watches agents: the host does not hold these calls. */
    bool is_person;
    int policy; /* of the client's token; 0: it has none of its own */
};

/*
 * Creates a connection. The sink receives messages that belong to no request.
 * user may be NULL: all zero.
 */
bool sq_mcp_connection_create(struct sq_mcp_server *server,
                              const struct sq_mcp_sink *sink,
                              const struct sq_mcp_user *user,
                              struct sq_mcp_connection **out,
                              struct sq_err *err);

/*
 * Returns whether initialize was answered, and with which revision. Called by
 * the receiving thread.
 */
bool sq_mcp_connection_has_session(const struct sq_mcp_connection *connection,
                                   enum sq_mcp_revision *revision);

/*
 * Handles one message. Answers are sent to the sink, now or later, from this
 * thread or another. Only one thread at a time may call this.
 */
void sq_mcp_connection_receive(struct sq_mcp_connection *connection,
                               const struct sq_mcp_sink *sink,
                               struct sq_span text);

/*
 * Handles a message that was too long to be stored; id is from
 * sq_mcp_salvage_id.
 */
void sq_mcp_connection_refuse_long(struct sq_mcp_connection *connection,
                                   const struct sq_mcp_sink *sink,
                                   struct sq_span id);

/* Returns the number of waiting and running calls. */
int sq_mcp_connection_busy(struct sq_mcp_connection *connection);

/* Ends all subscriptions that are requests. Calls go on. */
void sq_mcp_connection_end_listeners(struct sq_mcp_connection *connection);

/*
 * Cancels all running calls and answers them as cancelled, ends all
 * subscriptions, and sends nothing after that.
 */
void sq_mcp_connection_close(struct sq_mcp_connection *connection);

/* The same if the client has ended its session, which the answers then say. */
void sq_mcp_connection_end_session(struct sq_mcp_connection *connection);

/*
 * Closes the connection, and frees it when its last call has returned. Accepts
 * NULL.
 */
void sq_mcp_connection_destroy(struct sq_mcp_connection *connection);

#endif
