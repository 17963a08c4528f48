/* Prepares rows of pixels for PNG compression. */
#ifndef SQ_IMAGE_PNG_FILTER_H
#define SQ_IMAGE_PNG_FILTER_H

#include <stddef.h>
#include <stdint.h>

#define SQ_RGB_BYTES 3
#define SQ_PACK_SLACK 16 /* bytes sq_png_pack may write after its row */

/* Removes the fourth byte of every pixel. */
void sq_png_pack(const uint8_t *rgbx, int width, uint8_t *rgb);

/*
 * Writes the filter type and the filtered row, 1 + bytes in total. The three
 * bytes before row must be zero: they are the pixel left of the first.
 */
void sq_png_filter(const uint8_t *row, const uint8_t *above, size_t bytes,
                   uint8_t *out);

#endif
