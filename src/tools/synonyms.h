/* Maps the names of operations in other tools to ours. */
#ifndef SQ_TOOLS_SYNONYMS_H
#define SQ_TOOLS_SYNONYMS_H

#include "util/span.h"

/*
 * Returns the call that is meant by a name, an example with marked names
 * (tools/offer.h), or NULL if the name is unknown. It may have another case or
 * notation (takeScreenshot), and a prefix (mcp__squint__ui_tap).
 */
const char *sq_synonym_call(struct sq_span word);

/* The same for an argument that the operation does not have. */
const char *sq_synonym_argument(const char *operation, struct sq_span argument);

/* The same for people: returns the command and its arguments, or NULL. */
const char *sq_synonym_command(struct sq_span word);

/* Returns whether the names are equal; case, '-' and '_' are ignored. */
bool sq_name_matches(struct sq_span word, const char *name);

#endif
