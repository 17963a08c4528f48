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

T_MAIN(T_CASE(checksum_is_that_of_another_library),
       T_CASE(every_changed_bit_is_noticed), T_CASE(payloads_return_unchanged))
