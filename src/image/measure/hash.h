/* Computes perceptual hashes of pictures, and detects blank pictures. */
#ifndef SQ_IMAGE_MEASURE_HASH_H
#define SQ_IMAGE_MEASURE_HASH_H

#include "image/image.h"

#define SQ_LUMA_COLUMNS 16
#define SQ_LUMA_ROWS 9

/* Brightness of a picture in a coarse grid, row by row. */
struct sq_luma_grid {
    uint8_t cells[SQ_LUMA_ROWS * SQ_LUMA_COLUMNS];
};

/*
 * Averages the picture over cells of exactly equal area: a pixel on a border
 * counts for each cell in proportion. Works for pictures smaller than the grid
 * too.
 */
void sq_image_luma_grid(const struct sq_image *image, struct sq_luma_grid *out);

/*
 * Returns a 64-bit hash with one bit per horizontal pair of neighbours in a 9x8
 * brightness grid, set if the right cell is brighter. Order: top left to bottom
 * right, highest bit first. Similar pictures, such as scaled or recompressed
 * ones, have similar hashes.
 */
uint64_t sq_image_dhash(const struct sq_image *image);

/* Returns the number of differing bits: 0 is equal, 64 is inverted. */
int sq_hash_distance(uint64_t a, uint64_t b);

/*
 * The highest channel value of a black picture. Not zero, because lossy
 * compression changes black a little.
 */
#define SQ_BLACK_CEILING 8

struct sq_flatness {
    bool black;  /* as captured from a screen that is off or protected */
    bool single; /* all pixels have exactly the colour below */
    uint8_t red;
    uint8_t green;
    uint8_t blue;
};

/*
 * Returns whether the picture is black or has a single colour. Stops at the
 * first row that rules out both. *out (may be NULL) contains the details; its
 * colour is that of the first pixel.
 */
bool sq_image_blank(const struct sq_image *image, struct sq_flatness *out);

#endif
