/* Compares the pixels of a line with a background that changes smoothly. */
#ifndef SQ_VISION_GRADIENT_H
#define SQ_VISION_GRADIENT_H

#include "geom/rect.h"
#include "image/image.h"

/*
 * Writes how far the colour of each pixel of a box is from the background: the
 * greatest difference of a channel. The background of a pixel is interpolated
 * between the first and last rows of the box, which have few letters.
 */
bool sq_gradient_distances(const struct sq_image *image, struct sq_rect box,
                           uint8_t *out, struct sq_err *err);

#endif
