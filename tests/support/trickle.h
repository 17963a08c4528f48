/* A picture in memory that arrives a few bytes at a time. */
#ifndef SQ_TESTS_SUPPORT_TRICKLE_H
#define SQ_TESTS_SUPPORT_TRICKLE_H

#include "image/pipeline/codec.h"
#include "support/test.h"

struct trickle {
    struct sq_incoming incoming;
    const uint8_t *whole;
    size_t len;  /* how many of them arrive */
    size_t step; /* how many arrive at a time, at least */
    uint8_t *here;
    size_t total; /* the expected number of bytes; 0: unknown */
};

/* While the total is unknown, the bytes move to a new block with each piece. */
static inline void
trickle_move(struct trickle *trickle, size_t count) {
    uint8_t *room = malloc(trickle->total ? trickle->total : count + 1);
    if (!T(room != NULL)) {
        abort();
    }
    memcpy(room, trickle->whole, count);
    free(trickle->here);
    trickle->here = room;
}

static inline bool
trickle_await(struct sq_incoming *incoming, size_t count, struct sq_err *err) {
    struct trickle *trickle = (struct trickle *)incoming;
    T(!trickle->total || count <= trickle->total);
    if (count > trickle->len) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "the trickle has ended");
    }
    while (incoming->count < count) {
        size_t more = trickle->len - incoming->count;
        more = more < trickle->step ? more : trickle->step;
        if (trickle->total) {
            memcpy(trickle->here + incoming->count,
                   trickle->whole + incoming->count, more);
        } else {
            trickle_move(trickle, incoming->count + more);
        }
        incoming->bytes = trickle->here;
        incoming->count += more;
    }
    return true;
}

static inline bool
trickle_expect(struct sq_incoming *incoming, size_t total, struct sq_err *err) {
    struct trickle *trickle = (struct trickle *)incoming;
    (void)err;
    /* In a block of exactly that size, so that sanitizers see an overrun. */
    trickle->total = total;
    trickle->len = trickle->len < total ? trickle->len : total;
    incoming->count = incoming->count < total ? incoming->count : total;
    trickle_move(trickle, incoming->count);
    incoming->bytes = trickle->here;
    return true;
}

static inline void
trickle_init(struct trickle *trickle, const uint8_t *whole, size_t len,
             size_t step) {
    *trickle = (struct trickle){
        .incoming = { .await = trickle_await, .expect = trickle_expect },
        .whole = whole,
        .len = len,
        .step = step ? step : 1,
    };
}

static inline void
trickle_finish(struct trickle *trickle) {
    free(trickle->here);
}

#endif
