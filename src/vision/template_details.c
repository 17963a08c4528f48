/* Compares a template with a place pixel by pixel. */
#include "vision/template_private.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/minmax.h"

#define SHIFT 0.25 /* of a pixel, which is not counted as a difference */
#define NEAR 1     /* reach of the pixels whose differences are joined */
#define AROUND 2   /* reach of the pixels whose variance is computed */

/* Edges disturb a compressed picture up to REACH - 1 pixels away, a block of
   JPEG; from NEAR_REACH on only a little. */
#define REACH 9
#define NEAR_REACH 5
#define FAR_WEIGHT 0.05F

/* Square of a difference that is not seen as one: more in a compressed picture,
   which is known by the mean of all squares. */
#define LEAST_NOISE 16
#define MOST_NOISE 144
#define NOISE_FACTOR 64

/* More than this is another letter or sign, not compression or scaling: such a
   place has at most the score OTHER_DETAILS. */
#define SAME_DETAILS 0.2
#define OTHER_DETAILS 0.9

#define CELL 8              /* side of an area that may have a corner */
#define MIN_CORNERS 3       /* of a template with outlines */
#define CORNER_SHARE 0.1    /* least share of the weaker direction */
#define CORNER_CONTRAST 400 /* least square of the differences in a cell */

/* One value per pixel. */
struct map {
    float *values;
    int width;
    int height;
};

static bool
init_map(struct map *map, int width, int height, struct sq_err *err) {
    map->width = width;
    map->height = height;
    map->values = sq_mem_zalloc((size_t)width * (size_t)height, sizeof(float));
    return map->values || sq_fail_nomem(err);
}

static float *
row_of(const struct map *map, int y) {
    return map->values + (size_t)y * (size_t)map->width;
}

static bool
is_used(const struct sq_grey *mask, int x, int y) {
    return !mask->pixels || sq_grey_row(mask, y)[x] >= 128;
}

/* Returns how far a value is from those that the other picture has within
   SHIFT of a pixel. */
static float
distance(const struct sq_grey *grey, int x, int y, int value) {
    const uint8_t *row = sq_grey_row(grey, y);
    int middle = row[x];
    int around[4] = {
        row[sq_max_int(x - 1, 0)],
        row[sq_min_int(x + 1, grey->width - 1)],
        sq_grey_row(grey, sq_max_int(y - 1, 0))[x],
        sq_grey_row(grey, sq_min_int(y + 1, grey->height - 1))[x],
    };
    int low = middle;
    int high = middle;
    for (int i = 0; i < 4; i++) {
        low = sq_min_int(low, around[i]);
        high = sq_max_int(high, around[i]);
    }
    float least = (float)middle - (float)(middle - low) * (float)SHIFT;
    float most = (float)middle + (float)(high - middle) * (float)SHIFT;
    return fmaxf(0, fmaxf((float)value - most, least - (float)value));
}

/* Sums over a column of a window. */
struct column {
    int count;
    int sum;
    int squares;
};

static void
add_row(const struct sq_grey *grey, const struct sq_grey *mask, int y, int sign,
        struct column *columns) {
    const uint8_t *row = sq_grey_row(grey, y);
    for (int x = 0; x < grey->width; x++) {
        int weight = is_used(mask, x, y) ? sign : 0;
        columns[x].count += weight;
        columns[x].sum += weight * row[x];
        columns[x].squares += weight * row[x] * row[x];
    }
}

/* Raises the values of a row to the variances around its pixels. */
static void
raise_row(const struct column *columns, int width, float *out) {
    for (int x = 0; x < width; x++) {
        struct column all = { 0 };
        for (int i = sq_max_int(0, x - AROUND);
             i <= sq_min_int(width - 1, x + AROUND); i++) {
            all.count += columns[i].count;
            all.sum += columns[i].sum;
            all.squares += columns[i].squares;
        }
        float count = all.count > 0 ? (float)all.count : 1;
        float mean = (float)all.sum / count;
        out[x] = fmaxf(out[x], (float)all.squares / count - mean * mean);
    }
}

static bool
raise_to_variances(const struct sq_grey *grey, const struct sq_grey *mask,
                   struct map *out, struct sq_err *err) {
    struct column *columns =
        sq_mem_zalloc((size_t)grey->width, sizeof(*columns));
    if (!columns) {
        return sq_fail_nomem(err);
    }
    for (int y = 0; y < sq_min_int(AROUND, grey->height); y++) {
        add_row(grey, mask, y, 1, columns);
    }
    for (int y = 0; y < grey->height; y++) {
        if (y + AROUND < grey->height) {
            add_row(grey, mask, y + AROUND, 1, columns);
        }
        if (y - AROUND - 1 >= 0) {
            add_row(grey, mask, y - AROUND - 1, -1, columns);
        }
        raise_row(columns, grey->width, row_of(out, y));
    }
    sq_mem_free(columns);
    return true;
}

/* Returns the weight of a variance at a distance. */
static float
weight_at(int distance) {
    return fmaxf(FAR_WEIGHT, 1 - (float)abs(distance) / NEAR_REACH);
}

/* Stores the weighted maximum around each pixel in its row. */
static void
spread_rows(const struct map *in, struct map *out) {
    for (int y = 0; y < in->height; y++) {
        const float *row = row_of(in, y);
        for (int x = 0; x < in->width; x++) {
            float most = 0;
            for (int i = sq_max_int(0, x - REACH + 1);
                 i < sq_min_int(in->width, x + REACH); i++) {
                most = fmaxf(most, row[i] * weight_at(i - x));
            }
            row_of(out, y)[x] = most;
        }
    }
}

/* Returns the weighted maximum around a pixel in its column. */
static float
most_in_column(const struct map *map, int x, int y) {
    float most = 0;
    for (int i = sq_max_int(0, y - REACH + 1);
         i < sq_min_int(map->height, y + REACH); i++) {
        most = fmaxf(most, row_of(map, i)[x] * weight_at(i - y));
    }
    return most;
}

/* Returns the mean of the differences within NEAR pixels that are compared. */
static float
mean_near(const struct map *map, const struct sq_grey *mask, int x, int y) {
    float sum = 0;
    int count = 0;
    for (int row = sq_max_int(0, y - NEAR);
         row <= sq_min_int(map->height - 1, y + NEAR); row++) {
        for (int i = sq_max_int(0, x - NEAR);
             i <= sq_min_int(map->width - 1, x + NEAR); i++) {
            sum += row_of(map, row)[i];
            count += is_used(mask, i, row);
        }
    }
    return count ? sum / (float)count : 0;
}

static double
noise_of(const struct sq_grey *a, const struct sq_grey *b,
         const struct sq_grey *mask) {
    double sum = 0;
    double count = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            if (is_used(mask, x, y)) {
                double by = sq_grey_row(a, y)[x] - sq_grey_row(b, y)[x];
                sum += by * by;
                count++;
            }
        }
    }
    return fmin(MOST_NOISE, LEAST_NOISE + NOISE_FACTOR * sum / fmax(1, count));
}

/* Returns the largest difference divided by the contrast around it. */
static double
largest_share(const struct map *differences, const struct map *contrasts,
              const struct sq_grey *mask, float noise) {
    float largest = 0;
    for (int y = 0; y < differences->height; y++) {
        for (int x = 0; x < differences->width; x++) {
            float mean = mean_near(differences, mask, x, y);
            /* Most pixels are equal. */
            if (mean > largest * noise) {
                float most = most_in_column(contrasts, x, y) + noise;
                largest = fmaxf(largest, mean / most);
            }
        }
    }
    return (double)largest;
}

bool
sq_details_compare(const struct sq_grey *a, const struct sq_grey *b,
                   const struct sq_grey *mask, double *out,
                   struct sq_err *err) {
    struct map differences = { 0 };
    struct map variances = { 0 };
    struct map contrasts = { 0 };
    *out = 0;
    bool ok = init_map(&differences, a->width, a->height, err)
           && init_map(&variances, a->width, a->height, err)
           && init_map(&contrasts, a->width, a->height, err)
           && raise_to_variances(a, mask, &variances, err)
           && raise_to_variances(b, mask, &variances, err);
    if (ok) {
        /*
         * Squares of the differences that a shift does not explain. The
         * outermost pixels are left out: what is beside the template disturbs
         * them in a copy.
         */
        for (int y = 1; y < a->height - 1; y++) {
            for (int x = 1; x < a->width - 1; x++) {
                float one = distance(a, x, y, sq_grey_row(b, y)[x]);
                float two =
                    one > 0 ? distance(b, x, y, sq_grey_row(a, y)[x]) : 0;
                float least = fminf(one, two);
                row_of(&differences, y)[x] =
                    is_used(mask, x, y) ? least * least : 0;
            }
        }
        spread_rows(&variances, &contrasts);
        *out = largest_share(&differences, &contrasts, mask,
                             (float)noise_of(a, b, mask));
    }
    sq_mem_free(differences.values);
    sq_mem_free(variances.values);
    sq_mem_free(contrasts.values);
    return ok;
}

double
sq_details_limit(double score, double details) {
    return details > SAME_DETAILS
             ? fmin(score, OTHER_DETAILS * sqrt(SAME_DETAILS / details))
             : score;
}

/* The line b = slope * a + base that fits best. */
struct line {
    double slope;
    double base;
};

static struct line
fit_line(const struct sq_grey *a, const struct sq_grey *b,
         const struct sq_grey *mask) {
    double count = 0;
    double sum_a = 0;
    double sum_b = 0;
    double squares = 0;
    double products = 0;
    for (int y = 0; y < a->height; y++) {
        for (int x = 0; x < a->width; x++) {
            if (is_used(mask, x, y)) {
                double one = sq_grey_row(a, y)[x];
                double two = sq_grey_row(b, y)[x];
                count++;
                sum_a += one;
                sum_b += two;
                squares += one * one;
                products += one * two;
            }
        }
    }
    count = fmax(count, 1);
    double spread = squares - sum_a * sum_a / count;
    double slope = spread > 0 ? (products - sum_a * sum_b / count) / spread : 0;
    return (struct line){ slope, (sum_b - slope * sum_a) / count };
}

bool
sq_details_compare_outlines(const struct sq_grey *a, const struct sq_grey *b,
                            const struct sq_grey *mask, double *out,
                            struct sq_err *err) {
    SQ_FREED(sq_grey_finish) struct sq_grey mapped = { 0 };
    struct line line = fit_line(a, b, mask);
    size_t size = (size_t)a->width * (size_t)a->height;
    bool ok = sq_grey_init(&mapped, a->width, a->height, err);
    for (size_t i = 0; ok && i < size; i++) {
        double value = line.slope * a->pixels[i] + line.base;
        mapped.pixels[i] = (uint8_t)lround(fmin(255, fmax(0, value)));
    }
    return ok && sq_details_compare(&mapped, b, mask, out, err);
}

/* Returns whether the outlines in a cell have more than one direction. */
static bool
has_corner(const struct sq_grey *grey, const struct sq_grey *mask, int left,
           int top) {
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (int y = top; y < sq_min_int(top + CELL, grey->height - 1); y++) {
        for (int x = left; x < sq_min_int(left + CELL, grey->width - 1); x++) {
            if (is_used(mask, x, y) && is_used(mask, x + 1, y + 1)) {
                const uint8_t *row = sq_grey_row(grey, y);
                const uint8_t *next = sq_grey_row(grey, y + 1);
                double across = row[x + 1] + next[x + 1] - row[x] - next[x];
                double down = next[x] + next[x + 1] - row[x] - row[x + 1];
                xx += across * across / 4;
                yy += down * down / 4;
                xy += across * down / 4;
            }
        }
    }
    /* Eigenvalues of the matrix of both directions. */
    double middle = (xx + yy) / 2;
    double from = sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
    return middle - from > CORNER_CONTRAST
        && middle - from > CORNER_SHARE * (middle + from);
}

bool
sq_details_has_outlines(const struct sq_grey *template,
                        const struct sq_grey *mask) {
    int corners = 0;
    for (int y = 0; y < template->height; y += CELL) {
        for (int x = 0; x < template->width; x += CELL) {
            corners += has_corner(template, mask, x, y);
        }
    }
    return corners >= MIN_CORNERS;
}
