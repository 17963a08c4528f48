/*
 * Decodes only the low frequencies of a baseline JPEG. A small picture needs 1,
 * 4 or 16 of the 64 coefficients of a block. Skipping the others is several
 * times faster than decoding them.
 */
#ifndef SQ_IMAGE_JPEG_LOW_H
#define SQ_IMAGE_JPEG_LOW_H

#include <stdint.h>

#include "image/jpeg/error.h"

#define SQ_JPEG_MAX_LOW 4 /* side of a decoded block in pixels */

struct sq_jpeg_low;

/*
 * Returns whether this picture is supported. cinfo must have read the header.
 */
bool sq_jpeg_low_fits(const struct jpeg_decompress_struct *cinfo);

/*
 * Prepares to decode each 8x8 block to n x n pixels; n is 1, 2 or 4. Does not
 * change cinfo, so that libjpeg can still decode the picture. cinfo must
 * outlive the result. Fails with SQ_ERR_NOMEM or SQ_ERR_FORMAT.
 */
bool sq_jpeg_low_create(const struct jpeg_decompress_struct *cinfo, int n,
                        struct sq_jpeg_low **out, struct sq_err *err);

/* Frees the decoder. Accepts NULL. */
void sq_jpeg_low_destroy(struct sq_jpeg_low *low);

/*
 * Decodes the next row of MCUs. planes[i] has n rows for each row of blocks
 * that component i has in an MCU, each as wide as all its blocks. Fails with
 * SQ_ERR_FORMAT for any irregular data.
 */
bool sq_jpeg_low_decode(struct sq_jpeg_low *low, JSAMPIMAGE planes,
                        struct sq_err *err);

/*
 * Fails unless the end marker follows immediately. Called after the last row.
 */
bool sq_jpeg_low_end(struct sq_jpeg_low *low, struct sq_err *err);

#endif
