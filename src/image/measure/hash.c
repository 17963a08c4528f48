/* Computes brightness grids and hashes, and detects blank pictures. */
#include "image/measure/measure.h"

#include <string.h>

#define DHASH_COLUMNS 9
#define DHASH_ROWS 8

/* Rec. 601 weights of red, green and blue in 256ths. */
#define RED_WEIGHT 77
#define GREEN_WEIGHT 150
#define BLUE_WEIGHT 29
#define LUMA_WEIGHT (RED_WEIGHT + GREEN_WEIGHT + BLUE_WEIGHT)

/*
 * The pixels of one cell on one axis. If `count` cells share `side` pixels, a
 * pixel is `count` units long and a cell `side` units, so all weights are
 * integers.
 */
struct cell {
    int first;
    int last;
    uint32_t first_weight;
    uint32_t last_weight; /* unused if first equals last */
};

static struct cell
cell_at(int index, int count, int side) {
    int64_t start = (int64_t)index * side;
    int64_t end = start + side;
    int first = (int)(start / count);
    int last = (int)((end - 1) / count);
    if (first == last) {
        return (struct cell){ first, last, (uint32_t)side, 0 };
    }
    return (struct cell){
        first,
        last,
        (uint32_t)((int64_t)(first + 1) * count - start),
        (uint32_t)(end - (int64_t)last * count),
    };
}

/* Returns 256 times the sum of the brightness of a run of pixels. */
static uint64_t
luma_sum(const uint8_t *pixels, int count) {
    /* The sums cannot overflow: a row has at most 2^24 pixels. */
    uint32_t red = 0;
    uint32_t green = 0;
    uint32_t blue = 0;
    for (int i = 0; i < count; i++) {
        red += pixels[i * SQ_PIXEL_BYTES];
        green += pixels[i * SQ_PIXEL_BYTES + 1];
        blue += pixels[i * SQ_PIXEL_BYTES + 2];
    }
    return (uint64_t)red * RED_WEIGHT + (uint64_t)green * GREEN_WEIGHT
         + (uint64_t)blue * BLUE_WEIGHT;
}

/* Returns the weighted brightness of one row of a cell. */
static uint64_t
cell_sum(const uint8_t *row, const struct cell *cell, int columns) {
    const uint8_t *first = row + (size_t)cell->first * SQ_PIXEL_BYTES;
    uint64_t sum = luma_sum(first, 1) * cell->first_weight;
    if (cell->first < cell->last) {
        const uint8_t *last = row + (size_t)cell->last * SQ_PIXEL_BYTES;
        sum += luma_sum(last, 1) * cell->last_weight;
        sum += luma_sum(first + SQ_PIXEL_BYTES, cell->last - cell->first - 1)
             * (uint64_t)columns;
    }
    return sum;
}

static uint32_t
row_weight(const struct cell *cell, int y, int rows) {
    if (y == cell->first) {
        return cell->first_weight;
    }
    return y == cell->last ? cell->last_weight : (uint32_t)rows;
}

/*
 * Averages the picture over rows x columns cells. A pixel row on a border is
 * summed for both cells, which is cheaper than storing it.
 */
static void
average(const struct sq_image *image, int columns, int rows, uint8_t *out) {
    uint64_t area = (uint64_t)image->width * (uint64_t)image->height;
    uint64_t divisor = area * LUMA_WEIGHT;
    struct cell across[SQ_LUMA_COLUMNS];
    for (int i = 0; i < columns; i++) {
        across[i] = cell_at(i, columns, image->width);
    }
    for (int k = 0; k < rows; k++) {
        uint64_t sums[SQ_LUMA_COLUMNS] = { 0 };
        struct cell down = cell_at(k, rows, image->height);
        for (int y = down.first; y <= down.last; y++) {
            const uint8_t *row = sq_image_row(image, y);
            uint64_t weight = row_weight(&down, y, rows);
            for (int i = 0; i < columns; i++) {
                sums[i] += cell_sum(row, &across[i], columns) * weight;
            }
        }
        for (int i = 0; i < columns; i++) {
            out[k * columns + i] = (uint8_t)((sums[i] + divisor / 2) / divisor);
        }
    }
}

void
sq_image_luma_grid(const struct sq_image *image, struct sq_luma_grid *out) {
    average(image, SQ_LUMA_COLUMNS, SQ_LUMA_ROWS, out->cells);
}

uint64_t
sq_image_dhash(const struct sq_image *image) {
    uint8_t cells[DHASH_ROWS * DHASH_COLUMNS];
    average(image, DHASH_COLUMNS, DHASH_ROWS, cells);
    uint64_t hash = 0;
    for (int k = 0; k < DHASH_ROWS; k++) {
        const uint8_t *row = cells + k * DHASH_COLUMNS;
        for (int i = 0; i + 1 < DHASH_COLUMNS; i++) {
            hash = hash << 1 | (row[i] < row[i + 1]);
        }
    }
    return hash;
}

int
sq_hash_distance(uint64_t a, uint64_t b) {
    return __builtin_popcountll(a ^ b);
}

/* Returns red, green and blue of a pixel with the fourth byte cleared. */
static uint32_t
colour_of(uint32_t pixel) {
    static const uint8_t mask_bytes[SQ_PIXEL_BYTES] = { 255, 255, 255, 0 };
    uint32_t mask;
    memcpy(&mask, mask_bytes, sizeof(mask));
    return pixel & mask;
}

static uint32_t
pixel_at(const uint8_t *row, size_t x) {
    uint32_t pixel;
    memcpy(&pixel, row + x * SQ_PIXEL_BYTES, sizeof(pixel));
    return pixel;
}

static bool
row_is_single(const uint8_t *row, int width, uint32_t colour) {
    uint32_t differences = 0;
    for (size_t x = 0; x < (size_t)width; x++) {
        differences |= pixel_at(row, x) ^ colour;
    }
    return colour_of(differences) == 0;
}

/* Four bytes at a time: one above SQ_BLACK_CEILING sets its highest bit. */
static bool
row_is_black(const uint8_t *row, int width) {
    const uint32_t each = 0x01010101;
    const uint32_t high = 0x80 * each;
    const uint32_t gap = (0x7f - SQ_BLACK_CEILING) * each;
    uint32_t above = 0;
    for (size_t x = 0; x < (size_t)width; x++) {
        uint32_t pixel = pixel_at(row, x);
        above |= ((pixel & ~high) + gap) | pixel;
    }
    return colour_of(above & high) == 0;
}

bool
sq_image_blank(const struct sq_image *image, struct sq_flatness *out) {
    const uint8_t *first = image->pixels;
    uint32_t colour = pixel_at(first, 0);
    bool black = true;
    bool single = true;
    for (int y = 0; y < image->height && (black || single); y++) {
        const uint8_t *row = sq_image_row(image, y);
        black = black && row_is_black(row, image->width);
        single = single && row_is_single(row, image->width, colour);
    }
    if (out) {
        *out =
            (struct sq_flatness){ black, single, first[0], first[1], first[2] };
    }
    return black || single;
}
