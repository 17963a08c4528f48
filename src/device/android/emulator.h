/*
 * Reads the file in which a running emulator describes itself. No I/O.
 */
#ifndef SQ_DEVICE_ANDROID_EMULATOR_H
#define SQ_DEVICE_ANDROID_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "geom/fingers.h"
#include "geom/rect.h"
#include "geom/view.h"
#include "grpc/grpc.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_EMULATOR_TOKEN_SIZE 512

/* Zero: the file does not have the value. */
struct sq_emulator_file {
    int serial_port; /* of the serial number "emulator-5554" */
    int adb_port;    /* where adb connects to it */
    int grpc_port;
    char token[SQ_EMULATOR_TOKEN_SIZE]; /* empty: none is needed */
    bool has_tls;                       /* the gRPC server uses TLS */
    bool needs_signing;                 /* it accepts only signed tokens */
};

/* Takes the number of the process from a file name such as "pid_1234.ini". */
bool sq_emulator_file_pid(struct sq_span name, int64_t *pid);

/* Reads the file: lines of "key=value". Others are ignored. */
void sq_emulator_file_read(struct sq_span text, struct sq_emulator_file *out);

/*
 * Parses the port of a serial number that can be that of an emulator on this
 * machine: "emulator-5554" or, if it was connected by its address,
 * "127.0.0.1:5555", with the port by which adb connects.
 */
bool sq_emulator_parse_serial(const char *serial, bool *by_address, int *port);

/*
 * The messages of the emulator's gRPC interface (emulator_controller.proto). No
 * I/O.
 */

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

bool sq_emulator_put_touch(struct sq_buf *out,
                           const struct sq_emulator_finger *fingers,
                           size_t count, struct sq_err *err);

bool sq_emulator_put_clip(struct sq_buf *out, struct sq_span text,
                          struct sq_err *err);

/* Gives the text of the clipboard; empty if it has no text. */
bool sq_emulator_read_clip(struct sq_span message, struct sq_span *text,
                           struct sq_err *err);

/*
 * The emulator's own gRPC interface, used beside adb: pictures, touches, the
 * clipboard, and whether the screen has changed. It is used if the emulator
 * runs on this machine and describes itself there; otherwise, and after every
 * failure, adb is used.
 */

/* In the order of sq_emulator_words of config/option.h. */
enum sq_emulator_mode {
    SQ_EMULATOR_EXACT, /* whole pictures, scaled by us */
    SQ_EMULATOR_FAST,  /* pictures scaled by the emulator */
    SQ_EMULATOR_OFF,
};

/* Initialise with sq_emulator_init. Used by one thread at a time. */
struct sq_emulator {
    const char *serial;
    enum sq_emulator_mode mode;
    bool is_possible; /* the serial number can be that of an emulator here */
    bool watches;     /* the stream below may be opened */
    bool sent;        /* it may have done what the last call asks */
    struct sq_grpc_channel *channel; /* NULL: not connected */
    /* A stream of tiny pictures, one for each time something is drawn. */
    struct sq_grpc_channel *changes; /* NULL: not open */
    uint64_t drawn;                  /* how many of them have arrived */
    bool knows_capture;              /* the next is valid */
    uint64_t drawn_at_capture;       /* `drawn` when the last capture began */
    int64_t retry_ns;                /* do not connect before */
    int64_t pictures_ns;             /* do not use its pictures before */
    struct sq_err last_err;          /* why it is not used */
};

/*
 * serial must outlive the value. `watches`: the device is used for long, so
 * that it may watch for changes.
 */
void sq_emulator_init(struct sq_emulator *emulator, const char *serial,
                      enum sq_emulator_mode mode, bool watches);

void sq_emulator_finish(struct sq_emulator *emulator);

/*
 * Connects emulator->channel for the next call unless it is. Fails quickly if
 * the emulator has failed recently. Also fails if it is not an emulator.
 */
bool sq_emulator_connect(struct sq_emulator *emulator,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

/* Records a failure: closes the connection and does not use it for a while. */
void sq_emulator_failed(struct sq_emulator *emulator, const struct sq_err *err);

/* Calls a method whose answer is not of interest. Sets emulator->sent. */
bool sq_emulator_tell(struct sq_emulator *emulator, const char *method,
                      struct sq_span request,
                      const struct sq_deadline *deadline, struct sq_err *err);

/* Opens the stream of changes unless it is open. Failures are ignored. */
void sq_emulator_watch(struct sq_emulator *emulator,
                       const struct sq_deadline *deadline);

/*
 * Sets *count to how many times something was drawn since the stream was
 * opened. Returns false if that is not known. Never waits.
 */
bool sq_emulator_count_drawn(struct sq_emulator *emulator, uint64_t *count);

struct sq_android;

/*
 * Captures the display that receives taps. On any failure the caller uses adb:
 * the emulator cannot be used, its display is off, its picture is black, or its
 * picture is turned otherwise than Android's screen.
 */
bool sq_emulator_capture(struct sq_android *android,
                         const struct sq_capture_request *request,
                         struct sq_capture *out,
                         const struct sq_deadline *deadline,
                         struct sq_err *err);

/* What became of a touch. */
enum sq_touch_result {
    SQ_TOUCH_DONE,
    SQ_TOUCH_REFUSED, /* nothing was done, so another way can be tried */
    SQ_TOUCH_FAILED,  /* a part of it may have been done */
};

/*
 * Moves all fingers of the paths at the same time, through every step and in
 * straight lines between two. If that fails in the middle, they are lifted if
 * the emulator still answers, and the error says whether they were. An error is
 * set only with SQ_TOUCH_FAILED.
 */
enum sq_touch_result sq_emulator_touch(struct sq_android *android,
                                       const struct sq_finger_paths *paths,
                                       const struct sq_deadline *deadline,
                                       struct sq_err *err);

/* The same for a tap, a long press or a double tap, and for a swipe. */
enum sq_touch_result sq_emulator_tap(struct sq_android *android,
                                     const struct sq_touch *touch,
                                     const struct sq_deadline *deadline,
                                     struct sq_err *err);
enum sq_touch_result sq_emulator_swipe(struct sq_android *android,
                                       const struct sq_swipe *swipe,
                                       const struct sq_deadline *deadline,
                                       struct sq_err *err);

bool sq_emulator_clip_set(struct sq_emulator *emulator, struct sq_span text,
                          const struct sq_deadline *deadline,
                          struct sq_err *err);

/* Appends the text of the clipboard; nothing if it has none. */
bool sq_emulator_clip_get(struct sq_emulator *emulator, struct sq_buf *out,
                          const struct sq_deadline *deadline,
                          struct sq_err *err);

#endif
