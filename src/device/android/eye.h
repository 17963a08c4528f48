/*
 * The eye, squint's own program on the phone: it runs screencap there and sends
 * only what has changed. Copies it to the phone, starts it, and remembers if
 * that does not work on this phone.
 */
#ifndef SQ_DEVICE_ANDROID_EYE_H
#define SQ_DEVICE_ANDROID_EYE_H

#include "device/android/eye_answer.h"
#include "device/android/link.h"

#define SQ_EYE_WHY_SIZE 200

/* Initialise with zeroes. */
struct sq_eye {
    bool has_failed; /* it is not tried again on this connection */
    char why[SQ_EYE_WHY_SIZE];
    int losses; /* streams that ended after they had worked */
    struct sq_adb_connection stream;
    struct sq_eye_talk talk;
};

/*
 * Starts it if it does not run. Fails with SQ_ERR_UNSUPPORTED if it does not
 * work on this phone, which is remembered.
 */
bool sq_eye_start(struct sq_eye *eye, struct sq_adb_link *link,
                  const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Takes a screenshot with it; see sq_eye_read_frame. Starts it first if it does
 * not run; see sq_eye_start.
 */
bool sq_eye_capture(struct sq_eye *eye, struct sq_adb_link *link,
                    const struct sq_eye_display *display,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* What a look has found. The caller initialises and frees `messages`. */
struct sq_eye_found {
    struct sq_eye_seen seen;
    struct sq_buf messages; /* of screencap */
};

/*
 * Looks at the screen without fetching its pixels. Starts and fails as
 * sq_eye_capture does.
 */
bool sq_eye_look(struct sq_eye *eye, struct sq_adb_link *link,
                 const struct sq_eye_look *look, struct sq_eye_found *out,
                 const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Compares two frames on the phone. Fails with SQ_ERR_UNSUPPORTED if it does
 * not run any more: then it has no frames.
 */
bool sq_eye_compare(struct sq_eye *eye, const struct sq_eye_compare *compare,
                    struct sq_eye_compared *out,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* Ends the program on the phone. Safe on a zeroed value. */
void sq_eye_finish(struct sq_eye *eye);

#endif
