/*
 * Finds operations and tools, also by their names in other tools; operations.h
 * lists them.
 */
#ifndef SQ_TOOLS_TABLE_H
#define SQ_TOOLS_TABLE_H

#include "tool/tool.h"
#include "util/span.h"

/* The operations of `ui`, in display order; NULL-terminated. */
extern const struct sq_tool *const sq_tools[];

/* The tools of their own, for archived screenshots; NULL-terminated. */
extern const struct sq_tool *const sq_archive_tools[];

/* Returns whether it is one of the second. */
bool sq_tool_is_own(const struct sq_tool *tool);

/* Returns all of them by index, operations first; NULL after the last. */
const struct sq_tool *sq_tools_at(size_t index);

/* Returns the operation or tool of that name, or NULL. */
const struct sq_tool *sq_tools_find(struct sq_span name);

/* Returns its name on the command line. */
const char *sq_tool_verb(const struct sq_tool *tool);

/* Returns which options have an effect in it: enum sq_config_use. */
unsigned sq_tool_uses(const struct sq_tool *tool);

/* Returns the operation or tool with that verb, or NULL. */
const struct sq_tool *sq_tools_find_verb(struct sq_span verb);

/*
 * Names the call that is meant by a name of another tool in the hint of an
 * error, with marked names (tools/offer.h). The name may have another case or
 * notation (takeScreenshot), and a prefix (mcp__squint__ui_tap). Returns
 * whether it is known.
 */
bool sq_hint_synonym(struct sq_span word, struct sq_err *err);

/* The same for an argument that the operation does not have. */
bool sq_hint_argument(const struct sq_tool *tool, struct sq_span argument,
                      struct sq_err *err);

/* The same for people: returns the command and its arguments, or NULL. */
const char *sq_synonym_command(struct sq_span word);

/* Returns whether the names are equal; case, '-' and '_' are ignored. */
bool sq_name_matches(struct sq_span word, const char *name);

/*
 * Returns whether an argument may be text that a client wants to type. So may
 * arguments that the operation does not have, and all of an unknown operation.
 */
bool sq_tools_may_type(struct sq_span operation, struct sq_span argument);

#endif
