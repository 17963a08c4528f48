/*
 * Cuts a region out of a baseline JPEG as a smaller JPEG, without decoding the
 * coefficients. libjpeg would decode everything before the region; this code
 * only skips it.
 */
#ifndef SQ_IMAGE_JPEG_CUT_H
#define SQ_IMAGE_JPEG_CUT_H

#include "image/jpeg/error.h"
#include "image/pipeline/rows.h"
#include "util/buf.h"

/*
 * Returns whether cutting is possible and probably faster than decoding with
 * libjpeg. cinfo must have read the header.
 */
bool sq_jpeg_cut_pays(const struct jpeg_decompress_struct *cinfo,
                      struct sq_region region);

/*
 * Fills out, which must be empty, with a picture that contains the region and
 * enough around it that the region's pixels equal those of the whole picture.
 * *inside is the position of the region in it. Rows below the region are not
 * read. cinfo must satisfy sq_jpeg_scan_fits and contain the region. It is not
 * changed, so that libjpeg can still decode it. Fails with SQ_ERR_FORMAT for
 * any irregular data. On failure out is empty.
 */
bool sq_jpeg_cut(const struct jpeg_decompress_struct *cinfo,
                 struct sq_region region, struct sq_buf *out,
                 struct sq_region *inside, struct sq_err *err);

#endif
