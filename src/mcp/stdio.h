/* The protocol on standard input and output: one message per line. */
#ifndef SQ_MCP_STDIO_H
#define SQ_MCP_STDIO_H

#include "mcp/server.h"

/*
 * Serve until the input ends, nobody reads the output any more, or a signal
 * asks to end. Returns the exit status of the process. Where a call cannot be
 * called off in time it does not return but ends the process.
 */
int sq_mcp_serve_stdio(const struct sq_mcp_host *host,
                       const struct sq_mcp_options *options);

#endif
