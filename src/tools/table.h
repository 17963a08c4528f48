/* The one list of what can be done: a new operation adds one word here. */
#ifndef SQ_TOOLS_TABLE_H
#define SQ_TOOLS_TABLE_H

#include "tool/tool.h"
#include "util/span.h"

/* The operations of `ui`, in the order they are shown; NULL ends the list. */
extern const struct sq_tool *const sq_tools[];

/* What is a tool by itself: the archive of past screenshots. Likewise. */
extern const struct sq_tool *const sq_archive_tools[];

/* All of them, operations first; NULL behind the last. */
const struct sq_tool *sq_tools_at(size_t index);

/* The operation or tool of that name, or NULL. */
const struct sq_tool *sq_tools_find(struct sq_span name);

/* What it is called on the command line. */
const char *sq_tool_verb(const struct sq_tool *tool);

/* The one with that verb, or NULL. */
const struct sq_tool *sq_tools_find_verb(struct sq_span verb);

#endif
