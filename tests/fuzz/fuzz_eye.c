/*
 * Any bytes as answers of the eye, as requests to it, and as coded pixels. The
 * first byte selects which. Pixels that are decoded and coded again return the
 * same frame.
 */
#include <assert.h>
#include <string.h>

#include "device/android/eye.h"
#include "eye/pixels.h"
#include "fuzz/fuzz.h"

#define MAX_FRAME ((size_t)64 << 10)
#define WORDS 4096

struct input {
    const uint8_t *bytes;
    size_t left;
};

static bool
read_input(void *context, void *into, size_t len, struct sq_err *err) {
    struct input *input = context;
    if (input->left < len) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "the input has ended");
    }
    memcpy(into, input->bytes, len);
    input->bytes += len;
    input->left -= len;
    return true;
}

/* Reads a head whose version is corrected. */
static bool
read_head(uint8_t *bytes, size_t size, struct sq_eye_head *out) {
    if (size < SQ_EYE_HEAD_BYTES) {
        return false;
    }
    bytes[2] = SQ_EYE_VERSION;
    return sq_eye_read_head(bytes, SQ_EYE_MAX_ANSWER, out)
        && out->length <= size - SQ_EYE_HEAD_BYTES;
}

/* The checksums are corrected, or no input would get any further. */
static void
read_answers(uint8_t *bytes, size_t size) {
    /* Half of the size, so that both kinds of answers are possible. */
    static const struct sq_eye_capture wanted = {
        .max_bytes = MAX_FRAME,
        .limit = 1,
        .scaling = { 16, 16, { 0, 0, 16, 16 }, 8, 8, SQ_EYE_CATMULL_ROM },
    };
    struct sq_eye_begin begin;
    struct input input = { bytes, size };
    const struct sq_adb_source source = { .read = read_input,
                                          .context = &input };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    struct sq_eye_talk talk;
    struct sq_eye_head head;
    bool ok = true;
    sq_eye_talk_init(&talk);
    for (size_t at = 0; read_head(bytes + at, size - at, &head);
         at += SQ_EYE_HEAD_BYTES + head.length) {
        head.sequence = head.sequence % 4;
        sq_eye_put_head(&talk.crc, &head, bytes + at + SQ_EYE_HEAD_BYTES,
                        bytes + at);
    }
    while (ok && input.left > 0) {
        struct sq_adb_output output;
        sq_adb_output_init(&output, MAX_FRAME);
        sq_eye_make_request(&talk, &wanted, request);
        ok = sq_eye_read_frame(&talk, &source, &wanted, &output, &begin, NULL);
        assert(output.out.len <= MAX_FRAME && output.out.cap <= MAX_FRAME);
        assert(!ok || !begin.is_scaled || output.out.len == 16 + 8 * 8 * 4);
        sq_adb_output_finish(&output);
    }
    sq_eye_talk_finish(&talk);
}

static void
read_request(const uint8_t *bytes, size_t size) {
    struct sq_eye_head head;
    struct sq_eye_capture capture;
    uint8_t again[SQ_EYE_CAPTURE_BYTES];
    if (size >= SQ_EYE_HEAD_BYTES
        && sq_eye_read_head(bytes, SQ_EYE_MAX_REQUEST, &head)) {
        assert(head.length <= SQ_EYE_MAX_REQUEST);
    }
    if (sq_eye_read_capture(bytes, (uint32_t)size, &capture)) {
        sq_eye_put_capture(&capture, again);
        assert(memcmp(again, bytes, sizeof(again)) == 0);
    }
}

/* Requests and answers without pixels; those that are read return equal. */
static void
read_small_messages(const uint8_t *bytes, size_t size) {
    uint8_t again[SQ_EYE_COMPARED_BYTES]; /* the longest */
    struct sq_eye_look look;
    struct sq_eye_seen seen;
    struct sq_eye_compare compare;
    struct sq_eye_compared compared;
    struct sq_eye_crop crop;
    struct sq_eye_watch watch;
    struct sq_eye_watched watched;
    struct sq_eye_begin begin;
    if (sq_eye_read_crop(bytes, (uint32_t)size, &crop)) {
        assert(sq_eye_area_fits(&crop.scaling.part, crop.scaling.width,
                                crop.scaling.height));
        sq_eye_put_crop(&crop, again);
        assert(memcmp(again, bytes, SQ_EYE_CROP_BYTES) == 0);
    }
    if (sq_eye_read_watch(bytes, (uint32_t)size, &watch)) {
        sq_eye_put_watch(&watch, again);
        assert(memcmp(again, bytes, SQ_EYE_WATCH_BYTES) == 0);
    }
    if (sq_eye_read_watched(bytes, (uint32_t)size, &watched)) {
        sq_eye_put_watched(&watched, again);
        assert(memcmp(again, bytes, SQ_EYE_WATCHED_BYTES) == 0);
    }
    if (sq_eye_read_begin(bytes, (uint32_t)size, &begin)) {
        sq_eye_put_begin(&begin, again);
        assert(memcmp(again, bytes, SQ_EYE_BEGIN_BYTES) == 0);
    }
    if (sq_eye_read_look(bytes, (uint32_t)size, &look)) {
        sq_eye_put_look(&look, again);
        assert(memcmp(again, bytes, SQ_EYE_LOOK_BYTES) == 0);
    }
    if (sq_eye_read_seen(bytes, (uint32_t)size, &seen)) {
        sq_eye_put_seen(&seen, again);
        assert(memcmp(again, bytes, SQ_EYE_SEEN_BYTES) == 0);
    }
    if (sq_eye_read_compare(bytes, (uint32_t)size, &compare)) {
        sq_eye_put_compare(&compare, again);
        assert(memcmp(again, bytes, SQ_EYE_COMPARE_BYTES) == 0);
    }
    if (sq_eye_read_compared(bytes, (uint32_t)size, &compared)) {
        sq_eye_put_compared(&compared, again);
        assert(memcmp(again, bytes, SQ_EYE_COMPARED_BYTES) == 0);
    }
}

/* Any bytes as a frame on the phone: its pixels are inside it. */
static void
read_frame(const uint8_t *bytes, size_t size) {
    struct sq_eye_picture picture;
    if (sq_eye_picture_of(bytes, size, &picture)) {
        const struct sq_eye_area whole = { 0, 0, picture.width,
                                           picture.height };
        assert(sq_eye_differ(&picture, &picture, &whole).count == 0);
        sq_eye_is_black(&picture, SQ_EYE_BLACK_CEILING);
    }
}

static void
read_pixels(const uint8_t *bytes, size_t size) {
    static uint8_t frame[WORDS * SQ_EYE_WORD];
    static uint8_t back[WORDS * SQ_EYE_WORD];
    static uint8_t coded[WORDS * SQ_EYE_MAX_STEP];
    size_t distance = size > 0 ? bytes[0] + 1u : 1;
    struct sq_eye_coder coder = { .distance = distance };
    memset(frame, 0, sizeof(frame));
    if (!sq_eye_decode(&coder, bytes, size, frame, WORDS, WORDS / 2)) {
        return;
    }
    size_t end = coder.at;
    struct sq_eye_coder again = { .distance = distance };
    struct sq_eye_coder last = { .distance = distance };
    const struct sq_eye_words words = { frame, end, NULL, 0 };
    size_t len = sq_eye_encode(&again, &words, coded, sizeof(coded));
    assert(again.at == end && sq_eye_decode(&last, coded, len, back, end, 0)
           && memcmp(back, frame, end * SQ_EYE_WORD) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t copy[MAX_FRAME];
    if (size == 0 || size > sizeof(copy)) {
        return 0;
    }
    memcpy(copy, data + 1, size - 1);
    if (data[0] % 3 == 0) {
        read_answers(copy, size - 1);
    } else if (data[0] % 3 == 1) {
        read_request(copy, size - 1);
        read_small_messages(copy, size - 1);
        read_frame(copy, size - 1);
    } else {
        read_pixels(copy, size - 1);
    }
    return 0;
}
