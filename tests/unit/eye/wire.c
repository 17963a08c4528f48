/* Messages to and from the phone: written, read, damaged, limited. */
#include "eye/wire.h"

#include <libdeflate.h>

#include "support/test.h"

static struct sq_eye_crc crc;

T_CASE(checksum_is_that_of_another_library) {
    uint8_t bytes[300];
    sq_eye_crc_init(&crc);
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)(i * i + 7 * i);
    }
    for (size_t count = 0; count < sizeof(bytes); count++) {
        T_INT(sq_eye_crc_add(&crc, 0, bytes, count),
              libdeflate_crc32(0, bytes, count));
        T_INT(sq_eye_crc_add(&crc, sq_eye_crc_add(&crc, 0, bytes, count / 3),
                             bytes + count / 3, count - count / 3),
              libdeflate_crc32(0, bytes, count));
    }
}

T_CASE(every_changed_bit_is_noticed) {
    const struct sq_eye_head head = { SQ_EYE_PART, 0x12345678, 9 };
    uint8_t message[SQ_EYE_HEAD_BYTES + 9] = { 0 };
    uint8_t *payload = message + SQ_EYE_HEAD_BYTES;
    struct sq_eye_head back;
    sq_eye_crc_init(&crc);
    memcpy(payload, "some data", 9);
    sq_eye_put_head(&crc, &head, payload, message);
    T(sq_eye_read_head(message, 9, &back));
    T(back.type == SQ_EYE_PART && back.sequence == 0x12345678
      && back.length == 9);
    T(sq_eye_check(&crc, message, payload, 9));
    T(!sq_eye_read_head(message, 8, &back)); /* longer than allowed */
    for (size_t bit = 0; bit < sizeof(message) * 8; bit++) {
        message[bit / 8] ^= (uint8_t)(1 << bit % 8);
        T(!sq_eye_read_head(message, 9, &back)
          || !sq_eye_check(&crc, message, payload, 9));
        message[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

T_CASE(payloads_return_unchanged) {
    uint8_t bytes[SQ_EYE_CAPTURE_BYTES];
    const struct sq_eye_capture capture = { .base = 7,
                                            .max_bytes = 0x10000,
                                            .has_display = true,
                                            .display = 4619827259835644672u };
    struct sq_eye_capture capture_back;
    sq_eye_put_capture(&capture, bytes);
    T(sq_eye_read_capture(bytes, sizeof(bytes), &capture_back));
    T(capture_back.base == 7 && capture_back.max_bytes == 0x10000
      && capture_back.has_display
      && capture_back.display == 4619827259835644672u);
    T(!sq_eye_read_capture(bytes, sizeof(bytes) - 1, &capture_back));
    bytes[16] = 2;
    T(!sq_eye_read_capture(bytes, sizeof(bytes), &capture_back));

    const struct sq_eye_begin begin = { .most_bytes = 10368016,
                                        .distance = 1080,
                                        .has_base = true };
    struct sq_eye_begin begin_back;
    sq_eye_put_begin(&begin, bytes);
    T(sq_eye_read_begin(bytes, SQ_EYE_BEGIN_BYTES, &begin_back));
    T(begin_back.most_bytes == 10368016 && begin_back.distance == 1080
      && begin_back.has_base);
    T(!sq_eye_read_begin(bytes, SQ_EYE_BEGIN_BYTES + 1, &begin_back));
    memset(bytes + 4, 0, 4); /* a distance of 0 */
    T(!sq_eye_read_begin(bytes, SQ_EYE_BEGIN_BYTES, &begin_back));

    const struct sq_eye_end end = { SQ_EYE_TOO_LARGE, 3, 99 };
    struct sq_eye_end end_back;
    sq_eye_put_end(&end, bytes);
    T(sq_eye_read_end(bytes, SQ_EYE_END_BYTES + 5, &end_back));
    T(end_back.status == SQ_EYE_TOO_LARGE && end_back.frame == 3
      && end_back.bytes == 99);
    T(!sq_eye_read_end(bytes, SQ_EYE_END_BYTES - 1, &end_back));
}

T_CASE(looks_return_unchanged) {
    uint8_t bytes[SQ_EYE_LOOK_BYTES + 1] = { 0 };
    const struct sq_eye_look look = { 0x10000, true, 4619827259835644672u,
                                      0x123456789abcdef0u };
    struct sq_eye_look back;
    sq_eye_put_look(&look, bytes);
    T(sq_eye_read_look(bytes, SQ_EYE_LOOK_BYTES, &back));
    T(back.max_bytes == 0x10000 && back.has_display
      && back.display == look.display && back.keep == look.keep);
    T(!sq_eye_read_look(bytes, SQ_EYE_LOOK_BYTES + 1, &back));
    bytes[20] = 2;
    T(!sq_eye_read_look(bytes, SQ_EYE_LOOK_BYTES, &back));

    const struct sq_eye_seen seen = { 0, 99, 1080, 2400, true };
    struct sq_eye_seen seen_back;
    sq_eye_put_seen(&seen, bytes);
    T(sq_eye_read_seen(bytes, SQ_EYE_SEEN_BYTES + 1, &seen_back));
    T(seen_back.status == 0 && seen_back.hash == 99 && seen_back.width == 1080
      && seen_back.height == 2400 && seen_back.is_black);
    T(!sq_eye_read_seen(bytes, SQ_EYE_SEEN_BYTES - 1, &seen_back));
    static const struct sq_eye_seen invalid[] = {
        { 1, 99, 1080, 2400, false },  { 0, 99, 0, 2400, false },
        { 0, 99, 1080, 16385, false }, { 0, 0, 1080, 2400, false },
        { 0, 0, 0, 0, true },
    };
    for (size_t i = 0; i < SQ_COUNT(invalid); i++) {
        sq_eye_put_seen(&invalid[i], bytes);
        T(!sq_eye_read_seen(bytes, SQ_EYE_SEEN_BYTES, &seen_back));
    }
}

T_CASE(comparisons_return_unchanged) {
    uint8_t bytes[SQ_EYE_COMPARED_BYTES];
    const struct sq_eye_compare compare = { 7, 1u << 31, { 1, 2, 3, 4 } };
    struct sq_eye_compare back;
    sq_eye_put_compare(&compare, bytes);
    T(sq_eye_read_compare(bytes, SQ_EYE_COMPARE_BYTES, &back));
    T(back.before == 7 && back.after == 1u << 31 && back.area.x == 1
      && back.area.y == 2 && back.area.width == 3 && back.area.height == 4);
    T(!sq_eye_read_compare(bytes, SQ_EYE_COMPARE_BYTES - 1, &back));
    memset(bytes + 24, 255, 4); /* the width */
    T(!sq_eye_read_compare(bytes, SQ_EYE_COMPARE_BYTES, &back));

    static const struct {
        struct sq_eye_compared compared;
        bool is_valid;
    } cases[] = {
        { { SQ_EYE_SAME, { 0 } }, true },
        { { SQ_EYE_UNKNOWN, { 0 } }, true },
        { { SQ_EYE_DIFFERENT, { 1, { { 1, 2, 3, 4 } } } }, true },
        { { SQ_EYE_DIFFERENT, { 2, { { 1, 2, 3, 4 }, { 9, 8, 7, 6 } } } },
          true },
        { { SQ_EYE_DIFFERENT, { 2, { { 1, 2, 3, 4 } } } }, false },
        { { SQ_EYE_DIFFERENT, { 0 } }, false },
        { { SQ_EYE_SAME, { 1, { { 1, 2, 3, 4 } } } }, false },
        { { SQ_EYE_OUTCOMES, { 0 } }, false },
        { { SQ_EYE_DIFFERENT, { 1, { { 16383, 2, 2, 4 } } } }, false },
    };
    struct sq_eye_compared compared;
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        sq_eye_put_compared(&cases[i].compared, bytes);
        T(sq_eye_read_compared(bytes, SQ_EYE_COMPARED_BYTES, &compared)
          == cases[i].is_valid);
        T(!cases[i].is_valid
          || memcmp(&compared, &cases[i].compared, sizeof(compared)) == 0);
        T(!sq_eye_read_compared(bytes, SQ_EYE_COMPARED_BYTES + 1, &compared));
    }
}

static const struct sq_eye_scaling scaling = {
    1080, 2400, { 40, 50, 600, 700 }, 300, 350, SQ_EYE_BOX,
};

static bool
is_same_scaling(const struct sq_eye_scaling *found) {
    return found->width == 1080 && found->height == 2400 && found->part.x == 40
        && found->part.y == 50 && found->part.width == 600
        && found->part.height == 700 && found->out_width == 300
        && found->out_height == 350 && found->kernel == SQ_EYE_BOX;
}

T_CASE(scalings_return_unchanged) {
    uint8_t bytes[SQ_EYE_CAPTURE_BYTES];
    struct sq_eye_capture capture = {
        .base = 4, .limit = 500000, .scaled_base = 9, .scaling = scaling
    };
    struct sq_eye_capture back;
    sq_eye_put_capture(&capture, bytes);
    T(sq_eye_read_capture(bytes, sizeof(bytes), &back));
    T(back.base == 4 && back.limit == 500000 && back.scaled_base == 9
      && is_same_scaling(&back.scaling));
    capture.limit = SQ_EYE_MAX_LIMIT + 1;
    sq_eye_put_capture(&capture, bytes);
    T(!sq_eye_read_capture(bytes, sizeof(bytes), &back));
    capture.limit = 0; /* then nothing else may be there */
    sq_eye_put_capture(&capture, bytes);
    T(!sq_eye_read_capture(bytes, sizeof(bytes), &back));
    capture.scaling = (struct sq_eye_scaling){ 0 };
    sq_eye_put_capture(&capture, bytes);
    T(!sq_eye_read_capture(bytes, sizeof(bytes), &back));
    capture.scaled_base = 0;
    sq_eye_put_capture(&capture, bytes);
    T(sq_eye_read_capture(bytes, sizeof(bytes), &back));

    const struct sq_eye_crop crop = { 0x123456789abcdef0u, 77, scaling };
    struct sq_eye_crop crop_back;
    sq_eye_put_crop(&crop, bytes);
    T(sq_eye_read_crop(bytes, SQ_EYE_CROP_BYTES, &crop_back));
    T(crop_back.hash == crop.hash && crop_back.max_bytes == 77
      && is_same_scaling(&crop_back.scaling));
    T(!sq_eye_read_crop(bytes, SQ_EYE_CROP_BYTES + 1, &crop_back));
}

T_CASE(impossible_scalings_are_refused) {
    static const struct sq_eye_scaling invalid[] = {
        { 0, 2400, { 0, 0, 1, 1 }, 1, 1, SQ_EYE_BOX },
        { 1080, 16385, { 0, 0, 1, 1 }, 1, 1, SQ_EYE_BOX },
        { 1080, 2400, { 0, 0, 0, 0 }, 1, 1, SQ_EYE_BOX },
        { 1080, 2400, { 0, 0, 1081, 1 }, 1, 1, SQ_EYE_BOX },
        { 1080, 2400, { 1, 0, 1080, 1 }, 1, 1, SQ_EYE_BOX },
        { 1080, 2400, { 0, 2400, 1, 1 }, 1, 1, SQ_EYE_BOX },
        { 1080, 2400, { 0, 0, 20, 20 }, 21, 1, SQ_EYE_BOX },
        { 1080, 2400, { 0, 0, 20, 20 }, 1, 21, SQ_EYE_BOX },
        { 1080, 2400, { 0, 0, 20, 20 }, 0, 1, SQ_EYE_BOX },
        { 1080, 2400, { 0, 0, 20, 20 }, 1, 0, SQ_EYE_BOX },
        { 1080, 2400, { 0, 0, 20, 20 }, 1, 1, SQ_EYE_KERNELS },
    };
    uint8_t bytes[SQ_EYE_CROP_BYTES];
    struct sq_eye_crop back;
    for (size_t i = 0; i < SQ_COUNT(invalid); i++) {
        const struct sq_eye_crop crop = { 1, 1, invalid[i] };
        sq_eye_put_crop(&crop, bytes);
        T(!sq_eye_read_crop(bytes, sizeof(bytes), &back));
    }
}

T_CASE(scaled_pictures_name_their_frame) {
    uint8_t bytes[SQ_EYE_BEGIN_BYTES];
    struct sq_eye_begin begin = {
        1800016, 450, false, true, 0x123456789abcdef0u, 1080, 2400, true
    };
    struct sq_eye_begin back;
    sq_eye_put_begin(&begin, bytes);
    T(sq_eye_read_begin(bytes, sizeof(bytes), &back));
    T(back.is_scaled && back.hash == begin.hash && back.width == 1080
      && back.height == 2400 && back.is_black);
    begin.hash = 0;
    sq_eye_put_begin(&begin, bytes);
    T(!sq_eye_read_begin(bytes, sizeof(bytes), &back));
    begin.hash = 1;
    begin.width = 0;
    sq_eye_put_begin(&begin, bytes);
    T(!sq_eye_read_begin(bytes, sizeof(bytes), &back));
    begin.width = 1080;
    begin.is_scaled = false; /* then nothing else may be there */
    sq_eye_put_begin(&begin, bytes);
    T(!sq_eye_read_begin(bytes, sizeof(bytes), &back));
}

T_CASE(watches_return_unchanged) {
    uint8_t bytes[SQ_EYE_WATCH_BYTES];
    struct sq_eye_watch watch = {
        { 0x10000, true, 5, 6 }, 7, 8, { 25, 50, 60, 1500, true }
    };
    struct sq_eye_watch back;
    sq_eye_put_watch(&watch, bytes);
    T(sq_eye_read_watch(bytes, sizeof(bytes), &back));
    T(back.look.max_bytes == 0x10000 && back.look.keep == 6 && back.before == 7
      && back.quiet_ms == 8 && back.rule.poll_ms == 25
      && back.rule.rest_ms == 50 && back.rule.react_ms == 60
      && back.rule.limit_ms == 1500 && back.rule.begins_early);
    T(!sq_eye_read_watch(bytes, sizeof(bytes) - 1, &back));
    bytes[sizeof(bytes) - 1] = 2;
    T(!sq_eye_read_watch(bytes, sizeof(bytes), &back));
    watch.rule.limit_ms = SQ_REST_MAX_MS + 1;
    sq_eye_put_watch(&watch, bytes);
    T(!sq_eye_read_watch(bytes, sizeof(bytes), &back));
    watch.rule.limit_ms = 0;
    watch.quiet_ms = SQ_REST_MAX_MS + 1;
    sq_eye_put_watch(&watch, bytes);
    T(!sq_eye_read_watch(bytes, sizeof(bytes), &back));

    struct sq_eye_watched watched = { SQ_REST_OVER, { 0, 9, 8, 16, false } };
    struct sq_eye_watched watched_back;
    sq_eye_put_watched(&watched, bytes);
    T(sq_eye_read_watched(bytes, SQ_EYE_WATCHED_BYTES, &watched_back));
    T(watched_back.state == SQ_REST_OVER && watched_back.seen.hash == 9);
    T(!sq_eye_read_watched(bytes, SQ_EYE_WATCHED_BYTES - 1, &watched_back));
    bytes[0] = SQ_REST_STATES;
    T(!sq_eye_read_watched(bytes, SQ_EYE_WATCHED_BYTES, &watched_back));
}
