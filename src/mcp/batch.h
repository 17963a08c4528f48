/*
 * Several messages in one, as revision 2025-03-26 has them: an array comes in,
 * and when all requests in it have been answered, one array of answers goes
 * out. The revisions before and after it have no batches. As it takes a session
 * to know the revision, initialize itself cannot be in one: the specification
 * says so, too.
 */
#ifndef SQ_MCP_BATCH_H
#define SQ_MCP_BATCH_H

#include <stdbool.h>

#include "json/value.h"
#include "mcp/request.h"

/* Messages in a batch. */
#define SQ_MCP_MAX_BATCH 100

/* Bytes of answers that wait for others of their batch, in all batches. */
#define SQ_MCP_MAX_BATCH_BYTES ((size_t)32 << 20)

/* Whether the connection's revision has batches. */
bool sq_mcp_has_batches(const struct sq_mcp_connection *connection);

/*
 * Receive all messages of an array; each is given to handle, as a request of
 * its own, which says whether it is still under way. The request that the array
 * was read into is taken over if there is something to wait for: then true.
 */
bool sq_mcp_batch_receive(struct sq_mcp_request *whole,
                          const struct sq_json *messages,
                          bool (*handle)(struct sq_mcp_request *request,
                                         const struct sq_json *message));

/*
 * One of its requests has its answer; NULL: it needs none. Called with the
 * connection's lock held. The array of all answers if this was the last one and
 * there are any; NULL with *is_lost set if there is no memory for it.
 */
struct sq_mcp_message *sq_mcp_batch_answer(struct sq_mcp_batch *batch,
                                           struct sq_mcp_message *answer,
                                           bool *is_lost);

/* A request of it is no longer used. */
void sq_mcp_batch_leave(struct sq_mcp_batch *batch);

/* Bytes that one more answer may have, so that all fit into one line. */
size_t sq_mcp_batch_room(struct sq_mcp_batch *batch);

#endif
