/* Captures the screen through the emulator's gRPC interface. */
#include <assert.h>

#include "device/android/emulator.h"
#include "device/android/link.h"
#include "device/android/capture.h"
#include "device/android/state.h"
#include "image/pipeline/codec.h"
#include "sys/clock.h"
#include "util/bytes.h"
#include "util/limits.h"
#include "util/minmax.h"

#define NS_PER_MS 1000000
#define CAPTURE_MS 3000
#define MAX_HEAD ((size_t)4 << 10)
#define MAX_REQUEST 64
/* After a picture that cannot be used, adb is used for this long. */
#define ADB_NS ((int64_t)2000 * NS_PER_MS)

/* A picture that is being received, as a raw frame. */
struct receiver {
    struct sq_incoming incoming; /* *out, for an observer */
    struct sq_android *android;
    const struct sq_deadline *deadline;
    struct sq_buf *out;
    struct sq_buf head; /* the message up to its pixels */
    struct sq_emulator_picture picture;
    bool has_pixels;
    size_t pixels_left;
    struct sq_quota_part memory;
    bool ended;
    struct sq_err first_err; /* code SQ_ERR_NONE if nothing failed */
};

static bool
begin_message(void *context, size_t len, struct sq_err *err) {
    const struct receiver *receiver = context;
    (void)len;
    return receiver->head.len == 0
        || sq_fail(err, SQ_ERR_FORMAT, "the emulator sent two pictures");
}

static bool
begin_pixels(struct receiver *receiver, struct sq_err *err) {
    const struct sq_emulator_picture *picture = &receiver->picture;
    const uint32_t words[] = { (uint32_t)picture->size.width,
                               (uint32_t)picture->size.height, SQ_RAW_RGBA,
                               SQ_RAW_SRGB };
    size_t total = SQ_RAW_HEADER_BYTES + picture->pixel_bytes;
    size_t counted = total > SQ_ADB_UNCOUNTED ? total - SQ_ADB_UNCOUNTED : 0;
    uint8_t *space;
    if (!sq_quota_take(receiver->android->link.adb->memory, &receiver->memory,
                       counted, receiver->deadline, err)
        || !sq_buf_reserve(receiver->out, total, &space, err)) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(words); i++) {
        sq_store_le32(space + 4 * i, words[i]);
    }
    sq_buf_commit(receiver->out, SQ_RAW_HEADER_BYTES);
    receiver->has_pixels = true;
    receiver->pixels_left = picture->pixel_bytes;
    return true;
}

/* Adds bytes to the head. Sets *used to those before the pixels. */
static bool
take_head(struct receiver *receiver, struct sq_span bytes, size_t *used,
          struct sq_err *err) {
    size_t before = receiver->head.len;
    size_t count = sq_min_size(bytes.len, MAX_HEAD - before);
    bool complete;
    if (count == 0) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the emulator sent no picture in %zu bytes", MAX_HEAD);
    }
    if (!sq_buf_append(&receiver->head, bytes.ptr, count, err)
        || !sq_emulator_read_picture(sq_buf_span(&receiver->head),
                                     &receiver->picture, &complete, err)) {
        return false;
    }
    *used = complete ? receiver->picture.head_bytes - before : count;
    return !complete || begin_pixels(receiver, err);
}

static bool
take_bytes(void *context, struct sq_span bytes, struct sq_err *err) {
    struct receiver *receiver = context;
    while (bytes.len > 0) {
        size_t used = bytes.len; /* what follows the pixels is not needed */
        if (!receiver->has_pixels) {
            if (!take_head(receiver, bytes, &used, err)) {
                return false;
            }
        } else if (receiver->pixels_left > 0) {
            used = sq_min_size(bytes.len, receiver->pixels_left);
            if (!sq_buf_append(receiver->out, bytes.ptr, used, err)) {
                return false;
            }
            receiver->pixels_left -= used;
        }
        sq_span_skip(&bytes, used);
    }
    return true;
}

/* Receives until *out has `until` bytes or the call has ended. */
static bool
advance(struct receiver *receiver, size_t until, struct sq_err *err) {
    struct sq_err *first_err = &receiver->first_err;
    bool ok = first_err->code == SQ_ERR_NONE;
    while (ok && !receiver->ended && receiver->out->len < until) {
        ok = sq_grpc_step(receiver->android->emulator.channel,
                          receiver->deadline, &receiver->ended, first_err);
    }
    receiver->incoming.bytes = receiver->out->data;
    receiver->incoming.count = receiver->out->len;
    return ok || sq_fail_with(err, first_err);
}

static bool
await(struct sq_incoming *incoming, size_t count, struct sq_err *err) {
    struct receiver *receiver = (struct receiver *)incoming;
    return advance(receiver, count, err)
        && (incoming->count >= count
            || sq_fail(err, SQ_ERR_TRUNCATED,
                       "the emulator sent %zu bytes instead of %zu",
                       incoming->count, count));
}

/* The memory for the whole frame was reserved with its header. */
static bool
expect(struct sq_incoming *incoming, size_t total, struct sq_err *err) {
    struct receiver *receiver = (struct receiver *)incoming;
    return total <= receiver->out->cap
        || sq_fail(err, SQ_ERR_LIMIT, "the picture is larger than announced");
}

static bool
receive(struct receiver *receiver, const struct sq_capture_observer *observer,
        struct sq_err *err) {
    if (!advance(receiver, 1, err)) {
        return false;
    }
    if (observer && receiver->out->len > 0) {
        observer->read(observer->context, &receiver->incoming);
    }
    if (!advance(receiver, SIZE_MAX, err)) {
        return false;
    }
    if (!receiver->has_pixels) {
        return sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
                       "the emulator's display is off");
    }
    return receiver->pixels_left == 0
        || sq_fail(err, SQ_ERR_TRUNCATED, "the picture is incomplete");
}

static bool
fetch(struct receiver *receiver, const struct sq_capture_request *request,
      struct sq_err *err) {
    const struct sq_grpc_sink sink = {
        .context = receiver,
        .max_message = SQ_MAX_CAPTURE_BYTES,
        .begin = begin_message,
        .take = take_bytes,
    };
    struct sq_emulator *emulator = &receiver->android->emulator;
    bool is_fast = emulator->mode == SQ_EMULATOR_FAST;
    struct sq_err local_err = { 0 };
    SQ_BUF(message, MAX_REQUEST);
    sq_buf_init(&receiver->head, MAX_HEAD);
    bool ok = sq_emulator_put_picture_request(
                  &message, is_fast ? request->max_side : 0, &local_err)
           && sq_grpc_start(
                  emulator->channel, SQ_EMULATOR_METHOD("getScreenshot"),
                  sq_buf_span(&message), &sink, receiver->deadline, &local_err)
           && receive(receiver, request->observer, &local_err);
    sq_buf_finish(&receiver->head);
    sq_quota_release(&receiver->memory);
    if (!ok && !receiver->ended) {
        sq_emulator_failed(emulator, &local_err);
    }
    return ok || sq_fail_with(err, &local_err);
}

static bool
has_size(struct sq_size a, struct sq_size b) {
    return a.width == b.width && a.height == b.height;
}

/*
 * Captures, and checks that the picture shows the screen as Android has it.
 * Pictures are turned by the emulator's accelerometer, and apps by Android's
 * rotation; only without both is it certain that they agree.
 */
static bool
capture_with_display(struct receiver *receiver,
                     const struct sq_capture_request *request,
                     struct sq_capture *made, struct sq_err *err) {
    struct sq_android *android = receiver->android;
    const struct sq_emulator_picture *picture = &receiver->picture;
    const struct sq_screen *screen = &made->screen;
    struct sq_display_query display = { 0 };
    bool is_known = sq_android_display_is_still(android);
    if (!is_known) {
        sq_android_start_display(android, request->finds_password_focus,
                                 &display, receiver->deadline);
    }
    bool ok = fetch(receiver, request, err);
    if (ok && !is_known) {
        sq_android_collect_display(android, &display, receiver->deadline);
    } else if (ok && !sq_android_display_is_still(android)) {
        android->display_cache.at_ns = 0; /* something was drawn meanwhile */
    }
    sq_android_abandon_display(&display);
    if (!ok
        || !sq_android_screen(&android->base, &made->screen, receiver->deadline,
                              err)) {
        return false;
    }
    bool fits = android->emulator.mode == SQ_EMULATOR_FAST
                  ? sq_capture_has_shape(picture->size, screen->size)
                  : has_size(picture->size, screen->size);
    return (picture->rotation == 0 && screen->rotation == 0 && fits)
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the emulator's picture is turned or has another size");
}

bool
sq_emulator_capture(struct sq_android *android,
                    const struct sq_capture_request *request,
                    struct sq_capture *out, const struct sq_deadline *deadline,
                    struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, CAPTURE_MS);
    struct sq_emulator *emulator = &android->emulator;
    struct sq_capture made = { 0 };
    struct sq_err local_err = { 0 };
    struct receiver receiver = {
        .incoming = { .await = await, .expect = expect },
        .android = android,
        .deadline = &limit,
        .out = &made.bytes,
    };
    emulator->knows_capture = false;
    if (!emulator->is_possible || request->display || android->panels.count > 1
        || sq_clock_monotonic_ns() < emulator->pictures_ns) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "not an emulator's picture");
    }
    sq_buf_init(&made.bytes, sq_min_size(out->bytes.max, SQ_MAX_CAPTURE_BYTES));
    bool ok = sq_emulator_connect(emulator, &limit, &local_err);
    if (ok) {
        sq_emulator_watch(emulator, &limit);
        emulator->knows_capture =
            sq_emulator_count_drawn(emulator, &emulator->drawn_at_capture);
        ok = capture_with_display(&receiver, request, &made, &local_err)
          && (!sq_picture_is_black(&made.bytes, false)
              || sq_fail(&local_err, SQ_ERR_SCREENSHOT_FAILED,
                         "the picture is black"));
    }
    if (!ok) {
        sq_capture_finish(&made);
        emulator->knows_capture = false;
        /* Uses adb for a while if the pictures cannot be used. */
        emulator->pictures_ns = sq_clock_monotonic_ns() + ADB_NS;
        emulator->last_err = local_err;
        return sq_fail_with(err, &local_err);
    }
    if (request->finds_password_focus) {
        made.password_focus = sq_android_password_focus(android, deadline);
    }
    if (!has_size(receiver.picture.size, made.screen.size)) {
        made.screen.pixels = receiver.picture.size;
    }
    sq_buf_finish(&out->bytes);
    *out = made;
    return true;
}
