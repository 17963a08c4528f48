/* Draws marks by the distance of each pixel from a shape. */
#include "image/draw/draw.h"

#include <math.h>

static float
between(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

/* Returns how much of the pixel around a point is covered. */
static float
coverage(const struct sq_draw_shape *shape, float radius, float x, float y) {
    /* The distance of a point from the edge of the shape; negative inside. */
    float from_middle_x = fabsf(x - (shape->left + shape->right) / 2);
    float from_middle_y = fabsf(y - (shape->top + shape->bottom) / 2);
    float beyond_x = from_middle_x - (shape->right - shape->left) / 2 + radius;
    float beyond_y = from_middle_y - (shape->bottom - shape->top) / 2 + radius;
    float corner = hypotf(fmaxf(beyond_x, 0), fmaxf(beyond_y, 0));
    float edge_distance = corner + fminf(fmaxf(beyond_x, beyond_y), 0) - radius;
    if (shape->line > 0) {
        edge_distance = fabsf(edge_distance) - shape->line / 2;
    }
    return between(0.5f - edge_distance, 0, 1);
}

static uint8_t
mix(uint8_t under, uint8_t over, float share) {
    float value = (float)under + ((float)over - (float)under) * share;
    return (uint8_t)(value + 0.5f);
}

static void
paint_pixel(uint8_t *pixel, struct sq_paint paint, float share) {
    pixel[0] = mix(pixel[0], paint.red, share);
    pixel[1] = mix(pixel[1], paint.green, share);
    pixel[2] = mix(pixel[2], paint.blue, share);
}

void
sq_draw(struct sq_image *image, const struct sq_draw_shape *shape,
        struct sq_paint paint) {
    float most = fminf(shape->right - shape->left, shape->bottom - shape->top);
    float radius = between(shape->radius, 0, most / 2);
    float reach = shape->line / 2 + 1;
    float width = (float)image->width;
    float height = (float)image->height;
    int left = (int)between(shape->left - reach, 0, width);
    int right = (int)between(shape->right + reach + 1, 0, width);
    int top = (int)between(shape->top - reach, 0, height);
    int bottom = (int)between(shape->bottom + reach + 1, 0, height);
    for (int y = top; y < bottom; y++) {
        uint8_t *row = sq_image_row(image, y);
        for (int x = left; x < right; x++) {
            float share =
                coverage(shape, radius, (float)x + 0.5f, (float)y + 0.5f);
            if (share > 0) {
                paint_pixel(row + (size_t)x * SQ_PIXEL_BYTES, paint,
                            share * paint.opacity);
            }
        }
    }
}

void
sq_draw_disc(struct sq_image *image, float x, float y, float radius, float line,
             struct sq_paint paint) {
    const struct sq_draw_shape disc = {
        x - radius, y - radius, x + radius, y + radius, radius, line,
    };
    sq_draw(image, &disc, paint);
}

/* Seven-segment digits. Each stroke connects two corners of a 1 by 2 grid. */
static const struct stroke {
    uint8_t x, y, to_x, to_y;
} strokes[] = {
    { 0, 0, 1, 0 }, { 0, 1, 1, 1 }, { 0, 2, 1, 2 }, { 0, 0, 0, 1 },
    { 1, 0, 1, 1 }, { 0, 1, 0, 2 }, { 1, 1, 1, 2 },
};
#define STROKES (sizeof(strokes) / sizeof(strokes[0]))

/* The strokes of each digit: bit i is stroke i. */
static const uint8_t digits[10] = { 0x7d, 0x50, 0x37, 0x57, 0x5a,
                                    0x4f, 0x6f, 0x51, 0x7f, 0x5f };

static void
draw_digit(struct sq_image *image, int digit, float left, float top, float unit,
           struct sq_paint paint) {
    float half = unit * 0.17f;
    for (size_t i = 0; i < STROKES; i++) {
        const struct stroke *stroke = &strokes[i];
        const struct sq_draw_shape shape = {
            left + (float)stroke->x * unit - half,
            top + (float)stroke->y * unit - half,
            left + (float)stroke->to_x * unit + half,
            top + (float)stroke->to_y * unit + half,
            half,
            0,
        };
        if (digits[digit] >> i & 1) {
            sq_draw(image, &shape, paint);
        }
    }
}

void
sq_draw_number(struct sq_image *image, int number, float x, float y,
               float height, struct sq_paint paint) {
    int count = number > 99 ? 3 : number > 9 ? 2 : 1;
    float unit = height / 2;
    float step = unit * 1.7f;
    float left = x + step * (float)(count - 1) / 2 - unit / 2;
    int rest = number < 0 ? 0 : number % 1000;
    for (int i = 0; i < count; i++) {
        draw_digit(image, rest % 10, left - step * (float)i, y - unit, unit,
                   paint);
        rest /= 10;
    }
}
