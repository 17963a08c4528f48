/* Maps the names of operations in other tools to ours. */
#ifndef SQ_TOOLS_SYNONYMS_H
#define SQ_TOOLS_SYNONYMS_H

#include "util/span.h"

/*
 * Returns one sentence that names the right operation, or NULL if the word is
 * unknown. Case, '-' and '_' are ignored.
 */
const char *sq_synonym_advice(struct sq_span word);

/* The same for people: returns the command and its arguments, or NULL. */
const char *sq_synonym_command(struct sq_span word);

/* Returns whether the names are equal; case, '-' and '_' are ignored. */
bool sq_name_matches(struct sq_span word, const char *name);

#endif
