/* Reads and writes PNG files, and reduces pictures to a palette. */
#ifndef SQ_IMAGE_PNG_PNG_H
#define SQ_IMAGE_PNG_PNG_H

#include "image/colour/colour.h"
#include "image/image.h"
#include "image/pipeline/rows.h"
#include "util/buf.h"

/* Returns whether the bytes start with the PNG signature. */
bool sq_png_sniff(const uint8_t *bytes, size_t count);

/*
 * Returns whether a PNG file has an alpha channel, by its header. The fourth
 * byte of its decoded pixels is then the alpha value.
 */
bool sq_png_has_alpha(const uint8_t *bytes, size_t count);

/*
 * Opens a PNG file. The whole structure is checked first. Pixels are decoded
 * row by row on demand, except that interlaced files are decoded by this call.
 * The bytes are not needed after it. For an APNG, the still picture is read.
 */
bool sq_png_open(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);

/* Reads and checks the chunks only. */
bool sq_png_shape(const uint8_t *bytes, size_t count,
                  struct sq_stored_shape *out, struct sq_err *err);

#define SQ_MAX_COLOURS 256

struct sq_indexed {
    int width;
    int height;
    int colours;
    uint8_t palette[SQ_MAX_COLOURS][3];
    uint8_t *indexes; /* width * height, each below colours */
};

/* Frees the indexes. Safe on a zeroed value and when called twice. */
void sq_indexed_finish(struct sq_indexed *picture);

/*
 * Reduces to at most max_colours (1 to 256). Does not dither, because that
 * harms small text and compression. Lossless if the picture has no more colours
 * than that, otherwise uses no more colours than 42 dB PSNR needs. The result
 * is the same on every machine. The caller frees *out with sq_indexed_finish;
 * on failure it is unchanged.
 */
bool sq_quantise(const struct sq_image *image, int max_colours,
                 struct sq_indexed *out, struct sq_err *err);

/*
 * Returns whether a palette suits the picture, as it does user interfaces: few
 * colours and large flat areas. The thresholds were measured at 500 to 2000 px:
 * interfaces had 98 to 1,723 bins and 62 to 93 % of their pixels equal to the
 * left neighbour, pages of photographs 18 to 54 %.
 */
bool sq_image_looks_like_ui(const struct sq_image *image);

/* Appends a truecolour PNG file to out. On failure out is unchanged. */
bool sq_png_encode(struct sq_rows *rows, struct sq_buf *out,
                   struct sq_err *err);

/* Appends a palette PNG (2 to 4 ms for 450x1000) or leaves out unchanged. */
bool sq_png_encode_indexed(const struct sq_indexed *picture, struct sq_buf *out,
                           struct sq_err *err);

#endif
