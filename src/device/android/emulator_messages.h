/*
 * The messages of the emulator's gRPC interface (emulator_controller.proto). No
 * I/O.
 */
#ifndef SQ_DEVICE_ANDROID_EMULATOR_MESSAGES_H
#define SQ_DEVICE_ANDROID_EMULATOR_MESSAGES_H

#include <stdbool.h>

#include "geom/rect.h"
#include "geom/view.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_EMULATOR_METHOD(name)                                               \
    "/android.emulation.control.EmulatorController/" name

#define SQ_EMULATOR_PIXEL_BYTES 4

/*
 * Appends a request for a picture of the default display as RGBA pixels. The
 * emulator scales it so that no side is longer than max_side; 0: not scaled.
 */
bool sq_emulator_put_picture_request(struct sq_buf *out, int max_side,
                                     struct sq_err *err);

/* What a picture's message says before its pixels. */
struct sq_emulator_picture {
    struct sq_size size; /* 0x0: the display is off */
    /*
     * Quarter turns of the picture, by the emulator's accelerometer and not by
     * the rotation of Android's display.
     */
    int rotation;
    size_t pixel_bytes; /* size.width * size.height * SQ_EMULATOR_PIXEL_BYTES */
    size_t head_bytes;  /* bytes of the message before the pixels */
};

/*
 * Reads the beginning of a picture's message. *complete is false if the pixels
 * do not begin yet. Fails with SQ_ERR_FORMAT if they are not RGBA, or their
 * number is not that of the size, which must precede them.
 */
bool sq_emulator_read_picture(struct sq_span beginning,
                              struct sq_emulator_picture *out, bool *complete,
                              struct sq_err *err);

#define SQ_EMULATOR_MAX_FINGERS 10

/* A finger on the panel. */
struct sq_emulator_finger {
    struct sq_dev_pt at; /* in pixels of the panel, which is never rotated */
    bool is_down;        /* false: it is lifted there */
    int identifier;      /* 0 to SQ_EMULATOR_MAX_FINGERS - 1 */
};

/* Appends an event of several fingers. */
bool sq_emulator_put_touch(struct sq_buf *out,
                           const struct sq_emulator_finger *fingers,
                           size_t count, struct sq_err *err);

/* Appends a text for the clipboard. */
bool sq_emulator_put_clip(struct sq_buf *out, struct sq_span text,
                          struct sq_err *err);

/* Gives the text of the clipboard; empty if it has no text. */
bool sq_emulator_read_clip(struct sq_span message, struct sq_span *text,
                           struct sq_err *err);

#endif
