/*
 * Bytes written behind a buffer's end that count only once all of them are
 * there: an encoder that fails half-way leaves the buffer as it was.
 */
#ifndef SQ_IMAGE_PENDING_OUTPUT_H
#define SQ_IMAGE_PENDING_OUTPUT_H

#include "util/buf.h"

struct sq_pending_output {
    struct sq_buf *out;
    size_t used; /* bytes written so far behind out->len */
};

/* Start a draft behind the present content of out, which must outlive it. */
void sq_pending_output_init(struct sq_pending_output *draft,
                            struct sq_buf *out);

/*
 * Room for at least one and at most `wish` more bytes; fewer only where the
 * buffer's ceiling is near. Valid until the next call.
 */
bool sq_pending_output_room(struct sq_pending_output *draft, size_t wish,
                            uint8_t **room, size_t *size, struct sq_err *err);

/* Count bytes written into the last room. */
void sq_pending_output_advance(struct sq_pending_output *draft, size_t used);

bool sq_pending_output_append(struct sq_pending_output *draft,
                              const void *bytes, size_t count,
                              struct sq_err *err);

/* Where the draft's byte at `offset` lies; valid until the next room. */
uint8_t *sq_pending_output_at(const struct sq_pending_output *draft,
                              size_t offset);

/* Make everything written part of the buffer. Without it nothing was. */
void sq_pending_output_commit(struct sq_pending_output *draft);

#endif
