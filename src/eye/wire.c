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

static void
store_le64(uint8_t *out, uint64_t value) {
    sq_store_le32(out, (uint32_t)value);
    sq_store_le32(out + 4, (uint32_t)(value >> 32));
}

void
sq_eye_put_capture(const struct sq_eye_capture *capture,
                   uint8_t out[SQ_EYE_CAPTURE_BYTES]) {
    sq_store_le32(out, capture->base);
    sq_store_le32(out + 4, capture->max_bytes);
    store_le64(out + 8, capture->display);
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

void
sq_eye_put_look(const struct sq_eye_look *look,
                uint8_t out[SQ_EYE_LOOK_BYTES]) {
    sq_store_le32(out, look->max_bytes);
    store_le64(out + 4, look->display);
    store_le64(out + 12, look->keep);
    out[20] = look->has_display;
}

bool
sq_eye_read_look(const uint8_t *payload, uint32_t length,
                 struct sq_eye_look *out) {
    if (length != SQ_EYE_LOOK_BYTES || payload[20] > 1) {
        return false;
    }
    *out = (struct sq_eye_look){
        .max_bytes = sq_load_le32(payload),
        .display = sq_load_le64(payload + 4),
        .keep = sq_load_le64(payload + 12),
        .has_display = payload[20],
    };
    return true;
}

void
sq_eye_put_seen(const struct sq_eye_seen *seen,
                uint8_t out[SQ_EYE_SEEN_BYTES]) {
    sq_store_le32(out, (uint32_t)seen->status);
    store_le64(out + 4, seen->hash);
    sq_store_le32(out + 12, seen->width);
    sq_store_le32(out + 16, seen->height);
    out[20] = seen->is_black;
}

static bool
is_size(uint32_t width, uint32_t height) {
    return width >= 1 && width <= SQ_EYE_MAX_SIDE && height >= 1
        && height <= SQ_EYE_MAX_SIDE;
}

bool
sq_eye_read_seen(const uint8_t *payload, uint32_t length,
                 struct sq_eye_seen *out) {
    if (length < SQ_EYE_SEEN_BYTES || payload[20] > 1) {
        return false;
    }
    const struct sq_eye_seen seen = {
        .status = (int32_t)sq_load_le32(payload),
        .hash = sq_load_le64(payload + 4),
        .width = sq_load_le32(payload + 12),
        .height = sq_load_le32(payload + 16),
        .is_black = payload[20],
    };
    bool is_valid = seen.hash != 0
                      ? seen.status == 0 && is_size(seen.width, seen.height)
                      : seen.width == 0 && seen.height == 0 && !seen.is_black;
    if (is_valid) {
        *out = seen;
    }
    return is_valid;
}

static void
put_area(const struct sq_eye_area *area, uint8_t *out) {
    sq_store_le32(out, area->x);
    sq_store_le32(out + 4, area->y);
    sq_store_le32(out + 8, area->width);
    sq_store_le32(out + 12, area->height);
}

/* Reads an area that is inside any picture, or all zero. */
static bool
read_area(const uint8_t *payload, struct sq_eye_area *out) {
    const struct sq_eye_area area = {
        sq_load_le32(payload),
        sq_load_le32(payload + 4),
        sq_load_le32(payload + 8),
        sq_load_le32(payload + 12),
    };
    *out = area;
    return (area.x | area.y | area.width | area.height) == 0
        || sq_eye_area_fits(&area, SQ_EYE_MAX_SIDE, SQ_EYE_MAX_SIDE);
}

void
sq_eye_put_compare(const struct sq_eye_compare *compare,
                   uint8_t out[SQ_EYE_COMPARE_BYTES]) {
    store_le64(out, compare->before);
    store_le64(out + 8, compare->after);
    put_area(&compare->area, out + 16);
}

bool
sq_eye_read_compare(const uint8_t *payload, uint32_t length,
                    struct sq_eye_compare *out) {
    struct sq_eye_area area;
    if (length != SQ_EYE_COMPARE_BYTES || !read_area(payload + 16, &area)) {
        return false;
    }
    *out = (struct sq_eye_compare){ sq_load_le64(payload),
                                    sq_load_le64(payload + 8), area };
    return true;
}

void
sq_eye_put_compared(const struct sq_eye_compared *compared,
                    uint8_t out[SQ_EYE_COMPARED_BYTES]) {
    out[0] = (uint8_t)compared->outcome;
    put_area(&compared->where, out + 1);
}

bool
sq_eye_read_compared(const uint8_t *payload, uint32_t length,
                     struct sq_eye_compared *out) {
    struct sq_eye_area where;
    if (length != SQ_EYE_COMPARED_BYTES || payload[0] >= SQ_EYE_OUTCOMES
        || !read_area(payload + 1, &where)
        || (payload[0] == SQ_EYE_DIFFERENT) != (where.width > 0)) {
        return false;
    }
    *out = (struct sq_eye_compared){ (enum sq_eye_outcome)payload[0], where };
    return true;
}
