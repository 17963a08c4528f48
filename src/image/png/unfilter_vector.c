/*
 * Reverses PNG filters of four-byte pixels with the compiler's vectors, which
 * become SSE2 or NEON instructions.
 */
#include "image/pipeline/cpu.h"
#include "image/png/private.h"

#include <string.h>

#if SQ_HAVE_X86
#include <emmintrin.h>
#elif SQ_HAVE_NEON
#include <arm_neon.h>
#endif

typedef uint8_t bytes __attribute__((vector_size(16)));
typedef int16_t words __attribute__((vector_size(16))); /* two wide pixels */
typedef uint32_t pixels __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));

static inline bytes
load(const uint8_t *p) {
    bytes v;
    memcpy(&v, p, sizeof(v));
    return v;
}

static inline void
store(uint8_t *p, bytes v) {
    memcpy(p, &v, sizeof(v));
}

static inline bytes
load_pixel(const uint8_t *p) {
    pixels v = { 0 };
    memcpy(&v, p, 4);
    return (bytes)v;
}

static inline void
store_pixel(uint8_t *p, bytes v) {
    uint32_t word = ((pixels)v)[0];
    memcpy(p, &word, sizeof(word));
}

/* Widens the lower or upper two pixels to 16 bits per channel. */
static inline words
widen_low(bytes v) {
    const bytes zero = { 0 };
    return (words)__builtin_shufflevector(v, zero, 0, 16, 1, 17, 2, 18, 3, 19,
                                          4, 20, 5, 21, 6, 22, 7, 23);
}

static inline words
widen_high(bytes v) {
    const bytes zero = { 0 };
    return (words)__builtin_shufflevector(v, zero, 8, 24, 9, 25, 10, 26, 11, 27,
                                          12, 28, 13, 29, 14, 30, 15, 31);
}

static inline bytes
narrow(words low, words high) {
    return __builtin_shufflevector((bytes)low, (bytes)high, 0, 2, 4, 6, 8, 10,
                                   12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}

static inline words
load_wide(const uint8_t *p) {
    return widen_low(load_pixel(p));
}

/* Joins the lower pixels of two vectors. */
static inline words
join(words first, words second) {
    return __builtin_shufflevector(first, second, 0, 1, 2, 3, 8, 9, 10, 11);
}

/* Adds bytes in lanes with zero upper halves; carries are dropped. */
static inline words
add_bytes(words a, words b) {
    return (words)((bytes)a + (bytes)b);
}

static inline words
choose(words mask, words yes, words no) {
    return (mask & yes) | (~mask & no);
}

/* gcc does not find these instructions by itself. */
static inline words
smaller(words a, words b) {
#if SQ_HAVE_X86
    return (words)_mm_min_epi16((__m128i)a, (__m128i)b);
#elif SQ_HAVE_NEON
    return (words)vminq_s16((int16x8_t)a, (int16x8_t)b);
#else
    return choose(a < b, a, b);
#endif
}

static inline words
larger(words a, words b) {
#if SQ_HAVE_X86
    return (words)_mm_max_epi16((__m128i)a, (__m128i)b);
#elif SQ_HAVE_NEON
    return (words)vmaxq_s16((int16x8_t)a, (int16x8_t)b);
#else
    return choose(a > b, a, b);
#endif
}

/* Rounds up. */
static inline bytes
mean(bytes a, bytes b) {
#if SQ_HAVE_X86
    return (bytes)_mm_avg_epu8((__m128i)a, (__m128i)b);
#elif SQ_HAVE_NEON
    return (bytes)vrhaddq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
    return (a | b) - ((a ^ b) >> 1);
#endif
}

/* Computes a running sum, four pixels at a time. */
static void
undo_sub(const uint8_t *residual, const uint8_t *above, uint8_t *row,
         size_t count) {
    (void)above;
    const pixels zero = { 0 };
    bytes left = { 0 };
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        bytes x = load(residual + i * 4);
        x += (bytes)__builtin_shufflevector(zero, (pixels)x, 0, 4, 5, 6);
        x += (bytes)__builtin_shufflevector(zero, (pixels)x, 0, 1, 4, 5);
        x += left;
        store(row + i * 4, x);
        left = (bytes)__builtin_shufflevector((pixels)x, (pixels)x, 3, 3, 3, 3);
    }
    for (; i < count; i++) {
        left += load_pixel(residual + i * 4);
        store_pixel(row + i * 4, left);
    }
}

static void
undo_up(const uint8_t *residual, const uint8_t *above, uint8_t *row,
        size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        store(row + i * 4, load(residual + i * 4) + load(above + i * 4));
    }
    for (; i < count; i++) {
        store_pixel(row + i * 4,
                    load_pixel(residual + i * 4) + load_pixel(above + i * 4));
    }
}

/*
 * On complements the mean that rounds down becomes the one that rounds up,
 * which is one instruction: ~(r + mean) = ~mean - r. Each pixel waits for the
 * previous.
 */
static void
undo_average(const uint8_t *residual, const uint8_t *above, uint8_t *row,
             size_t count) {
    bytes left = ~(bytes){ 0 };
    for (size_t i = 0; i < count; i++) {
        bytes up = ~load_pixel(above + i * 4);
        left = mean(left, up) - load_pixel(residual + i * 4);
        store_pixel(row + i * 4, ~left);
    }
}

/*
 * If the left pixel equals the upper left one, Paeth predicts the upper pixel.
 * A run of zero residuals then copies the row above and leaves the state
 * unchanged. Most of a user interface is like that.
 */
#define COPY_PIXELS 8

static inline bool
copies_above(words a, words c, const uint8_t *residual) {
    halves any =
        (halves)(load(residual) | load(residual + 16) | (bytes)(a ^ c));
    return (any[0] | any[1]) == 0;
}

/*
 * The Paeth predictor as two comparisons: with t = 3c - a - b it is the
 * smaller neighbour where t >= max(a, b), the larger where t <= min(a, b),
 * and c in between.
 */
static inline words
predict(words a, words b, words c) {
    words t = c + c + c - b - a;
    words low = smaller(a, b);
    words high = larger(a, b);
    return choose(t > low, choose(high > t, c, low), high);
}

/* Unfilters pixels from..to of a row; earlier pixels are done. */
static void
paeth_part(const uint8_t *residual, const uint8_t *above, uint8_t *row,
           size_t from, size_t to) {
    const words zero = { 0 };
    words a = from ? load_wide(row + (from - 1) * 4) : zero;
    words c = from ? load_wide(above + (from - 1) * 4) : zero;
    for (size_t i = from; i < to;) {
        size_t stop = i + COPY_PIXELS;
        if (stop <= to && copies_above(a, c, residual + i * 4)) {
            memcpy(row + i * 4, above + i * 4, COPY_PIXELS * 4);
            a = c = load_wide(above + (stop - 1) * 4);
            i = stop;
            continue;
        }
        for (stop = stop < to ? stop : to; i < stop; i++) {
            words b = load_wide(above + i * 4);
            a = add_bytes(load_wide(residual + i * 4), predict(a, b, c));
            store_pixel(row + i * 4, narrow(a, a));
            c = b;
        }
    }
}

static void
undo_paeth(const uint8_t *residual, const uint8_t *above, uint8_t *row,
           size_t count) {
    paeth_part(residual, above, row, 0, count);
}

void (*const sq_unfilter_vector[SQ_PNG_FILTERS])(const uint8_t *,
                                                 const uint8_t *, uint8_t *,
                                                 size_t) = {
    [SQ_PNG_SUB] = undo_sub,
    [SQ_PNG_UP] = undo_up,
    [SQ_PNG_AVERAGE] = undo_average,
    [SQ_PNG_PAETH] = undo_paeth,
};

/*
 * In Paeth rows each pixel depends on the previous one, but row k can be
 * decoded two pixels after row k-1. So four rows are decoded together as a
 * wavefront, with row k at pixel x - 2k; a vector has two of them.
 *
 *   row 0   . . . . . . x          a: the pixel left of each
 *   row 1   . . . . x              b: above each = row k-1, two steps ago
 *   row 2   . . x                  c: b of the previous step
 *   row 3   x
 */
#define WAVE_LAG 2
#define WAVE_LEAD (WAVE_LAG * (SQ_PAETH_ROWS - 1)) /* from row 3 to row 0 */

struct half_wave {
    words a;
    words c;
    words last; /* output of the previous step, the next b */
};

static inline words
half_step(struct half_wave *w, words b, words residual) {
    words made = add_bytes(residual, predict(w->a, b, w->c));
    w->last = w->a;
    w->c = b;
    w->a = made;
    return made;
}

/* Computes one pixel of each of the four rows. */
static inline bytes
wave_step(struct half_wave w[2], bytes residual, const uint8_t *above) {
    words upper = join(load_wide(above), w[0].last);
    words lower =
        __builtin_shufflevector(w[0].last, w[1].last, 4, 5, 6, 7, 8, 9, 10, 11);
    words first = half_step(&w[0], upper, widen_low(residual));
    words second = half_step(&w[1], lower, widen_high(residual));
    return narrow(first, second);
}

/* Transposes between four pixels per row and one pixel of each row. */
static inline void
transpose(bytes v[4]) {
    pixels a = (pixels)v[0];
    pixels b = (pixels)v[1];
    pixels c = (pixels)v[2];
    pixels d = (pixels)v[3];
    halves ab_low = (halves)__builtin_shufflevector(a, b, 0, 4, 1, 5);
    halves ab_high = (halves)__builtin_shufflevector(a, b, 2, 6, 3, 7);
    halves cd_low = (halves)__builtin_shufflevector(c, d, 0, 4, 1, 5);
    halves cd_high = (halves)__builtin_shufflevector(c, d, 2, 6, 3, 7);
    v[0] = (bytes)__builtin_shufflevector(ab_low, cd_low, 0, 2);
    v[1] = (bytes)__builtin_shufflevector(ab_low, cd_low, 1, 3);
    v[2] = (bytes)__builtin_shufflevector(ab_high, cd_high, 0, 2);
    v[3] = (bytes)__builtin_shufflevector(ab_high, cd_high, 1, 3);
}

void
sq_unfilter_paeth_wave(const uint8_t *const residual[SQ_PAETH_ROWS],
                       const uint8_t *above, uint8_t *const row[SQ_PAETH_ROWS],
                       size_t count) {
    const uint8_t *const over[SQ_PAETH_ROWS] = { above, row[0], row[1],
                                                 row[2] };
    for (size_t k = 0; k < SQ_PAETH_ROWS; k++) {
        paeth_part(residual[k], over[k], row[k], 0, WAVE_LEAD - WAVE_LAG * k);
    }
    const words none = { 0 };
    struct half_wave w[2] = {
        {
            .a = join(load_wide(row[0] + 20), load_wide(row[1] + 12)),
            .c = join(load_wide(above + 20), load_wide(row[0] + 12)),
            .last = join(load_wide(row[0] + 16), load_wide(row[1] + 8)),
        },
        {
            .a = join(load_wide(row[2] + 4), none),
            .c = join(load_wide(row[1] + 4), none),
            .last = join(load_wide(row[2]), none),
        },
    };
    size_t x = WAVE_LEAD;
    for (; x + 4 <= count; x += 4) {
        bytes v[4];
        for (size_t k = 0; k < 4; k++) {
            v[k] = load(residual[k] + (x - WAVE_LAG * k) * 4);
        }
        transpose(v);
        for (size_t step = 0; step < 4; step++) {
            v[step] = wave_step(w, v[step], above + (x + step) * 4);
        }
        transpose(v);
        for (size_t k = 0; k < 4; k++) {
            store(row[k] + (x - WAVE_LAG * k) * 4, v[k]);
        }
    }
    for (size_t k = 0; k < SQ_PAETH_ROWS; k++) {
        paeth_part(residual[k], over[k], row[k], x - WAVE_LAG * k, count);
    }
}
