/* The one thing of a picture's EXIF data that changes how it looks. */
#ifndef SQ_IMAGE_EXIF_H
#define SQ_IMAGE_EXIF_H

#include <stddef.h>

#include "image/rows.h"

/*
 * The orientation that EXIF data tell, with or without "Exif\0\0" before them.
 * Upright where they tell none or are damaged: a picture is still a picture.
 */
enum sq_orientation sq_exif_orientation(const uint8_t *bytes, size_t count);

#endif
