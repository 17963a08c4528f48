/*
 * Finds compact areas of one colour in a picture of a screen: buttons, discs
 * and tiles of screens that have no elements. Uses only the pixels.
 */
#ifndef SQ_VISION_AREAS_H
#define SQ_VISION_AREAS_H

#include "geom/rect.h"
#include "image/image.h"

#define SQ_MAX_AREAS 64

struct sq_area {
    struct sq_rect box;
    bool is_round;  /* it fills its box like a disc */
    uint8_t rgb[3]; /* its mean colour */
};

struct sq_areas {
    struct sq_area items[SQ_MAX_AREAS]; /* from top to bottom */
    int count;
};

/* Finds areas with sides of 32 pixels to half of the picture. */
bool sq_areas_find(const struct sq_image *image, struct sq_areas *out,
                   struct sq_err *err);

#endif
