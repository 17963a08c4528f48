/*
 * The conversation with the eye, squint's program on the phone, as seen from
 * here: makes requests and reads answers. Independent of the transport.
 */
#ifndef SQ_DEVICE_ANDROID_EYE_H
#define SQ_DEVICE_ANDROID_EYE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/android/capture.h"
#include "device/android/link.h"
#include "eye/wire.h"
#include "geom/rect.h"

/* A frame to whose words the next one may refer. */
struct sq_eye_base {
    uint32_t number;      /* 0: none */
    struct sq_buf packed; /* by sq_pack */
};

/* Made by sq_eye_talk_init. */
struct sq_eye_talk {
    struct sq_eye_crc crc;
    uint32_t sequence;         /* of the last request */
    struct sq_eye_base frame;  /* the last frame */
    struct sq_eye_base scaled; /* the last scaled picture */
    struct sq_buf answer;      /* payload of the last message */
    struct sq_span messages;   /* of screencap, in it; see sq_eye_read_answer */
};

void sq_eye_talk_init(struct sq_eye_talk *talk);

void sq_eye_talk_finish(struct sq_eye_talk *talk);

/*
 * Reads the first message. Fails with SQ_ERR_FORMAT if it is not the eye's,
 * or if the program on the phone does not have this SHA-256.
 */
bool sq_eye_read_hello(struct sq_eye_talk *talk,
                       const struct sq_adb_source *source,
                       const uint8_t sha256[SQ_SHA256_BYTES],
                       struct sq_err *err);

#define SQ_EYE_REQUEST_BYTES (SQ_EYE_HEAD_BYTES + SQ_EYE_CAPTURE_BYTES)

/* Writes the request of a capture; sets both of its bases. */
void sq_eye_make_request(struct sq_eye_talk *talk,
                         const struct sq_eye_capture *capture,
                         uint8_t out[SQ_EYE_REQUEST_BYTES]);

/*
 * Reads the answers to that request. Fills *output as if screencap had run by
 * itself: out has the frame, errors its messages, status its exit status. If
 * begin->is_scaled, out has the scaled picture instead, as a raw frame, which
 * the observer has not seen. Fails with SQ_ERR_FORMAT if an answer is invalid;
 * the conversation must end then, as after every other failure.
 */
bool sq_eye_read_frame(struct sq_eye_talk *talk,
                       const struct sq_adb_source *source,
                       const struct sq_eye_capture *capture,
                       struct sq_adb_output *output, struct sq_eye_begin *begin,
                       struct sq_err *err);

/* Completes a request of that type, of which the payload is there. */
void sq_eye_put_request(struct sq_eye_talk *talk, enum sq_eye_type type,
                        uint32_t length, uint8_t out[SQ_EYE_REQUEST_BYTES]);

/*
 * Reads the answers to a crop, like sq_eye_read_frame. If the phone does not
 * have the frame any more, succeeds with the status SQ_EYE_GONE.
 */
bool sq_eye_read_crop_answer(struct sq_eye_talk *talk,
                             const struct sq_adb_source *source,
                             const struct sq_eye_crop *crop,
                             struct sq_adb_output *output, struct sq_err *err);

/*
 * Reads an answer into *out, by its type: SQ_EYE_SEEN, SQ_EYE_WATCHED or
 * SQ_EYE_COMPARED. talk->messages are then those of screencap.
 */
bool sq_eye_read_answer(struct sq_eye_talk *talk,
                        const struct sq_adb_source *source,
                        enum sq_eye_type type, void *out, struct sq_err *err);

/*
 * Decides when the eye sends a scaled picture instead of the whole frame, from
 * how fast the connection has been. The whole frame is better if it is not much
 * slower: later crops, comparisons and readings of text need it, and of the
 * next frame only the changes are sent. No I/O.
 */

/* Initialise with zeroes. */
struct sq_eye_pace {
    struct sq_estimate mebibyte; /* time that one takes */
};

/*
 * Records that squint has waited for ns while it received that many bytes.
 * is_ready: the phone had all of them from the start; otherwise it also waited
 * for screencap. Too few bytes tell nothing.
 */
void sq_eye_pace_add(struct sq_eye_pace *pace, size_t bytes, int64_t ns,
                     bool is_ready);

/*
 * Returns how many bytes the coded frame may have; if it has more, the picture
 * is scaled on the phone. 0: any number. `frame` is the size of the frame and
 * `picture` that of the picture which is needed of it.
 */
uint32_t sq_eye_pace_limit(const struct sq_eye_pace *pace, struct sq_size frame,
                           struct sq_size picture);

/*
 * The eye, squint's own program on the phone: it runs screencap there and sends
 * only what has changed. Copies it to the phone, starts it, and remembers if
 * that does not work on this phone.
 */

#define SQ_EYE_WHY_SIZE 200

/* Zeroes, and the link. */
struct sq_eye {
    struct sq_adb_link *link;
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
bool sq_eye_start(struct sq_eye *eye, const struct sq_deadline *deadline,
                  struct sq_err *err);

/*
 * Takes a screenshot with it; see sq_eye_read_frame. Sets capture->max_bytes to
 * what *output can hold, and eye->begin. Starts it first if it does not run, as
 * sq_eye_look, sq_eye_watch and sq_eye_ask do.
 */
bool sq_eye_capture(struct sq_eye *eye, struct sq_eye_capture *capture,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Fetches a part of a frame that is on the phone, as a raw frame in
 * output->out. Fails with SQ_ERR_UNSUPPORTED if it is not there any more.
 */
bool sq_eye_crop(struct sq_eye *eye, const struct sq_eye_crop *crop,
                 struct sq_adb_output *output,
                 const struct sq_deadline *deadline, struct sq_err *err);

/* Looks at the screen without fetching its pixels. */
bool sq_eye_look(struct sq_eye *eye, const struct sq_eye_look *look,
                 struct sq_eye_seen *out, const struct sq_deadline *deadline,
                 struct sq_err *err);

/*
 * Requests looks until the screen is at rest. Each of them is read by
 * sq_eye_next_look, up to the last; see struct sq_eye_watched. If one is not
 * read, call sq_eye_finish.
 */
bool sq_eye_watch(struct sq_eye *eye, const struct sq_eye_watch *watch,
                  const struct sq_deadline *deadline, struct sq_err *err);
bool sq_eye_next_look(struct sq_eye *eye, struct sq_eye_watched *out,
                      const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Requests a look without waiting for it. The answer is read by the next use of
 * the eye, and returned by sq_eye_collect, once.
 */
bool sq_eye_ask(struct sq_eye *eye, const struct sq_eye_look *look,
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

/* Ends the program on the phone. */
void sq_eye_finish(struct sq_eye *eye);

#endif
