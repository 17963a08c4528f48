/* The names of the protocol revisions. */
#include "mcp/revision.h"

static const char *const names[SQ_MCP_REVISIONS] = {
    [SQ_MCP_2024_11_05] = "2024-11-05", [SQ_MCP_2025_03_26] = "2025-03-26",
    [SQ_MCP_2025_06_18] = "2025-06-18", [SQ_MCP_2025_11_25] = "2025-11-25",
    [SQ_MCP_2026_07_28] = "2026-07-28",
};

const char *
sq_mcp_revision_name(enum sq_mcp_revision revision) {
    return names[revision];
}

bool
sq_mcp_revision_find(struct sq_span name, enum sq_mcp_revision *out) {
    for (int i = 0; i < SQ_MCP_REVISIONS; i++) {
        if (sq_span_is(name, names[i])) {
            *out = (enum sq_mcp_revision)i;
            return true;
        }
    }
    return false;
}
