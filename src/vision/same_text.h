/* Compares a text that was read with one that was read earlier. */
#ifndef SQ_VISION_SAME_TEXT_H
#define SQ_VISION_SAME_TEXT_H

#include <stdbool.h>

#include "util/span.h"

/*
 * Returns whether two texts are the same. Case, accents and spaces do not
 * count, and characters that recognisers confuse are equal: 0 and O, 1 and l,
 * rn and m. All other signs count: -5 is not 5, and 12 is not 12.5.
 */
bool sq_same_text(struct sq_span a, struct sq_span b);

#endif
