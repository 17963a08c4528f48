/* Reads and writes WebP files. */
#ifndef SQ_IMAGE_WEBP_WEBP_H
#define SQ_IMAGE_WEBP_WEBP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/pipeline/rows.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Speed versus size; 2 gives the size of sharp's default (4) in half the time.
 */
#define SQ_WEBP_METHOD 2

struct sq_webp_opts {
    int quality; /* 0 to 100 */
    int method;  /* 0 (fast) to 6 (small) */
    bool lossless;
};

/*
 * Opens a WebP file as rows. The caller frees them with sq_rows_destroy. The
 * picture is decoded immediately; bytes need not outlive the call.
 */
bool sq_webp_open(const uint8_t *bytes, size_t count,
                  const struct sq_limits *limits, struct sq_rows **out,
                  struct sq_err *err);

/* Appends a WebP file to out. On failure out is unchanged. */
bool sq_webp_encode(struct sq_rows *rows, const struct sq_webp_opts *opts,
                    struct sq_buf *out, struct sq_err *err);

#endif
