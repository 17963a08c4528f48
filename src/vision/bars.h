/*
 * Recognises the icon of rising bars, as for the strength of a signal, which is
 * read as "all".
 */
#ifndef SQ_VISION_BARS_H
#define SQ_VISION_BARS_H

#include <stdbool.h>

#include "vision/normalise.h"

/*
 * Returns whether a box of a strip has nothing but at least three solid bars of
 * the same width on one base line, each higher than the one before.
 */
bool sq_box_has_bars(const struct sq_strip *strip, struct sq_rect box);

#endif
