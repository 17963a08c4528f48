/* What the files of this folder share. */
#ifndef SQ_IMAGE_PNG_PRIVATE_H
#define SQ_IMAGE_PNG_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/colour/colour.h"
#include "image/pipeline/rows.h"
#include "util/buf.h"

/* Reads the header and metadata of a PNG file. */

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
    uint8_t *data;   /* joined IDAT chunks: a zlib stream */
    size_t data_len;
};

/* Returns the bytes of a row of `width` pixels, without the filter byte. */
size_t sq_png_row_bytes(const struct sq_png_header *header, int width);

/*
 * Reads and checks every chunk: order, lengths and CRCs, so that a damaged or
 * truncated file fails before the first pixel. Bytes after IEND are ignored.
 */
bool sq_png_init(struct sq_png *png, const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value. */
void sq_png_finish(struct sq_png *png);

/* Finds the colour conversion of a PNG file. */

/*
 * Makes the conversion from the file's colours to sRGB. The caller frees *out
 * with sq_colour_destroy; it is NULL if no conversion is needed. If several
 * chunks define colours, the PNG specification's order of precedence applies:
 * cICP, iCCP, sRGB, then gAMA with cHRM.
 */
bool sq_png_colour(const struct sq_png *png, struct sq_colour **out,
                   struct sq_err *err);

/* Converts the samples of a PNG row to pixels. */

/* Prepared conversion for one picture. */
struct sq_png_expander {
    const struct sq_png *png;
    /* Pixel of each sample of up to 8 bits; fourth byte 0: not in palette. */
    uint8_t pixel[256][4];
};

/* png must outlive the expander. */
void sq_png_expander_init(struct sq_png_expander *expander,
                          const struct sq_png *png);

/* Converts one unfiltered row of any PNG type; alpha is composed over black. */
bool sq_png_expand(const struct sq_png_expander *expander, const uint8_t *row,
                   int width, uint8_t *pixels, struct sq_err *err);

/* Expands three-byte pixels (or residuals) to four bytes; the fourth is 0. */
void sq_spread_rgb(const uint8_t *rgb, uint8_t *rgbx, size_t pixels);

/*
 * Removes the fourth byte of each pixel. Writes up to SQ_PACK_SLACK bytes after
 * the row.
 */
#define SQ_PACK_SLACK 4
void sq_pack_rgb(const uint8_t *rgbx, uint8_t *rgb, size_t pixels);

/*
 * Split 16-bit samples (or residuals) into a plane of upper and a plane of
 * lower bytes, four bytes per pixel; for RGB the fourth is 0.
 */
void sq_split_rgb16(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
                    size_t pixels);
void sq_split_rgba16(const uint8_t *rgba, uint8_t *upper, uint8_t *lower,
                     size_t pixels);

/* Rounds 16-bit samples, split as above, to 8 bits. */
void sq_round_rgba16(const uint8_t *upper, const uint8_t *lower, uint8_t *rgba,
                     size_t pixels);

/* Returns whether the fourth byte of all pixels is 255. */
bool sq_row_is_opaque(const uint8_t *rgba, size_t pixels);

/*
 * Composes four-byte pixels over black: round(colour * alpha / 255). The fourth
 * byte remains the alpha value.
 */
void sq_row_over_black(const uint8_t *rgba, uint8_t *rgbx, size_t pixels);

/*
 * Writes a zlib stream of rows of equal length. Begins it in `out`, which must
 * outlive it; NULL on failure.
 */
struct sq_deflate *sq_deflate_begin(struct sq_buf *out, size_t line,
                                    struct sq_err *err);

/* Where the next row of `line` bytes is put before sq_deflate_row. */
uint8_t *sq_deflate_space(const struct sq_deflate *deflate);

/* is_zero: all bytes but the first are zero. */
bool sq_deflate_row(struct sq_deflate *deflate, bool is_zero,
                    struct sq_err *err);

/* Writes the end of the stream. */
bool sq_deflate_end(struct sq_deflate *deflate, struct sq_err *err);

/* Frees all memory. Accepts NULL. */
void sq_deflate_finish(struct sq_deflate *deflate);

/* Reverses PNG's row filters. */

enum sq_png_filter {
    SQ_PNG_NONE,
    SQ_PNG_SUB,
    SQ_PNG_UP,
    SQ_PNG_AVERAGE,
    SQ_PNG_PAETH,
    SQ_PNG_FILTERS,
};

/*
 * Converts count residual bytes to a row, for any pixel size. above is the row
 * above (zeros for the first row). row may equal residual.
 */
void sq_unfilter_row(enum sq_png_filter filter, const uint8_t *residual,
                     const uint8_t *above, uint8_t *row, size_t count,
                     size_t pixel_bytes);

/*
 * Like sq_unfilter_row, for four-byte pixels and with the fastest code for this
 * machine. row must not overlap residual.
 */
void sq_unfilter_row4(enum sq_png_filter filter, const uint8_t *residual,
                      const uint8_t *above, uint8_t *row, size_t pixels);

/* The number of rows that sq_unfilter_paeth_rows processes. */
#define SQ_PAETH_ROWS 4

/*
 * Unfilters four consecutive Paeth rows of four-byte pixels together. Returns
 * false, and does nothing, if this is not faster on this machine.
 */
bool sq_unfilter_paeth_rows(const uint8_t *const residual[SQ_PAETH_ROWS],
                            const uint8_t *above,
                            uint8_t *const row[SQ_PAETH_ROWS], size_t pixels);

/* Returns whether all bytes are zero: filter Up then repeats the row. */
bool sq_all_zero(const uint8_t *bytes, size_t count);

/* The vector code; used only by unfilter.c. */

/* Unfilters four-byte pixels, by filter; none for SQ_PNG_NONE. */
extern void (*const sq_unfilter_vector[SQ_PNG_FILTERS])(const uint8_t *residual,
                                                        const uint8_t *above,
                                                        uint8_t *row,
                                                        size_t pixels);

void sq_unfilter_paeth_wave(const uint8_t *const residual[SQ_PAETH_ROWS],
                            const uint8_t *above,
                            uint8_t *const row[SQ_PAETH_ROWS], size_t pixels);

/*
 * Decodes the rows of a PNG: unfilters them, converts them to pixels and
 * composes them over black. Decodes a whole picture, or the passes of an
 * interlaced one in sequence.
 */

#define SQ_PNG_BATCH 16 /* rows unfiltered at a time */
#define SQ_PNG_KEEPS 20 /* see struct sq_rows */

/* How rows are decoded. All methods give the same pixels. */
enum sq_png_method {
    SQ_PNG_ANY,    /* any format, one row at a time */
    SQ_PNG_PIXELS, /* 8-bit RGB and RGBA: four bytes per pixel */
    SQ_PNG_DEEP,   /* 16-bit RGB and RGBA: a plane per byte of a sample */
};

/* A ring buffer of rows. */
struct sq_png_ring {
    uint8_t *rows;
    size_t row_bytes;
    int count;
    int next;
};

struct sq_png_lines {
    const struct sq_png *png;
    const uint8_t *unread; /* the filter bytes and residuals to decode */
    struct sq_png_expander expander;
    enum sq_png_method method;
    int planes; /* planes of four-byte pixels to unfilter: 1 or 2 */

    struct sq_png_ring stored;    /* unfiltered rows of each plane */
    struct sq_png_ring converted; /* rows that need conversion after that */
    uint8_t *scratch; /* four-byte residuals: SQ_PNG_BATCH rows per plane */

    int width; /* of the current picture or pass */
    int height;
    size_t row_bytes;        /* as stored, without the filter byte */
    const uint8_t *above[2]; /* last row of each plane, for the filters */
    struct sq_row last;      /* the last row that was returned */
    struct sq_row batch[SQ_PNG_BATCH];
    int batch_count;
    int batch_taken;
    int decoded; /* total number of rows */
};

#endif
