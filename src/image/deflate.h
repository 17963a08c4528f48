/* Compression in the zlib format, piece by piece, straight into a draft. */
#ifndef SQ_IMAGE_DEFLATE_H
#define SQ_IMAGE_DEFLATE_H

#include "image/pending_output.h"

struct sq_deflate;

/* Start a stream behind what the draft holds; the draft must outlive it. */
bool sq_deflate_create(struct sq_pending_output *draft, struct sq_deflate **out,
                       struct sq_err *err);

/* Accepts NULL. */
void sq_deflate_destroy(struct sq_deflate *stream);

/* Compress bytes; the last piece, which may be empty, ends the stream. */
bool sq_deflate_feed(struct sq_deflate *stream, uint8_t *bytes, size_t count,
                     bool last, struct sq_err *err);

#endif
