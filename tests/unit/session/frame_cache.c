#include "session/session.h"

#include "support/test.h"
#include "support/trickle.h"

#define FEW 4 /* frames that are kept */

static struct sq_session *session;

static void
start(void) {
    const struct sq_session_options options = { .max_dimension = 1000 };
    T_OK(sq_session_create(&options, &session, &t_err));
}

/* A raw frame of 8x8 whose every byte is `value`. */
static void
make_frame(struct sq_buf *out, uint8_t value) {
    const uint32_t head[] = { 8, 8, 1 };
    uint8_t pixels[8 * 8 * 4];
    memset(pixels, value, sizeof(pixels));
    sq_buf_init(out, (size_t)1 << 20);
    T_OK(sq_buf_append(out, head, sizeof(head), &t_err));
    T_OK(sq_buf_append(out, pixels, sizeof(pixels), &t_err));
}

static void
hold(const char *id, const struct sq_buf *capture) {
    struct sq_stored_frame held = { 0 };
    T_OK(sq_stored_frame_make(capture, &held, &t_err));
    sq_session_store_frame(session, id, &held);
    T_INT(held.bytes.len, 0);
}

static bool
comes_back(const char *id, const struct sq_buf *capture) {
    T_BUF(got, (size_t)64 << 20);
    bool ok = sq_session_read_frame(session, sq_span_of(id), &got, &t_err);
    if (ok) {
        T_BYTES(got.data, got.len, capture->data, capture->len);
    } else {
        T_INT(t_err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
        T(t_err.hint[0] != '\0');
    }
    return ok;
}

T_CASE(latest_frames_are_kept) {
    start();
    struct sq_buf frames[6];
    char id[16];
    for (int i = 0; i < 6; i++) {
        make_frame(&frames[i], (uint8_t)(i + 1));
        snprintf(id, sizeof(id), "s%d", i);
        hold(id, &frames[i]);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(id, sizeof(id), "s%d", i);
        T(comes_back(id, &frames[i]) == (i >= 6 - FEW));
        sq_buf_finish(&frames[i]);
    }
    sq_session_destroy(session);
}

T_CASE(other_formats_are_kept_unchanged) {
    start();
    T_BUF(picture, 100);
    T_OK(sq_buf_append(&picture, "\x89PNG\r\n\x1a\n...", 11, &t_err));
    hold("s1", &picture);
    T(comes_back("s1", &picture));
    sq_session_destroy(session);
}

/* Together they stay below the limit; one that is larger is not kept. */
T_CASE(memory_limit_is_kept) {
    start();
    uint8_t *room;
    const size_t third = SQ_STORED_FRAME_BYTES / 3 + 1;
    T_BUF(large, SQ_STORED_FRAME_BYTES * 2);
    if (T_OK(
            sq_buf_reserve(&large, SQ_STORED_FRAME_BYTES + 1, &room, &t_err))) {
        memset(room, 0xee, SQ_STORED_FRAME_BYTES + 1);
        sq_buf_commit(&large, third);
        hold("s1", &large);
        hold("s2", &large);
        hold("s3", &large);
        T(!comes_back("s1", &large));
        T(comes_back("s2", &large));
        T(comes_back("s3", &large));
        sq_buf_commit(&large, SQ_STORED_FRAME_BYTES + 1 - third);
        hold("s4", &large);
        T(!comes_back("s4", &large));
        T(!comes_back("", &large));
    }
    sq_session_destroy(session);
}

static bool
make_held(void *context, struct sq_err *err) {
    T_FREED(sq_stored_frame_finish) struct sq_stored_frame held = { 0 };
    return sq_stored_frame_make(context, &held, err);
}

T_CASE(out_of_memory_is_not_an_error) {
    T_FREED(sq_buf_finish) struct sq_buf frame = { 0 };
    make_frame(&frame, 3);
    T(t_alloc_torture(make_held, &frame) > 0);
}

/* A raw frame as current Android versions write it: random words from a few. */
static void
make_new_frame(struct sq_buf *out, uint32_t width, uint32_t height, int words) {
    const uint32_t head[] = { width, height, 1, 1 };
    sq_buf_init(out, (size_t)64 << 20);
    T_OK(sq_buf_append(out, head, sizeof(head), &t_err));
    bool ok = true;
    for (uint32_t i = 0; ok && i < width * height; i++) {
        uint32_t word = (uint32_t)t_random_between(0, words);
        ok = sq_buf_append(out, &word, sizeof(word), &t_err);
    }
    T_OK(ok);
}

/* Passes a capture through the tee, as far as it arrived. */
static bool
tee(const struct sq_buf *capture, size_t len, struct sq_stored_frame *out,
    struct sq_err *err) {
    T_FREED(trickle_finish) struct trickle trickle = { 0 };
    struct sq_stored_frame_tee held;
    trickle_init(&trickle, capture->data, len, 50);
    sq_stored_frame_tee_init(&held, &trickle.incoming);
    struct sq_incoming *incoming = &held.incoming;
    bool ok = incoming->await(incoming, 16, err)
           && incoming->expect(incoming, capture->len, err);
    for (size_t at = 16; ok && at < capture->len;) {
        at = at + 333 < capture->len ? at + 333 : capture->len;
        ok = incoming->await(incoming, at, err);
    }
    T(!ok || memcmp(incoming->bytes, capture->data, capture->len) == 0);
    return sq_stored_frame_tee_end(&held, out);
}

T_CASE(passed_frame_is_kept) {
    start();
    T_FREED(sq_buf_finish) struct sq_buf frame = { 0 };
    struct sq_stored_frame held = { 0 };
    make_new_frame(&frame, 37, 41, 2);
    T(tee(&frame, frame.len, &held, &t_err));
    T(held.is_packed);
    struct sq_stored_frame made = { 0 };
    T_OK(sq_stored_frame_make(&frame, &made, &t_err));
    const uint64_t hash = made.hash;
    T(hash != 0 && held.hash == hash);
    sq_stored_frame_finish(&made);
    T(sq_session_stored_frame(session, SQ_SPAN("s1")).hash == 0);
    sq_session_store_frame(session, "s1", &held);
    T(sq_session_stored_frame(session, SQ_SPAN("s1")).hash == hash);
    T(comes_back("s1", &frame));
    sq_session_destroy(session);
}

T_CASE(incomplete_frame_is_not_kept) {
    T_FREED(sq_buf_finish) struct sq_buf frame = { 0 };
    make_new_frame(&frame, 37, 41, 2);
    for (size_t len = 0; len < frame.len; len += 500) {
        struct sq_stored_frame held = { 0 };
        T_FAILS(tee(&frame, len, &held, &t_err), SQ_ERR_TRUNCATED);
        T_INT(held.bytes.len, 0);
    }
}

T_CASE(too_large_frame_is_passed_but_not_kept) {
    T_FREED(sq_buf_finish) struct sq_buf frame = { 0 };
    struct sq_stored_frame held = { 0 };
    make_new_frame(&frame, 1500, 1500, 1 << 30);
    T(frame.len > SQ_STORED_FRAME_BYTES);
    T(tee(&frame, frame.len, &held, &t_err));
    T_INT(held.bytes.len, 0);
}

/* Without memory the frame is passed on, and is reported as not kept. */
static bool
tee_all(void *context, struct sq_err *err) {
    T_FREED(sq_stored_frame_finish) struct sq_stored_frame held = { 0 };
    const struct sq_buf *frame = context;
    bool ok = tee(frame, frame->len, &held, err);
    return ok || (T_INT(err->code, SQ_ERR_NONE) && sq_fail_nomem(err));
}

T_CASE(frame_is_passed_without_memory) {
    T_FREED(sq_buf_finish) struct sq_buf frame = { 0 };
    make_new_frame(&frame, 20, 20, 2);
    T(t_alloc_torture(tee_all, &frame) > 0);
}

T_CASE(message_tells_dropped_from_unknown) {
    start();
    struct sq_frame frame = { .device_id = "phone" };
    T_BUF(got, 100);
    T_OK(sq_session_name_frame(session, &frame, &t_err));
    T(!sq_session_read_frame(session, SQ_SPAN("s1"), &got, &t_err));
    T_HAS(t_err.message, "no longer stored");
    T(!sq_session_read_frame(session, SQ_SPAN("s2"), &got, &t_err));
    T_HAS(t_err.message, "\"s2\" is unknown");
    frame.is_region = true;
    T_OK(sq_session_name_frame(session, &frame, &t_err));
    sq_session_add_frame(session, &frame);
    T(!sq_session_read_frame(session, SQ_SPAN("s2"), &got, &t_err));
    T_HAS(t_err.message, "whole screen");
    sq_session_destroy(session);
}
