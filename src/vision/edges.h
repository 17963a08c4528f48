/*
 * Marks the pixels of a row where the colour changes from left to right. The
 * strokes of letters have many such edges; underlines and flat areas have none.
 */
#ifndef SQ_VISION_EDGES_H
#define SQ_VISION_EDGES_H

#include <stddef.h>
#include <stdint.h>

/* Returns how many 64-bit words hold one bit per pixel of a row. */
static inline size_t
sq_edge_words(int width) {
    return ((size_t)width + 63) / 64;
}

#define SQ_EDGE_LEVELS 3 /* together, at most */

/* Edges of at least some difference. */
struct sq_edge_level {
    int threshold;  /* least difference of a channel, 1 to 255 */
    uint64_t *bits; /* sq_edge_words(width) words per row */
};

/*
 * Sets bit x % 64 of bits[x / 64] of a level if a channel of the pixels x - 1,
 * x and x + 1 differs by its threshold or more. Colour channels count
 * separately, so that text is seen which differs from its background only in
 * hue. Bits after the last pixel are 0. pixels are RGBX. Several levels cost
 * little more than one.
 */
void sq_edges_row(const uint8_t *pixels, int width,
                  const struct sq_edge_level *levels, int count);

#endif
