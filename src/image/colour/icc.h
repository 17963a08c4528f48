/* Reads ICC colour profiles: tags, curves and tables. */
#ifndef SQ_IMAGE_COLOUR_ICC_H
#define SQ_IMAGE_COLOUR_ICC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/colour/colour.h"
#include "util/limits.h"

struct sq_icc {
    const uint8_t *bytes;
    size_t count;
    enum sq_pixels pixels;
    bool is_lab; /* the connection space is Lab, not XYZ */
    int version; /* version of the specification, 2 or 4 */
};

/*
 * Checks the header and the tag list. The bytes must outlive icc. Returns false
 * if the profile is damaged or not for one of these kinds of pixels.
 */
bool sq_icc_init(struct sq_icc *icc, const uint8_t *bytes, size_t count);

/* Gets curves and matrix of an RGB profile; false if they are incomplete. */
bool sq_icc_light(const struct sq_icc *icc, struct sq_light *out);

/* Gets the linear light, 0 to 1, of each grey value; false if it is missing. */
bool sq_icc_grey(const struct sq_icc *icc, double curve[SQ_LEVELS]);

/* Points into the profile. All zero: the identity. */
struct sq_icc_curve {
    const uint8_t *samples; /* equidistant; NULL: parametric */
    size_t count;           /* at least 2 */
    int width;              /* bytes per sample, 1 or 2 */
    bool is_power;
    double g, a, b, c, d, e, f; /* names as in the specification */
};

/* Evaluates the curve. The result is always within 0 to 1. */
double sq_icc_curve_at(const struct sq_icc_curve *curve, double x);

/*
 * The lookup table of an ICC profile, from device colours to XYZ or Lab. Uses
 * the table with the perceptual rendering intent.
 */

#define SQ_ICC_INPUTS 4

enum sq_icc_encoding {
    SQ_ICC_XYZ,
    SQ_ICC_LAB,     /* 1 is L = 100; a and b are -128 to 127 */
    SQ_ICC_LAB_OLD, /* 16-bit values where 65280 is L = 100 */
};

/* Points into the profile. */
struct sq_icc_table {
    int inputs; /* channels: 1, 3 or 4 */
    int grid[SQ_ICC_INPUTS];
    size_t nodes; /* total; the last channel varies fastest */
    struct sq_icc_curve in[SQ_ICC_INPUTS];
    const uint8_t *values; /* three values per node */
    int width;             /* bytes per value, 1 or 2 */
    struct sq_icc_curve middle[3];
    double matrix[3][4];
    struct sq_icc_curve out[3];
    enum sq_icc_encoding encoding;
};

/* Returns false if the table is missing or damaged. */
bool sq_icc_table_init(struct sq_icc_table *table, const struct sq_icc *icc);

/*
 * Interpolates the XYZ (D50) value of a point in the grid. `at` has a value
 * from 0 to 1 for each input, with its input curve already applied.
 */
void sq_icc_table_at(const struct sq_icc_table *table,
                     const double at[SQ_ICC_INPUTS], double xyz[3]);

/* Makes the conversion. *out is NULL if the profile has no table. */
bool sq_colour_from_table(const struct sq_icc *icc, struct sq_colour **out,
                          struct sq_err *err);

/* Makes the conversion for CMYK without a profile. */
bool sq_colour_from_cmyk(struct sq_colour **out, struct sq_err *err);

#endif
