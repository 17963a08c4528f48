/* The stdio transport: one message per line. */
#ifndef SQ_MCP_STDIO_H
#define SQ_MCP_STDIO_H

#include "mcp/server.h"

/*
 * Serves until the input ends, the client closes the output, or a termination
 * signal arrives. Returns the exit status of the process. Ends the process
 * instead if a call cannot be cancelled in time.
 */
int sq_mcp_serve_stdio(const struct sq_mcp_host *host,
                       const struct sq_mcp_options *options);

#endif
