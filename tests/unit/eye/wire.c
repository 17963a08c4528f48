/* Messages to and from the phone: written, read, damaged, limited. */
#include "eye/wire.h"

#include <libdeflate.h>
#include <string.h>

#include "support/test.h"

static struct sq_eye_crc crc;

static void
checksum_is_that_of_another_library(void) {
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

static void
every_changed_bit_is_noticed(void) {
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

static void
payloads_return_unchanged(void) {
    uint8_t bytes[SQ_EYE_CAPTURE_BYTES];
    const struct sq_eye_capture capture = { 7, 0x10000, true,
                                            4619827259835644672u };
    struct sq_eye_capture capture_back;
    sq_eye_put_capture(&capture, bytes);
    T(sq_eye_read_capture(bytes, sizeof(bytes), &capture_back));
    T(capture_back.base == 7 && capture_back.max_bytes == 0x10000
      && capture_back.has_display
      && capture_back.display == 4619827259835644672u);
    T(!sq_eye_read_capture(bytes, sizeof(bytes) - 1, &capture_back));
    bytes[16] = 2;
    T(!sq_eye_read_capture(bytes, sizeof(bytes), &capture_back));

    const struct sq_eye_begin begin = { 10368016, 1080, true };
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

static void
looks_return_unchanged(void) {
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
    for (size_t i = 0; i < sizeof(invalid) / sizeof(invalid[0]); i++) {
        sq_eye_put_seen(&invalid[i], bytes);
        T(!sq_eye_read_seen(bytes, SQ_EYE_SEEN_BYTES, &seen_back));
    }
}

static void
comparisons_return_unchanged(void) {
    uint8_t bytes[SQ_EYE_COMPARE_BYTES];
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
        { { SQ_EYE_DIFFERENT, { 1, 2, 3, 4 } }, true },
        { { SQ_EYE_DIFFERENT, { 0 } }, false },
        { { SQ_EYE_SAME, { 1, 2, 3, 4 } }, false },
        { { SQ_EYE_OUTCOMES, { 0 } }, false },
        { { SQ_EYE_DIFFERENT, { 16383, 2, 2, 4 } }, false },
    };
    struct sq_eye_compared compared;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        sq_eye_put_compared(&cases[i].compared, bytes);
        T(sq_eye_read_compared(bytes, SQ_EYE_COMPARED_BYTES, &compared)
          == cases[i].is_valid);
        T(!sq_eye_read_compared(bytes, SQ_EYE_COMPARED_BYTES + 1, &compared));
    }
}

T_MAIN(T_CASE(looks_return_unchanged), T_CASE(comparisons_return_unchanged),
       T_CASE(checksum_is_that_of_another_library),
       T_CASE(every_changed_bit_is_noticed), T_CASE(payloads_return_unchanged))
