/* Compresses to the zlib format with ISA-L. */
#include "image/png/deflate.h"

#include <assert.h>

#include <isa-l.h>

#include "util/mem.h"

#define PIECE_BYTES ((size_t)64 << 10)
/* 3 is four times slower than 2 on flat screens and saves nothing there. */
#define LEVEL 2
#define LEVEL_BYTES ISAL_DEF_LVL2_DEFAULT

struct sq_deflate {
    struct isal_zstream isal;
    struct sq_pending_output *pending;
    uint8_t level[LEVEL_BYTES];
};

bool
sq_deflate_create(struct sq_pending_output *pending, struct sq_deflate **out,
                  struct sq_err *err) {
    struct sq_deflate *self = sq_mem_alloc_aligned(sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->pending = pending;
    isal_deflate_init(&self->isal);
    self->isal.gzip_flag = IGZIP_ZLIB;
    self->isal.level = LEVEL;
    self->isal.level_buf = self->level;
    self->isal.level_buf_size = sizeof(self->level);
    *out = self;
    return true;
}

void
sq_deflate_destroy(struct sq_deflate *stream) {
    sq_mem_free(stream);
}

static bool
is_done(const struct isal_zstream *isal) {
    return isal->end_of_stream ? isal->internal_state.state == ZSTATE_END
                               : isal->avail_in == 0;
}

bool
sq_deflate_feed(struct sq_deflate *stream, uint8_t *bytes, size_t count,
                bool last, struct sq_err *err) {
    struct isal_zstream *isal = &stream->isal;
    isal->next_in = bytes;
    isal->avail_in = (uint32_t)count;
    isal->end_of_stream = last;
    do {
        size_t capacity;
        if (!sq_pending_output_reserve(stream->pending, PIECE_BYTES,
                                       &isal->next_out, &capacity, err)) {
            return false;
        }
        uint32_t before = isal->avail_in;
        isal->avail_out = (uint32_t)capacity;
        int status = isal_deflate(isal);
        assert(status == COMP_OK);
        size_t made = capacity - isal->avail_out;
        sq_pending_output_advance(stream->pending, made);
        if (made == 0 && isal->avail_in == before && !is_done(isal)) {
            /* ISA-L does not use the last few bytes of its output space. */
            return sq_fail(err, SQ_ERR_LIMIT,
                           "the encoded picture is larger than %zu bytes",
                           stream->pending->out->max);
        }
    } while (!is_done(isal));
    return true;
}
