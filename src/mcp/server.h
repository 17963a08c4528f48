/*
 * The protocol without its transport. A transport creates one connection per
 * client and passes it every message that arrives.
 */
#ifndef SQ_MCP_SERVER_H
#define SQ_MCP_SERVER_H

#include <stdbool.h>

#include "mcp/host.h"
#include "mcp/message.h"
#include "mcp/revision.h"
#include "util/err.h"
#include "util/span.h"

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

/*
 * Creates a connection. The sink receives messages that belong to no request.
 */
bool sq_mcp_connection_create(struct sq_mcp_server *server,
                              const struct sq_mcp_sink *sink,
                              struct sq_mcp_connection **out,
                              struct sq_err *err);

/* Makes the connection refuse legacy messages. Call it before the first. */
void sq_mcp_connection_set_stateless(struct sq_mcp_connection *connection);

/*
 * Marks the connection as that of a person who watches agents: the host does
 * not hold its calls. Call it before the first message.
 */
void sq_mcp_connection_set_person(struct sq_mcp_connection *connection);

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
void sq_mcp_connection_abandon(struct sq_mcp_connection *connection);

/* Closes and frees the connection. No call may be running. Accepts NULL. */
void sq_mcp_connection_destroy(struct sq_mcp_connection *connection);

#endif
