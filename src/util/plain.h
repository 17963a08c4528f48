/*
 * Escapes untrusted text for display: control characters that a terminal would
 * interpret, and characters that a person cannot see.
 */
#ifndef SQ_UTIL_PLAIN_H
#define SQ_UTIL_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Returns whether a code point is invisible to a person: C1 controls, Unicode's
 * Default_Ignorable_Code_Point (zero-width, variation selectors, tags, bidi
 * controls), line separators, annotation marks.
 */
bool sq_code_is_invisible(uint32_t code);

#define SQ_PLAIN_ESCAPE_SIZE 16

/*
 * Takes the next piece of a text: either a run of harmless characters as they
 * are, or one other character escaped as in JSON ("\u001b"), or one byte of
 * invalid UTF-8 as "\xff". Newlines and tabs are harmless if `lines` is set.
 * Returns false at the end of the text. *piece may point into escape.
 */
bool sq_plain_take(struct sq_span *rest, bool lines,
                   char escape[SQ_PLAIN_ESCAPE_SIZE], struct sq_span *piece);

/* Appends the whole text, escaped as in sq_plain_take. */
bool sq_plain_append(struct sq_span text, bool lines, struct sq_buf *out,
                     struct sq_err *err);

/*
 * Writes a text in quotes for an error message: shortened with "..." if it does
 * not fit, with "?" for control characters and invalid UTF-8. size >= 8.
 */
void sq_plain_quote(struct sq_span text, char *out, size_t size);

#endif
