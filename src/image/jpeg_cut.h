/*
 * One region of a baseline JPEG as a smaller JPEG, cut out of the coded data
 * without decoding it. libjpeg decodes everything in front of a region; we only
 * step over it.
 */
#ifndef SQ_IMAGE_JPEG_CUT_H
#define SQ_IMAGE_JPEG_CUT_H

#include "image/jpeg_error.h"
#include "image/rows.h"
#include "util/buf.h"

/*
 * Whether cutting is possible and likely to be faster than libjpeg's own way to
 * the region; cinfo has read its header.
 */
bool sq_jpeg_cut_pays(const struct jpeg_decompress_struct *cinfo,
                      struct sq_region region);

/*
 * Fill out, an empty buffer, with a picture that contains the region and so
 * much around it that the region's pixels are those of the whole picture;
 * *inside is where it lies. Rows below the region are not looked at. cinfo must
 * satisfy sq_jpeg_scan_fits and have the region inside it; it is left alone, so
 * that libjpeg can still decode it. SQ_ERR_FORMAT for whatever is not perfectly
 * regular. On failure out is empty.
 */
bool sq_jpeg_cut(const struct jpeg_decompress_struct *cinfo,
                 struct sq_region region, struct sq_buf *out,
                 struct sq_region *inside, struct sq_err *err);

#endif
