/*
 * The lookup table of an ICC profile, from device colours to XYZ or Lab. Uses
 * the table with the perceptual rendering intent.
 */
#ifndef SQ_IMAGE_COLOUR_ICC_TABLE_H
#define SQ_IMAGE_COLOUR_ICC_TABLE_H

#include "image/colour/icc.h"
#include "image/colour/icc_curve.h"

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

#endif
