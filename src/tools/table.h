/* The one list of what can be done: a new operation adds one word here. */
#ifndef SQ_TOOLS_TABLE_H
#define SQ_TOOLS_TABLE_H

#include "tool/tool.h"
#include "util/span.h"

/* In the order in which they are shown; NULL ends the list. */
extern const struct sq_tool *const sq_tools[];

/* The operation of that name, or NULL. */
const struct sq_tool *sq_tools_find(struct sq_span name);

#endif
