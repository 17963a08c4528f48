/* Writes rows as a JPEG file. */
#ifndef SQ_IMAGE_JPEG_WRITE_H
#define SQ_IMAGE_JPEG_WRITE_H

#include "image/pipeline/rows.h"
#include "util/buf.h"

struct sq_jpeg_opts {
    int quality;      /* 1 to 100 */
    bool full_chroma; /* 4:4:4 instead of 4:2:0 */
    bool optimise;    /* optimised Huffman tables: about 5 % smaller, slower */
};

/* Appends a JPEG file to out. On failure out is unchanged. */
bool sq_jpeg_encode(struct sq_rows *rows, const struct sq_jpeg_opts *opts,
                    struct sq_buf *out, struct sq_err *err);

#endif
