/* PNG files for tests: valid files of every kind, and parts of files. */
#ifndef SQ_TEST_PNG_MAKER_H
#define SQ_TEST_PNG_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

enum t_png_look {
    T_PNG_NOISE,  /* nothing repeats */
    T_PNG_SCREEN, /* boxes: most rows repeat the one above */
    T_PNG_SHADE,  /* smooth */
    T_PNG_BLACK,
    T_PNG_LOOKS,
};

/* Zero means the default. */
struct t_png_kind {
    int width;
    int height;
    int colour; /* as in the file: 0, 2, 3, 4, 6 */
    int depth;
    bool interlaced;
    bool transparent;  /* alpha that is not 255, or a tRNS chunk */
    int palette_size;  /* 0: the maximum for the depth */
    int filters;       /* a set as in libpng; 0: chosen by libpng */
    int strategy;      /* zlib's */
    int level;         /* 0..9; libdeflate's 0..12 for t_png_residuals */
    size_t idat_bytes; /* of one chunk; 0: chosen by libpng */
    enum t_png_look look;
};

/* The fifteen legal combinations of colour type and depth. */
struct t_png_format {
    int colour;
    int depth;
};
extern const struct t_png_format t_png_formats[15];

/* Bytes of one row of `width` pixels, without the filter byte. */
size_t t_png_row_bytes(const struct t_png_kind *kind, int width);

/* Write a picture with libpng. Initialises the buffer. */
void t_png_make(const struct t_png_kind *kind, struct sq_buf *out);

/*
 * A valid file of random residuals: rows with the given filter (0..4), or each
 * with a random one (-1), often the same for several rows. Palettes must be
 * full. Initialises the buffer.
 */
void t_png_make_residuals(const struct t_png_kind *kind, int filter,
                          struct sq_buf *out);

/* Append the parts of a file, in this order. */
void t_png_put_signature(struct sq_buf *out);
void t_png_put_chunk(struct sq_buf *out, const char *type, const void *data,
                     size_t length);
void t_png_put_header(struct sq_buf *out, const struct t_png_kind *kind);
void t_png_put_zlib(struct sq_buf *out, const void *raw, size_t length,
                    int level);

/* Signature and header, then the raw rows as one IDAT chunk, then IEND. */
void t_png_make_raw(const struct t_png_kind *kind, const void *raw,
                    size_t length, struct sq_buf *out);

/*
 * The same file with its IDAT chunks cut into pieces of `piece` bytes, with
 * empty chunks between them if requested. Initialises the buffer.
 */
void t_png_recut(const struct sq_buf *file, size_t piece, bool empty_ones,
                 struct sq_buf *out);

/* Offset of the nth chunk of a type (from 0), or 0 if there is none. */
size_t t_png_find(const struct sq_buf *file, const char *type, int nth);

/* The same file with chunks inserted at an offset. Initialises the buffer. */
void t_png_insert(const struct sq_buf *file, size_t at,
                  const struct sq_buf *chunks, struct sq_buf *out);

#endif
