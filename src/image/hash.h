/* A picture boiled down to a few bytes: is it like another, is it empty? */
#ifndef SQ_IMAGE_HASH_H
#define SQ_IMAGE_HASH_H

#include "image/image.h"

#define SQ_LUMA_COLUMNS 16
#define SQ_LUMA_ROWS 9

/* The brightness of a picture in coarse cells, row by row. */
struct sq_luma_grid {
    uint8_t cells[SQ_LUMA_ROWS * SQ_LUMA_COLUMNS];
};

/*
 * Average the picture over cells of exactly equal area: a pixel on a border
 * counts for each side with its share. Works for pictures smaller than the
 * grid too.
 */
void sq_image_luma_grid(const struct sq_image *image, struct sq_luma_grid *out);

/*
 * 64 bits, one per neighbouring pair of a 9x8 grid like the above, set where
 * the right one is brighter; from the top left to the bottom right, highest
 * bit first. Survives scaling and recompression.
 */
uint64_t sq_image_dhash(const struct sq_image *image);

/* The number of bits in which two hashes differ: 0 alike, 64 opposite. */
int sq_hash_distance(uint64_t a, uint64_t b);

/*
 * No channel of a black picture is above this. Not zero, because what was
 * black may have been through a lossy codec.
 */
#define SQ_BLACK_CEILING 8

struct sq_flatness {
    bool black;  /* a screen that is off or protected looks like this */
    bool single; /* all pixels have exactly the one colour below */
    uint8_t red;
    uint8_t green;
    uint8_t blue;
};

/*
 * Whether there is nothing to see: a black picture or one of a single colour.
 * Stops at the first row that rules out both. *out (may be NULL) says which;
 * its colour is that of the first pixel.
 */
bool sq_image_blank(const struct sq_image *image, struct sq_flatness *out);

#endif
