/* Runs a libjpeg compressor that writes to a buffer. */
#ifndef SQ_IMAGE_JPEG_OUTPUT_H
#define SQ_IMAGE_JPEG_OUTPUT_H

#include "image/jpeg/error.h"
#include "image/jpeg/write.h"
#include "image/pipeline/pending_output.h"

/* Must not move once initialised: libjpeg keeps addresses inside it. */
struct sq_jpeg_output {
    struct sq_jpeg_error error;
    struct jpeg_compress_struct cinfo;
    struct jpeg_destination_mgr destination;
    struct sq_pending_output pending;
    size_t capacity; /* size of the space that libjpeg is filling */
};

struct sq_jpeg_format {
    int width;
    int height;
    J_COLOR_SPACE colours; /* colour space of the input pixels */
    int components;
};

/*
 * Prepares everything up to jpeg_start_compress. The caller frees output with
 * sq_jpeg_output_finish, also on failure.
 */
bool sq_jpeg_output_init(struct sq_jpeg_output *output,
                         const struct sq_jpeg_format *format,
                         const struct sq_jpeg_opts *opts, struct sq_buf *out,
                         struct sq_err *err);

/* Frees all memory. Safe on a zeroed value and when called twice. */
void sq_jpeg_output_finish(struct sq_jpeg_output *output);

/* Appends the file to the buffer. Called after jpeg_finish_compress. */
void sq_jpeg_output_commit(struct sq_jpeg_output *output);

#endif
