/* The orientation in EXIF data, all of EXIF that changes how a picture looks.
 */
#ifndef SQ_IMAGE_EXIF_H
#define SQ_IMAGE_EXIF_H

#include <stddef.h>

#include "image/rows.h"

/*
 * The orientation in EXIF data, with or without "Exif\0\0" before them.
 * Upright if they have none or are damaged: the picture is shown anyway.
 */
enum sq_orientation sq_exif_orientation(const uint8_t *bytes, size_t count);

#endif
