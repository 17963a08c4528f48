/*
 * The low frequencies of a baseline JPEG, decoded by ourselves. A small picture
 * needs one, four or sixteen of a block's 64 coefficients, and stepping over
 * the others without looking at them is several times faster than decoding
 * them.
 */
#ifndef SQ_IMAGE_JPEG_LOW_H
#define SQ_IMAGE_JPEG_LOW_H

#include <stdint.h>

#include "image/jpeg_error.h"

#define SQ_JPEG_MAX_LOW 4 /* pixels a block becomes, each way */

struct sq_jpeg_low;

/* Whether we can decode this picture; cinfo has read its header. */
bool sq_jpeg_low_fits(const struct jpeg_decompress_struct *cinfo);

/*
 * Prepare to turn each block of 8x8 into n x n pixels, n being 1, 2 or 4.
 * Leaves cinfo alone, so that libjpeg can still decode the picture; cinfo must
 * outlive the result. SQ_ERR_NOMEM or SQ_ERR_FORMAT.
 */
bool sq_jpeg_low_create(const struct jpeg_decompress_struct *cinfo, int n,
                        struct sq_jpeg_low **out, struct sq_err *err);

/* Accepts NULL. */
void sq_jpeg_low_destroy(struct sq_jpeg_low *low);

/*
 * Decode the next row of MCUs. planes[i] are as many rows as component i is
 * blocks high in an MCU, times n, each as wide as all its blocks.
 * SQ_ERR_FORMAT for whatever is not perfectly regular.
 */
bool sq_jpeg_low_decode(struct sq_jpeg_low *low, JSAMPIMAGE planes,
                        struct sq_err *err);

/* After the last row: whether the end marker follows at once. */
bool sq_jpeg_low_end(struct sq_jpeg_low *low, struct sq_err *err);

#endif
