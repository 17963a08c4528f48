/*
 * A picture whose bytes are still on their way. Decoding what is here while
 * the rest travels hides the decoder's work behind the cable's.
 */
#ifndef SQ_IMAGE_INCOMING_H
#define SQ_IMAGE_INCOMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* Base of whatever brings bytes. Only its own functions change it. */
struct sq_incoming {
    const uint8_t *bytes; /* those that have come; may move in await */
    size_t count;
    /* Wait until so many have come; SQ_ERR_TRUNCATED if fewer ever will. */
    bool (*await)(struct sq_incoming *incoming, size_t count,
                  struct sq_err *err);
    /* There are `total` in all: no more are awaited, and none moves again. */
    bool (*expect)(struct sq_incoming *incoming, size_t total,
                   struct sq_err *err);
};

/* Somebody who looks at a picture while it comes. */
struct sq_capture_observer {
    /* Called once its first bytes are here; may await all, some or none. */
    void (*look)(void *context, struct sq_incoming *incoming);
    void *context;
};

#endif
