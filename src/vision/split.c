/* Splits boxes at rows with few edges. */
#include "vision/lines.h"

#include "util/minmax.h"

/* A row between lines has less than this part of the edges of the fullest. */
#define VALLEY 6
#define MIN_ROWS 6 /* of a line */

struct profile {
    int count[SQ_MAX_LINE_HEIGHT];
    int left[SQ_MAX_LINE_HEIGHT];
    int right[SQ_MAX_LINE_HEIGHT];
    int rows;
    int peak;
};

/* Rows from..to, exclusive, without a valley. */
struct band {
    int from;
    int to;
};

static void
measure_row(const uint64_t *bits, size_t words, struct profile *p, int y) {
    p->count[y] = 0;
    p->left[y] = -1;
    p->right[y] = 0;
    for (size_t i = 0; i < words; i++) {
        if (!bits[i]) {
            continue;
        }
        p->count[y] += __builtin_popcountll(bits[i]);
        if (p->left[y] < 0) {
            p->left[y] = (int)i * 64 + __builtin_ctzll(bits[i]);
        }
        p->right[y] = (int)i * 64 + 64 - __builtin_clzll(bits[i]);
    }
    p->peak = sq_max_int(p->peak, p->count[y]);
}

static int
find_bands(const struct profile *p, struct band *bands) {
    int count = 0;
    int from = -1;
    for (int y = 0; y <= p->rows; y++) {
        bool is_full = y < p->rows && p->count[y] * VALLEY >= p->peak;
        if (is_full && from < 0) {
            from = y;
        } else if (!is_full && from >= 0) {
            if (count == SQ_MAX_SPLITS) {
                return 1; /* stripes, not lines */
            }
            bands[count++] = (struct band){ from, y };
            from = -1;
        }
    }
    return count;
}

/* Keeps bands that can be lines: dots and accents are much lower. */
static int
keep_lines(struct band *bands, int count) {
    int highest = 0;
    for (int i = 0; i < count; i++) {
        highest = sq_max_int(highest, bands[i].to - bands[i].from);
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int height = bands[i].to - bands[i].from;
        if (height >= MIN_ROWS && height * 10 >= highest * 4) {
            bands[kept++] = bands[i];
        }
    }
    return kept;
}

/* Returns the rows from..to of the box, without empty columns at its ends. */
static struct sq_rect
part_of(struct sq_rect box, const struct profile *p, int from, int to) {
    int left = box.right - box.left;
    int right = 0;
    for (int y = from; y < to; y++) {
        if (p->left[y] >= 0) {
            left = sq_min_int(left, p->left[y]);
            right = sq_max_int(right, p->right[y]);
        }
    }
    return (struct sq_rect){ box.left + left, box.top + from, box.left + right,
                             box.top + to };
}

int
sq_split_rows(const struct sq_image *image, struct sq_rect box, int threshold,
              uint64_t *bits, struct sq_rect out[SQ_MAX_SPLITS]) {
    struct profile p = { .rows = box.bottom - box.top };
    struct band bands[SQ_MAX_SPLITS];
    const struct sq_edge_level level = { threshold, bits };
    int width = box.right - box.left;
    out[0] = box;
    if (p.rows < 2 * MIN_ROWS + 1 || p.rows > SQ_MAX_LINE_HEIGHT) {
        return 1;
    }
    for (int y = 0; y < p.rows; y++) {
        const uint8_t *row = sq_image_row(image, box.top + y)
                           + (size_t)box.left * SQ_PIXEL_BYTES;
        sq_edges_row(row, width, &level, 1);
        measure_row(bits, sq_edge_words(width), &p, y);
    }
    int count = keep_lines(bands, find_bands(&p, bands));
    if (count < 2) {
        return 1;
    }
    int from = 0;
    for (int i = 0; i < count; i++) {
        int to = i + 1 < count ? (bands[i].to + bands[i + 1].from) / 2 : p.rows;
        out[i] = part_of(box, &p, from, to);
        from = to;
    }
    return count;
}
