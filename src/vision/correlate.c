/* Correlates a template with a window of a picture. */
#include "vision/template_private.h"

#include <math.h>

#include "util/mem.h"

#define MAX_CONTRAST 3.0
#define LANES SQ_GREY_SLACK

/* Rows whose products fit into a sum of 32 bits per lane, up to a width of 2048
 * 8 pixels. */
#define ROWS 16

void
sq_kernel_image_finish(struct sq_kernel_image *kernel) {
    sq_mem_free(kernel->weights);
    sq_mem_free(kernel->mask);
    *kernel = (struct sq_kernel_image){ 0 };
}

/* Sets the mask and the number of compared pixels; returns their mean. */
static int
apply_mask(struct sq_kernel_image *kernel, const struct sq_grey *picture,
           const struct sq_grey *mask) {
    int64_t sum = 0;
    for (int y = 0; y < kernel->height; y++) {
        for (int x = 0; x < kernel->width; x++) {
            bool is_used = !mask || sq_grey_row(mask, y)[x] >= 128;
            if (mask) {
                kernel->mask[y * kernel->stride + x] = is_used;
            }
            sum += is_used ? sq_grey_row(picture, y)[x] : 0;
            kernel->count += is_used;
        }
    }
    int64_t count = kernel->count ? kernel->count : 1;
    return (int)((sum + count / 2) / count);
}

bool
sq_kernel_image_init(struct sq_kernel_image *kernel,
                     const struct sq_grey *picture, const struct sq_grey *mask,
                     struct sq_err *err) {
    int stride = (picture->width + LANES - 1) / LANES * LANES;
    size_t size = (size_t)stride * (size_t)picture->height;
    *kernel = (struct sq_kernel_image){
        .weights = sq_mem_zalloc(size, sizeof(*kernel->weights)),
        .mask = mask ? sq_mem_zalloc(size, 1) : NULL,
        .width = picture->width,
        .height = picture->height,
        .stride = stride,
    };
    if (!kernel->weights || (mask && !kernel->mask)) {
        return sq_fail_nomem(err);
    }
    int mean = apply_mask(kernel, picture, mask);
    double squares = 0;
    for (int y = 0; y < kernel->height; y++) {
        for (int x = 0; x < kernel->width; x++) {
            int at = y * kernel->stride + x;
            bool is_used = !kernel->mask || kernel->mask[at];
            int weight = is_used ? sq_grey_row(picture, y)[x] - mean : 0;
            kernel->weights[at] = (int16_t)weight;
            squares += weight * weight;
            kernel->excess += weight;
        }
    }
    if (kernel->count) {
        squares -= kernel->excess * kernel->excess / kernel->count;
    }
    kernel->spread = sqrt(squares > 0 ? squares : 0);
    return true;
}

void
sq_sums_finish(struct sq_sums *sums) {
    sq_mem_free(sums->sum);
    sq_mem_free(sums->squares);
    *sums = (struct sq_sums){ 0 };
}

bool
sq_sums_init(struct sq_sums *sums, const struct sq_grey *picture,
             struct sq_err *err) {
    size_t stride = (size_t)picture->width + 1;
    size_t size = stride * ((size_t)picture->height + 1);
    *sums = (struct sq_sums){
        .sum = sq_mem_alloc(size, sizeof(*sums->sum)),
        .squares = sq_mem_alloc(size, sizeof(*sums->squares)),
        .width = picture->width,
        .height = picture->height,
    };
    if (!sums->sum || !sums->squares) {
        sq_sums_finish(sums);
        return sq_fail_nomem(err);
    }
    for (size_t x = 0; x < stride; x++) {
        sums->sum[x] = 0;
        sums->squares[x] = 0;
    }
    for (int y = 0; y < picture->height; y++) {
        const uint8_t *row = sq_grey_row(picture, y);
        size_t above = (size_t)y * stride;
        size_t here = above + stride;
        uint32_t sum = 0;
        uint64_t squares = 0;
        sums->sum[here] = 0;
        sums->squares[here] = 0;
        for (size_t x = 1; x < stride; x++) {
            uint32_t value = row[x - 1];
            sum += value;
            squares += (uint64_t)value * value;
            sums->sum[here + x] = sums->sum[above + x] + sum;
            sums->squares[here + x] = sums->squares[above + x] + squares;
        }
    }
    return true;
}

/* The pixels of a window that are compared. */
struct window {
    double mean;
    double squares; /* sum of squared differences from the mean */
};

static struct window
make_window(double sum, double squares, int count) {
    double mean = count ? sum / count : 0;
    return (struct window){ mean, squares - mean * sum };
}

static struct window
whole_window(const struct sq_sums *sums, int x, int y, int width, int height) {
    size_t stride = (size_t)sums->width + 1;
    size_t top = (size_t)y * stride + (size_t)x;
    size_t bottom = top + (size_t)height * stride;
    size_t w = (size_t)width;
    uint32_t sum = sums->sum[bottom + w] - sums->sum[bottom]
                 - sums->sum[top + w] + sums->sum[top];
    uint64_t squares = sums->squares[bottom + w] - sums->squares[bottom]
                     - sums->squares[top + w] + sums->squares[top];
    return make_window(sum, (double)squares, width * height);
}

/* Sums up a window pixel by pixel. */
static struct window
direct_window(const struct sq_grey *picture, int x, int y, int width,
              int height) {
    int64_t sum = 0;
    int64_t squares = 0;
    for (int row = 0; row < height; row++) {
        const uint8_t *p = sq_grey_row(picture, y + row) + x;
        int row_sum = 0;
        int row_squares = 0;
        for (int i = 0; i < width; i++) {
            row_sum += p[i];
            row_squares += p[i] * p[i];
        }
        sum += row_sum;
        squares += row_squares;
    }
    return make_window((double)sum, (double)squares, width * height);
}

static struct window
masked_window(const struct sq_kernel_image *kernel,
              const struct sq_grey *picture, int x, int y) {
    int64_t sum = 0;
    int64_t squares = 0;
    for (int row = 0; row < kernel->height; row++) {
        const uint8_t *p = sq_grey_row(picture, y + row) + x;
        const uint8_t *mask =
            kernel->mask + (size_t)row * (size_t)kernel->stride;
        int row_sum = 0;
        int row_squares = 0;
        for (int i = 0; i < kernel->width; i++) {
            int value = p[i] * mask[i];
            row_sum += value;
            row_squares += value * value;
        }
        sum += row_sum;
        squares += row_squares;
    }
    return make_window((double)sum, (double)squares, kernel->count);
}

/* Adds the products of rows from..to to a sum per lane. */
static int64_t
product_of_rows(const struct sq_kernel_image *kernel,
                const struct sq_grey *picture, int x, int y, int from, int to) {
    int sums[LANES] = { 0 };
    int64_t sum = 0;
    for (int row = from; row < to; row++) {
        const uint8_t *p = sq_grey_row(picture, y + row) + x;
        const int16_t *weights =
            kernel->weights + (size_t)row * (size_t)kernel->stride;
        /* Reads pixels after the row, too; their weight is 0. */
        for (int i = 0; i < kernel->stride; i += LANES) {
            for (int k = 0; k < LANES; k++) {
                sums[k] += (int16_t)p[i + k] * weights[i + k];
            }
        }
    }
    for (int k = 0; k < LANES; k++) {
        sum += sums[k];
    }
    return sum;
}

static double
product(const struct sq_kernel_image *kernel, const struct sq_grey *picture,
        int x, int y) {
    int64_t sum = 0;
    for (int row = 0; row < kernel->height; row += ROWS) {
        int end = row + ROWS < kernel->height ? row + ROWS : kernel->height;
        sum += product_of_rows(kernel, picture, x, y, row, end);
    }
    return (double)sum;
}

double
sq_correlate(const struct sq_kernel_image *kernel,
             const struct sq_grey *picture, const struct sq_sums *sums, int x,
             int y) {
    struct window window =
        kernel->mask ? masked_window(kernel, picture, x, y)
        : sums->sum
            ? whole_window(sums, x, y, kernel->width, kernel->height)
            : direct_window(picture, x, y, kernel->width, kernel->height);
    double own = kernel->spread * kernel->spread;
    const double most = MAX_CONTRAST * MAX_CONTRAST;
    if (own <= 0 || window.squares * most < own
        || window.squares > own * most) {
        return -2;
    }
    double shared =
        product(kernel, picture, x, y) - window.mean * kernel->excess;
    return shared / (kernel->spread * sqrt(window.squares));
}

/* Measures the contrast of a picture, and that of its rows and columns. */

#define STRIPED 0.99 /* minimum share of the variance that rows explain */
#define NOISE 2.5    /* standard deviation of the noise of compression */

static double
variance(double sum, double squares, double count) {
    double mean = sum / count;
    return squares / count - mean * mean;
}

/* Returns the variance of the means of `across` lines of `along` pixels. */
static double
variance_of_means(const struct sq_grey *grey, int across, size_t step_across,
                  int along, size_t step_along) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < across; i++) {
        const uint8_t *p = grey->pixels + (size_t)i * step_across;
        int64_t line = 0;
        for (int k = 0; k < along; k++) {
            line += p[(size_t)k * step_along];
        }
        double mean = (double)line / along;
        sum += mean;
        squares += mean * mean;
    }
    return variance(sum, squares, across);
}

struct sq_variances
sq_variances_of(const struct sq_grey *grey) {
    size_t stride = (size_t)grey->width;
    int count = grey->width * grey->height;
    return (struct sq_variances){
        variance_of_means(grey, count, 1, 1, 1),
        variance_of_means(grey, grey->height, stride, grey->width, 1),
        variance_of_means(grey, grey->width, 1, grey->height, stride),
    };
}

double
sq_variances_noise(const struct sq_variances *v) {
    return v->pixels > 0 ? sqrt(1 + NOISE * NOISE / v->pixels) : 1;
}

bool
sq_variances_striped(const struct sq_variances *v) {
    double most = v->rows > v->columns ? v->rows : v->columns;
    return most >= v->pixels * STRIPED;
}

/*
 * Returns the sum over `across` lines of `along` pixels of the products of the
 * line's sums, divided by its length.
 */
static double
products_of_lines(const struct sq_grey *a, const struct sq_grey *b, int across,
                  size_t step_across, int along, size_t step_along) {
    double sum = 0;
    for (int i = 0; i < across; i++) {
        size_t at = (size_t)i * step_across;
        int64_t one = 0;
        int64_t two = 0;
        for (int k = 0; k < along; k++) {
            one += a->pixels[at + (size_t)k * step_along];
            two += b->pixels[at + (size_t)k * step_along];
        }
        sum += (double)one * (double)two / along;
    }
    return sum;
}

double
sq_variances_rest(const struct sq_grey *a, const struct sq_grey *b) {
    size_t stride = (size_t)a->width;
    int count = a->width * a->height;
    return products_of_lines(a, b, count, 1, 1, 1)
         - products_of_lines(a, b, a->height, stride, a->width, 1)
         - products_of_lines(a, b, a->width, 1, a->height, stride)
         + products_of_lines(a, b, 1, 0, count, 1);
}
