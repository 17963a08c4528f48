/*
 * The eye, squint's own program on the phone: it runs screencap there and sends
 * only what has changed. Copies it to the phone, starts it, and remembers if
 * that does not work on this phone.
 */
#ifndef SQ_DEVICE_ANDROID_EYE_H
#define SQ_DEVICE_ANDROID_EYE_H

#include "device/android/eye_answer.h"
#include "device/android/eye_pace.h"
#include "device/android/link.h"

#define SQ_EYE_WHY_SIZE 200

/* Initialise with zeroes. */
struct sq_eye {
    bool has_failed; /* it is not tried again on this connection */
    char why[SQ_EYE_WHY_SIZE];
    int losses;    /* streams that ended after they had worked */
    bool is_asked; /* a look was requested and its answer is not read yet */
    bool has_late; /* `late` is the answer to the last sq_eye_ask */
    struct sq_eye_seen late;
    struct sq_adb_connection stream;
    struct sq_eye_talk talk;
    struct sq_eye_pace pace;   /* of what it sends */
    struct sq_eye_begin begin; /* of the last capture */
};

/*
 * Starts it if it does not run. Fails with SQ_ERR_UNSUPPORTED if it does not
 * work on this phone, which is remembered.
 */
bool sq_eye_start(struct sq_eye *eye, struct sq_adb_link *link,
                  const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Takes a screenshot with it; see sq_eye_read_frame. Sets capture->max_bytes to
 * what *output can hold, and eye->begin. Starts it first if it does not run;
 * see sq_eye_start.
 */
bool sq_eye_capture(struct sq_eye *eye, struct sq_adb_link *link,
                    struct sq_eye_capture *capture,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Fetches a part of a frame that is on the phone, as a raw frame in
 * output->out. Fails with SQ_ERR_UNSUPPORTED if it is not there any more.
 */
bool sq_eye_crop(struct sq_eye *eye, struct sq_adb_link *link,
                 const struct sq_eye_crop *crop, struct sq_adb_output *output,
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
 * Requests looks until the screen is at rest. Each of them is read by
 * sq_eye_next_look, up to the last; see struct sq_eye_watched. If one is not
 * read, call sq_eye_finish. Starts it if it does not run.
 */
bool sq_eye_watch(struct sq_eye *eye, struct sq_adb_link *link,
                  const struct sq_eye_watch *watch,
                  const struct sq_deadline *deadline, struct sq_err *err);
bool sq_eye_next_look(struct sq_eye *eye, struct sq_eye_watched *out,
                      struct sq_buf *messages,
                      const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Requests a look without waiting for it. The answer is read by the next use of
 * the eye, and returned by sq_eye_collect, once. Starts it if it does not run.
 */
bool sq_eye_ask(struct sq_eye *eye, struct sq_adb_link *link,
                const struct sq_eye_look *look,
                const struct sq_deadline *deadline, struct sq_err *err);

/* Returns false if nothing was requested, or if it was lost. */
bool sq_eye_collect(struct sq_eye *eye, struct sq_eye_seen *out,
                    const struct sq_deadline *deadline);

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
