/*
 * Decodes pictures of others in confined processes: sys/foreign.h. Raw frames
 * have nothing to decode and stay in the process.
 */
#ifndef SQ_IMAGE_PIPELINE_DECODER_H
#define SQ_IMAGE_PIPELINE_DECODER_H

#include "image/pipeline/picture.h"
#include "sys/foreign.h"

/* What a worker does. */
extern const struct sq_foreign_reader sq_picture_reader;

/*
 * The work itself: for picture.c. The first three ask a worker; the others do
 * it in this process, and the worker calls them.
 */

/* How large a decoded picture has to be; all zero: as large as it is. */
struct sq_decode_size {
    int max_dimension; /* at most this long side */
    int min_width;     /* instead: any size that is at least this large */
    int min_height;
};

bool sq_decoder_make(struct sq_span picture, const struct sq_picture_opts *opts,
                     const struct sq_limits *limits, struct sq_buf *out,
                     struct sq_picture_info *info, struct sq_err *err);
bool sq_decoder_decode(struct sq_span picture,
                       const struct sq_decode_size *size,
                       const struct sq_limits *limits, struct sq_image *out,
                       struct sq_err *err);
bool sq_decoder_probe(struct sq_span picture, struct sq_picture_facts *out,
                      struct sq_err *err);

bool sq_picture_make_here(struct sq_span picture,
                          const struct sq_picture_opts *opts,
                          const struct sq_limits *limits, struct sq_buf *out,
                          struct sq_picture_info *info, struct sq_err *err);
bool sq_picture_open_here(struct sq_span picture,
                          const struct sq_decode_size *size,
                          const struct sq_limits *limits, struct sq_rows **out,
                          struct sq_err *err);
bool sq_picture_probe_here(struct sq_span picture, struct sq_picture_facts *out,
                           struct sq_err *err);

#endif
