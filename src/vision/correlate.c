/* Correlates a template with a window of a picture. */
#include "vision/correlate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/pipeline/cpu.h"
#include "util/mem.h"

#if SQ_HAVE_NEON
#include <arm_neon.h>
#endif

#define MAX_CONTRAST 3.0
#define LANES SQ_GREY_SLACK

/* This many rows of 2048 * 8 pixels fit into a sum of 32 bits per lane. */
#define ROWS 16

/* Rough weights are at most this, rough pixels -32 to 31: this many products
   fit into a sum of 16 bits. */
#define ROUGH_MOST 31
#define ROUGH_COLUMNS 32
#define BLOCK SQ_ROUGH_BLOCK

void
sq_kernel_image_finish(struct sq_kernel_image *kernel) {
    sq_mem_free(kernel->weights);
    sq_mem_free(kernel->mask);
    sq_mem_free(kernel->rough);
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

static void
set_weights(struct sq_kernel_image *kernel, const struct sq_grey *picture,
            int mean) {
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
}

/* Scales the weights to 6 bits. */
static void
set_rough_weights(struct sq_kernel_image *kernel) {
    int most = 1;
    double squares = 0;
    int size = kernel->stride * kernel->height;
    for (int i = 0; i < size; i++) {
        int weight = abs(kernel->weights[i]);
        most = weight > most ? weight : most;
    }
    int8_t *to = kernel->rough;
    for (int y = 0; y < kernel->height; y++) {
        const int16_t *row =
            kernel->weights + (size_t)y * (size_t)kernel->stride;
        for (int x = 0; x < kernel->width; x++) {
            *to = (int8_t)(row[x] * ROUGH_MOST / most);
            squares += *to * *to;
            kernel->rough_excess += *to++;
        }
    }
    squares -= kernel->rough_excess * kernel->rough_excess / kernel->count;
    kernel->rough_spread = sqrt(squares > 0 ? squares : 0);
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
        .rough = mask ? NULL : sq_mem_alloc(size, 1),
        .width = picture->width,
        .height = picture->height,
        .stride = stride,
    };
    if (!kernel->weights || !(mask ? kernel->mask : (uint8_t *)kernel->rough)) {
        return sq_fail_nomem(err);
    }
    set_weights(kernel, picture, apply_mask(kernel, picture, mask));
    if (!mask) {
        set_rough_weights(kernel);
    }
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

/* Returns whether the contrast of a window is like the template's. */
static bool
has_contrast(const struct sq_kernel_image *kernel,
             const struct window *window) {
    double own = kernel->spread * kernel->spread;
    const double most = MAX_CONTRAST * MAX_CONTRAST;
    return own > 0 && window->squares * most >= own
        && window->squares <= own * most;
}

double
sq_correlate(const struct sq_kernel_image *kernel,
             const struct sq_grey *picture, const struct sq_sums *sums, int x,
             int y) {
    struct window window =
        kernel->mask ? masked_window(kernel, picture, x, y)
                     : whole_window(sums, x, y, kernel->width, kernel->height);
    if (!has_contrast(kernel, &window)) {
        return -2;
    }
    double shared =
        product(kernel, picture, x, y) - window.mean * kernel->excess;
    return shared / (kernel->spread * sqrt(window.squares));
}

void
sq_rough_finish(struct sq_rough *rough) {
    sq_mem_free(rough->pixels);
    *rough = (struct sq_rough){ 0 };
}

bool
sq_rough_init(struct sq_rough *rough, const struct sq_grey *picture,
              const struct sq_sums *sums, struct sq_err *err) {
    size_t size = (size_t)picture->width * (size_t)picture->height;
    *rough = (struct sq_rough){
        .pixels = sq_mem_zalloc(size + BLOCK, 1),
        .width = picture->width,
        .sums = sums,
    };
    if (!rough->pixels) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < size; i++) {
        rough->pixels[i] = (int8_t)(picture->pixels[i] / 4 - 32);
    }
    return true;
}

#if SQ_HAVE_NEON
/* Sums of 16 places. */
struct lanes {
    int32x4_t four[4];
};

/* Adds the products of at most ROUGH_COLUMNS weights, for each place. */
static inline void
add_products(const int8_t *weights, int count, const int8_t *pixels,
             struct lanes *sums) {
    int16x8_t low = vdupq_n_s16(0);
    int16x8_t high = low;
    for (int i = 0; i < count; i++) {
        int8x16_t p = vld1q_s8(pixels + i);
        int8x16_t weight = vld1q_dup_s8(weights + i);
        low = vmlal_s8(low, vget_low_s8(p), vget_low_s8(weight));
        high = vmlal_high_s8(high, p, weight);
    }
    sums->four[0] = vaddw_s16(sums->four[0], vget_low_s16(low));
    sums->four[1] = vaddw_high_s16(sums->four[1], low);
    sums->four[2] = vaddw_s16(sums->four[2], vget_low_s16(high));
    sums->four[3] = vaddw_high_s16(sums->four[3], high);
}
#else
struct lanes {
    int one[BLOCK];
};

static inline void
add_products(const int8_t *weights, int count, const int8_t *pixels,
             struct lanes *sums) {
    int16_t short_sums[BLOCK] = { 0 };
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < BLOCK; k++) {
            int16_t product = (int16_t)(weights[i] * pixels[i + k]);
            short_sums[k] = (int16_t)(short_sums[k] + product);
        }
    }
    for (int k = 0; k < BLOCK; k++) {
        sums->one[k] += short_sums[k];
    }
}
#endif

static void
rough_products(const struct sq_kernel_image *kernel,
               const struct sq_rough *rough, int x, int y, int out[BLOCK]) {
    struct lanes sums;
    memset(&sums, 0, sizeof(sums));
    for (int row = 0; row < kernel->height; row++) {
        const int8_t *pixels = rough->pixels
                             + (size_t)(y + row) * (size_t)rough->width
                             + (size_t)x;
        const int8_t *weights =
            kernel->rough + (size_t)row * (size_t)kernel->width;
        for (int i = 0; i < kernel->width; i += ROUGH_COLUMNS) {
            int left = kernel->width - i;
            add_products(weights + i,
                         left < ROUGH_COLUMNS ? left : ROUGH_COLUMNS,
                         pixels + i, &sums);
        }
    }
    memcpy(out, &sums, BLOCK * sizeof(*out));
}

void
sq_correlate_block(const struct sq_kernel_image *kernel,
                   const struct sq_rough *rough, int x, int y, int count,
                   double scores[BLOCK]) {
    struct window windows[BLOCK];
    int products[BLOCK] = { 0 };
    bool has_any = false;
    for (int i = 0; i < count; i++) {
        windows[i] =
            whole_window(rough->sums, x + i, y, kernel->width, kernel->height);
        scores[i] = has_contrast(kernel, &windows[i]) ? 0 : -2;
        has_any = has_any || scores[i] >= 0;
    }
    if (!has_any || kernel->rough_spread <= 0) {
        return;
    }
    rough_products(kernel, rough, x, y, products);
    for (int i = 0; i < count; i++) {
        if (scores[i] >= 0) {
            /* Division by 4 drops 3/8 on average. */
            double mean = windows[i].mean / 4 - 32.375;
            scores[i] = 4 * (products[i] - mean * kernel->rough_excess)
                      / (kernel->rough_spread * sqrt(windows[i].squares));
        }
    }
}
