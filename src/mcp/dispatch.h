/* Parses a message and calls the method that answers it. */
#ifndef SQ_MCP_DISPATCH_H
#define SQ_MCP_DISPATCH_H

#include "mcp/request.h"
#include "util/span.h"

/*
 * Parses a message into a new request and answers it. Takes ownership of the
 * request: it is freed now, freed later, or kept as the connection's spare.
 */
void sq_mcp_dispatch(struct sq_mcp_request *request, struct sq_span text);

/*
 * Answers a message that was too long to be stored; only its id is known. Takes
 * ownership of the request.
 */
void sq_mcp_refuse_long(struct sq_mcp_request *request, struct sq_span id);

#endif
