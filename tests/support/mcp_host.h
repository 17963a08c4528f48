/*
 * A small host for tests of the protocol: tools that answer, fail, hang, send
 * pictures and report progress; resources, prompts and completions.
 */
#ifndef SQ_TEST_MCP_HOST_H
#define SQ_TEST_MCP_HOST_H

#include "mcp/host.h"

/*
 * Tools: echo, picture, data, fail, hang (until called off), slow {ms}, steps
 * (progress and log), huge (12 MiB), stubborn (a minute, whatever happens, or
 * until t_mcp_end_stubborn), touch (fake://health has changed), who (what the
 * client calls itself), ticket (which of the calls it was), shut (not
 * admitted). Of these, hang needs a device.
 */
extern const struct sq_mcp_host t_mcp_host;

/* No call of stubborn has begun; wait until one has; let all of them end. */
void t_mcp_hold_stubborn(void);
void t_mcp_await_stubborn(void);
void t_mcp_end_stubborn(void);

/* Tickets that the host has given out and not got back. */
int t_mcp_tickets(void);

/* How often fake://health was subscribed, and whether it is now. */
int t_mcp_watches(void);
bool t_mcp_is_watched(void);

/* The same without tools, resources, prompts and completions. */
extern const struct sq_mcp_host t_mcp_host_bare;

#endif
