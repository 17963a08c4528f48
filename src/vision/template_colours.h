/* Compares the colours of a template with those of a place in a picture. */
#ifndef SQ_VISION_TEMPLATE_COLOURS_H
#define SQ_VISION_TEMPLATE_COLOURS_H

#include "geom/rect.h"
#include "image/image.h"
#include "vision/template_fit.h"

/*
 * Computes the correlation of brightness and colours at a place, less if the
 * colours or contrasts themselves differ, or if a detail does: correlation
 * alone finds any edge alike, whatever its colours, and hardly notices another
 * letter. Pixels of the mask below 128 are not compared; a mask without pixels
 * excludes none.
 */
bool sq_template_score_colours(const struct sq_image *picture,
                               const struct sq_image *template,
                               const struct sq_grey *mask,
                               const struct sq_template_place *place,
                               double *score, struct sq_err *err);

/* Lowers the score of a place in other colours if a detail of its outlines
   differs. */
bool sq_template_score_outlines(const struct sq_image *picture,
                                const struct sq_image *template,
                                const struct sq_grey *mask,
                                const struct sq_template_place *place,
                                double *score, struct sq_err *err);

#endif
