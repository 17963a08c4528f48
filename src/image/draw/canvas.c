/* Fills rectangles, gradients and masks with alpha blending. */
#include "image/draw/draw.h"

#include <string.h>

#include "image/image.h"

static uint8_t *
pixel_at(const struct sq_canvas *canvas, int x, int y) {
    return canvas->pixels + (size_t)y * canvas->stride
         + (size_t)x * SQ_PIXEL_BYTES;
}

struct ink {
    uint8_t bytes[SQ_PIXEL_BYTES]; /* red, green, blue, 255 */
    uint32_t alpha;                /* 0 to 255 */
};

static struct ink
ink_of(sq_colour colour) {
    return (struct ink){
        .bytes = { (uint8_t)(colour >> 16), (uint8_t)(colour >> 8),
                   (uint8_t)colour, 255 },
        .alpha = colour >> 24,
    };
}

/* Returns the bytes of a pixel as one number, in the order of this machine. */
static uint32_t
pixel_value(const uint8_t *pixel) {
    uint32_t value = 0;
    memcpy(&value, pixel, sizeof(value));
    return value;
}

static void
put_pixel(uint8_t *pixel, uint32_t value) {
    memcpy(pixel, &value, sizeof(value));
}

static void
fill_pixels(uint8_t *to, const struct ink *ink, size_t count) {
    uint32_t value = pixel_value(ink->bytes);
    for (size_t i = 0; i < count; i++) {
        put_pixel(to + i * SQ_PIXEL_BYTES, value);
    }
}

/* Returns exactly round(value / 255) for products of two bytes. */
static uint32_t
divide_255(uint32_t value) {
    value += 128;
    return (value + (value >> 8)) >> 8;
}

/* Two bytes of a pixel with a byte of room above each. */
#define PAIR 0x00ff00ffu

/* Like divide_255 of both halves. */
static uint32_t
divide_pair_255(uint32_t pair) {
    pair += 0x00800080u;
    return (pair + (pair >> 8 & PAIR)) >> 8 & PAIR;
}

static void
blend_pixels(uint8_t *to, const struct ink *ink, uint32_t alpha, size_t count) {
    if (alpha == 255) {
        fill_pixels(to, ink, count);
        return;
    }
    uint32_t value = pixel_value(ink->bytes);
    uint32_t even = (value & PAIR) * alpha;
    uint32_t odd = (value >> 8 & PAIR) * alpha;
    uint32_t rest = 255 - alpha;
    for (size_t i = 0; i < count; i++, to += SQ_PIXEL_BYTES) {
        value = pixel_value(to);
        put_pixel(to, divide_pair_255(even + (value & PAIR) * rest)
                          | divide_pair_255(odd + (value >> 8 & PAIR) * rest)
                                << 8);
        to[3] = 255;
    }
}

void
sq_canvas_rect(struct sq_canvas *canvas, struct sq_rect rect,
               sq_colour colour) {
    rect = sq_rect_common(rect, canvas->clip);
    struct ink ink = ink_of(colour);
    if (sq_rect_is_empty(rect) || ink.alpha == 0) {
        return;
    }
    for (int y = rect.top; y < rect.bottom; y++) {
        blend_pixels(pixel_at(canvas, rect.left, y), &ink, ink.alpha,
                     (size_t)(rect.right - rect.left));
    }
}

static uint32_t
mix_channel(sq_colour a, sq_colour b, int shift, uint32_t part) {
    uint32_t from = a >> shift & 255;
    uint32_t to = b >> shift & 255;
    return divide_255(from * (255 - part) + to * part) << shift;
}

void
sq_canvas_gradient(struct sq_canvas *canvas, struct sq_rect rect, sq_colour top,
                   sq_colour bottom) {
    struct sq_rect visible = sq_rect_common(rect, canvas->clip);
    for (int y = visible.top; y < visible.bottom; y++) {
        uint32_t part = (uint32_t)((int64_t)(y - rect.top) * 255
                                   / (rect.bottom - rect.top));
        sq_colour colour = SQ_RGB(mix_channel(top, bottom, 16, part)
                                  | mix_channel(top, bottom, 8, part)
                                  | mix_channel(top, bottom, 0, part));
        sq_canvas_rect(
            canvas, (struct sq_rect){ visible.left, y, visible.right, y + 1 },
            colour);
    }
}

void
sq_canvas_mask(struct sq_canvas *canvas, const struct sq_mask *mask,
               struct sq_pt at, sq_colour colour) {
    struct sq_rect bounds = { at.x, at.y, at.x + mask->width,
                              at.y + mask->height };
    struct sq_rect visible = sq_rect_common(bounds, canvas->clip);
    struct ink ink = ink_of(colour);
    for (int y = visible.top; y < visible.bottom; y++) {
        const uint8_t *from =
            mask->bytes + (size_t)(y - at.y) * (size_t)mask->width;
        uint8_t *to = pixel_at(canvas, 0, y);
        for (int x = visible.left; x < visible.right; x++) {
            uint32_t alpha = divide_255(from[x - at.x] * ink.alpha);
            if (alpha) {
                blend_pixels(to + (size_t)x * SQ_PIXEL_BYTES, &ink, alpha, 1);
            }
        }
    }
}
