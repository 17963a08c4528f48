/* Reads the header and metadata of a PNG file. */
#ifndef SQ_IMAGE_PNG_CHUNKS_H
#define SQ_IMAGE_PNG_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/pipeline/rows.h"

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
    size_t pixel_bytes; /* filter distance in bytes, at least 1 */
};

/* The chunks that describe colours, not yet validated. */
struct sq_png_tags {
    const uint8_t *profile; /* compressed, inside the file; NULL: none */
    size_t profile_len;
    bool has_code_points;
    uint8_t code_points[4]; /* H.273 */
    bool is_srgb;
    uint32_t gamma; /* exponent times 100,000; 0: not set */
    bool has_chromaticities;
    uint32_t chromaticities[8]; /* times 100,000: white, red, green, blue */
};

struct sq_png {
    struct sq_png_header header;
    struct sq_png_tags tags; /* points into the file's bytes */
    enum sq_orientation orientation;
    uint8_t palette[256][4]; /* red, green, blue, alpha */
    int palette_size;
    bool has_key;    /* one colour is transparent */
    uint16_t key[3]; /* that colour: grey in key[0], or red, green, blue */
    uint8_t *data;   /* joined IDAT chunks: a zlib stream, padded */
    size_t data_len;
};

/* Returns the bytes of a row of `width` pixels, without the filter byte. */
size_t sq_png_row_bytes(const struct sq_png_header *header, int width);

/* Returns whether the bytes start with the PNG signature. */
bool sq_png_sniff(const uint8_t *bytes, size_t count);

/*
 * Returns whether a PNG file has an alpha channel, by its header. The fourth
 * byte of its decoded pixels is then the alpha value.
 */
bool sq_png_has_alpha(const uint8_t *bytes, size_t count);

/*
 * Reads and checks every chunk: order, lengths and CRCs, so that a damaged or
 * truncated file fails before the first pixel. Bytes after IEND are ignored.
 */
bool sq_png_init(struct sq_png *png, const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value. */
void sq_png_finish(struct sq_png *png);

#endif
