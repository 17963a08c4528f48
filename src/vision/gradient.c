/* Estimates a background from medians of parts of the first and last rows. */
#include "vision/strip.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/minmax.h"

#define MIN_PART 16 /* pixels of a row of which the median is taken */
#define CHANNELS 3

/* The colours of one row of the background. */
struct row {
    uint8_t *colours; /* CHANNELS per column */
    int width;
    int part; /* columns of which the median is taken */
};

#define COARSE 16 /* levels that are counted together */

static uint8_t
median(const uint8_t *pixels, int count, int channel) {
    int counts[256] = { 0 };
    int coarse[256 / COARSE] = { 0 };
    for (int i = 0; i < count; i++) {
        uint8_t level = pixels[(size_t)i * SQ_PIXEL_BYTES + (size_t)channel];
        counts[level]++;
        coarse[level / COARSE]++;
    }
    int level = 0;
    int below = 0;
    while ((below + coarse[level / COARSE]) * 2 < count) {
        below += coarse[level / COARSE];
        level += COARSE;
    }
    for (below += counts[level]; below * 2 < count; below += counts[level]) {
        level++;
    }
    return (uint8_t)level;
}

/* Returns the median around the middle of a part; parts outside repeat. */
static int
median_of_part(const struct row *row, const uint8_t *pixels, int index,
               int channel) {
    int last = (row->width - 1) / row->part;
    int from = sq_max_int(0, sq_min_int(last, index)) * row->part;
    int count = sq_min_int(row->part, row->width - from);
    if (count < row->part) { /* the last part: as many pixels as the others */
        from = sq_max_int(0, row->width - row->part);
        count = row->width - from;
    }
    return median(pixels + (size_t)from * SQ_PIXEL_BYTES, count, channel);
}

static bool
init_row(struct row *row, const struct sq_image *image, struct sq_rect box,
         int y, struct sq_err *err) {
    const uint8_t *pixels =
        sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES;
    row->width = box.right - box.left;
    row->part = sq_max_int(MIN_PART, box.bottom - box.top);
    row->colours = sq_mem_alloc((size_t)row->width, CHANNELS);
    if (!row->colours) {
        return sq_fail_nomem(err);
    }
    for (int channel = 0; channel < CHANNELS; channel++) {
        /* Interpolates between the medians of neighbouring parts. */
        int before = median_of_part(row, pixels, -1, channel);
        int after = median_of_part(row, pixels, 0, channel);
        for (int x = 0; x < row->width; x++) {
            int at =
                (x + row->part / 2) % row->part; /* since the last middle */
            if (x > 0 && at == 0) {
                before = after;
                after = median_of_part(
                    row, pixels, (x + row->part / 2) / row->part, channel);
            }
            row->colours[(size_t)x * CHANNELS + (size_t)channel] =
                (uint8_t)(before + (after - before) * at / row->part);
        }
    }
    return true;
}

/* Writes the distances of row y of `rows` rows. */
static void
measure_row(const uint8_t *pixels, const struct row *top,
            const struct row *bottom, int y, int rows, uint8_t *out) {
    int part = y * 256 / rows;
    for (int x = 0; x < top->width; x++) {
        int most = 0;
        for (int i = 0; i < CHANNELS; i++) {
            int from = top->colours[x * CHANNELS + i];
            int to = bottom->colours[x * CHANNELS + i];
            int background = from + (to - from) * part / 256;
            most = sq_max_int(most,
                              abs(pixels[x * SQ_PIXEL_BYTES + i] - background));
        }
        out[x] = (uint8_t)most;
    }
}

bool
sq_gradient_distances(const struct sq_image *image, struct sq_rect box,
                      uint8_t *out, struct sq_err *err) {
    struct row top = { 0 };
    struct row bottom = { 0 };
    int rows = box.bottom - box.top;
    bool ok = init_row(&top, image, box, box.top, err)
           && init_row(&bottom, image, box, box.bottom - 1, err);
    for (int y = 0; ok && y < rows; y++) {
        const uint8_t *pixels = sq_image_row(image, box.top + y)
                              + (size_t)box.left * SQ_PIXEL_BYTES;
        measure_row(pixels, &top, &bottom, y, rows,
                    out + (size_t)y * (size_t)top.width);
    }
    sq_mem_free(top.colours);
    sq_mem_free(bottom.colours);
    return ok;
}
