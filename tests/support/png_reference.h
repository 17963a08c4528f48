/* What libpng makes of a PNG file: an opinion independent of ours. */
#ifndef SQ_TEST_PNG_REFERENCE_H
#define SQ_TEST_PNG_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

/*
 * Decode over black, to be finished by the caller. False where libpng fails or
 * has anything to complain about. The zlib stream's checksum is not compared.
 */
bool t_png_decode(const uint8_t *bytes, size_t count, struct sq_image *out);

/* Pixels whose red, green or blue differ; -1 if the sizes do. */
long t_png_differences(const struct sq_image *a, const struct sq_image *b);

/* Make the checksums of all whole chunks right. */
void t_png_fix_checksums(uint8_t *bytes, size_t count);

#endif
