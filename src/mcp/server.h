/*
 * The protocol without its transport: messages in, messages out. A transport
 * makes one connection per client and gives it every message that arrives.
 */
#ifndef SQ_MCP_SERVER_H
#define SQ_MCP_SERVER_H

#include <stdbool.h>

#include "mcp/host.h"
#include "mcp/message.h"
#include "util/err.h"
#include "util/span.h"

/* Fewer calls at a time than there could be, and what a client is told. */
struct sq_mcp_call_limit {
    int most;
    const char *reason; /* "there is no room for more" */
    const char *remedy; /* what to do about it */
};

/* What may be set; zero means the default. */
struct sq_mcp_options {
    int max_threads; /* calls that run at a time; default 512 */
    struct sq_mcp_call_limit device_calls; /* those that need a device */
    int call_timeout_ms; /* for a call that sets no limit itself */
    bool in_line;        /* no threads: calls run where they are received */
    /* How long calls may go on when the input has ended; 0: default 1 s. */
    int drain_ms;
    /* Say something to a person, on one line; NULL: say nothing. */
    void (*complain)(const char *message);
};

struct sq_mcp_server;
struct sq_mcp_connection;

/* The host must outlive the server. */
bool sq_mcp_server_create(const struct sq_mcp_host *host,
                          const struct sq_mcp_options *options,
                          struct sq_mcp_server **out, struct sq_err *err);

/*
 * Wait until no call runs any more, which closing the connections has hurried
 * on. False if some still do when the time is up: then nothing they use may be
 * freed, and only the end of the process ends them.
 */
bool sq_mcp_server_stop(struct sq_mcp_server *server, int timeout_ms);

/* After all its connections. Accepts NULL. */
void sq_mcp_server_destroy(struct sq_mcp_server *server);

/* Tell all who subscribed to a resource that it has changed. Any thread. */
void sq_mcp_server_resource_updated(struct sq_mcp_server *server,
                                    const char *uri);

/* Whether anybody has subscribed to the resource. Any thread. */
bool sq_mcp_server_is_watched(struct sq_mcp_server *server, const char *uri);

/* The sink is for messages that belong to no request. */
bool sq_mcp_connection_create(struct sq_mcp_server *server,
                              const struct sq_mcp_sink *sink,
                              struct sq_mcp_connection **out,
                              struct sq_err *err);

/*
 * One message has arrived; what is to be said about it goes into the sink,
 * now or later, from this thread or another. One thread at a time.
 */
void sq_mcp_connection_receive(struct sq_mcp_connection *connection,
                               const struct sq_mcp_sink *sink,
                               struct sq_span text);

/* A message was too long to be received; id as of sq_mcp_salvage_id. */
void sq_mcp_connection_refuse_long(struct sq_mcp_connection *connection,
                                   const struct sq_mcp_sink *sink,
                                   struct sq_span id);

/* Calls that are waiting or running. */
int sq_mcp_connection_busy(struct sq_mcp_connection *connection);

/*
 * Call off what runs and answer it as cancelled, tell subscribers that it is
 * over, send nothing from then on but what is said here.
 */
void sq_mcp_connection_close(struct sq_mcp_connection *connection);

/* Closes it first. No call may be running. Accepts NULL. */
void sq_mcp_connection_destroy(struct sq_mcp_connection *connection);

#endif
