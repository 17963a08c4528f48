/*
 * The table of an ICC profile: a grid of device colours, and what each of them
 * looks like. Of the profile's tables the one for pictures ("perceptual").
 */
#ifndef SQ_IMAGE_ICC_TABLE_H
#define SQ_IMAGE_ICC_TABLE_H

#include "image/icc.h"
#include "image/icc_curve.h"

#define SQ_ICC_INPUTS 4

enum sq_icc_encoding {
    SQ_ICC_XYZ,
    SQ_ICC_LAB,     /* 1 is L 100, and a and b from -128 to 127 */
    SQ_ICC_LAB_OLD, /* of 16 bits, where 65280 is L 100 */
};

/* Points into the profile. */
struct sq_icc_table {
    int inputs; /* channels: 1, 3 or 4 */
    int grid[SQ_ICC_INPUTS];
    size_t nodes; /* in all; those of the last channel follow one another */
    struct sq_icc_curve in[SQ_ICC_INPUTS];
    const uint8_t *values; /* three per node */
    int width;             /* bytes of a value, 1 or 2 */
    struct sq_icc_curve middle[3];
    double matrix[3][4];
    struct sq_icc_curve out[3];
    enum sq_icc_encoding encoding;
};

/* False where there is none, or it is damaged. */
bool sq_icc_table_init(struct sq_icc_table *table, const struct sq_icc *icc);

/*
 * XYZ (D50) of a place in the grid. `at` holds a value from 0 to 1 for each
 * input, with its curve already applied.
 */
void sq_icc_table_at(const struct sq_icc_table *table,
                     const double at[SQ_ICC_INPUTS], double xyz[3]);

#endif
