/* Reads, scales and writes JPEG files. */
#ifndef SQ_IMAGE_JPEG_JPEG_H
#define SQ_IMAGE_JPEG_JPEG_H

#include "image/colour/colour.h"
#include "image/pipeline/rows.h"
#include "image/pipeline/scale.h"
#include "util/buf.h"

/* What to decode. All zero: the whole picture in full size. */
struct sq_jpeg_want {
    /*
     * The smallest usable size, of the picture as stored; 0 for full size. The
     * picture is decoded at the smallest scale of 1/8, 1/4, 1/2 and 1 that is
     * at least this large.
     */
    int min_width;
    int min_height;
    /*
     * Decode only this region, in full-size pixels of the stored picture; NULL
     * for all. min_width and min_height must then be 0. Rows below the region
     * are neither decoded nor checked.
     */
    const struct sq_region *region;
};

/* Reads only the header. The size is not checked against any limits. */
bool sq_jpeg_shape(const uint8_t *bytes, size_t count,
                   struct sq_stored_shape *out, struct sq_err *err);

/*
 * Sets *plain to whether the picture is stored upright and in sRGB, so that a
 * viewer that ignores metadata shows it correctly.
 */
bool sq_jpeg_is_plain(const uint8_t *bytes, size_t count, bool *plain,
                      struct sq_err *err);

/*
 * Opens a JPEG file as rows as stored. The caller frees them with
 * sq_rows_destroy. The bytes must outlive the rows. Only CMYK is converted to
 * sRGB here. libjpeg warnings are treated as errors, so that guessed rows are
 * never returned as part of a whole picture.
 */
bool sq_jpeg_open(const uint8_t *bytes, size_t count,
                  const struct sq_limits *limits,
                  const struct sq_jpeg_want *want, struct sq_rows **out,
                  struct sq_err *err);

struct sq_jpeg_opts {
    int quality;      /* 1 to 100 */
    bool full_chroma; /* 4:4:4 instead of 4:2:0 */
    bool optimise;    /* optimised Huffman tables: about 5 % smaller, slower */
};

/* Appends a JPEG file to out. On failure out is unchanged. */
bool sq_jpeg_encode(struct sq_rows *rows, const struct sq_jpeg_opts *opts,
                    struct sq_buf *out, struct sq_err *err);

struct sq_jpeg_resize {
    const struct sq_limits *limits;
    int width; /* exact size of the result */
    int height;
    struct sq_jpeg_opts opts;
    enum sq_kernel kernel;
};

/*
 * Scales a JPEG to a smaller JPEG in YCbCr, each plane at its stored
 * resolution. This saves upsampling the chroma, the conversion to RGB and back,
 * and scaling four channels instead of one and a half. Appends the picture to
 * out and sets *applies. For other colours than grey or YCbCr, pictures of a
 * few pixels, and if 1/8 of the size is still far too large, the call succeeds
 * with *applies false and out unchanged: decode, scale and encode instead. The
 * picture must be plain (sq_jpeg_is_plain).
 */
bool sq_jpeg_resize(const uint8_t *bytes, size_t count,
                    const struct sq_jpeg_resize *request, struct sq_buf *out,
                    bool *applies, struct sq_err *err);

#endif
