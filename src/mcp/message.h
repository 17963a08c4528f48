/* A message on its way out, and where it goes. */
#ifndef SQ_MCP_MESSAGE_H
#define SQ_MCP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "json/writer.h"
#include "sys/deadline.h"
#include "util/buf.h"
#include "util/err.h"

/* Clients give up on a line of 10 MiB: none of ours gets that long. */
#define SQ_MCP_MAX_LINE_OUT (((size_t)10 << 20) - 1)

/* One JSON text with a newline behind it, and none inside. */
struct sq_mcp_message {
    struct sq_mcp_message *next; /* for whoever keeps several */
    struct sq_buf bytes;
};

/* Empty, for at most max_bytes; NULL without memory. */
struct sq_mcp_message *sq_mcp_message_create(size_t max_bytes,
                                             struct sq_err *err);

/* Accepts NULL. */
void sq_mcp_message_destroy(struct sq_mcp_message *message);

/* Where the messages for one client, or about one request, go. */
struct sq_mcp_sink {
    /*
     * Takes the message over, on any thread, and does not block. NULL means
     * that there was no memory for a message that had to be sent.
     */
    void (*send)(void *context, struct sq_mcp_message *message);
    /* Bytes that may wait for the client besides those that do already. */
    size_t (*room)(void *context);
    void *context;
    /*
     * Wait until the client has read so much that there is room, unless the
     * token is set; for threads that nobody else waits for. May be NULL.
     */
    void (*await_room)(void *context, struct sq_cancel *cancel);
};

/* "jsonrpc":"2.0" */
void sq_mcp_put_version(struct sq_json_writer *w);

/*
 * Begin {"jsonrpc":"2.0", ... of at most max_bytes; NULL without memory. The
 * message belongs to the writer until one of the two below ends it.
 */
struct sq_mcp_message *sq_mcp_message_begin(struct sq_json_writer *w,
                                            size_t max_bytes,
                                            struct sq_err *err);

/* End it with a brace; on failure the message is destroyed. */
bool sq_mcp_message_end(struct sq_mcp_message *message,
                        struct sq_json_writer *w, struct sq_err *err);

#endif
