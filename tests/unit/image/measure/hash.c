#include "image/measure/measure.h"

#include "support/test.h"
#include "util/mem.h"

#define CELLS (SQ_LUMA_COLUMNS * SQ_LUMA_ROWS)

/* A frame with a random fourth byte and no memory after its last pixel. */
static struct sq_image
frame(int width, int height, size_t gap) {
    size_t stride = (size_t)width * SQ_PIXEL_BYTES + gap;
    size_t bytes = stride * (size_t)height - gap;
    struct sq_image image = { width, height, stride, sq_mem_alloc(bytes, 1),
                              0 };
    for (size_t i = 0; i < bytes; i++) {
        image.pixels[i] = (uint8_t)t_random();
    }
    return image;
}

static void
paint(struct sq_image *image, int x, int y, uint32_t rgb) {
    uint8_t *pixel = sq_image_row(image, y) + x * SQ_PIXEL_BYTES;
    pixel[0] = (uint8_t)(rgb >> 16);
    pixel[1] = (uint8_t)(rgb >> 8);
    pixel[2] = (uint8_t)rgb;
}

static struct sq_image
plain(int width, int height, uint32_t rgb) {
    struct sq_image image = frame(width, height, 7);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            paint(&image, x, y, rgb);
        }
    }
    return image;
}

static double
overlap(double a_from, double a_to, double b_from, double b_to) {
    double from = a_from > b_from ? a_from : b_from;
    double to = a_to < b_to ? a_to : b_to;
    return to > from ? to - from : 0;
}

/* The average of a cell by its definition, in floating point. */
static double
slow_cell(const struct sq_image *image, int column, int row) {
    double width = (double)image->width / SQ_LUMA_COLUMNS;
    double height = (double)image->height / SQ_LUMA_ROWS;
    double sum = 0;
    for (int y = 0; y < image->height; y++) {
        double down = overlap(y, y + 1, row * height, (row + 1) * height);
        for (int x = 0; down > 0 && x < image->width; x++) {
            const uint8_t *p = sq_image_row(image, y) + x * SQ_PIXEL_BYTES;
            double luma = (77 * p[0] + 150 * p[1] + 29 * p[2]) / 256.0;
            sum += luma * down
                 * overlap(x, x + 1, column * width, (column + 1) * width);
        }
    }
    return sum / (width * height);
}

T_CASE(cells_are_exact_averages) {
    static const int sides[] = { 1, 2, 7, 9, 15, 16, 17, 31, 64, 65, 100 };
    static const size_t count = SQ_COUNT(sides);
    for (size_t i = 0; i < count * count; i++) {
        struct sq_image image =
            frame(sides[i % count], sides[i / count], i % 6);
        struct sq_luma_grid grid;
        sq_image_luma_grid(&image, &grid);
        for (int cell = 0; cell < CELLS; cell++) {
            double want = slow_cell(&image, cell % SQ_LUMA_COLUMNS,
                                    cell / SQ_LUMA_COLUMNS);
            double off = grid.cells[cell] - want;
            if (off > 0.5001 || off < -0.5001) {
                T_INT(image.width, -1);
                T_INT(image.height, -1);
                T_INT(cell, -1);
            }
        }
        sq_image_finish(&image);
    }
}

T_CASE(plain_colours_keep_their_brightness) {
    static const struct {
        uint32_t rgb;
        int luma;
    } rows[] = {
        { 0x000000, 0 },  { 0xffffff, 255 }, { 0x808080, 128 },
        { 0xff0000, 77 }, { 0x00ff00, 149 }, { 0x0000ff, 29 },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_FREED(sq_image_finish)
        struct sq_image image = plain(37, 23, rows[i].rgb);
        struct sq_luma_grid grid;
        sq_image_luma_grid(&image, &grid);
        for (int cell = 0; cell < CELLS; cell++) {
            T_INT(grid.cells[cell], rows[i].luma);
        }
        T_INT(sq_image_dhash(&image), 0);
    }
}

/* Grey that rises to the right in the upper half and falls in the lower one. */
static struct sq_image
ramp(int width, int height) {
    struct sq_image image = frame(width, height, 0);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int rising = x * 255 / (width - 1);
            int grey = y < height / 2 ? rising : 255 - rising;
            paint(&image, x, y, (uint32_t)grey * 0x010101u);
        }
    }
    return image;
}

T_CASE(hash_bits_start_at_the_top_left) {
    struct sq_image image = ramp(90, 80);
    T(sq_image_dhash(&image) == 0xffffffff00000000u);
    sq_image_finish(&image);

    image = plain(9, 8, 0x101010);
    paint(&image, 1, 0, 0xffffff);
    T(sq_image_dhash(&image) == 0x8000000000000000u);
    paint(&image, 8, 7, 0xffffff);
    T(sq_image_dhash(&image) == 0x8000000000000001u);
    sq_image_finish(&image);
}

T_CASE(hashes_survive_scaling) {
    T_FREED(sq_image_finish) struct sq_image large = ramp(1080, 2400);
    T_FREED(sq_image_finish) struct sq_image small = ramp(45, 100);
    T_INT(sq_hash_distance(sq_image_dhash(&large), sq_image_dhash(&small)), 0);
}

T_CASE(distance_counts_bits) {
    T_INT(sq_hash_distance(0, 0), 0);
    T_INT(sq_hash_distance(0, UINT64_MAX), 64);
    T_INT(sq_hash_distance(0x8000000000000001u, 1), 1);
}

T_CASE(black_frames_are_blank) {
    struct sq_flatness flat = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = plain(65, 33, 0x000000);
    T(sq_image_blank(&image, &flat));
    T(flat.black && flat.single);

    /* As dark as codecs leave black, and in any channel. */
    paint(&image, 64, 32, 0x080008);
    T(sq_image_blank(&image, &flat));
    T(flat.black && !flat.single);
    static const uint32_t lit[] = { 0x090000, 0x000900, 0x000009, 0x800000,
                                    0xff0000, 0x0000ff, 0x7f7f7f };
    for (size_t i = 0; i < SQ_COUNT(lit); i++) {
        paint(&image, 64, 32, lit[i]);
        T(!sq_image_blank(&image, &flat));
        T(!flat.black && !flat.single);
        T(!sq_image_blank(&image, NULL));
    }
}

T_CASE(single_colours_are_detected) {
    struct sq_flatness flat = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = plain(64, 3, 0x12f07f);
    T(sq_image_blank(&image, &flat));
    T(flat.single && !flat.black);
    T_INT(flat.red, 0x12);
    T_INT(flat.green, 0xf0);
    T_INT(flat.blue, 0x7f);
    static const uint32_t near[] = { 0x13f07f, 0x12f17f, 0x12f07e };
    for (size_t i = 0; i < SQ_COUNT(near); i++) {
        paint(&image, 63, 2, near[i]);
        T(!sq_image_blank(&image, &flat));
        T(!flat.single);
    }
}

T_CASE(single_pixel_is_supported) {
    struct sq_flatness flat = { 0 };
    T_FREED(sq_image_finish) struct sq_image image = plain(1, 1, 0xffffff);
    struct sq_luma_grid grid;
    sq_image_luma_grid(&image, &grid);
    T_INT(grid.cells[0], 255);
    T_INT(grid.cells[CELLS - 1], 255);
    T_INT(sq_image_dhash(&image), 0);
    T(sq_image_blank(&image, &flat));
    T(flat.single && !flat.black);
}
