/* Scales rows to another size. */
#ifndef SQ_IMAGE_PIPELINE_SCALE_H
#define SQ_IMAGE_PIPELINE_SCALE_H

#include "image/pipeline/rows.h"

enum sq_kernel {
    SQ_KERNEL_CATMULL_ROM, /* the default: legible and fast */
    SQ_KERNEL_LANCZOS3,
    SQ_KERNEL_AREA,
    SQ_KERNELS,
};

/*
 * Scales rows to width x height. Takes ownership of source, also on failure.
 * The result is bit-identical on every machine. If the factor is 3 or more, the
 * picture is first halved by averaging until it is less than 3.
 */
bool sq_scale_rows(struct sq_rows *source, int width, int height,
                   enum sq_kernel kernel, struct sq_rows **out,
                   struct sq_err *err);

#endif
