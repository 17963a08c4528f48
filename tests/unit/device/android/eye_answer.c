/* Answers of the eye: frames, changes, failures, and invalid messages. */
#include "device/android/eye_answer.h"

#include <stdlib.h>
#include <string.h>

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
    (void)context;
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

static void
frames_and_their_changes_arrive(void) {
    uint8_t first[FRAME_BYTES];
    uint8_t second[FRAME_BYTES];
    struct sq_err err = { 0 };
    begin();
    make_frame(first, 3);
    make_frame(second, 3);
    memset(second + 1000, 77, 333);
    struct sq_eye_capture asked = ask();
    T(asked.base == 0 && asked.has_display && asked.display == 42
      && asked.max_bytes == MAX_BYTES);
    say_frame(first, NULL, 8);
    T_OK(read_frame(&err), &err);
    T_BYTES(output.out.data, output.out.len, first, FRAME_BYTES);
    T_INT(ask().base, 8);
    size_t before = phone.bytes.len;
    say_frame(second, first, 9);
    T(phone.bytes.len - before < 500);
    T_OK(read_frame(&err), &err);
    T_BYTES(output.out.data, output.out.len, second, FRAME_BYTES);
    T_INT(ask().base, 9);
    const uint8_t *packed = talk.frame.packed.data;
    for (uint32_t number = 10; number < 12; number++) { /* no change, twice */
        say_frame(second, second, number);
        T_OK(read_frame(&err), &err);
        T_BYTES(output.out.data, output.out.len, second, FRAME_BYTES);
        T(talk.frame.packed.data == packed);
        T_INT(ask().base, number);
    }
    say_frame(first, second, 12);
    T_OK(read_frame(&err), &err);
    T_BYTES(output.out.data, output.out.len, first, FRAME_BYTES);
    T_INT(ask().base, 12);
    say_frame(first, first, 13);
    T_OK(read_frame(&err), &err);
    T_BYTES(output.out.data, output.out.len, first, FRAME_BYTES);
    end();
}

/* Reads the picture while it is received. */
static void
watch(void *context, struct sq_incoming *incoming) {
    size_t *seen = context;
    T(incoming->expect(incoming, FRAME_BYTES, NULL));
    T(!incoming->expect(incoming, FRAME_BYTES + 1, NULL));
    T(incoming->await(incoming, 20, NULL));
    T_INT(sq_load_le32(incoming->bytes), WIDTH);
    T(incoming->await(incoming, FRAME_BYTES, NULL));
    T(!incoming->await(incoming, FRAME_BYTES + 1, NULL));
    *seen = incoming->count;
}

static void
observer_reads_while_it_is_received(void) {
    uint8_t frame[FRAME_BYTES];
    size_t seen = 0;
    const struct sq_capture_observer observer = { watch, &seen };
    struct sq_err err = { 0 };
    begin();
    make_frame(frame, 5);
    ask();
    say_frame(frame, NULL, 1);
    output.observer = &observer;
    T_OK(read_frame(&err), &err);
    T_INT(seen, FRAME_BYTES);
    T_BYTES(output.out.data, output.out.len, frame, FRAME_BYTES);
    end();
}

static void
failures_of_screencap_are_passed_on(void) {
    struct sq_err err = { 0 };
    begin();
    ask();
    say_end(1, 0, 0, "Invalid display ID: 42");
    T_OK(read_frame(&err), &err);
    T_INT(output.status, 1);
    T_INT(output.out.len, 0);
    T(sq_span_is(sq_buf_span(&output.errors), "Invalid display ID: 42"));
    T_INT(ask().base, 0);
    say_end(SQ_EYE_TOO_LARGE, 0, 0, "");
    T(!read_frame(&err));
    T_INT(err.code, SQ_ERR_LIMIT);
    end();
}

static void
hello_names_the_program(void) {
    uint8_t digest[SQ_SHA256_BYTES] = { 1, 2, 3 };
    struct sq_err err = { 0 };
    begin();
    say(SQ_EYE_HELLO, digest, sizeof(digest));
    T_OK(sq_eye_read_hello(&talk, &source, digest, &err), &err);
    say(SQ_EYE_HELLO, digest, sizeof(digest));
    digest[31] = 1;
    T(!sq_eye_read_hello(&talk, &source, digest, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    say(SQ_EYE_HELLO, digest, sizeof(digest) - 1);
    T(!sq_eye_read_hello(&talk, &source, digest, NULL));
    sq_buf_append(&phone.bytes, "sh: can't execute", 17, NULL);
    err = (struct sq_err){ 0 };
    T(!sq_eye_read_hello(&talk, &source, digest, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    end();
}

/* Each of these answers is refused. */
static void
refuse(void (*answer)(void)) {
    struct sq_err err = { 0 };
    begin();
    ask();
    answer();
    T(!read_frame(&err));
    T_INT(err.code, SQ_ERR_FORMAT);
    T_INT(output.out.len, 0);
    end();
}

static void
part_first(void) {
    say(SQ_EYE_PART, "", 0);
}

static void
base_that_was_not_offered(void) {
    say_begin(FRAME_BYTES, true);
}

static void
too_large(void) {
    say_begin(MAX_BYTES + 1, false);
}

static void
two_begins(void) {
    say_begin(FRAME_BYTES, false);
    say_begin(FRAME_BYTES, false);
}

static void
fewer_pixels_than_announced(void) {
    say_begin(FRAME_BYTES, false);
    say_end(0, 1, FRAME_BYTES, "");
}

static void
end_without_its_tail(void) {
    say_begin(FRAME_BYTES, false);
    say_end(0, 1, 3, "ab");
}

static void
frame_without_begin(void) {
    say_end(0, 1, 4, "");
}

static void
hello_again(void) {
    say(SQ_EYE_HELLO, "12345678901234567890123456789012", 32);
}

static void
answer_to_another_request(void) {
    phone.sequence++;
    say_end(0, 0, 0, "");
}

static void
wrong_checksum(void) {
    say_end(0, 0, 0, "text");
    phone.bytes.data[phone.bytes.len - 1] ^= 1;
}

static void
invalid_pixels(void) {
    say_begin(FRAME_BYTES, false);
    say(SQ_EYE_PART, "\xff", 1);
}

static void
invalid_answers_are_refused(void) {
    refuse(part_first);
    refuse(base_that_was_not_offered);
    refuse(too_large);
    refuse(two_begins);
    refuse(fewer_pixels_than_announced);
    refuse(end_without_its_tail);
    refuse(frame_without_begin);
    refuse(hello_again);
    refuse(answer_to_another_request);
    refuse(wrong_checksum);
    refuse(invalid_pixels);
}

static void
cut_streams_fail(void) {
    uint8_t frame[FRAME_BYTES];
    begin();
    make_frame(frame, 7);
    ask();
    say_frame(frame, NULL, 1);
    size_t whole = phone.bytes.len;
    struct sq_buf all = phone.bytes;
    for (size_t len = 0; len < whole; len += 37) {
        struct sq_err err = { 0 };
        phone.bytes.len = len;
        phone.at = 0;
        sq_adb_output_clear(&output);
        T(!read_frame(&err));
        T_INT(err.code, SQ_ERR_TRUNCATED);
    }
    phone.bytes = all;
    end();
}

/* A picture of half the size, of a frame with this hash. */
#define HASH 77
#define HALF_BYTES (16 + (WIDTH / 2) * (HEIGHT / 2) * 4)

static struct sq_eye_begin
half_begin(void) {
    return (struct sq_eye_begin){ .most_bytes = HALF_BYTES,
                                  .distance = WIDTH / 2,
                                  .is_scaled = true,
                                  .hash = HASH,
                                  .width = WIDTH,
                                  .height = HEIGHT };
}

static const struct sq_eye_scaling half = {
    .width = WIDTH,
    .height = HEIGHT,
    .part = { 0, 0, WIDTH, HEIGHT },
    .out_width = WIDTH / 2,
    .out_height = HEIGHT / 2,
};

static void
ask_for_half(void) {
    asked_for.limit = 100;
    asked_for.scaling = half;
    ask();
}

static void
make_half(uint8_t frame[HALF_BYTES], uint32_t seed) {
    uint8_t whole[FRAME_BYTES];
    make_frame(whole, seed);
    memcpy(frame, whole, HALF_BYTES);
    sq_store_le32(frame, WIDTH / 2);
    sq_store_le32(frame + 4, HEIGHT / 2);
}

/* Sends a scaled picture, as changes of `base` if that is given. */
static void
say_half(const struct sq_eye_begin *values, const uint8_t *frame,
         const uint8_t *base, uint32_t number) {
    struct sq_eye_coder coder = { .distance = WIDTH / 2 };
    const struct sq_eye_words words = { frame, HALF_BYTES / 4, base,
                                        base ? HALF_BYTES / 4 : 0 };
    uint8_t bytes[SQ_EYE_BEGIN_BYTES];
    uint8_t part[500];
    struct sq_eye_begin complete = *values;
    complete.has_base = base != NULL;
    sq_eye_put_begin(&complete, bytes);
    say(SQ_EYE_BEGIN, bytes, sizeof(bytes));
    while (coder.at < words.end) {
        say(SQ_EYE_PART, part,
            sq_eye_encode(&coder, &words, part, sizeof(part)));
    }
    say_end(0, number, HALF_BYTES, "");
}

static void
fail_if_observed(void *context, struct sq_incoming *incoming) {
    (void)context;
    (void)incoming;
    T(false);
}

static void
scaled_pictures_have_a_base_of_their_own(void) {
    static const struct sq_capture_observer observer = { fail_if_observed,
                                                         NULL };
    const struct sq_eye_begin values = half_begin();
    uint8_t whole[FRAME_BYTES];
    uint8_t first[HALF_BYTES];
    uint8_t second[HALF_BYTES];
    struct sq_err err = { 0 };
    begin();
    make_frame(whole, 3);
    make_half(first, 5);
    make_half(second, 5);
    memset(second + 1000, 77, 333);
    ask();
    say_frame(whole, NULL, 8);
    T_OK(read_frame(&err), &err);
    T(!begun.is_scaled);
    ask_for_half();
    say_half(&values, first, NULL, 9);
    output.observer = &observer;
    T_OK(read_frame(&err), &err);
    T(begun.is_scaled && begun.hash == HASH);
    T_BYTES(output.out.data, output.out.len, first, HALF_BYTES);
    struct sq_eye_capture asked = ask();
    T(asked.base == 8 && asked.scaled_base == 9);
    size_t before = phone.bytes.len;
    say_half(&values, second, first, 10);
    T(phone.bytes.len - before < 500);
    T_OK(read_frame(&err), &err);
    T_BYTES(output.out.data, output.out.len, second, HALF_BYTES);
    output.observer = NULL;
    asked = ask();
    T(asked.base == 8 && asked.scaled_base == 10);
    say_frame(whole, whole, 11); /* the frame itself was small enough */
    T_OK(read_frame(&err), &err);
    T_BYTES(output.out.data, output.out.len, whole, FRAME_BYTES);
    asked = ask();
    T(asked.base == 11 && asked.scaled_base == 10);
    asked_for.limit = 0;
    asked_for.scaling = (struct sq_eye_scaling){ 0 };
    T_INT(ask().scaled_base, 0);
    end();
}

/* Each of these is no answer to the request for a picture of half the size. */
static void
refuse_half(const struct sq_eye_begin *values, uint32_t width,
            bool is_asked_for) {
    uint8_t frame[HALF_BYTES];
    struct sq_err err = { 0 };
    begin();
    make_half(frame, 5);
    sq_store_le32(frame, width);
    if (is_asked_for) {
        ask_for_half();
    } else {
        ask();
    }
    say_half(values, frame, NULL, 9);
    T(!read_frame(&err));
    T_INT(err.code, SQ_ERR_FORMAT);
    end();
}

static void
other_pictures_are_refused(void) {
    struct sq_eye_begin values = half_begin();
    refuse_half(&values, WIDTH / 2, false);
    refuse_half(&values, WIDTH / 2 + 1, true); /* in the frame itself */
    values.width++;
    refuse_half(&values, WIDTH / 2, true);
    values = half_begin();
    values.height--;
    refuse_half(&values, WIDTH / 2, true);
    values = half_begin();
    values.distance++;
    refuse_half(&values, WIDTH / 2, true);
    values = half_begin();
    values.most_bytes += 4;
    refuse_half(&values, WIDTH / 2, true);
}

static bool
crop(void (*answer)(void), struct sq_err *err) {
    const struct sq_eye_crop values = { HASH, MAX_BYTES, half };
    uint8_t request[SQ_EYE_CROP_REQUEST_BYTES];
    sq_eye_make_crop(&talk, &values, request);
    phone.sequence = talk.sequence;
    sq_adb_output_clear(&output);
    answer();
    return sq_eye_read_crop_answer(&talk, &source, &values, &output, err);
}

static void
right_crop(void) {
    const struct sq_eye_begin values = half_begin();
    uint8_t frame[HALF_BYTES];
    make_half(frame, 5);
    say_half(&values, frame, NULL, 0);
}

static void
crop_of_another_frame(void) {
    struct sq_eye_begin values = half_begin();
    uint8_t frame[HALF_BYTES];
    values.hash++;
    make_half(frame, 5);
    say_half(&values, frame, NULL, 0);
}

static void
whole_frame(void) {
    uint8_t frame[FRAME_BYTES];
    make_frame(frame, 5);
    say_frame(frame, NULL, 3);
}

static void
gone(void) {
    say_end(SQ_EYE_GONE, 0, 0, "");
}

static void
nothing(void) {
    say_end(0, 0, 0, "");
}

static void
crops_are_checked(void) {
    uint8_t frame[HALF_BYTES];
    struct sq_err err = { 0 };
    make_half(frame, 5);
    begin();
    T_OK(crop(right_crop, &err), &err);
    T_INT(output.status, 0);
    T_BYTES(output.out.data, output.out.len, frame, HALF_BYTES);
    T_INT(talk.scaled.number, 0); /* it is not the base of anything */
    T_OK(crop(gone, &err), &err);
    T_INT(output.status, SQ_EYE_GONE);
    T(!crop(nothing, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    end();
    begin();
    T(!crop(crop_of_another_frame, NULL));
    end();
    begin();
    T(!crop(whole_frame, NULL));
    end();
}

static bool
watch_screen(const struct sq_eye_watched *values, enum sq_eye_type type,
             struct sq_eye_watched *out, struct sq_err *err) {
    const struct sq_eye_watch watch = { .look = { .max_bytes = MAX_BYTES } };
    uint8_t request[SQ_EYE_WATCH_REQUEST_BYTES];
    uint8_t bytes[SQ_EYE_WATCHED_BYTES + 3] = { 0 };
    begin();
    sq_eye_make_watch(&talk, &watch, request);
    phone.sequence = talk.sequence;
    sq_eye_put_watched(values, bytes);
    say(type, bytes, sizeof(bytes));
    bool ok =
        sq_eye_read_watch_answer(&talk, &source, out, &output.errors, err);
    T(!ok || output.errors.len == 3);
    end();
    return ok;
}

static void
watched_looks_are_checked(void) {
    struct sq_eye_watched values = { SQ_REST_SETTLED, { 0, 9, 8, 16, false } };
    struct sq_eye_watched back;
    struct sq_err err = { 0 };
    T_OK(watch_screen(&values, SQ_EYE_WATCHED, &back, &err), &err);
    T(back.state == SQ_REST_SETTLED && back.seen.hash == 9);
    T(!watch_screen(&values, SQ_EYE_SEEN, &back, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    values.seen.width = 0;
    T(!watch_screen(&values, SQ_EYE_WATCHED, &back, NULL));
}

/* Asks for a look, to which the phone answers with these bytes. */
static bool
look(enum sq_eye_type type, const void *answer, size_t len,
     struct sq_eye_seen *seen, struct sq_err *err) {
    const struct sq_eye_look values = { .max_bytes = MAX_BYTES };
    uint8_t request[SQ_EYE_LOOK_REQUEST_BYTES];
    begin();
    sq_eye_make_look(&talk, &values, request);
    phone.sequence = talk.sequence;
    say(type, answer, len);
    bool ok =
        sq_eye_read_look_answer(&talk, &source, seen, &output.errors, err);
    T(!ok || output.errors.len == len - SQ_EYE_SEEN_BYTES);
    end();
    return ok;
}

static bool
compare(enum sq_eye_type type, const void *answer, size_t len,
        struct sq_eye_compared *compared, struct sq_err *err) {
    const struct sq_eye_compare values = { .before = 1, .after = 2 };
    uint8_t request[SQ_EYE_COMPARE_REQUEST_BYTES];
    begin();
    sq_eye_make_compare(&talk, &values, request);
    phone.sequence = talk.sequence;
    say(type, answer, len);
    bool ok = sq_eye_read_compare_answer(&talk, &source, compared, err);
    end();
    return ok;
}

static void
looks_and_comparisons_are_checked(void) {
    const struct sq_eye_seen seen = { 0, 9, 8, 16, false };
    const struct sq_eye_compared same = { SQ_EYE_SAME, { 0 } };
    uint8_t bytes[SQ_EYE_SEEN_BYTES + 4] = { 0 };
    struct sq_eye_seen back;
    struct sq_eye_compared compared;
    struct sq_err err = { 0 };
    sq_eye_put_seen(&seen, bytes);
    T_OK(look(SQ_EYE_SEEN, bytes, sizeof(bytes), &back, &err), &err);
    T(back.hash == 9 && back.height == 16);
    T(!look(SQ_EYE_END, bytes, sizeof(bytes), &back, &err));
    T_INT(err.code, SQ_ERR_FORMAT);
    T(!look(SQ_EYE_SEEN, bytes, SQ_EYE_SEEN_BYTES - 1, &back, NULL));
    sq_eye_put_compared(&same, bytes);
    T_OK(
        compare(SQ_EYE_COMPARED, bytes, SQ_EYE_COMPARED_BYTES, &compared, &err),
        &err);
    T_INT(compared.outcome, SQ_EYE_SAME);
    T(!compare(SQ_EYE_SEEN, bytes, SQ_EYE_COMPARED_BYTES, &compared, NULL));
    bytes[0] = SQ_EYE_OUTCOMES;
    T(!compare(SQ_EYE_COMPARED, bytes, SQ_EYE_COMPARED_BYTES, &compared, NULL));
}

T_MAIN(T_CASE(looks_and_comparisons_are_checked),
       T_CASE(scaled_pictures_have_a_base_of_their_own),
       T_CASE(other_pictures_are_refused), T_CASE(crops_are_checked),
       T_CASE(watched_looks_are_checked),
       T_CASE(frames_and_their_changes_arrive),
       T_CASE(observer_reads_while_it_is_received),
       T_CASE(failures_of_screencap_are_passed_on),
       T_CASE(hello_names_the_program), T_CASE(invalid_answers_are_refused),
       T_CASE(cut_streams_fail))
