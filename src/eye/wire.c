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

static bool
is_size(uint32_t width, uint32_t height) {
    return width >= 1 && width <= SQ_EYE_MAX_SIDE && height >= 1
        && height <= SQ_EYE_MAX_SIDE;
}

/*
 * A payload that is being written, or read and checked. The same function names
 * the fields of a message for both.
 */
struct fields {
    bool is_written;
    uint8_t *out;      /* if it is written */
    const uint8_t *in; /* if it is read */
    size_t at;
    bool is_valid;
};

static void
u32(struct fields *fields, uint32_t *value) {
    if (fields->is_written) {
        sq_store_le32(fields->out + fields->at, *value);
    } else {
        *value = sq_load_le32(fields->in + fields->at);
    }
    fields->at += 4;
}

static void
u64(struct fields *fields, uint64_t *value) {
    uint32_t low = (uint32_t)*value;
    uint32_t high = (uint32_t)(*value >> 32);
    u32(fields, &low);
    u32(fields, &high);
    *value = (uint64_t)high << 32 | low;
}

static void
status(struct fields *fields, int32_t *value) {
    uint32_t number = (uint32_t)*value;
    u32(fields, &number);
    *value = (int32_t)number;
}

/* A byte that is less than `end`. */
static uint8_t
small(struct fields *fields, unsigned value, unsigned end) {
    uint8_t byte = (uint8_t)value;
    if (fields->is_written) {
        fields->out[fields->at] = byte;
    } else {
        byte = fields->in[fields->at];
    }
    fields->at++;
    fields->is_valid = fields->is_valid && byte < end;
    return byte;
}

static void
flag(struct fields *fields, bool *value) {
    *value = small(fields, *value, 2) == 1;
}

static void
check(struct fields *fields, bool is_valid) {
    fields->is_valid = fields->is_valid && is_valid;
}

/* Whether the payload is zero from a position up to here. */
static bool
is_zero(const struct fields *fields, size_t from) {
    const uint8_t *bytes = fields->is_written ? fields->out : fields->in;
    uint8_t any = 0;
    for (size_t i = from; i < fields->at; i++) {
        any |= bytes[i];
    }
    return any == 0;
}

/* An area that is inside any picture, or all zero. */
static void
area_fields(struct fields *fields, struct sq_eye_area *area) {
    size_t start = fields->at;
    u32(fields, &area->x);
    u32(fields, &area->y);
    u32(fields, &area->width);
    u32(fields, &area->height);
    check(fields,
          is_zero(fields, start)
              || sq_eye_area_fits(area, SQ_EYE_MAX_SIDE, SQ_EYE_MAX_SIDE));
}

/* The part is inside the frame, and nothing is enlarged. */
static bool
is_scaling(const struct sq_eye_scaling *scaling) {
    return is_size(scaling->width, scaling->height)
        && sq_eye_area_fits(&scaling->part, scaling->width, scaling->height)
        && scaling->out_width >= 1 && scaling->out_width <= scaling->part.width
        && scaling->out_height >= 1
        && scaling->out_height <= scaling->part.height;
}

static void
scaling_fields(struct fields *fields, struct sq_eye_scaling *scaling) {
    u32(fields, &scaling->width);
    u32(fields, &scaling->height);
    area_fields(fields, &scaling->part);
    u32(fields, &scaling->out_width);
    u32(fields, &scaling->out_height);
    scaling->kernel =
        (enum sq_eye_kernel)small(fields, scaling->kernel, SQ_EYE_KERNELS);
}

static void
capture_fields(struct fields *fields, struct sq_eye_capture *capture) {
    u32(fields, &capture->base);
    u32(fields, &capture->max_bytes);
    u64(fields, &capture->display);
    flag(fields, &capture->has_display);
    u32(fields, &capture->limit);
    size_t start = fields->at;
    u32(fields, &capture->scaled_base);
    scaling_fields(fields, &capture->scaling);
    check(fields, capture->limit <= SQ_EYE_MAX_LIMIT
                      && (capture->limit == 0 ? is_zero(fields, start)
                                              : is_scaling(&capture->scaling)));
}

static void
begin_fields(struct fields *fields, struct sq_eye_begin *begin) {
    u32(fields, &begin->most_bytes);
    u32(fields, &begin->distance);
    flag(fields, &begin->has_base);
    flag(fields, &begin->is_scaled);
    size_t start = fields->at;
    u64(fields, &begin->hash);
    u32(fields, &begin->width);
    u32(fields, &begin->height);
    flag(fields, &begin->is_black);
    check(fields,
          begin->distance >= 1 && begin->distance <= MAX_DISTANCE
              && (begin->is_scaled
                      ? begin->hash != 0 && is_size(begin->width, begin->height)
                      : is_zero(fields, start)));
}

static void
end_fields(struct fields *fields, struct sq_eye_end *end) {
    status(fields, &end->status);
    u32(fields, &end->frame);
    u32(fields, &end->bytes);
}

static void
look_fields(struct fields *fields, struct sq_eye_look *look) {
    u32(fields, &look->max_bytes);
    u64(fields, &look->display);
    u64(fields, &look->keep);
    flag(fields, &look->has_display);
}

static void
seen_fields(struct fields *fields, struct sq_eye_seen *seen) {
    status(fields, &seen->status);
    u64(fields, &seen->hash);
    u32(fields, &seen->width);
    u32(fields, &seen->height);
    flag(fields, &seen->is_black);
    check(fields,
          seen->hash != 0
              ? seen->status == 0 && is_size(seen->width, seen->height)
              : seen->width == 0 && seen->height == 0 && !seen->is_black);
}

static void
compare_fields(struct fields *fields, struct sq_eye_compare *compare) {
    u64(fields, &compare->before);
    u64(fields, &compare->after);
    area_fields(fields, &compare->area);
}

static void
compared_fields(struct fields *fields, struct sq_eye_compared *compared) {
    compared->outcome =
        (enum sq_eye_outcome)small(fields, compared->outcome, SQ_EYE_OUTCOMES);
    struct sq_eye_areas *where = &compared->where;
    where->count = small(fields, where->count, SQ_EYE_MAX_AREAS + 1);
    for (uint32_t i = 0; i < SQ_EYE_MAX_AREAS; i++) {
        struct sq_eye_area area = { 0 };
        if (i < where->count) {
            area = where->items[i];
        }
        area_fields(fields, &area);
        where->items[i] = area;
        check(fields, (area.width > 0) == (i < where->count));
    }
    check(fields,
          (compared->outcome == SQ_EYE_DIFFERENT) == (where->count > 0));
}

static void
crop_fields(struct fields *fields, struct sq_eye_crop *crop) {
    u64(fields, &crop->hash);
    u32(fields, &crop->max_bytes);
    scaling_fields(fields, &crop->scaling);
    check(fields, is_scaling(&crop->scaling));
}

static void
watch_fields(struct fields *fields, struct sq_eye_watch *watch) {
    struct sq_rest_rule *rule = &watch->rule;
    look_fields(fields, &watch->look);
    u64(fields, &watch->before);
    u32(fields, &rule->poll_ms);
    u32(fields, &rule->rest_ms);
    u32(fields, &rule->react_ms);
    u32(fields, &rule->limit_ms);
    u32(fields, &watch->quiet_ms);
    flag(fields, &rule->begins_early);
    check(fields, watch->quiet_ms <= SQ_REST_MAX_MS && sq_rest_is_valid(rule));
}

static void
watched_fields(struct fields *fields, struct sq_eye_watched *watched) {
    watched->state =
        (enum sq_rest_state)small(fields, watched->state, SQ_REST_STATES);
    seen_fields(fields, &watched->seen);
}

/* Defines both functions of a message; `compares` its length with its bytes. */
#define MESSAGE(name, bytes, compares)                                         \
    void sq_eye_put_##name(const struct sq_eye_##name *message,                \
                           uint8_t out[bytes]) {                               \
        struct sq_eye_##name values = *message;                                \
        struct fields fields = { .is_written = true, .out = out };             \
        name##_fields(&fields, &values);                                       \
    }                                                                          \
    bool sq_eye_read_##name(const uint8_t *payload, uint32_t length,           \
                            struct sq_eye_##name *out) {                       \
        struct fields fields = { .in = payload, .is_valid = true };            \
        struct sq_eye_##name values = { 0 };                                   \
        if (!(length compares bytes)) {                                        \
            return false;                                                      \
        }                                                                      \
        name##_fields(&fields, &values);                                       \
        if (fields.is_valid) {                                                 \
            *out = values;                                                     \
        }                                                                      \
        return fields.is_valid;                                                \
    }

MESSAGE(capture, SQ_EYE_CAPTURE_BYTES, ==)
MESSAGE(begin, SQ_EYE_BEGIN_BYTES, ==)
MESSAGE(end, SQ_EYE_END_BYTES, >=)
MESSAGE(look, SQ_EYE_LOOK_BYTES, ==)
MESSAGE(seen, SQ_EYE_SEEN_BYTES, >=)
MESSAGE(compare, SQ_EYE_COMPARE_BYTES, ==)
MESSAGE(compared, SQ_EYE_COMPARED_BYTES, ==)
MESSAGE(crop, SQ_EYE_CROP_BYTES, ==)
MESSAGE(watch, SQ_EYE_WATCH_BYTES, ==)
MESSAGE(watched, SQ_EYE_WATCHED_BYTES, >=)
