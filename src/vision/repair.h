/* Corrects what the recogniser gets wrong on screens, by looking at a strip. */
#ifndef SQ_VISION_REPAIR_H
#define SQ_VISION_REPAIR_H

#include "vision/normalise.h"
#include "vision/words.h"

/*
 * Appends the words of a reply (see words.h) with boxes in pixels of the
 * picture, relative to the line's top left corner. Words that the recogniser
 * separated at an underscore are joined. Short ones at the ends of the line
 * that it is not sure of are left out: they are icons.
 */
bool sq_repair_words(const struct sq_strip *strip, struct sq_span reply,
                     struct sq_buf *out, struct sq_err *err);

#endif
