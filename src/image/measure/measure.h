/* Measures pictures: differences, hashes and the tokens they cost. */
#ifndef SQ_IMAGE_MEASURE_MEASURE_H
#define SQ_IMAGE_MEASURE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "geom/rect.h"
#include "image/image.h"
#include "image/pipeline/rows.h"
#include "util/err.h"

#define SQ_DIFF_TILE 64 /* pixels of one side of a tile */

/* May be read directly. Filled by sq_diff_init. */
struct sq_diff {
    bool resized; /* the frames have different sizes: no tiles */
    int columns;  /* tiles from left to right; the last may be narrower */
    int rows;
    uint8_t *tiles; /* rows * columns bytes, row by row: 1 where changed */
    int changed;    /* number of changed tiles */
    /* Of all changed pixels; zero: none, the whole of `after`: resized. */
    struct sq_region rect;
};

/*
 * Compares two frames, ignoring the fourth byte of the pixels. The caller frees
 * diff with sq_diff_finish. Fails only if out of memory.
 */
bool sq_diff_init(struct sq_diff *diff, const struct sq_image *before,
                  const struct sq_image *after, struct sq_err *err);

/* Frees the tiles. Safe on a zeroed value and when called twice. */
void sq_diff_finish(struct sq_diff *diff);

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

/*
 * Computes how many tokens a picture costs a model, and the largest picture for
 * a token budget. Providers resize before they count, so a cost always includes
 * the size after that resizing.
 */
struct sq_token_family;

/* One entry per counting method; constant, never freed. */
struct sq_token_profile {
    const char *name;  /* in the configuration: "claude" */
    const char *title; /* for display: the models that count like this */
    const struct sq_token_family *family;
    int max_edge;    /* longest side that is not resized */
    int max_patches; /* maximum number of patches that is not resized */
    int base;        /* fixed tokens per picture */
    int unit;        /* tokens per tile, or per 100 patches */
    /*
     * Longest side of a screenshot whose size is not given, where it costs no
     * more than with SQ_DEFAULT_MAX_DIMENSION; 0: that.
     */
    int default_side;
};

/* Returns the profile with that name, or NULL. */
const struct sq_token_profile *sq_token_profile_find(const char *name);

/* Returns the profile at index; NULL after the last. */
const struct sq_token_profile *sq_token_profile_at(size_t index);

struct sq_token_cost {
    int tokens;
    struct sq_size resized; /* size after the provider's resizing */
};

/* Returns the cost of a picture of any size; tokens saturate at INT_MAX. */
struct sq_token_cost sq_token_cost(const struct sq_token_profile *profile,
                                   struct sq_size size);

/*
 * Finds the largest size that costs at most budget_tokens, is not resized by
 * the provider, and has the device's aspect ratio: a long side L not longer
 * than the device's (nor SQ_MAX_SIDE), and a short side of L * short / long,
 * halves rounded up, at least 1. Fails with SQ_ERR_ARGUMENT if even a single
 * pixel costs more.
 */
bool sq_token_fit(const struct sq_token_profile *profile, struct sq_size device,
                  int budget_tokens, struct sq_size *out, struct sq_err *err);

#endif
