/*
 * Rules for messages of the Model Context Protocol: our own for every revision
 * (tests/protocol), and the official schemas if scripts/mcp-schemas could
 * download them.
 */
#ifndef SQ_TEST_MCP_RULES_H
#define SQ_TEST_MCP_RULES_H

#include "mcp/server.h"
#include "support/json_schema.h"

/* Our own; NULL and a failed check if they cannot be read. */
struct t_schema *t_rules_load(enum sq_mcp_revision revision);

/* The official ones; NULL if they are not on this machine. */
struct t_schema *t_official_load(enum sq_mcp_revision revision);

#endif
