/*
 * The supported protocol revisions, oldest first, so that they can be compared
 * with < and >=.
 */
#ifndef SQ_MCP_REVISION_H
#define SQ_MCP_REVISION_H

#include <stdbool.h>

#include "util/span.h"

enum sq_mcp_revision {
    SQ_MCP_2024_11_05,
    SQ_MCP_2025_03_26,
    SQ_MCP_2025_06_18,
    SQ_MCP_2025_11_25,
    SQ_MCP_2026_07_28,
    SQ_MCP_REVISIONS,
};

/* The last revision with a handshake, and the first without. */
#define SQ_MCP_LAST_LEGACY SQ_MCP_2025_11_25
#define SQ_MCP_FIRST_MODERN SQ_MCP_2026_07_28

static inline bool
sq_mcp_is_modern(enum sq_mcp_revision revision) {
    return revision >= SQ_MCP_FIRST_MODERN;
}

/* Returns the name, such as "2025-11-25". */
const char *sq_mcp_revision_name(enum sq_mcp_revision revision);

/*
 * Finds a revision by name. Returns false and leaves *out unchanged if we do
 * not support it.
 */
bool sq_mcp_revision_find(struct sq_span name, enum sq_mcp_revision *out);

#endif
