/*
 * Compares names of apps and titles without regard to case and diacritics, also
 * in Greek, Cyrillic and full-width letters. Pure.
 */
#ifndef SQ_REDACT_FOLDED_NAME_H
#define SQ_REDACT_FOLDED_NAME_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Appends a text with its characters folded. Those of ASCII remain: in an
 * expression they have a meaning, and REG_ICASE ignores their case.
 */
bool sq_folded_append(struct sq_span text, struct sq_buf *out,
                      struct sq_err *err);

/* Returns whether the words of a rule are in the name; both are folded. */
bool sq_folded_contains(struct sq_span name, const char *rule);

#endif
