/* Reads the orientation from EXIF data. */
#ifndef SQ_IMAGE_COLOUR_EXIF_H
#define SQ_IMAGE_COLOUR_EXIF_H

#include <stddef.h>

#include "image/pipeline/rows.h"

/*
 * Returns the orientation in EXIF data, with or without the prefix "Exif\0\0".
 * Returns SQ_ORIENT_UPRIGHT if there is none or the data is damaged.
 */
enum sq_orientation sq_exif_orientation(const uint8_t *bytes, size_t count);

#endif
