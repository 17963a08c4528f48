#include "demo/page.h"

#include <string.h>

struct colour {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
};

static const struct colour paper = { 250, 250, 252 };
static const struct colour panel = { 255, 255, 255 };
static const struct colour line = { 224, 226, 230 };
static const struct colour ink = { 28, 30, 34 };
static const struct colour pale_ink = { 110, 114, 122 };
static const struct colour accents[] = {
    { 26, 115, 232 },
    { 217, 48, 37 },
    { 24, 128, 56 },
    { 249, 171, 0 },
};

#define GLYPH_WIDTH 5
#define GLYPH_HEIGHT 7

/* A to Z, one byte per row, the highest of five bits leftmost. */
static const uint8_t glyphs[26][GLYPH_HEIGHT] = {
    { 0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11 },
    { 0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e },
    { 0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e },
    { 0x1e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1e },
    { 0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f },
    { 0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10 },
    { 0x0e, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0f },
    { 0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11 },
    { 0x0e, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e },
    { 0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0c },
    { 0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11 },
    { 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f },
    { 0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11 },
    { 0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11 },
    { 0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e },
    { 0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10 },
    { 0x0e, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0d },
    { 0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11 },
    { 0x0f, 0x10, 0x10, 0x0e, 0x01, 0x01, 0x1e },
    { 0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04 },
    { 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e },
    { 0x11, 0x11, 0x11, 0x11, 0x11, 0x0a, 0x04 },
    { 0x11, 0x11, 0x11, 0x15, 0x15, 0x1b, 0x11 },
    { 0x11, 0x11, 0x0a, 0x04, 0x0a, 0x11, 0x11 },
    { 0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04 },
    { 0x1f, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1f },
};

struct box {
    int x;
    int y;
    int width;
    int height;
};

/* A hash, so that a pixel's noise depends on its place only. */
static uint32_t
scatter(uint32_t x, uint32_t y, uint32_t seed) {
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ seed * 0xc2b2ae3du;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return h ^ (h >> 15);
}

/* Lay colour over the pixel with a weight of 0 to 255. */
static void
blend(struct sq_image *image, int x, int y, struct colour colour, int weight) {
    if (x < 0 || y < 0 || x >= image->width || y >= image->height) {
        return;
    }
    uint8_t *pixel = sq_image_row(image, y) + (size_t)x * SQ_PIXEL_BYTES;
    const uint8_t over[3] = { colour.red, colour.green, colour.blue };
    for (int i = 0; i < 3; i++) {
        pixel[i] =
            (uint8_t)((pixel[i] * (255 - weight) + over[i] * weight) / 255);
    }
    pixel[3] = 255;
}

static void
fill(struct sq_image *image, struct box box, struct colour colour) {
    for (int y = box.y; y < box.y + box.height; y++) {
        for (int x = box.x; x < box.x + box.width; x++) {
            blend(image, x, y, colour, 255);
        }
    }
}

static float
glyph_bit(int letter, int column, int row) {
    if (column < 0 || row < 0 || column >= GLYPH_WIDTH || row >= GLYPH_HEIGHT) {
        return 0;
    }
    return (float)(glyphs[letter][row] >> (GLYPH_WIDTH - 1 - column) & 1);
}

/* How much of the pixel the letter covers: its edges are soft, as on a screen.
 */
static int
glyph_cover(int letter, int scale, int x, int y) {
    float across = ((float)x + 0.5f) / (float)scale - 0.5f;
    float down = ((float)y + 0.5f) / (float)scale - 0.5f;
    int column = (int)(across + 1) - 1;
    int row = (int)(down + 1) - 1;
    float right = across - (float)column;
    float below = down - (float)row;
    float top = glyph_bit(letter, column, row) * (1 - right)
              + glyph_bit(letter, column + 1, row) * right;
    float bottom = glyph_bit(letter, column, row + 1) * (1 - right)
                 + glyph_bit(letter, column + 1, row + 1) * right;
    float cover = top * (1 - below) + bottom * below;
    float hard = (cover - 0.5f) * (float)scale * 0.7f + 0.5f;
    return (int)(255 * (hard < 0 ? 0 : hard > 1 ? 1 : hard));
}

static void
draw_letter(struct sq_image *image, int letter, struct box cell,
            struct colour colour) {
    for (int y = 0; y < cell.height; y++) {
        for (int x = 0; x < cell.width; x++) {
            int cover = glyph_cover(letter, cell.height / GLYPH_HEIGHT, x, y);
            blend(image, cell.x + x, cell.y + y, colour, cover);
        }
    }
}

/* Words of made-up letters until the box is full; its height is the type's. */
static void
draw_text(struct sq_image *image, struct box box, struct colour colour,
          uint32_t seed) {
    int scale = box.height / GLYPH_HEIGHT;
    int advance = scale * (GLYPH_WIDTH + 1);
    int end = box.x + box.width - advance;
    uint32_t count = 0;
    for (int x = box.x; x <= end; x += advance) {
        uint32_t hash = scatter(count++, seed, 1);
        if (hash % 7 == 0) {
            continue;
        }
        struct box cell = { x, box.y, scale * GLYPH_WIDTH,
                            scale * GLYPH_HEIGHT };
        draw_letter(image, (int)(hash / 7 % 26), cell, colour);
    }
}

/* Noise that is smooth over cells of this many pixels, 0 to 255. */
static int
cloud(int x, int y, int cell, uint32_t seed) {
    uint32_t column = (uint32_t)(x / cell);
    uint32_t row = (uint32_t)(y / cell);
    int right = x % cell;
    int below = y % cell;
    int corner[4];
    for (uint32_t i = 0; i < 4; i++) {
        corner[i] = (int)(scatter(column + i % 2, row + i / 2, seed) & 255);
    }
    int top = corner[0] * (cell - right) + corner[1] * right;
    int bottom = corner[2] * (cell - right) + corner[3] * right;
    return (top * (cell - below) + bottom * below) / (cell * cell);
}

static uint8_t
clamp(int value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

/* A gradient, clouds from coarse to fine and the grain of a sensor. */
static void
draw_photo(struct sq_image *image, struct box box, uint32_t seed) {
    for (int y = 0; y < box.height; y++) {
        for (int x = 0; x < box.width; x++) {
            int grain = (int)(scatter((uint32_t)x, (uint32_t)y, seed) % 9) - 4;
            int light = 40 + 90 * y / box.height + cloud(x, y, 97, seed) / 3
                      + cloud(x, y, 23, seed) / 6 + cloud(x, y, 7, seed) / 10
                      + grain;
            int tint = cloud(x, y, 131, seed + 1) / 3 - 42;
            struct colour colour = { clamp(light + tint), clamp(light),
                                     clamp(light - tint) };
            blend(image, box.x + x, box.y + y, colour, 255);
        }
    }
}

/* A list of settings: icon, title, two lines of explanation, divider. */
static void
draw_ui(struct sq_image *image) {
    int unit =
        image->height > image->width ? image->width / 360 : image->height / 270;
    unit = unit < 1 ? 1 : unit;
    int row = 56 * unit;
    int width = image->width;
    fill(image, (struct box){ 0, 0, width, row }, panel);
    draw_text(image, (struct box){ 16 * unit, 18 * unit, width / 2, 21 * unit },
              ink, 0);
    for (int i = 1; i * row < image->height; i++) {
        int y = i * row;
        struct colour accent = accents[i % 4];
        int left = 64 * unit;
        int room = width - left - 16 * unit;
        fill(image, (struct box){ 0, y, width, unit }, line);
        fill(image,
             (struct box){ 16 * unit, y + 12 * unit, 32 * unit, 32 * unit },
             accent);
        draw_text(image,
                  (struct box){ left, y + 8 * unit, room / 2, 14 * unit }, ink,
                  (uint32_t)i);
        draw_text(image, (struct box){ left, y + 28 * unit, room, 7 * unit },
                  pale_ink, (uint32_t)i + 100);
        draw_text(image,
                  (struct box){ left, y + 40 * unit, room * 3 / 4, 7 * unit },
                  pale_ink, (uint32_t)i + 200);
    }
}

/* A shop: two columns of pictures, each with a name and a price. */
static void
draw_shop(struct sq_image *image) {
    int gap = image->width / 45;
    int side = (image->width - 3 * gap) / 2;
    int step = side + 8 * gap;
    for (int i = 0; i / 2 * step < image->height; i++) {
        int x = gap + i % 2 * (side + gap);
        int y = gap + i / 2 * step;
        draw_photo(image, (struct box){ x, y, side, side }, (uint32_t)i + 9);
        draw_text(image, (struct box){ x, y + side + gap, side, 2 * gap }, ink,
                  (uint32_t)i + 300);
        draw_text(image,
                  (struct box){ x, y + side + 4 * gap, side / 2, 2 * gap },
                  accents[1], (uint32_t)i + 400);
    }
}

bool
demo_page_draw(const char *kind, int width, int height, struct sq_image *out,
                struct sq_err *err) {
    static const struct {
        const char *kind;
        void (*draw)(struct sq_image *image);
    } kinds[] = { { "ui", draw_ui }, { "photo", draw_shop } };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].kind, kind) != 0) {
            continue;
        }
        if (!sq_image_init(out, width, height, &sq_limits_default, err)) {
            return false;
        }
        fill(out, (struct box){ 0, 0, width, height }, paper);
        kinds[i].draw(out);
        return true;
    }
    return sq_fail(err, SQ_ERR_ARGUMENT, "no page \"%s\"", kind);
}
