/* JPEG files as rows: whole, shrunk while decoding, or one region of them. */
#ifndef SQ_IMAGE_JPEG_READ_H
#define SQ_IMAGE_JPEG_READ_H

#include "image/orientation.h"

/* All zero: the whole picture in full size. */
struct sq_jpeg_want {
    /*
     * The smallest size the caller can use, as stored, 0 for full size: the
     * picture is decoded in the smallest of 1/8, 1/4, 1/2 and 1 that still
     * covers both.
     */
    int min_width;
    int min_height;
    /*
     * Only this part, in full-size pixels of the stored picture, clear of
     * min_width and min_height; NULL for all. Rows below it are neither decoded
     * nor checked.
     */
    const struct sq_region *region;
};

/* Read the header only. Sizes are not held against any limits. */
bool sq_jpeg_shape(const uint8_t *bytes, size_t count,
                   struct sq_stored_shape *out, struct sq_err *err);

/*
 * Whether the picture is stored upright and in sRGB, so that a viewer which
 * ignores metadata shows it correctly.
 */
bool sq_jpeg_is_plain(const uint8_t *bytes, size_t count, bool *plain,
                      struct sq_err *err);

/*
 * Rows of a JPEG file as stored, to be freed by sq_rows_destroy. The bytes must
 * outlive them. Only CMYK is converted to sRGB here. Whatever
 * libjpeg would only warn of is an error here: rows that were guessed are never
 * handed out as a whole picture.
 */
bool sq_jpeg_open(const uint8_t *bytes, size_t count,
                  const struct sq_limits *limits,
                  const struct sq_jpeg_want *want, struct sq_rows **out,
                  struct sq_err *err);

#endif
