/* Captures of a scripted device: what it shows, and how they are made. */
#ifndef SQ_TEST_CAPTURING_H
#define SQ_TEST_CAPTURING_H

#include "sys/clock.h"
#include "unit/device/android/scripted.h"

static unsigned char bright[FRAME_BYTES];
static unsigned char black[FRAME_BYTES];
static unsigned char turned[FRAME_BYTES];
static unsigned char narrow[FRAME_BYTES];

/* A PNG with only its header and end: 8x16, no image data. */
static const unsigned char png[] =
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\10\0\0\0\20\10\2\0\0\0XXXX"
    "\0\0\0\0IEND\xae\x42\x60\x82";
#define PNG_BYTES (sizeof(png) - 1)

static inline void
make_frames(void) {
    make_frame(bright, 8, 16, 200);
    make_frame(black, 8, 16, 0);
    make_frame(turned, 16, 8, 90);
    make_frame(narrow, 4, 32, 120);
}

#define SHOWS(frame) .bytes = (frame), .count = FRAME_BYTES

static struct sq_capture capture;

/* What the observer saw during the last attempt. */
static struct {
    int tries;
    struct sq_err err;
    unsigned char bytes[FRAME_BYTES];
} seen;

static void
look(void *context, struct sq_incoming *incoming) {
    seen.tries++;
    memset(seen.bytes, 0, sizeof(seen.bytes));
    if (incoming->await(incoming, FRAME_BYTES, &seen.err)) {
        memcpy(seen.bytes, incoming->bytes, FRAME_BYTES);
    }
}

static inline bool
take_within(int timeout_ms, const char *display, struct sq_err *err) {
    static const struct sq_capture_observer observer = { look, NULL };
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    const struct sq_capture_request request = { .display = display,
                                                .observer = &observer };
    memset(&seen, 0, sizeof(seen));
    sq_capture_finish(&capture);
    capture = (struct sq_capture){ 0 };
    sq_buf_init(&capture.bytes, 1 << 20);
    return sq_device_capture(phone, &request, &capture, &deadline, err);
}

static inline bool
take(const char *display, struct sq_err *err) {
    return take_within(LONG_MS, display, err);
}

/*
 * Captures are timed, and load on the machine must not change the result: the
 * clock runs this many times slower than real time.
 */
#define SLOWNESS 5

static inline void
begin(const struct rule *table) {
    sq_clock_slow_down(SLOWNESS);
    make_frames();
    phone_start(table);
}

static inline void
end(void) {
    sq_capture_finish(&capture);
    capture = (struct sq_capture){ 0 };
    phone_end();
}

#endif
