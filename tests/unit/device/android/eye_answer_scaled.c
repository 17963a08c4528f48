/* Answers of the eye: scaled pictures, parts of frames, and looks. */
#include "unit/device/android/eye_answers.h"

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
    T(false);
}

T_CASE(scaled_pictures_have_a_base_of_their_own) {
    static const struct sq_capture_observer observer = { fail_if_observed,
                                                         NULL };
    const struct sq_eye_begin values = half_begin();
    uint8_t whole[FRAME_BYTES];
    uint8_t first[HALF_BYTES];
    uint8_t second[HALF_BYTES];
    begin();
    make_frame(whole, 3);
    make_half(first, 5);
    make_half(second, 5);
    memset(second + 1000, 77, 333);
    ask();
    say_frame(whole, NULL, 8);
    T_OK(read_frame(&t_err));
    T(!begun.is_scaled);
    ask_for_half();
    say_half(&values, first, NULL, 9);
    output.observer = &observer;
    T_OK(read_frame(&t_err));
    T(begun.is_scaled && begun.hash == HASH);
    T_BYTES(output.out.data, output.out.len, first, HALF_BYTES);
    struct sq_eye_capture asked = ask();
    T(asked.base == 8 && asked.scaled_base == 9);
    size_t before = phone.bytes.len;
    say_half(&values, second, first, 10);
    T(phone.bytes.len - before < 500);
    T_OK(read_frame(&t_err));
    T_BYTES(output.out.data, output.out.len, second, HALF_BYTES);
    output.observer = NULL;
    asked = ask();
    T(asked.base == 8 && asked.scaled_base == 10);
    say_frame(whole, whole, 11); /* the frame itself was small enough */
    T_OK(read_frame(&t_err));
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
    begin();
    make_half(frame, 5);
    sq_store_le32(frame, width);
    if (is_asked_for) {
        ask_for_half();
    } else {
        ask();
    }
    say_half(values, frame, NULL, 9);
    T_FAILS(read_frame(&t_err), SQ_ERR_FORMAT);
    end();
}

T_CASE(other_pictures_are_refused) {
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
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    sq_eye_put_crop(&values, request + SQ_EYE_HEAD_BYTES);
    sq_eye_put_request(&talk, SQ_EYE_CROP, SQ_EYE_CROP_BYTES, request);
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

T_CASE(crops_are_checked) {
    uint8_t frame[HALF_BYTES];
    make_half(frame, 5);
    begin();
    T_OK(crop(right_crop, &t_err));
    T_INT(output.status, 0);
    T_BYTES(output.out.data, output.out.len, frame, HALF_BYTES);
    T_INT(talk.scaled.number, 0); /* it is not the base of anything */
    T_OK(crop(gone, &t_err));
    T_INT(output.status, SQ_EYE_GONE);
    T_FAILS(crop(nothing, &t_err), SQ_ERR_FORMAT);
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
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    uint8_t bytes[SQ_EYE_WATCHED_BYTES + 3] = { 0 };
    begin();
    sq_eye_put_watch(&watch, request + SQ_EYE_HEAD_BYTES);
    sq_eye_put_request(&talk, SQ_EYE_WATCH, SQ_EYE_WATCH_BYTES, request);
    phone.sequence = talk.sequence;
    sq_eye_put_watched(values, bytes);
    say(type, bytes, sizeof(bytes));
    bool ok = sq_eye_read_answer(&talk, &source, SQ_EYE_WATCHED, out, err);
    T_INT(talk.messages.len, ok ? 3 : 0);
    end();
    return ok;
}

T_CASE(watched_looks_are_checked) {
    struct sq_eye_watched values = { SQ_REST_SETTLED, { 0, 9, 8, 16, false } };
    struct sq_eye_watched back;
    T_OK(watch_screen(&values, SQ_EYE_WATCHED, &back, &t_err));
    T(back.state == SQ_REST_SETTLED && back.seen.hash == 9);
    T_FAILS(watch_screen(&values, SQ_EYE_SEEN, &back, &t_err), SQ_ERR_FORMAT);
    values.seen.width = 0;
    T(!watch_screen(&values, SQ_EYE_WATCHED, &back, NULL));
}
