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

static bool
is_size(uint32_t width, uint32_t height) {
    return width >= 1 && width <= SQ_EYE_MAX_SIDE && height >= 1
        && height <= SQ_EYE_MAX_SIDE;
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

static void
put_scaling(const struct sq_eye_scaling *scaling, uint8_t *out) {
    sq_store_le32(out, scaling->width);
    sq_store_le32(out + 4, scaling->height);
    put_area(&scaling->part, out + 8);
    sq_store_le32(out + 24, scaling->out_width);
    sq_store_le32(out + 28, scaling->out_height);
    out[32] = (uint8_t)scaling->kernel;
}

/* Reads a scaling whose part is inside the frame, and which enlarges nothing.
 */
static bool
read_scaling(const uint8_t *payload, struct sq_eye_scaling *out) {
    struct sq_eye_scaling scaling = {
        .width = sq_load_le32(payload),
        .height = sq_load_le32(payload + 4),
        .out_width = sq_load_le32(payload + 24),
        .out_height = sq_load_le32(payload + 28),
    };
    if (!is_size(scaling.width, scaling.height)
        || !read_area(payload + 8, &scaling.part)
        || !sq_eye_area_fits(&scaling.part, scaling.width, scaling.height)
        || scaling.out_width < 1 || scaling.out_width > scaling.part.width
        || scaling.out_height < 1 || scaling.out_height > scaling.part.height
        || payload[32] >= SQ_EYE_KERNELS) {
        return false;
    }
    scaling.kernel = (enum sq_eye_kernel)payload[32];
    *out = scaling;
    return true;
}

static bool
is_zero(const uint8_t *bytes, size_t count) {
    uint8_t any = 0;
    for (size_t i = 0; i < count; i++) {
        any |= bytes[i];
    }
    return any == 0;
}

void
sq_eye_put_capture(const struct sq_eye_capture *capture,
                   uint8_t out[SQ_EYE_CAPTURE_BYTES]) {
    sq_store_le32(out, capture->base);
    sq_store_le32(out + 4, capture->max_bytes);
    store_le64(out + 8, capture->display);
    out[16] = capture->has_display;
    sq_store_le32(out + 17, capture->limit);
    sq_store_le32(out + 21, capture->scaled_base);
    put_scaling(&capture->scaling, out + 25);
}

bool
sq_eye_read_capture(const uint8_t *payload, uint32_t length,
                    struct sq_eye_capture *out) {
    if (length != SQ_EYE_CAPTURE_BYTES || payload[16] > 1) {
        return false;
    }
    struct sq_eye_capture capture = {
        .base = sq_load_le32(payload),
        .max_bytes = sq_load_le32(payload + 4),
        .display = sq_load_le64(payload + 8),
        .has_display = payload[16],
        .limit = sq_load_le32(payload + 17),
        .scaled_base = sq_load_le32(payload + 21),
    };
    if (capture.limit > SQ_EYE_MAX_LIMIT) {
        return false;
    }
    if (capture.limit == 0 ? !is_zero(payload + 21, SQ_EYE_CAPTURE_BYTES - 21)
                           : !read_scaling(payload + 25, &capture.scaling)) {
        return false;
    }
    *out = capture;
    return true;
}

void
sq_eye_put_begin(const struct sq_eye_begin *begin,
                 uint8_t out[SQ_EYE_BEGIN_BYTES]) {
    sq_store_le32(out, begin->most_bytes);
    sq_store_le32(out + 4, begin->distance);
    out[8] = begin->has_base;
    out[9] = begin->is_scaled;
    store_le64(out + 10, begin->hash);
    sq_store_le32(out + 18, begin->width);
    sq_store_le32(out + 22, begin->height);
    out[26] = begin->is_black;
}

bool
sq_eye_read_begin(const uint8_t *payload, uint32_t length,
                  struct sq_eye_begin *out) {
    if (length != SQ_EYE_BEGIN_BYTES || payload[8] > 1 || payload[9] > 1
        || payload[26] > 1) {
        return false;
    }
    const struct sq_eye_begin begin = {
        .most_bytes = sq_load_le32(payload),
        .distance = sq_load_le32(payload + 4),
        .has_base = payload[8],
        .is_scaled = payload[9],
        .hash = sq_load_le64(payload + 10),
        .width = sq_load_le32(payload + 18),
        .height = sq_load_le32(payload + 22),
        .is_black = payload[26],
    };
    bool is_valid = begin.distance >= 1 && begin.distance <= MAX_DISTANCE
                 && (begin.is_scaled
                         ? begin.hash != 0 && is_size(begin.width, begin.height)
                         : is_zero(payload + 10, SQ_EYE_BEGIN_BYTES - 10));
    if (is_valid) {
        *out = begin;
    }
    return is_valid;
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

void
sq_eye_put_crop(const struct sq_eye_crop *crop,
                uint8_t out[SQ_EYE_CROP_BYTES]) {
    store_le64(out, crop->hash);
    sq_store_le32(out + 8, crop->max_bytes);
    put_scaling(&crop->scaling, out + 12);
}

bool
sq_eye_read_crop(const uint8_t *payload, uint32_t length,
                 struct sq_eye_crop *out) {
    struct sq_eye_scaling scaling;
    if (length != SQ_EYE_CROP_BYTES || !read_scaling(payload + 12, &scaling)) {
        return false;
    }
    *out = (struct sq_eye_crop){ sq_load_le64(payload),
                                 sq_load_le32(payload + 8), scaling };
    return true;
}

void
sq_eye_put_watch(const struct sq_eye_watch *watch,
                 uint8_t out[SQ_EYE_WATCH_BYTES]) {
    const struct sq_rest_rule *rule = &watch->rule;
    uint8_t *more = out + SQ_EYE_LOOK_BYTES;
    sq_eye_put_look(&watch->look, out);
    store_le64(more, watch->before);
    sq_store_le32(more + 8, rule->poll_ms);
    sq_store_le32(more + 12, rule->rest_ms);
    sq_store_le32(more + 16, rule->react_ms);
    sq_store_le32(more + 20, rule->limit_ms);
    sq_store_le32(more + 24, watch->quiet_ms);
    more[28] = rule->begins_early;
}

bool
sq_eye_read_watch(const uint8_t *payload, uint32_t length,
                  struct sq_eye_watch *out) {
    struct sq_eye_watch watch;
    if (length != SQ_EYE_WATCH_BYTES
        || !sq_eye_read_look(payload, SQ_EYE_LOOK_BYTES, &watch.look)) {
        return false;
    }
    const uint8_t *more = payload + SQ_EYE_LOOK_BYTES;
    watch.before = sq_load_le64(more);
    watch.rule = (struct sq_rest_rule){
        sq_load_le32(more + 8),
        sq_load_le32(more + 12),
        sq_load_le32(more + 16),
        sq_load_le32(more + 20),
        more[28],
    };
    watch.quiet_ms = sq_load_le32(more + 24);
    if (more[28] > 1 || watch.quiet_ms > SQ_REST_MAX_MS
        || !sq_rest_is_valid(&watch.rule)) {
        return false;
    }
    *out = watch;
    return true;
}

void
sq_eye_put_watched(const struct sq_eye_watched *watched,
                   uint8_t out[SQ_EYE_WATCHED_BYTES]) {
    out[0] = (uint8_t)watched->state;
    sq_eye_put_seen(&watched->seen, out + 1);
}

bool
sq_eye_read_watched(const uint8_t *payload, uint32_t length,
                    struct sq_eye_watched *out) {
    struct sq_eye_seen seen;
    if (length < SQ_EYE_WATCHED_BYTES || payload[0] >= SQ_REST_STATES
        || !sq_eye_read_seen(payload + 1, length - 1, &seen)) {
        return false;
    }
    *out = (struct sq_eye_watched){ (enum sq_rest_state)payload[0], seen };
    return true;
}
