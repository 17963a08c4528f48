/*
 * A picture that is still being received. Decoding the received part while the
 * rest arrives hides the decoding time.
 */
#ifndef SQ_IMAGE_PIPELINE_INCOMING_H
#define SQ_IMAGE_PIPELINE_INCOMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* Base of all byte sources. Only the source changes it. */
struct sq_incoming {
    const uint8_t *bytes; /* received so far; may move during await */
    size_t count;
    /*
     * Waits until count bytes are received. Fails with SQ_ERR_TRUNCATED if the
     * data ends before.
     */
    bool (*await)(struct sq_incoming *incoming, size_t count,
                  struct sq_err *err);
    /*
     * Sets the total number of bytes. No further bytes are received after it,
     * and the bytes do not move any more.
     */
    bool (*expect)(struct sq_incoming *incoming, size_t total,
                   struct sq_err *err);
};

/* Callback that reads a picture while it is being received. */
struct sq_capture_observer {
    /* Called once after the first bytes; may wait for all, some or none. */
    void (*read)(void *context, struct sq_incoming *incoming);
    void *context;
};

#endif
