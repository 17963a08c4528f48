/* Answers of the eye: frames, changes, failures, and invalid messages. */
#include "unit/device/android/eye_answers.h"

T_FIXTURE(begin, end);

T_CASE(frames_and_their_changes_arrive) {
    uint8_t first[FRAME_BYTES];
    uint8_t second[FRAME_BYTES];
    make_frame(first, 3);
    make_frame(second, 3);
    memset(second + 1000, 77, 333);
    struct sq_eye_capture asked = ask();
    T(asked.base == 0 && asked.has_display && asked.display == 42
      && asked.max_bytes == MAX_BYTES);
    say_frame(first, NULL, 8);
    T_OK(read_frame(&t_err));
    T_BYTES(output.out.data, output.out.len, first, FRAME_BYTES);
    T_INT(ask().base, 8);
    size_t before = phone.bytes.len;
    say_frame(second, first, 9);
    T(phone.bytes.len - before < 500);
    T_OK(read_frame(&t_err));
    T_BYTES(output.out.data, output.out.len, second, FRAME_BYTES);
    T_INT(ask().base, 9);
    const uint8_t *packed = talk.frame.packed.data;
    for (uint32_t number = 10; number < 12; number++) { /* no change, twice */
        say_frame(second, second, number);
        T_OK(read_frame(&t_err));
        T_BYTES(output.out.data, output.out.len, second, FRAME_BYTES);
        T(talk.frame.packed.data == packed);
        T_INT(ask().base, number);
    }
    say_frame(first, second, 12);
    T_OK(read_frame(&t_err));
    T_BYTES(output.out.data, output.out.len, first, FRAME_BYTES);
    T_INT(ask().base, 12);
    say_frame(first, first, 13);
    T_OK(read_frame(&t_err));
    T_BYTES(output.out.data, output.out.len, first, FRAME_BYTES);
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

T_CASE(observer_reads_while_it_is_received) {
    uint8_t frame[FRAME_BYTES];
    size_t seen = 0;
    const struct sq_capture_observer observer = { watch, &seen };
    make_frame(frame, 5);
    ask();
    say_frame(frame, NULL, 1);
    output.observer = &observer;
    T_OK(read_frame(&t_err));
    T_INT(seen, FRAME_BYTES);
    T_BYTES(output.out.data, output.out.len, frame, FRAME_BYTES);
}

T_CASE(failures_of_screencap_are_passed_on) {
    ask();
    say_end(1, 0, 0, "Invalid display ID: 42");
    T_OK(read_frame(&t_err));
    T_INT(output.status, 1);
    T_INT(output.out.len, 0);
    T(sq_span_is(sq_buf_span(&output.errors), "Invalid display ID: 42"));
    T_INT(ask().base, 0);
    say_end(SQ_EYE_TOO_LARGE, 0, 0, "");
    T_FAILS(read_frame(&t_err), SQ_ERR_LIMIT);
}

T_CASE(hello_names_the_program) {
    uint8_t digest[SQ_SHA256_BYTES] = { 1, 2, 3 };
    say(SQ_EYE_HELLO, digest, sizeof(digest));
    T_OK(sq_eye_read_hello(&talk, &source, digest, &t_err));
    say(SQ_EYE_HELLO, digest, sizeof(digest));
    digest[31] = 1;
    T_FAILS(sq_eye_read_hello(&talk, &source, digest, &t_err), SQ_ERR_FORMAT);
    /* One that could not read itself is not another program. */
    static const uint8_t of_nothing[SQ_SHA256_BYTES] = {
        0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
        0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
        0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55,
    };
    say(SQ_EYE_HELLO, of_nothing, sizeof(of_nothing));
    T_FAILS(sq_eye_read_hello(&talk, &source, digest, &t_err),
            SQ_ERR_UNSUPPORTED);
    T_HAS(t_err.message, "/proc/self/exe");
    say(SQ_EYE_HELLO, digest, sizeof(digest) - 1);
    T(!sq_eye_read_hello(&talk, &source, digest, NULL));
    sq_buf_append(&phone.bytes, "sh: can't execute", 17, NULL);
    T_FAILS(sq_eye_read_hello(&talk, &source, digest, &t_err), SQ_ERR_FORMAT);
}

/* Each of these answers is refused. */
static void
refuse(void (*answer)(void)) {
    begin();
    ask();
    answer();
    T_FAILS(read_frame(&t_err), SQ_ERR_FORMAT);
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

T_BARE_CASE(invalid_answers_are_refused) {
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

T_CASE(cut_streams_fail) {
    uint8_t frame[FRAME_BYTES];
    make_frame(frame, 7);
    ask();
    say_frame(frame, NULL, 1);
    size_t whole = phone.bytes.len;
    struct sq_buf all = phone.bytes;
    for (size_t len = 0; len < whole; len += 37) {
        phone.bytes.len = len;
        phone.at = 0;
        sq_adb_output_clear(&output);
        T_FAILS(read_frame(&t_err), SQ_ERR_TRUNCATED);
    }
    phone.bytes = all;
}

/* Asks for a look, to which the phone answers with these bytes. */
static bool
look(enum sq_eye_type type, const void *answer, size_t len,
     struct sq_eye_seen *seen, struct sq_err *err) {
    const struct sq_eye_look values = { .max_bytes = MAX_BYTES };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    begin();
    sq_eye_put_look(&values, request + SQ_EYE_HEAD_BYTES);
    sq_eye_put_request(&talk, SQ_EYE_LOOK, SQ_EYE_LOOK_BYTES, request);
    phone.sequence = talk.sequence;
    say(type, answer, len);
    bool ok = sq_eye_read_answer(&talk, &source, SQ_EYE_SEEN, seen, err);
    T_INT(talk.messages.len, ok ? len - SQ_EYE_SEEN_BYTES : 0);
    end();
    return ok;
}

static bool
compare(enum sq_eye_type type, const void *answer, size_t len,
        struct sq_eye_compared *compared, struct sq_err *err) {
    const struct sq_eye_compare values = { .before = 1, .after = 2 };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    begin();
    sq_eye_put_compare(&values, request + SQ_EYE_HEAD_BYTES);
    sq_eye_put_request(&talk, SQ_EYE_COMPARE, SQ_EYE_COMPARE_BYTES, request);
    phone.sequence = talk.sequence;
    say(type, answer, len);
    bool ok =
        sq_eye_read_answer(&talk, &source, SQ_EYE_COMPARED, compared, err);
    end();
    return ok;
}

T_BARE_CASE(looks_and_comparisons_are_checked) {
    const struct sq_eye_seen seen = { 0, 9, 8, 16, false };
    const struct sq_eye_compared same = { SQ_EYE_SAME, { 0 } };
    uint8_t bytes[SQ_EYE_COMPARED_BYTES] = { 0 };
    struct sq_eye_seen back;
    struct sq_eye_compared compared;
    sq_eye_put_seen(&seen, bytes);
    T_OK(look(SQ_EYE_SEEN, bytes, sizeof(bytes), &back, &t_err));
    T(back.hash == 9 && back.height == 16);
    T_FAILS(look(SQ_EYE_END, bytes, sizeof(bytes), &back, &t_err),
            SQ_ERR_FORMAT);
    T(!look(SQ_EYE_SEEN, bytes, SQ_EYE_SEEN_BYTES - 1, &back, NULL));
    sq_eye_put_compared(&same, bytes);
    T_OK(compare(SQ_EYE_COMPARED, bytes, SQ_EYE_COMPARED_BYTES, &compared,
                 &t_err));
    T_INT(compared.outcome, SQ_EYE_SAME);
    T(!compare(SQ_EYE_SEEN, bytes, SQ_EYE_COMPARED_BYTES, &compared, NULL));
    bytes[0] = SQ_EYE_OUTCOMES;
    T(!compare(SQ_EYE_COMPARED, bytes, SQ_EYE_COMPARED_BYTES, &compared, NULL));
}
