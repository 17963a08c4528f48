/*
 * Captures a device's screen without what must be hidden. Every capture whose
 * pixels or text leave the program is taken here; scripts/check-banned allows
 * sq_device_capture elsewhere only for comparisons.
 */
#ifndef SQ_TOOLS_SCREEN_REDACTED_CAPTURE_H
#define SQ_TOOLS_SCREEN_REDACTED_CAPTURE_H

#include "device/device.h"
#include "redact/redact.h"
#include "session/session.h"
#include "tool/tool.h"

struct sq_redacted_request {
    struct sq_device *device;
    const struct sq_redactor *redactor; /* NULL: hides nothing; for tests */
    struct sq_session *session;         /* may be NULL */
    const struct sq_capture_request *capture; /* may be NULL */
    const struct sq_deadline *deadline;
    struct sq_call *call; /* reports what has changed before; may be NULL */
    /* Receives the picture before parts were hidden, to read text in it; NULL:
     * not needed. */
    struct sq_redact_original *original;
};

/*
 * Captures the screen and hides what must be hidden. *count is the number of
 * hidden parts; 0: the capture is as the device sent it, also what an observer
 * has received. *out is initialised, as for sq_device_capture. If a rule cannot
 * be applied, it fails and *out has no picture.
 */
bool sq_redacted_capture(const struct sq_redacted_request *request,
                         struct sq_capture *out, int *count,
                         struct sq_err *err);

/*
 * Hides the same in a capture that was taken before, with the focus of password
 * fields if the device tells it.
 */
bool sq_redacted_hide(const struct sq_redacted_request *request,
                      struct sq_capture *capture, int *count,
                      struct sq_err *err);

/*
 * Returns whether pictures may be encoded while they are received: rules that
 * apply to every picture need the whole.
 */
bool sq_redacted_may_observe(const struct sq_redactor *redactor);

#endif
