/* Decodes a PNG file with libpng, independently of our code. */
#ifndef SQ_TEST_PNG_REFERENCE_H
#define SQ_TEST_PNG_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

/*
 * Decode over black; the caller finishes the image. False if libpng fails or
 * reports a warning. The zlib stream's checksum is compared only if this libpng
 * always does.
 */
bool t_png_decode(const uint8_t *bytes, size_t count, struct sq_image *out);

/* Pixels whose red, green or blue differ; -1 if the sizes do. */
long t_png_differences(const struct sq_image *a, const struct sq_image *b);

/* Correct the checksums of all complete chunks. */
void t_png_fix_checksums(uint8_t *bytes, size_t count);

#endif
