/*
 * JSON-RPC batches, which only revision 2025-03-26 has: an array of messages
 * arrives, and one array of answers is sent when all its requests have been
 * answered. initialize cannot be part of a batch, because the revision is not
 * known before it; the specification forbids it as well.
 */
#ifndef SQ_MCP_BATCH_H
#define SQ_MCP_BATCH_H

#include <stdbool.h>

#include "json/value.h"
#include "mcp/request.h"

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

/*
 * Records the answer of one request; NULL if it needs none. Called with the
 * connection's lock held. Returns the array of all answers if this was the last
 * one and there are any. Returns NULL and sets *is_lost if there is no memory
 * for it.
 */
struct sq_mcp_message *sq_mcp_batch_answer(struct sq_mcp_batch *batch,
                                           struct sq_mcp_message *answer,
                                           bool *is_lost);

/* Drops the reference that a request holds to the batch. */
void sq_mcp_batch_leave(struct sq_mcp_batch *batch);

/*
 * Returns how large one more answer may be, in bytes, so that all fit into one
 * line.
 */
size_t sq_mcp_batch_room(struct sq_mcp_batch *batch);

#endif
