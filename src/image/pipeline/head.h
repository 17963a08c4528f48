/* Reads the size of a picture from the first bytes of its file. */
#ifndef SQ_IMAGE_PIPELINE_HEAD_H
#define SQ_IMAGE_PIPELINE_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geom/size.h"

/*
 * Gets the size of the upright picture from the first bytes of a PNG, JPEG or
 * WebP file. Returns false if there are too few bytes, they are damaged, or the
 * orientation may be in a later part of the file.
 */
bool sq_head_size(const uint8_t *bytes, size_t count, struct sq_size *out);

#endif
