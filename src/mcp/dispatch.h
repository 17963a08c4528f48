/* From the text of a message to the method that answers it. */
#ifndef SQ_MCP_DISPATCH_H
#define SQ_MCP_DISPATCH_H

#include "mcp/request.h"
#include "util/span.h"

/*
 * Read a message into a fresh request and see to its answer. The request is
 * taken over: it ends now, later, or becomes the connection's spare.
 */
void sq_mcp_dispatch(struct sq_mcp_request *request, struct sq_span text);

/* The same for a message that was too long to be kept, but for its id. */
void sq_mcp_refuse_long(struct sq_mcp_request *request, struct sq_span id);

#endif
