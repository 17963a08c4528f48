/*
 * The pixels of a recent picture of a whole screen, for a closer look at what
 * may be gone from it by now. Only the latest few, and not more than
 * SQ_STORED_FRAME_BYTES of them, are held by a session.
 */
#ifndef SQ_SESSION_FRAME_CACHE_H
#define SQ_SESSION_FRAME_CACHE_H

#include "image/incoming.h"
#include "image/pack.h"
#include "util/buf.h"

#define SQ_STORED_FRAME_BYTES ((size_t)8 << 20)

struct sq_stored_frame {
    struct sq_buf bytes; /* as captured, or packed */
    bool is_packed;
};

/*
 * Make a small copy of a capture; nothing is changed by it. What cannot be
 * made small enough is not held: *out stays empty. Fails only without memory.
 */
bool sq_stored_frame_make(const struct sq_buf *capture,
                          struct sq_stored_frame *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_stored_frame_finish(struct sq_stored_frame *held);

/* The same while a raw capture is still coming: it passes through. A value. */
struct sq_stored_frame_tee {
    struct sq_incoming incoming; /* for whoever decodes it */
    struct sq_incoming *from;
    struct sq_packer packer;
    struct sq_stored_frame held;
    size_t total;            /* bytes of the capture; 0: not known yet */
    enum sq_err_code failed; /* SQ_ERR_NONE: nothing has */
};

void sq_stored_frame_tee_init(struct sq_stored_frame_tee *tee,
                              struct sq_incoming *from);

/*
 * End it, whatever has come. True if *out is what sq_stored_frame_make would
 * have made; it stays empty where that is too large.
 */
bool sq_stored_frame_tee_end(struct sq_stored_frame_tee *tee,
                             struct sq_stored_frame *out);

#endif
