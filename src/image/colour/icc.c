/* Reads the header, tags and curves of ICC profiles. */
#include "image/colour/icc.h"

#include "image/colour/icc_curve.h"
#include "image/colour/icc_load.h"

#define HEADER_BYTES 128
#define TAG_BYTES 12
#define MAX_TAGS 100

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct sq_icc_tag
sq_icc_find(const struct sq_icc *icc, uint32_t name) {
    uint32_t count = sq_icc_load32(icc->bytes + HEADER_BYTES);
    const uint8_t *entry = icc->bytes + HEADER_BYTES + 4;
    for (uint32_t i = 0; i < count; i++, entry += TAG_BYTES) {
        if (sq_icc_load32(entry) == name) {
            return (struct sq_icc_tag){ icc->bytes + sq_icc_load32(entry + 4),
                                        sq_icc_load32(entry + 8) };
        }
    }
    return (struct sq_icc_tag){ 0 };
}

static bool
tags_lie_inside(const struct sq_icc *icc) {
    uint32_t count = sq_icc_load32(icc->bytes + HEADER_BYTES);
    const uint8_t *entry = icc->bytes + HEADER_BYTES + 4;
    if (count > MAX_TAGS
        || icc->count - HEADER_BYTES - 4 < (size_t)count * TAG_BYTES) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++, entry += TAG_BYTES) {
        size_t at = sq_icc_load32(entry + 4);
        size_t length = sq_icc_load32(entry + 8);
        if (length < 8 || at > icc->count || length > icc->count - at) {
            return false;
        }
    }
    return true;
}

static bool
find_pixels(uint32_t space, enum sq_pixels *out) {
    static const struct {
        uint32_t space;
        enum sq_pixels pixels;
    } known[] = {
        { SQ_ICC_NAME('R', 'G', 'B', ' '), SQ_PIXELS_RGB },
        { SQ_ICC_NAME('G', 'R', 'A', 'Y'), SQ_PIXELS_GREY },
        { SQ_ICC_NAME('C', 'M', 'Y', 'K'), SQ_PIXELS_CMYK },
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        if (known[i].space == space) {
            *out = known[i].pixels;
            return true;
        }
    }
    return false;
}

/*
 * Accepts profiles of devices and colour spaces, not device links or named
 * colours.
 */
static bool
is_class_of_pictures(uint32_t class) {
    return class == SQ_ICC_NAME('s', 'c', 'n', 'r')
        || class == SQ_ICC_NAME('m', 'n', 't', 'r')
        || class == SQ_ICC_NAME('p', 'r', 't', 'r')
        || class == SQ_ICC_NAME('s', 'p', 'a', 'c');
}

bool
sq_icc_init(struct sq_icc *icc, const uint8_t *bytes, size_t count) {
    *icc = (struct sq_icc){ .bytes = bytes, .count = count };
    if (count < HEADER_BYTES + 4 || count > SQ_MAX_ICC_BYTES
        || sq_icc_load32(bytes) > count
        || sq_icc_load32(bytes) < HEADER_BYTES + 4
        || sq_icc_load32(bytes + 36) != SQ_ICC_NAME('a', 'c', 's', 'p')
        || !is_class_of_pictures(sq_icc_load32(bytes + 12))) {
        return false;
    }
    uint32_t connection = sq_icc_load32(bytes + 20);
    icc->count = sq_icc_load32(bytes); /* some writers add padding */
    icc->version = bytes[8];
    icc->is_lab = connection == SQ_ICC_NAME('L', 'a', 'b', ' ');
    return (icc->is_lab || connection == SQ_ICC_NAME('X', 'Y', 'Z', ' '))
        && find_pixels(sq_icc_load32(bytes + 16), &icc->pixels)
        && tags_lie_inside(icc);
}

static bool
read_curve(struct sq_icc_tag tag, double values[SQ_LEVELS]) {
    struct sq_icc_curve curve;
    size_t used;
    if (!tag.data || !sq_icc_curve_init(&curve, tag.data, tag.length, &used)) {
        return false;
    }
    for (int i = 0; i < SQ_LEVELS; i++) {
        values[i] = sq_icc_curve_at(&curve, (double)i / (SQ_LEVELS - 1));
    }
    return true;
}

static bool
read_xyz(struct sq_icc_tag tag, int column, double to_xyz[3][3]) {
    if (!tag.data || tag.length < 20
        || sq_icc_load32(tag.data) != SQ_ICC_NAME('X', 'Y', 'Z', ' ')) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        to_xyz[i][column] = sq_icc_load_fixed(tag.data + 8 + i * 4);
    }
    return true;
}

bool
sq_icc_light(const struct sq_icc *icc, struct sq_light *out) {
    static const char names[] = "rgb";
    for (int i = 0; i < 3; i++) {
        struct sq_icc_tag curve =
            sq_icc_find(icc, SQ_ICC_NAME(names[i], 'T', 'R', 'C'));
        struct sq_icc_tag xyz =
            sq_icc_find(icc, SQ_ICC_NAME(names[i], 'X', 'Y', 'Z'));
        if (!read_curve(curve, out->curve[i])
            || !read_xyz(xyz, i, out->to_xyz)) {
            return false;
        }
    }
    return icc->pixels == SQ_PIXELS_RGB;
}

double
sq_icc_lightness(double lightness) {
    double f = (lightness * 100 + 16) / 116;
    return f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841;
}

bool
sq_icc_grey(const struct sq_icc *icc, double curve[SQ_LEVELS]) {
    struct sq_icc_tag tag = sq_icc_find(icc, SQ_ICC_NAME('k', 'T', 'R', 'C'));
    if (icc->pixels != SQ_PIXELS_GREY || !read_curve(tag, curve)) {
        return false;
    }
    for (int i = 0; icc->is_lab && i < SQ_LEVELS; i++) {
        curve[i] = sq_icc_lightness(curve[i]);
    }
    return true;
}
