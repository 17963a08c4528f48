/* Output in the reserved space of a buffer. */
#include "image/pipeline/pending_output.h"

#include <assert.h>
#include <string.h>

void
sq_pending_output_init(struct sq_pending_output *draft, struct sq_buf *out) {
    *draft = (struct sq_pending_output){ .out = out };
}

/*
 * Growing the buffer keeps all its bytes, also those after its length, so the
 * draft can be in reserved space until it is committed.
 */
static bool
reserve(struct sq_pending_output *draft, size_t more, uint8_t **space,
        struct sq_err *err) {
    uint8_t *start;
    if (!sq_buf_reserve(draft->out, draft->used + more, &start, err)) {
        return false;
    }
    *space = start + draft->used;
    return true;
}

bool
sq_pending_output_room(struct sq_pending_output *draft, size_t wish,
                       uint8_t **space, size_t *size, struct sq_err *err) {
    size_t left = draft->out->max - draft->out->len - draft->used;
    size_t more = wish < left ? wish : left;
    if (!reserve(draft, more ? more : 1, space, err)) {
        return false;
    }
    *size = more;
    return true;
}

void
sq_pending_output_advance(struct sq_pending_output *draft, size_t used) {
    draft->used += used;
}

bool
sq_pending_output_append(struct sq_pending_output *draft, const void *bytes,
                         size_t count, struct sq_err *err) {
    uint8_t *space;
    if (!reserve(draft, count, &space, err)) {
        return false;
    }
    if (count) {
        memcpy(space, bytes, count);
    }
    draft->used += count;
    return true;
}

uint8_t *
sq_pending_output_at(const struct sq_pending_output *draft, size_t offset) {
    assert(offset <= draft->used);
    return draft->out->data + draft->out->len + offset;
}

void
sq_pending_output_commit(struct sq_pending_output *draft) {
    sq_buf_commit(draft->out, draft->used);
    draft->used = 0;
}
