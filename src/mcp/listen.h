/* Subscriptions to resources. */
#ifndef SQ_MCP_LISTEN_H
#define SQ_MCP_LISTEN_H

#include "mcp/request.h"

/* Answers a listening request, which ends its subscription. */
void sq_mcp_listener_end(struct sq_mcp_request *listener);

#endif
