/* Creates the struct sq_mcp_call that the host's functions receive. */
#ifndef SQ_MCP_CALL_H
#define SQ_MCP_CALL_H

#include "mcp/host.h"
#include "mcp/request.h"

/* Returns the number of the client, see struct sq_mcp_call. */
uint64_t sq_mcp_client_number(const struct sq_mcp_request *request);

/* The request must outlive the call. */
struct sq_mcp_call sq_mcp_call_begin(struct sq_mcp_request *request);

#endif
