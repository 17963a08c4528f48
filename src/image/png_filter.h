/* What happens to a row of pixels before PNG compresses it. */
#ifndef SQ_IMAGE_PNG_FILTER_H
#define SQ_IMAGE_PNG_FILTER_H

#include <stddef.h>
#include <stdint.h>

#define SQ_RGB_BYTES 3
#define SQ_PACK_SLACK 16 /* bytes sq_png_pack may write behind its row */

/* Drop the fourth byte of every pixel. */
void sq_png_pack(const uint8_t *rgbx, int width, uint8_t *rgb);

/*
 * Write the filter's number and the filtered row, 1 + bytes in all. The three
 * bytes in front of row must be zero: the pixel left of the first one.
 */
void sq_png_filter(const uint8_t *row, const uint8_t *above, size_t bytes,
                   uint8_t *out);

#endif
