/*
 * A small host for tests of the protocol: tools that answer, fail, hang, send
 * pictures and report progress; resources, prompts and completions.
 */
#ifndef SQ_TEST_MCP_HOST_H
#define SQ_TEST_MCP_HOST_H

#include "mcp/host.h"

/*
 * Tools: echo, picture, data, fail, hang (until cancelled), slow {ms}, steps
 * (progress and log), huge (12 MiB), stubborn (ignores cancellation for a
 * minute or until t_mcp_end_stubborn), touch (fake://health has changed), who
 * (the name of the client), ticket (the number of the call), shut (not
 * admitted), quick (like who, without a thread or ticket). Of these, hang needs
 * a device.
 */
extern const struct sq_mcp_host t_mcp_host;

/* Reset the state of stubborn; wait until a call has begun; end all calls. */
void t_mcp_hold_stubborn(void);
void t_mcp_await_stubborn(void);
void t_mcp_end_stubborn(void);

/* Tickets that the host has issued and not got back. */
int t_mcp_tickets(void);

/* How often fake://health was subscribed, and whether it is now. */
int t_mcp_watches(void);
bool t_mcp_is_watched(void);

/* The same without tools, resources, prompts and completions. */
extern const struct sq_mcp_host t_mcp_host_bare;

#endif
