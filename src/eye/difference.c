/* Compares raw frames of screencap. */
#include "eye/difference.h"

#include <string.h>

#include "util/bytes.h"

#define PIXEL 4
#define OLD_HEADER 12
#define HEADER 16

/* Android's codes of the formats with one byte per colour and a fourth. */
enum { FORMAT_RGBA = 1, FORMAT_RGBX = 2, FORMAT_BGRA = 5 };

bool
sq_eye_picture_of(const uint8_t *frame, size_t len,
                  struct sq_eye_picture *out) {
    if (len < HEADER) {
        return false;
    }
    uint32_t width = sq_load_le32(frame);
    uint32_t height = sq_load_le32(frame + 4);
    uint32_t format = sq_load_le32(frame + 8);
    uint64_t bytes = (uint64_t)width * height * PIXEL;
    bool is_known =
        format == FORMAT_RGBA || format == FORMAT_RGBX || format == FORMAT_BGRA;
    if (!is_known || width < 1 || height < 1 || width > SQ_EYE_MAX_SIDE
        || height > SQ_EYE_MAX_SIDE
        || (len != bytes + HEADER && len != bytes + OLD_HEADER)) {
        return false;
    }
    *out = (struct sq_eye_picture){ frame + len - bytes, width, height };
    return true;
}

bool
sq_eye_is_black(const struct sq_eye_picture *picture, uint8_t ceiling) {
    const uint8_t *end =
        picture->pixels + (size_t)picture->width * picture->height * PIXEL;
    for (const uint8_t *p = picture->pixels; p < end; p += PIXEL) {
        if (p[0] > ceiling || p[1] > ceiling || p[2] > ceiling) {
            return false;
        }
    }
    return true;
}

bool
sq_eye_area_fits(const struct sq_eye_area *area, uint32_t width,
                 uint32_t height) {
    return area->width > 0 && area->height > 0 && area->x < width
        && area->y < height && area->width <= width - area->x
        && area->height <= height - area->y;
}

/* The bits of two pixels that are colours, for either byte order. */
static uint64_t
colour_bits(void) {
    static const uint8_t bytes[2 * PIXEL] = {
        255, 255, 255, 0, 255, 255, 255, 0
    };
    uint64_t bits;
    memcpy(&bits, bytes, sizeof(bits));
    return bits;
}

static bool
pixel_differs(const uint8_t *a, const uint8_t *b) {
    return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}

/* Compares without a branch per pixel, because most rows are equal. */
static bool
row_differs(const uint8_t *a, const uint8_t *b, uint32_t pixels) {
    uint64_t bits = 0;
    uint32_t i = 0;
    for (; i + 2 <= pixels; i += 2) {
        uint64_t left;
        uint64_t right;
        memcpy(&left, a + (size_t)i * PIXEL, sizeof(left));
        memcpy(&right, b + (size_t)i * PIXEL, sizeof(right));
        bits |= left ^ right;
    }
    return (bits & colour_bits()) != 0
        || (i < pixels
            && pixel_differs(a + (size_t)i * PIXEL, b + (size_t)i * PIXEL));
}

/* Extends the columns from *left to before *right by those of a row. */
static void
widen(const uint8_t *a, const uint8_t *b, uint32_t pixels, uint32_t *left,
      uint32_t *right) {
    uint32_t first = 0;
    uint32_t end = pixels;
    while (first < *left
           && !pixel_differs(a + (size_t)first * PIXEL,
                             b + (size_t)first * PIXEL)) {
        first++;
    }
    while (end > *right
           && !pixel_differs(a + (size_t)(end - 1) * PIXEL,
                             b + (size_t)(end - 1) * PIXEL)) {
        end--;
    }
    *left = first;
    *right = end;
}

bool
sq_eye_differ(const struct sq_eye_picture *a, const struct sq_eye_picture *b,
              const struct sq_eye_area *area, struct sq_eye_area *where) {
    uint32_t left = area->width;
    uint32_t right = 0;
    uint32_t top = area->height;
    uint32_t bottom = 0;
    for (uint32_t y = 0; y < area->height; y++) {
        size_t at = ((size_t)(area->y + y) * a->width + area->x) * PIXEL;
        if (row_differs(a->pixels + at, b->pixels + at, area->width)) {
            widen(a->pixels + at, b->pixels + at, area->width, &left, &right);
            top = y < top ? y : top;
            bottom = y + 1;
        }
    }
    if (bottom == 0) {
        return false;
    }
    *where = (struct sq_eye_area){ area->x + left, area->y + top, right - left,
                                   bottom - top };
    return true;
}
