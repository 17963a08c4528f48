/*
 * Output that is added to a buffer only when it is complete, so that an encoder
 * that fails leaves the buffer unchanged.
 */
#ifndef SQ_IMAGE_PIPELINE_PENDING_OUTPUT_H
#define SQ_IMAGE_PIPELINE_PENDING_OUTPUT_H

#include "util/buf.h"

struct sq_pending_output {
    struct sq_buf *out;
    size_t used; /* bytes written after out->len */
};

/* Starts after the content of out, which must outlive it. */
void sq_pending_output_init(struct sq_pending_output *pending,
                            struct sq_buf *out);

/*
 * Provides space for at least one and at most `wanted` more bytes; fewer than
 * `wanted` only if the buffer is near its maximum. Valid until the next call.
 */
bool sq_pending_output_reserve(struct sq_pending_output *pending, size_t wanted,
                               uint8_t **space, size_t *size,
                               struct sq_err *err);

/* Adds bytes that the caller wrote to the last provided space. */
void sq_pending_output_advance(struct sq_pending_output *pending, size_t used);

bool sq_pending_output_append(struct sq_pending_output *pending,
                              const void *bytes, size_t count,
                              struct sq_err *err);

/*
 * Returns the address of the byte at `offset`; valid until more space is
 * requested.
 */
uint8_t *sq_pending_output_at(const struct sq_pending_output *pending,
                              size_t offset);

/* Adds everything written to the buffer's content. */
void sq_pending_output_commit(struct sq_pending_output *pending);

#endif
