/*
 * The conversation with the eye, squint's program on the phone, as seen from
 * here: makes requests and reads answers. Independent of the transport.
 */
#ifndef SQ_DEVICE_ANDROID_EYE_ANSWER_H
#define SQ_DEVICE_ANDROID_EYE_ANSWER_H

#include "device/android/shell_output.h"
#include "eye/wire.h"

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
};

void sq_eye_talk_init(struct sq_eye_talk *talk);

/* Safe on a zeroed value. */
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

/* The request of a part of a frame that is on the phone. */
#define SQ_EYE_CROP_REQUEST_BYTES (SQ_EYE_HEAD_BYTES + SQ_EYE_CROP_BYTES)
void sq_eye_make_crop(struct sq_eye_talk *talk, const struct sq_eye_crop *crop,
                      uint8_t out[SQ_EYE_CROP_REQUEST_BYTES]);

/*
 * Reads the answers to that request, like sq_eye_read_frame. If the phone does
 * not have the frame any more, succeeds with the status SQ_EYE_GONE.
 */
bool sq_eye_read_crop_answer(struct sq_eye_talk *talk,
                             const struct sq_adb_source *source,
                             const struct sq_eye_crop *crop,
                             struct sq_adb_output *output, struct sq_err *err);

/* The request of a look at the screen, whose pixels stay on the phone. */
#define SQ_EYE_LOOK_REQUEST_BYTES (SQ_EYE_HEAD_BYTES + SQ_EYE_LOOK_BYTES)
void sq_eye_make_look(struct sq_eye_talk *talk, const struct sq_eye_look *look,
                      uint8_t out[SQ_EYE_LOOK_REQUEST_BYTES]);

/* Reads the answer; appends screencap's messages. */
bool sq_eye_read_look_answer(struct sq_eye_talk *talk,
                             const struct sq_adb_source *source,
                             struct sq_eye_seen *out, struct sq_buf *messages,
                             struct sq_err *err);

/* The request to compare two frames that are on the phone. */
#define SQ_EYE_COMPARE_REQUEST_BYTES (SQ_EYE_HEAD_BYTES + SQ_EYE_COMPARE_BYTES)
void sq_eye_make_compare(struct sq_eye_talk *talk,
                         const struct sq_eye_compare *compare,
                         uint8_t out[SQ_EYE_COMPARE_REQUEST_BYTES]);
bool sq_eye_read_compare_answer(struct sq_eye_talk *talk,
                                const struct sq_adb_source *source,
                                struct sq_eye_compared *out,
                                struct sq_err *err);

/* The request to look until the screen is at rest. */
#define SQ_EYE_WATCH_REQUEST_BYTES (SQ_EYE_HEAD_BYTES + SQ_EYE_WATCH_BYTES)
void sq_eye_make_watch(struct sq_eye_talk *talk,
                       const struct sq_eye_watch *watch,
                       uint8_t out[SQ_EYE_WATCH_REQUEST_BYTES]);

/* Reads the answer to one of these looks; appends screencap's messages. */
bool sq_eye_read_watch_answer(struct sq_eye_talk *talk,
                              const struct sq_adb_source *source,
                              struct sq_eye_watched *out,
                              struct sq_buf *messages, struct sq_err *err);

#endif
