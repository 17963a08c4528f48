/* Outgoing messages, and the sinks that they are sent to. */
#ifndef SQ_MCP_MESSAGE_H
#define SQ_MCP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "json/writer.h"
#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

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

#endif
