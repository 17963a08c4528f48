/* Finds numbers of payment cards in text. Pure. */
#ifndef SQ_REDACT_CARD_H
#define SQ_REDACT_CARD_H

#include <stdbool.h>
#include <stddef.h>

#include "util/span.h"

/*
 * Finds the first card number at or after `from`: 13 to 19 digits with a valid
 * check digit, in one piece or with single spaces, dots or dashes. A few digits
 * may be letters that a recogniser confuses with them, such as O and l.
 */
bool sq_card_find(struct sq_span text, size_t from, size_t *start, size_t *end);

#endif
