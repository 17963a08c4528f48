/* Names that other tools give to operations, and what they are called here. */
#ifndef SQ_TOOLS_SYNONYMS_H
#define SQ_TOOLS_SYNONYMS_H

#include "util/span.h"

/*
 * One sentence that names the right operation; NULL if the word is not known.
 * Upper case, '-' and '_' do not matter.
 */
const char *sq_synonym_advice(struct sq_span word);

/* The same name, whatever its upper case, '-' and '_'. */
bool sq_name_matches(struct sq_span word, const char *name);

#endif
