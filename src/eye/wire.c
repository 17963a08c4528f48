/* Writes and reads the messages between squint and the eye. */
#include "eye/wire.h"

#include "util/bytes.h"

#define MAGIC 0x5173u /* "sQ" */
#define POLYNOMIAL 0xedb88320u
#define CHECKED_BYTES 12 /* bytes of the head that the checksum includes */
#define MAX_DISTANCE (1u << 20)

void
sq_eye_crc_init(struct sq_eye_crc *crc) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) {
            value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
        }
        crc->table[0][i] = value;
    }
    for (int row = 1; row < 4; row++) {
        for (int i = 0; i < 256; i++) {
            uint32_t value = crc->table[row - 1][i];
            crc->table[row][i] = value >> 8 ^ crc->table[0][value & 255];
        }
    }
}

uint32_t
sq_eye_crc_add(const struct sq_eye_crc *crc, uint32_t before,
               const uint8_t *bytes, size_t count) {
    uint32_t value = ~before;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        value ^= sq_load_le32(bytes + i);
        value = crc->table[3][value & 255] ^ crc->table[2][value >> 8 & 255]
              ^ crc->table[1][value >> 16 & 255] ^ crc->table[0][value >> 24];
    }
    for (; i < count; i++) {
        value = value >> 8 ^ crc->table[0][(value ^ bytes[i]) & 255];
    }
    return ~value;
}

static uint32_t
checksum(const struct sq_eye_crc *crc, const uint8_t *head,
         const uint8_t *payload, uint32_t length) {
    return sq_eye_crc_add(crc, sq_eye_crc_add(crc, 0, head, CHECKED_BYTES),
                          payload, length);
}

void
sq_eye_put_head(const struct sq_eye_crc *crc, const struct sq_eye_head *head,
                const uint8_t *payload, uint8_t out[SQ_EYE_HEAD_BYTES]) {
    sq_store_le32(out,
                  MAGIC | SQ_EYE_VERSION << 16 | (uint32_t)head->type << 24);
    sq_store_le32(out + 4, head->sequence);
    sq_store_le32(out + 8, head->length);
    sq_store_le32(out + CHECKED_BYTES,
                  checksum(crc, out, payload, head->length));
}

bool
sq_eye_read_head(const uint8_t bytes[SQ_EYE_HEAD_BYTES], uint32_t max_length,
                 struct sq_eye_head *out) {
    uint32_t type = bytes[3];
    uint32_t length = sq_load_le32(bytes + 8);
    if (sq_load_le16(bytes) != MAGIC || bytes[2] != SQ_EYE_VERSION
        || type < SQ_EYE_HELLO || type >= SQ_EYE_TYPES || length > max_length) {
        return false;
    }
    *out = (struct sq_eye_head){ (enum sq_eye_type)type,
                                 sq_load_le32(bytes + 4), length };
    return true;
}

bool
sq_eye_check(const struct sq_eye_crc *crc,
             const uint8_t bytes[SQ_EYE_HEAD_BYTES], const uint8_t *payload,
             uint32_t length) {
    return sq_load_le32(bytes + CHECKED_BYTES)
        == checksum(crc, bytes, payload, length);
}

void
sq_eye_put_capture(const struct sq_eye_capture *capture,
                   uint8_t out[SQ_EYE_CAPTURE_BYTES]) {
    sq_store_le32(out, capture->base);
    sq_store_le32(out + 4, capture->max_bytes);
    sq_store_le32(out + 8, (uint32_t)capture->display);
    sq_store_le32(out + 12, (uint32_t)(capture->display >> 32));
    out[16] = capture->has_display;
}

bool
sq_eye_read_capture(const uint8_t *payload, uint32_t length,
                    struct sq_eye_capture *out) {
    if (length != SQ_EYE_CAPTURE_BYTES || payload[16] > 1) {
        return false;
    }
    *out = (struct sq_eye_capture){
        .base = sq_load_le32(payload),
        .max_bytes = sq_load_le32(payload + 4),
        .display = sq_load_le64(payload + 8),
        .has_display = payload[16],
    };
    return true;
}

void
sq_eye_put_begin(const struct sq_eye_begin *begin,
                 uint8_t out[SQ_EYE_BEGIN_BYTES]) {
    sq_store_le32(out, begin->most_bytes);
    sq_store_le32(out + 4, begin->distance);
    out[8] = begin->has_base;
}

bool
sq_eye_read_begin(const uint8_t *payload, uint32_t length,
                  struct sq_eye_begin *out) {
    if (length != SQ_EYE_BEGIN_BYTES || payload[8] > 1
        || sq_load_le32(payload + 4) < 1
        || sq_load_le32(payload + 4) > MAX_DISTANCE) {
        return false;
    }
    *out = (struct sq_eye_begin){ sq_load_le32(payload),
                                  sq_load_le32(payload + 4), payload[8] };
    return true;
}

void
sq_eye_put_end(const struct sq_eye_end *end, uint8_t out[SQ_EYE_END_BYTES]) {
    sq_store_le32(out, (uint32_t)end->status);
    sq_store_le32(out + 4, end->frame);
    sq_store_le32(out + 8, end->bytes);
}

bool
sq_eye_read_end(const uint8_t *payload, uint32_t length,
                struct sq_eye_end *out) {
    if (length < SQ_EYE_END_BYTES) {
        return false;
    }
    *out = (struct sq_eye_end){ (int32_t)sq_load_le32(payload),
                                sq_load_le32(payload + 4),
                                sq_load_le32(payload + 8) };
    return true;
}
