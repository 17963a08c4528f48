/* Reverses PNG filters with NEON. */
#include "image/png/private.h"

#if SQ_HAVE_NEON
#include <arm_neon.h>
#include <string.h>

static inline uint8x8_t
load_pixel(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, sizeof(v));
    return vreinterpret_u8_u32(vdup_n_u32(v));
}

static inline void
store_pixel(uint8_t *p, uint8x8_t v) {
    uint32_t word = vget_lane_u32(vreinterpret_u32_u8(v), 0);
    memcpy(p, &word, sizeof(word));
}

/* Computes a running sum, four pixels at a time. */
static void
sub_neon(const uint8_t *residual, const uint8_t *above, uint8_t *row,
         size_t pixels) {
    (void)above;
    const uint8x16_t zero = vdupq_n_u8(0);
    uint8x16_t left = zero;
    size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        uint8x16_t x = vld1q_u8(residual + i * 4);
        x = vaddq_u8(x, vextq_u8(zero, x, 12));
        x = vaddq_u8(x, vextq_u8(zero, x, 8));
        x = vaddq_u8(x, left);
        vst1q_u8(row + i * 4, x);
        left =
            vreinterpretq_u8_u32(vdupq_laneq_u32(vreinterpretq_u32_u8(x), 3));
    }
    uint8x8_t last = vget_low_u8(left);
    for (; i < pixels; i++) {
        last = vadd_u8(load_pixel(residual + i * 4), last);
        store_pixel(row + i * 4, last);
    }
}

static void
up_neon(const uint8_t *residual, const uint8_t *above, uint8_t *row,
        size_t pixels) {
    size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        vst1q_u8(row + i * 4,
                 vaddq_u8(vld1q_u8(residual + i * 4), vld1q_u8(above + i * 4)));
    }
    for (; i < pixels; i++) {
        store_pixel(row + i * 4, vadd_u8(load_pixel(residual + i * 4),
                                         load_pixel(above + i * 4)));
    }
}

static void
average_neon(const uint8_t *residual, const uint8_t *above, uint8_t *row,
             size_t pixels) {
    uint8x8_t left = vdup_n_u8(0);
    for (size_t i = 0; i < pixels; i++) {
        uint8x8_t mean = vhadd_u8(left, load_pixel(above + i * 4));
        left = vadd_u8(load_pixel(residual + i * 4), mean);
        store_pixel(row + i * 4, left);
    }
}

static inline uint16x4_t
load_wide(const uint8_t *p) {
    return vget_low_u16(vmovl_u8(load_pixel(p)));
}

/*
 * If the left pixel equals the upper left one, Paeth predicts the upper pixel.
 * A run of zero residuals then copies the row above and leaves the state
 * unchanged. Most of a user interface is like that.
 */
#define COPY_PIXELS 8

static inline bool
copies_above(uint16x4_t a, uint16x4_t c, const uint8_t *residual) {
    uint8x16_t any = vorrq_u8(vld1q_u8(residual), vld1q_u8(residual + 16));
    uint32_t moved = vmaxvq_u32(vreinterpretq_u32_u8(any));
    uint64_t differs = vget_lane_u64(vreinterpret_u64_u16(veor_u16(a, c)), 0);
    return (moved | differs) == 0;
}

/*
 * The Paeth predictor as two comparisons: with t = 3c - a - b it is the
 * smaller neighbour where t >= max(a, b), the larger where t <= min(a, b),
 * and c in between.
 */
static inline uint16x4_t
predict(uint16x4_t a, uint16x4_t b, uint16x4_t c) {
    int16x4_t sa = vreinterpret_s16_u16(a);
    int16x4_t sb = vreinterpret_s16_u16(b);
    int16x4_t sc = vreinterpret_s16_u16(c);
    int16x4_t t = vsub_s16(vsub_s16(vmul_n_s16(sc, 3), sb), sa);
    int16x4_t low = vmin_s16(sa, sb);
    int16x4_t high = vmax_s16(sa, sb);
    int16x4_t p = vbsl_s16(vcgt_s16(high, t), sc, low);
    return vreinterpret_u16_s16(vbsl_s16(vcgt_s16(t, low), p, high));
}

/* Adds bytes in 16-bit lanes with zero upper halves; carries are dropped. */
static inline uint16x4_t
add_bytes(uint16x4_t a, uint16x4_t b) {
    return vreinterpret_u16_u8(
        vadd_u8(vreinterpret_u8_u16(a), vreinterpret_u8_u16(b)));
}

/* Unfilters pixels from..to of a row; earlier pixels are done. */
static void
paeth_part(const uint8_t *residual, const uint8_t *above, uint8_t *row,
           size_t from, size_t to) {
    uint16x4_t a = from ? load_wide(row + (from - 1) * 4) : vdup_n_u16(0);
    uint16x4_t c = from ? load_wide(above + (from - 1) * 4) : vdup_n_u16(0);
    for (size_t i = from; i < to;) {
        size_t stop = i + COPY_PIXELS;
        if (stop <= to && copies_above(a, c, residual + i * 4)) {
            memcpy(row + i * 4, above + i * 4, COPY_PIXELS * 4);
            a = c = load_wide(above + (stop - 1) * 4);
            i = stop;
            continue;
        }
        for (stop = stop < to ? stop : to; i < stop; i++) {
            uint16x4_t b = load_wide(above + i * 4);
            a = add_bytes(load_wide(residual + i * 4), predict(a, b, c));
            store_pixel(row + i * 4, vmovn_u16(vcombine_u16(a, a)));
            c = b;
        }
    }
}

static void
paeth_neon(const uint8_t *residual, const uint8_t *above, uint8_t *row,
           size_t pixels) {
    paeth_part(residual, above, row, 0, pixels);
}

const sq_unfilter_pixels sq_unfilter_neon[SQ_PNG_FILTERS] = {
    [SQ_PNG_SUB] = sub_neon,
    [SQ_PNG_UP] = up_neon,
    [SQ_PNG_AVERAGE] = average_neon,
    [SQ_PNG_PAETH] = paeth_neon,
};

/*
 * Four rows as a wavefront, as described in unfilter_simd.c: row k is at pixel
 * x - 2k. A register holds two rows of four 16-bit channels.
 */
#define WAVE_LAG 2
#define WAVE_LEAD (WAVE_LAG * (SQ_PAETH_ROWS - 1)) /* from row 3 to row 0 */

struct half_wave {
    uint16x8_t a;
    uint16x8_t c;
    uint16x8_t last; /* output of the previous step, the next b */
};

static inline uint16x8_t
half_step(struct half_wave *w, uint16x8_t b, uint16x8_t residual) {
    int16x8_t a = vreinterpretq_s16_u16(w->a);
    int16x8_t sb = vreinterpretq_s16_u16(b);
    int16x8_t c = vreinterpretq_s16_u16(w->c);
    int16x8_t t = vsubq_s16(vsubq_s16(vmulq_n_s16(c, 3), sb), a);
    int16x8_t low = vminq_s16(a, sb);
    int16x8_t high = vmaxq_s16(a, sb);
    int16x8_t p = vbslq_s16(vcgtq_s16(high, t), c, low);
    p = vbslq_s16(vcgtq_s16(t, low), p, high);
    w->last = w->a;
    w->c = b;
    w->a = vreinterpretq_u16_u8(
        vaddq_u8(vreinterpretq_u8_u16(residual), vreinterpretq_u8_s16(p)));
    return w->a;
}

/* Computes one pixel of each of the four rows. */
static inline uint8x16_t
wave_step(struct half_wave w[2], uint8x16_t residual, const uint8_t *above) {
    uint16x8_t upper = vcombine_u16(load_wide(above), vget_low_u16(w[0].last));
    uint16x8_t lower = vextq_u16(w[0].last, w[1].last, 4);
    uint16x8_t first = half_step(&w[0], upper, vmovl_u8(vget_low_u8(residual)));
    uint16x8_t second = half_step(&w[1], lower, vmovl_high_u8(residual));
    return vcombine_u8(vmovn_u16(first), vmovn_u16(second));
}

/* Transposes between four pixels per row and one pixel of each row. */
static inline void
transpose(uint8x16_t v[4]) {
    uint32x4_t a = vreinterpretq_u32_u8(v[0]);
    uint32x4_t b = vreinterpretq_u32_u8(v[1]);
    uint32x4_t c = vreinterpretq_u32_u8(v[2]);
    uint32x4_t d = vreinterpretq_u32_u8(v[3]);
    uint64x2_t ab_low = vreinterpretq_u64_u32(vzip1q_u32(a, b));
    uint64x2_t ab_high = vreinterpretq_u64_u32(vzip2q_u32(a, b));
    uint64x2_t cd_low = vreinterpretq_u64_u32(vzip1q_u32(c, d));
    uint64x2_t cd_high = vreinterpretq_u64_u32(vzip2q_u32(c, d));
    v[0] = vreinterpretq_u8_u64(vzip1q_u64(ab_low, cd_low));
    v[1] = vreinterpretq_u8_u64(vzip2q_u64(ab_low, cd_low));
    v[2] = vreinterpretq_u8_u64(vzip1q_u64(ab_high, cd_high));
    v[3] = vreinterpretq_u8_u64(vzip2q_u64(ab_high, cd_high));
}

void
sq_unfilter_paeth_neon(const uint8_t *const residual[SQ_PAETH_ROWS],
                       const uint8_t *above, uint8_t *const row[SQ_PAETH_ROWS],
                       size_t pixels) {
    const uint8_t *const over[SQ_PAETH_ROWS] = { above, row[0], row[1],
                                                 row[2] };
    for (size_t k = 0; k < SQ_PAETH_ROWS; k++) {
        paeth_part(residual[k], over[k], row[k], 0, WAVE_LEAD - WAVE_LAG * k);
    }
    const uint16x4_t none = vdup_n_u16(0);
    struct half_wave w[2] = {
        {
            .a = vcombine_u16(load_wide(row[0] + 20), load_wide(row[1] + 12)),
            .c = vcombine_u16(load_wide(above + 20), load_wide(row[0] + 12)),
            .last = vcombine_u16(load_wide(row[0] + 16), load_wide(row[1] + 8)),
        },
        {
            .a = vcombine_u16(load_wide(row[2] + 4), none),
            .c = vcombine_u16(load_wide(row[1] + 4), none),
            .last = vcombine_u16(load_wide(row[2]), none),
        },
    };
    size_t x = WAVE_LEAD;
    for (; x + 4 <= pixels; x += 4) {
        uint8x16_t v[4];
        for (size_t k = 0; k < 4; k++) {
            v[k] = vld1q_u8(residual[k] + (x - WAVE_LAG * k) * 4);
        }
        transpose(v);
        for (size_t step = 0; step < 4; step++) {
            v[step] = wave_step(w, v[step], above + (x + step) * 4);
        }
        transpose(v);
        for (size_t k = 0; k < 4; k++) {
            vst1q_u8(row[k] + (x - WAVE_LAG * k) * 4, v[k]);
        }
    }
    for (size_t k = 0; k < SQ_PAETH_ROWS; k++) {
        paeth_part(residual[k], over[k], row[k], x - WAVE_LAG * k, pixels);
    }
}
#else
typedef int sq_no_neon; /* ISO C requires a declaration in every file */
#endif
