/* Maps the names of operations in other tools to ours. */
#ifndef SQ_TOOLS_SYNONYMS_H
#define SQ_TOOLS_SYNONYMS_H

#include "tool/tool.h"
#include "util/span.h"

/*
 * Names the call that is meant by a name in the hint of an error, with marked
 * names (tools/offer.h). The name may have another case or notation
 * (takeScreenshot), and a prefix (mcp__squint__ui_tap). Returns whether it is
 * known.
 */
bool sq_hint_synonym(struct sq_span word, struct sq_err *err);

/* The same for an argument that the operation does not have. */
bool sq_hint_argument(const struct sq_tool *tool, struct sq_span argument,
                      struct sq_err *err);

/* The same for people: returns the command and its arguments, or NULL. */
const char *sq_synonym_command(struct sq_span word);

/* Returns whether the names are equal; case, '-' and '_' are ignored. */
bool sq_name_matches(struct sq_span word, const char *name);

#endif
