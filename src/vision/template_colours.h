/* Compares the colours of a template with those of a place in a picture. */
#ifndef SQ_VISION_TEMPLATE_COLOURS_H
#define SQ_VISION_TEMPLATE_COLOURS_H

#include "geom/rect.h"
#include "image/image.h"
#include "vision/template_fit.h"

/*
 * Computes the correlation of the three channels together at a place, less if
 * the colours or contrasts themselves differ, or if a part of the place does.
 * Correlation alone finds any edge alike, whatever its colours, and whatever is
 * beside it. Pixels of the
 * mask below 128 are not compared; a mask without pixels excludes none.
 */
bool sq_template_score_colours(const struct sq_image *picture,
                               const struct sq_image *template,
                               const struct sq_grey *mask,
                               const struct sq_template_place *place,
                               double *score, struct sq_err *err);

#endif
