/* Content blocks as each revision knows them. */
#ifndef SQ_MCP_CONTENT_H
#define SQ_MCP_CONTENT_H

#include <stdbool.h>

#include "json/writer.h"
#include "mcp/revision.h"
#include "tool/tool.h"
#include "util/buf.h"
#include "util/err.h"

/* One block, as an object. */
void sq_mcp_put_block(struct sq_json_writer *w, const struct sq_block *block,
                      enum sq_mcp_revision revision);

/* All blocks of a result, as an array. */
void sq_mcp_put_blocks(struct sq_json_writer *w, const struct sq_result *result,
                       enum sq_mcp_revision revision);

/*
 * Append what a failed call says: its stable name, what happened, what to do
 * next, and the details, a JSON object on one line that may be empty.
 */
bool sq_mcp_write_failure(struct sq_buf *out, const struct sq_err *failure,
                          const struct sq_buf *details, struct sq_err *err);

#endif
