/* Compresses a stream in the zlib format to pending output. */
#ifndef SQ_IMAGE_PNG_DEFLATE_H
#define SQ_IMAGE_PNG_DEFLATE_H

#include "image/pipeline/pending_output.h"

struct sq_deflate;

/* Starts a stream after the bytes in pending, which must outlive it. */
bool sq_deflate_create(struct sq_pending_output *pending,
                       struct sq_deflate **out, struct sq_err *err);

/* Frees the stream. Accepts NULL. */
void sq_deflate_destroy(struct sq_deflate *stream);

/* Compresses bytes. `last` ends the stream; the last piece may be empty. */
bool sq_deflate_feed(struct sq_deflate *stream, uint8_t *bytes, size_t count,
                     bool last, struct sq_err *err);

#endif
