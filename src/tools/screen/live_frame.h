/*
 * Reads the pixels of recent screenshots of a device: from the session or, if
 * only a scaled picture was fetched, from the device.
 */
#ifndef SQ_TOOLS_SCREEN_LIVE_FRAME_H
#define SQ_TOOLS_SCREEN_LIVE_FRAME_H

#include "session/session.h"
#include "sys/deadline.h"

struct sq_devices;
struct sq_work;

/* What reading needs of a call. */
struct sq_live_frame_reader {
    struct sq_session *session;
    struct sq_devices *devices;
    struct sq_device *device; /* that the call has; NULL: none */
    struct sq_work *work;     /* given up while a device is waited for */
    const struct sq_deadline *deadline;
};

/*
 * Appends the frame with that id. Fails with SQ_ERR_UNKNOWN_SCREENSHOT and a
 * hint if its pixels are nowhere any more.
 */
bool sq_live_frame_read(const struct sq_live_frame_reader *reader,
                        struct sq_span id, struct sq_buf *out,
                        struct sq_err *err);

/*
 * Appends a part of a frame whose place is known, as a raw frame. Fails in the
 * same way.
 */
bool sq_live_frame_read_part(const struct sq_live_frame_reader *reader,
                             struct sq_span id,
                             const struct sq_frame_place *place,
                             struct sq_region part, struct sq_buf *out,
                             struct sq_err *err);

#endif
