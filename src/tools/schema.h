/*
 * What the operations take, as JSON schema, and how they are introduced. After
 * a failure the buffer holds a useless part: clear it.
 */
#ifndef SQ_TOOLS_SCHEMA_H
#define SQ_TOOLS_SCHEMA_H

#include <stdbool.h>

#include "tool/tool.h"
#include "util/buf.h"
#include "util/err.h"

/* Whether an operation is offered at all. */
bool sq_tool_is_offered(const struct sq_tool *tool, bool read_only);

/*
 * Append the input schema of `ui`: the word `operation` and every argument of
 * every operation that is offered, each name once. Kept short, because it is
 * paid for in every conversation: ranges and the rest are in rtfm.
 */
bool sq_schema_of_ui(bool read_only, struct sq_buf *out, struct sq_err *err);

/* Append the description of `ui`: one line per operation. */
bool sq_text_of_ui(bool read_only, struct sq_buf *out, struct sq_err *err);

/* Append the input schema of one operation as a tool of its own, in full. */
bool sq_schema_of_tool(const struct sq_tool *tool, struct sq_buf *out,
                       struct sq_err *err);

/* Append the schema of its answer; nothing where it may hold a picture. */
bool sq_schema_of_output(const struct sq_tool *tool, struct sq_buf *out,
                         struct sq_err *err);

/* "ui_visual_snapshot": an operation's name as a tool of its own. */
#define SQ_SPLIT_NAME_SIZE 64
void sq_split_name(const struct sq_tool *tool, char out[SQ_SPLIT_NAME_SIZE]);

#endif
