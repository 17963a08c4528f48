/*
 * What messages of the Model Context Protocol must look like: our own rules
 * of every revision (tests/protocol), and the official schemas where
 * scripts/mcp-schemas could fetch them.
 */
#ifndef SQ_TEST_MCP_RULES_H
#define SQ_TEST_MCP_RULES_H

#include "mcp/revision.h"
#include "support/json_schema.h"

/* Our own; NULL (and a failed check) if they cannot be read. */
struct t_schema *t_rules_load(enum sq_mcp_revision revision);

/* The official ones; NULL where they are not on this machine. */
struct t_schema *t_official_load(enum sq_mcp_revision revision);

#endif
