/* Writes output to the reserved space of a buffer. */
#include "image/pipeline/pending_output.h"

#include <assert.h>
#include <string.h>

void
sq_pending_output_init(struct sq_pending_output *pending, struct sq_buf *out) {
    *pending = (struct sq_pending_output){ .out = out };
}

/*
 * Growing the buffer keeps all its bytes, also those after its length, so the
 * output can be in reserved space until it is committed.
 */
static bool
reserve(struct sq_pending_output *pending, size_t more, uint8_t **space,
        struct sq_err *err) {
    uint8_t *start;
    if (!sq_buf_reserve(pending->out, pending->used + more, &start, err)) {
        return false;
    }
    *space = start + pending->used;
    return true;
}

bool
sq_pending_output_reserve(struct sq_pending_output *pending, size_t wanted,
                          uint8_t **space, size_t *size, struct sq_err *err) {
    size_t left = pending->out->max - pending->out->len - pending->used;
    size_t more = wanted < left ? wanted : left;
    if (!reserve(pending, more ? more : 1, space, err)) {
        return false;
    }
    *size = more;
    return true;
}

void
sq_pending_output_advance(struct sq_pending_output *pending, size_t used) {
    pending->used += used;
}

bool
sq_pending_output_append(struct sq_pending_output *pending, const void *bytes,
                         size_t count, struct sq_err *err) {
    uint8_t *space;
    if (!reserve(pending, count, &space, err)) {
        return false;
    }
    if (count) {
        memcpy(space, bytes, count);
    }
    pending->used += count;
    return true;
}

uint8_t *
sq_pending_output_at(const struct sq_pending_output *pending, size_t offset) {
    assert(offset <= pending->used);
    return pending->out->data + pending->out->len + offset;
}

void
sq_pending_output_commit(struct sq_pending_output *pending) {
    sq_buf_commit(pending->out, pending->used);
    pending->used = 0;
}
