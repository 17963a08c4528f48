/* Resampling: rows in, rows of another size out. */
#ifndef SQ_IMAGE_SCALE_H
#define SQ_IMAGE_SCALE_H

#include "image/rows.h"

enum sq_kernel {
    SQ_KERNEL_CATMULL_ROM, /* the default: legible and cheap */
    SQ_KERNEL_LANCZOS3,
    SQ_KERNEL_AREA,
    SQ_KERNELS,
};

/*
 * Rows scaled to width x height. Takes ownership of source, also on failure.
 * The result is the same on every machine, to the bit. Factors of 3 and more
 * are first halved by averaging until less than 3 is left.
 */
bool sq_scale_rows(struct sq_rows *source, int width, int height,
                   enum sq_kernel kernel, struct sq_rows **out,
                   struct sq_err *err);

#endif
