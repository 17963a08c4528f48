/*
 * Text from elsewhere for people: whatever a terminal would obey or a person
 * would not see is spelt out.
 */
#ifndef SQ_UTIL_PLAIN_H
#define SQ_UTIL_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Whether a person does not see a code point but a program reads it: C1
 * controls, Unicode's Default_Ignorable_Code_Point (zero-width, variation
 * selectors, tags, the bidi controls), line separators, annotation marks.
 */
bool sq_code_is_invisible(uint32_t code);

#define SQ_PLAIN_ESCAPE_SIZE 16

/*
 * Take the next piece of a text: as many characters as are harmless, or one
 * that is not as "\u001b", which is the same character in JSON (a byte that is
 * no UTF-8 as "\xff"). Newlines and tabs are harmless if `lines`. False at the
 * end; *piece may point into escape.
 */
bool sq_plain_take(struct sq_span *rest, bool lines,
                   char escape[SQ_PLAIN_ESCAPE_SIZE], struct sq_span *piece);

/* Append all pieces of a text. */
bool sq_plain_append(struct sq_span text, bool lines, struct sq_buf *out,
                     struct sq_err *err);

#endif
