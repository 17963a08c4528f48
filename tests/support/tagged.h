/* Adds metadata to picture files of all formats. */
#ifndef SQ_TEST_TAGGED_H
#define SQ_TEST_TAGGED_H

#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

/* EXIF data with an orientation, 1 to 8. Initialises the buffer. */
void t_exif_make(int orientation, bool big_endian, struct sq_buf *out);

/* Insert a chunk after the header of a PNG file. */
void t_png_add(struct sq_buf *file, const char *type, const void *data,
               size_t length);

/* The same for a profile, as iCCP. */
void t_png_add_profile(struct sq_buf *file, const struct sq_buf *profile);

/* Insert a segment after the start of a JPEG file. */
void t_jpeg_add(struct sq_buf *file, uint8_t marker, const void *data,
                size_t length);

/* A piece of a profile as an APP2 segment; number and count start at 1. */
void t_jpeg_add_piece(struct sq_buf *file, int number, int count,
                      const void *data, size_t length);

/* Insert a whole profile, in pieces of `piece` bytes. */
void t_jpeg_add_profile(struct sq_buf *file, const struct sq_buf *profile,
                        size_t piece);

void t_jpeg_add_exif(struct sq_buf *file, const struct sq_buf *exif);

/*
 * Convert a WebP file of one picture to an extended one, with a profile and
 * EXIF data; either may be NULL.
 */
void t_webp_extend(struct sq_buf *file, int width, int height,
                   const struct sq_buf *profile, const struct sq_buf *exif);

/* One frame of an animation: a WebP file of one picture, at even x and y. */
struct t_webp_frame {
    const struct sq_buf *file;
    int x;
    int y;
    int width;
    int height;
};

/* An animation on a canvas. Initialises the buffer. */
void t_webp_animate(int width, int height, const struct t_webp_frame *frames,
                    size_t count, struct sq_buf *out);

#endif
