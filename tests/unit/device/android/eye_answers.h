/* Plays the eye on the phone: its answers, and what is asked of it. */
#ifndef SQ_TEST_EYE_ANSWERS_H
#define SQ_TEST_EYE_ANSWERS_H

#include "device/android/eye.h"

#include "eye/pixels.h"
#include "support/test.h"
#include "util/bytes.h"
#include "util/minmax.h"

#define WIDTH 50
#define HEIGHT 40
#define FRAME_BYTES ((size_t)(16 + WIDTH * HEIGHT * 4))
#define MAX_BYTES ((size_t)1 << 20)

/* Plays the phone: its answers are bytes to read. */
static struct {
    struct sq_buf bytes;
    size_t at;
    uint32_t sequence;
    struct sq_eye_crc crc;
} phone;

static struct sq_eye_talk talk;
static struct sq_adb_output output;

static bool
read_phone(void *context, void *into, size_t len, struct sq_err *err) {
    if (phone.bytes.len - phone.at < len) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "the stream has ended");
    }
    memcpy(into, phone.bytes.data + phone.at, len);
    phone.at += len;
    return true;
}

static const struct sq_adb_source source = { .read = read_phone };

/* What is asked for; a test may change it. */
static struct sq_eye_capture asked_for;

/* Reads the answers; `begun` says what they are. */
static struct sq_eye_begin begun;

static bool
read_frame(struct sq_err *err) {
    begun = (struct sq_eye_begin){ 0 };
    return sq_eye_read_frame(&talk, &source, &asked_for, &output, &begun, err);
}

static void
begin(void) {
    sq_eye_talk_init(&talk);
    sq_adb_output_init(&output, MAX_BYTES);
    sq_buf_init(&phone.bytes, MAX_BYTES);
    sq_eye_crc_init(&phone.crc);
    phone.at = 0;
    phone.sequence = 0;
    asked_for = (struct sq_eye_capture){ .max_bytes = MAX_BYTES,
                                         .has_display = true,
                                         .display = 42 };
}

static void
end(void) {
    sq_eye_talk_finish(&talk);
    sq_adb_output_finish(&output);
    sq_buf_finish(&phone.bytes);
}

static void
say(enum sq_eye_type type, const void *payload, size_t len) {
    const struct sq_eye_head head = { type, phone.sequence, (uint32_t)len };
    uint8_t bytes[SQ_EYE_HEAD_BYTES];
    sq_eye_put_head(&phone.crc, &head, payload, bytes);
    sq_buf_append(&phone.bytes, bytes, sizeof(bytes), NULL);
    sq_buf_append(&phone.bytes, payload, len, NULL);
}

static void
say_begin(uint32_t most_bytes, bool has_base) {
    const struct sq_eye_begin values = { .most_bytes = most_bytes,
                                         .distance = WIDTH,
                                         .has_base = has_base };
    uint8_t bytes[SQ_EYE_BEGIN_BYTES];
    sq_eye_put_begin(&values, bytes);
    say(SQ_EYE_BEGIN, bytes, sizeof(bytes));
}

static void
say_end(int status, uint32_t frame, uint32_t frame_bytes, const char *text) {
    const struct sq_eye_end values = { status, frame, frame_bytes };
    uint8_t bytes[200];
    sq_eye_put_end(&values, bytes);
    memcpy(bytes + SQ_EYE_END_BYTES, text, strlen(text));
    say(SQ_EYE_END, bytes, SQ_EYE_END_BYTES + strlen(text));
}

static void
make_frame(uint8_t frame[FRAME_BYTES], uint32_t seed) {
    memset(frame, 0, FRAME_BYTES);
    sq_store_le32(frame, WIDTH);
    sq_store_le32(frame + 4, HEIGHT);
    frame[8] = frame[12] = 1;
    for (uint32_t i = 16; i < FRAME_BYTES; i++) {
        frame[i] = (uint8_t)(i % 97 < 40 ? 9 : i * seed);
    }
}

/* Sends a frame in parts, as changes of `base` if that is given. */
static void
say_frame(const uint8_t *frame, const uint8_t *base, uint32_t number) {
    struct sq_eye_coder coder = { .distance = WIDTH };
    const struct sq_eye_words words = { frame, FRAME_BYTES / 4, base,
                                        base ? FRAME_BYTES / 4 : 0 };
    uint8_t part[500];
    say_begin(FRAME_BYTES, base != NULL);
    while (coder.at < words.end) {
        say(SQ_EYE_PART, part,
            sq_eye_encode(&coder, &words, part, sizeof(part)));
    }
    say_end(0, number, FRAME_BYTES, "");
}

/* Asks for a capture; the phone's next answers belong to it. */
static struct sq_eye_capture
ask(void) {
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    struct sq_eye_head head;
    struct sq_eye_capture capture = { 0 };
    sq_eye_make_request(&talk, &asked_for, request);
    T(sq_eye_read_head(request, SQ_EYE_MAX_REQUEST, &head));
    T(sq_eye_check(&phone.crc, request, request + SQ_EYE_HEAD_BYTES,
                   head.length));
    T(sq_eye_read_capture(request + SQ_EYE_HEAD_BYTES, head.length, &capture));
    phone.sequence = head.sequence;
    sq_adb_output_clear(&output);
    return capture;
}

#endif
