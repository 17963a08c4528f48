/* Draws something like a photograph. */
#include "demo/adbd/photograph.h"

#include "util/minmax.h"

#define PIXEL 4
#define COLOURS 3
#define GREY 128
#define GRAIN_BITS 3 /* of each colour of each pixel */

static uint32_t
mix(uint32_t value) {
    value = (value ^ value >> 16) * 0x7feb352du;
    value = (value ^ value >> 15) * 0x846ca68bu;
    return value ^ value >> 16;
}

/* Returns a number from -128 to 127 that belongs to a point. */
static int
value_at(int x, int y, uint32_t seed) {
    return (int)(mix((uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca6bu
                     ^ seed)
                 >> 24)
         - GREY;
}

/* Returns such a number that changes softly over `cell` pixels. */
static int
soft_value(int x, int y, int cell, uint32_t seed) {
    int left = x / cell;
    int top = y / cell;
    int across = x % cell;
    int down = y % cell;
    int upper = value_at(left, top, seed) * (cell - across)
              + value_at(left + 1, top, seed) * across;
    int lower = value_at(left, top + 1, seed) * (cell - across)
              + value_at(left + 1, top + 1, seed) * across;
    return (upper * (cell - down) + lower * down) / (cell * cell);
}

static void
draw_pixel(uint8_t *pixel, int x, int y, uint32_t seed) {
    int light = soft_value(x, y, 256, seed) + soft_value(x, y, 64, seed + 1) / 2
              + soft_value(x, y, 16, seed + 2) / 4;
    uint32_t grain = mix((uint32_t)(y << 16 | x) ^ seed);
    for (int i = 0; i < COLOURS; i++) {
        int tint = soft_value(x, y, 128, seed + 3 + (uint32_t)i) / 4;
        int noise = (int)(grain >> GRAIN_BITS * i & ((1 << GRAIN_BITS) - 1));
        pixel[i] = (uint8_t)sq_max_int(
            0, sq_min_int(255, GREY + light + tint + noise));
    }
    pixel[COLOURS] = 255;
}

void
sq_adbd_draw_photograph(uint8_t *pixels, int width, int height, uint32_t seed) {
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            draw_pixel(pixels + ((int64_t)y * width + x) * PIXEL, x, y,
                       mix(seed));
        }
    }
}
