/* What a PNG file says before any pixel is decoded. */
#ifndef SQ_IMAGE_PNG_CHUNKS_H
#define SQ_IMAGE_PNG_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/rows.h"

enum sq_png_colour {
    SQ_PNG_GREY = 0,
    SQ_PNG_RGB = 2,
    SQ_PNG_PALETTE = 3,
    SQ_PNG_GREY_ALPHA = 4,
    SQ_PNG_RGBA = 6,
};

struct sq_png_header {
    int width;
    int height;
    int depth; /* bits per sample */
    enum sq_png_colour colour;
    bool interlaced;
    int channels;
    size_t pixel_bytes; /* the distance filters look back: at least 1 */
};

/* The chunks that describe colours, not yet validated. */
struct sq_png_tags {
    const uint8_t *profile; /* compressed, inside the file; NULL: none */
    size_t profile_len;
    bool has_code_points;
    uint8_t code_points[4]; /* of H.273 */
    bool is_srgb;
    uint32_t gamma; /* 100,000 times the exponent; 0: not told */
    bool has_chromaticities;
    uint32_t chromaticities[8]; /* likewise: white, red, green, blue */
};

struct sq_png {
    struct sq_png_header header;
    struct sq_png_tags tags; /* must not outlive the file's bytes */
    enum sq_orientation orientation;
    uint8_t palette[256][4]; /* red, green, blue, alpha */
    int palette_size;
    bool has_key;    /* one colour is transparent: */
    uint16_t key[3]; /* grey in key[0], or red, green, blue */
    uint8_t *data;   /* the joined IDAT chunks: a zlib stream, padded */
    size_t data_len;
};

/* Bytes of one row of so many pixels, without the filter byte. */
size_t sq_png_row_bytes(const struct sq_png_header *header, int width);

/* Whether the bytes begin like a PNG file. */
bool sq_png_sniff(const uint8_t *bytes, size_t count);

/*
 * Read and check every chunk: order, lengths and CRCs, so that a damaged or
 * cut file is refused before the first pixel. Bytes behind IEND are ignored.
 */
bool sq_png_init(struct sq_png *png, const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_png_finish(struct sq_png *png);

#endif
