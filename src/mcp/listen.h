/* Who wants to hear of changes, and telling them. */
#ifndef SQ_MCP_LISTEN_H
#define SQ_MCP_LISTEN_H

#include "mcp/request.h"

/* Say to a listener that there is nothing more to come. */
void sq_mcp_listener_end(struct sq_mcp_request *listener);

#endif
