/* Compares raw frames of screencap. */
#include "eye/difference.h"

#include <string.h>

#include "util/bytes.h"

#define PIXEL 4
#define OLD_HEADER 12
#define HEADER 16
/* Rows of a band; differences are collected in cells of it. */
#define BAND 16

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

/* Returns the smallest rectangle with both. */
static struct sq_eye_area
join(struct sq_eye_area a, struct sq_eye_area b) {
    uint32_t left = a.x < b.x ? a.x : b.x;
    uint32_t top = a.y < b.y ? a.y : b.y;
    uint32_t right =
        a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    uint32_t bottom =
        a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (struct sq_eye_area){ left, top, right - left, bottom - top };
}

static uint64_t
pixels_of(struct sq_eye_area area) {
    return (uint64_t)area.width * area.height;
}

/* Returns whether two areas are near, or have little between them. */
static bool
belong_together(struct sq_eye_area a, struct sq_eye_area b, uint32_t gap) {
    bool is_near = a.x <= b.x + b.width + gap && b.x <= a.x + a.width + gap
                && a.y <= b.y + b.height + gap && b.y <= a.y + a.height + gap;
    return is_near
        || pixels_of(join(a, b)) <= 2 * (pixels_of(a) + pixels_of(b));
}

/* Joins an area with those that are near. */
static struct sq_eye_area
join_near(struct sq_eye_areas *areas, struct sq_eye_area area, uint32_t gap) {
    uint32_t i = 0;
    while (i < areas->count) {
        if (belong_together(areas->items[i], area, gap)) {
            area = join(area, areas->items[i]);
            areas->count--;
            for (; i < areas->count; i++) {
                areas->items[i] = areas->items[i + 1];
            }
            i = 0; /* it is larger now */
        } else {
            i++;
        }
    }
    return area;
}

/* Finds the two of a full list that have the least between them: a < b. */
static void
find_pair(const struct sq_eye_area items[SQ_EYE_MAX_AREAS + 1], uint32_t *a,
          uint32_t *b) {
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < SQ_EYE_MAX_AREAS; i++) {
        for (uint32_t j = i + 1; j <= SQ_EYE_MAX_AREAS; j++) {
            uint64_t between = pixels_of(join(items[i], items[j]))
                             - pixels_of(items[i]) - pixels_of(items[j]);
            if (between < least) {
                least = between;
                *a = i;
                *b = j;
            }
        }
    }
}

/* Inserts an area in the order of reading. */
static void
insert(struct sq_eye_areas *areas, struct sq_eye_area area) {
    uint32_t at = areas->count++;
    for (; at > 0; at--) {
        const struct sq_eye_area *before = &areas->items[at - 1];
        if (before->y < area.y || (before->y == area.y && before->x < area.x)) {
            break;
        }
        areas->items[at] = *before;
    }
    areas->items[at] = area;
}

void
sq_eye_areas_add(struct sq_eye_areas *areas, struct sq_eye_area area,
                 uint32_t gap) {
    area = join_near(areas, area, gap);
    while (areas->count == SQ_EYE_MAX_AREAS) {
        struct sq_eye_area items[SQ_EYE_MAX_AREAS + 1];
        uint32_t a = 0;
        uint32_t b = 1;
        memcpy(items, areas->items, sizeof(areas->items));
        items[SQ_EYE_MAX_AREAS] = area;
        find_pair(items, &a, &b);
        areas->count = 0;
        for (uint32_t i = 0; i <= SQ_EYE_MAX_AREAS; i++) {
            if (i != a && i != b) {
                insert(areas, items[i]);
            }
        }
        area = join_near(areas, join(items[a], items[b]), gap);
    }
    insert(areas, area);
}

uint32_t
sq_eye_gap(uint32_t width, uint32_t height) {
    return (width > height ? width : height) / 48;
}

/* Extends a cell by what differs in a row of it. */
static void
widen(struct sq_eye_area *cell, uint32_t x, uint32_t y, const uint8_t *a,
      const uint8_t *b, uint32_t pixels) {
    uint32_t first = 0;
    uint32_t end = pixels;
    while (first < end
           && !pixel_differs(a + (size_t)first * PIXEL,
                             b + (size_t)first * PIXEL)) {
        first++;
    }
    while (end > first
           && !pixel_differs(a + (size_t)(end - 1) * PIXEL,
                             b + (size_t)(end - 1) * PIXEL)) {
        end--;
    }
    if (first < end) {
        const struct sq_eye_area found = { x + first, y, end - first, 1 };
        *cell = cell->width > 0 ? join(*cell, found) : found;
    }
}

void
sq_eye_comparison_end(struct sq_eye_comparison *comparison) {
    for (int i = 0; i < SQ_EYE_COLUMNS; i++) {
        struct sq_eye_area *cell = &comparison->cells[i];
        if (cell->width > 0) {
            sq_eye_areas_add(&comparison->areas, *cell, comparison->gap);
            cell->width = 0;
        }
    }
}

void
sq_eye_compare_row(struct sq_eye_comparison *comparison, uint32_t y,
                   const uint8_t *a, const uint8_t *b) {
    const uint32_t step = comparison->width / SQ_EYE_COLUMNS + 1;
    if (y / BAND != comparison->band) {
        sq_eye_comparison_end(comparison);
        comparison->band = y / BAND;
    }
    if (!row_differs(a, b, comparison->width)) {
        return;
    }
    for (uint32_t x = 0; x < comparison->width; x += step) {
        const uint32_t rest = comparison->width - x;
        widen(&comparison->cells[x / step], x, y, a + (size_t)x * PIXEL,
              b + (size_t)x * PIXEL, rest < step ? rest : step);
    }
}

struct sq_eye_areas
sq_eye_differ(const struct sq_eye_picture *a, const struct sq_eye_picture *b,
              const struct sq_eye_area *area) {
    struct sq_eye_comparison comparison = {
        .width = area->width, .gap = sq_eye_gap(a->width, a->height)
    };
    for (uint32_t y = 0; y < area->height; y++) {
        size_t at = ((size_t)(area->y + y) * a->width + area->x) * PIXEL;
        sq_eye_compare_row(&comparison, y, a->pixels + at, b->pixels + at);
    }
    sq_eye_comparison_end(&comparison);
    for (uint32_t i = 0; i < comparison.areas.count; i++) {
        comparison.areas.items[i].x += area->x;
        comparison.areas.items[i].y += area->y;
    }
    return comparison.areas;
}
