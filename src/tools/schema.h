/*
 * Writes the JSON schemas and descriptions of the operations. After a failure
 * the buffer holds incomplete data: clear it.
 */
#ifndef SQ_TOOLS_SCHEMA_H
#define SQ_TOOLS_SCHEMA_H

#include <stdbool.h>

#include "tool/tool.h"
#include "tools/offer.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Appends the input schema of `ui`: `operation` and every argument of every
 * offered operation, each name once. It is kept short because every
 * conversation pays for it; ranges and details are in rtfm.
 */
bool sq_schema_of_ui(struct sq_offer offer, struct sq_buf *out,
                     struct sq_err *err);

/* Appends the description of `ui`: one line per operation. */
bool sq_text_of_ui(struct sq_offer offer, struct sq_buf *out,
                   struct sq_err *err);

/* Appends the complete input schema of one operation as a separate tool. */
bool sq_schema_of_tool(const struct sq_tool *tool, struct sq_buf *out,
                       struct sq_err *err);

/*
 * Appends an input schema as it holds for clients whose requests are not
 * related: no picture is the latest. Appends nothing if it holds as it is.
 */
bool sq_schema_for_stateless(struct sq_span schema, struct sq_buf *out,
                             struct sq_err *err);

/* Appends the output schema; nothing if the reply may hold a picture. */
bool sq_schema_of_output(const struct sq_tool *tool, struct sq_buf *out,
                         struct sq_err *err);

#endif
