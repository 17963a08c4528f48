/*
 * Stores the pixels of the most recent full-screen captures, so that a region
 * can be cropped later even if the screen has changed. A session holds a few of
 * them, at most SQ_STORED_FRAME_BYTES in total.
 */
#ifndef SQ_SESSION_FRAME_CACHE_H
#define SQ_SESSION_FRAME_CACHE_H

#include "device/device.h"
#include "eye/frame_hash.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/pack.h"
#include "util/buf.h"

#define SQ_STORED_FRAME_BYTES ((size_t)8 << 20)

/* Where the pixels of a frame are that were not fetched from the device. */
struct sq_frame_place {
    char device_id[SQ_DEVICE_ID_SIZE]; /* empty: they were */
    struct sq_size size;               /* of the frame, in pixels */
    uint64_t hash;                     /* see eye/frame_hash.h */
};

struct sq_stored_frame {
    struct sq_buf bytes; /* as captured, or packed */
    bool is_packed;
    uint64_t hash; /* of the captured bytes; see eye/frame_hash.h */
    struct sq_frame_place place; /* instead of bytes */
    int redacted;                /* hidden parts */
};

/*
 * Makes a compact copy of a capture; the capture is not changed. *out stays
 * empty if the copy would still be too large. Fails only if out of memory.
 */
bool sq_stored_frame_make(const struct sq_buf *capture,
                          struct sq_stored_frame *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_stored_frame_finish(struct sq_stored_frame *held);

/*
 * Makes the same copy while a raw capture is still being received: the bytes
 * pass through to the decoder. A plain value.
 */
struct sq_stored_frame_tee {
    struct sq_incoming incoming; /* read by the decoder */
    struct sq_incoming *from;
    struct sq_packer packer;
    struct sq_frame_hash hash;
    struct sq_stored_frame held;
    size_t total;            /* bytes of the capture; 0: not yet known */
    enum sq_err_code failed; /* SQ_ERR_NONE: no failure */
};

void sq_stored_frame_tee_init(struct sq_stored_frame_tee *tee,
                              struct sq_incoming *from);

/*
 * Ends the copy, however many bytes were received. Returns true if *out is what
 * sq_stored_frame_make would have made. *out stays empty if the copy would be
 * too large.
 */
bool sq_stored_frame_tee_end(struct sq_stored_frame_tee *tee,
                             struct sq_stored_frame *out);

#endif
