/* Writes content blocks in the form of each protocol revision. */
#ifndef SQ_MCP_CONTENT_H
#define SQ_MCP_CONTENT_H

#include <stdbool.h>

#include "json/writer.h"
#include "mcp/revision.h"
#include "tool/tool.h"
#include "util/buf.h"
#include "util/err.h"

/* Writes one block as an object. */
void sq_mcp_put_block(struct sq_json_writer *w, const struct sq_block *block,
                      enum sq_mcp_revision revision);

/* Writes all blocks of a result as an array. */
void sq_mcp_put_blocks(struct sq_json_writer *w, const struct sq_result *result,
                       enum sq_mcp_revision revision);

/*
 * Appends the text of a failed call: its stable name, what happened, what to do
 * next, and the details, which are a JSON object on one line or empty.
 */
bool sq_mcp_write_failure(struct sq_buf *out, const struct sq_err *other_err,
                          const struct sq_buf *details, struct sq_err *err);

#endif
