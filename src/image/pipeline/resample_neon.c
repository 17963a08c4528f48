/* Implements the scaling loops with NEON. */
#include "image/pipeline/scale.h"

#if SQ_HAVE_NEON
#include <arm_neon.h>
#include <string.h>

#define HALF (SQ_WEIGHT_ONE / 2)

/* Shifts four sums, already rounded, to words clamped to 0..255. */
static inline uint16x4_t
shift_and_clamp(int32x4_t sum) {
    return vmin_u16(vqshrun_n_s32(sum, SQ_WEIGHT_BITS), vdup_n_u16(255));
}

static inline void
store_words(int16_t *column, int32x4_t low, int32x4_t high) {
    vst1q_s16(column, vreinterpretq_s16_u16(vcombine_u16(
                          shift_and_clamp(low), shift_and_clamp(high))));
}

struct sums {
    int32x4_t q[4];
};

static inline void
add_row(struct sums *sums, uint8x16_t row, int16_t weight) {
    int16x8_t low = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(row)));
    int16x8_t high = vreinterpretq_s16_u16(vmovl_high_u8(row));
    sums->q[0] = vmlal_n_s16(sums->q[0], vget_low_s16(low), weight);
    sums->q[1] = vmlal_high_n_s16(sums->q[1], low, weight);
    sums->q[2] = vmlal_n_s16(sums->q[2], vget_low_s16(high), weight);
    sums->q[3] = vmlal_high_n_s16(sums->q[3], high, weight);
}

static void
vertical_neon(const uint8_t *const *rows, const int16_t *weights, int taps,
              int16_t *column, struct sq_range channels) {
    const int32x4_t half = vdupq_n_s32(HALF);
    for (size_t i = channels.from; i < channels.to; i += 32) {
        struct sums left = { { half, half, half, half } };
        struct sums right = left;
        for (int k = 0; k < taps; k++) {
            add_row(&left, vld1q_u8(rows[k] + i), weights[k]);
            add_row(&right, vld1q_u8(rows[k] + i + 16), weights[k]);
        }
        store_words(column + i, left.q[0], left.q[1]);
        store_words(column + i + 8, left.q[2], left.q[3]);
        store_words(column + i + 16, right.q[0], right.q[1]);
        store_words(column + i + 24, right.q[2], right.q[3]);
    }
}

static void
horizontal_neon(const int16_t *column, const struct sq_weights *weights,
                uint8_t *out, struct sq_range outputs) {
    size_t taps = (size_t)weights->taps;
    const int16_t *value = weights->value + outputs.from * taps;
    for (size_t i = outputs.from; i < outputs.to; i++, value += taps) {
        const int16_t *from =
            column + (size_t)weights->first[i] * SQ_PIXEL_BYTES;
        int32x4_t even = vdupq_n_s32(HALF);
        int32x4_t odd = vdupq_n_s32(0);
        int used = weights->used[i];
        for (int k = 0; k < used; k += SQ_TAP_GROUP) {
            int16x4_t w = vld1_s16(value + k);
            int16x8_t first = vld1q_s16(from + k * SQ_PIXEL_BYTES);
            even = vmlal_lane_s16(even, vget_low_s16(first), w, 0);
            odd = vmlal_high_lane_s16(odd, first, w, 1);
            if (k + 2 < used) {
                int16x8_t second = vld1q_s16(from + (k + 2) * SQ_PIXEL_BYTES);
                even = vmlal_lane_s16(even, vget_low_s16(second), w, 2);
                odd = vmlal_high_lane_s16(odd, second, w, 3);
            }
        }
        uint16x4_t words = vqshrun_n_s32(vaddq_s32(even, odd), SQ_WEIGHT_BITS);
        uint8x8_t bytes = vqmovn_u16(vcombine_u16(words, words));
        uint32_t pixel = vget_lane_u32(vreinterpret_u32_u8(bytes), 0);
        memcpy(out + i * SQ_PIXEL_BYTES, &pixel, sizeof(pixel));
    }
}

/* Eight pixels, split into even and odd ones. */
struct pairs {
    uint8x16_t even;
    uint8x16_t odd;
};

static inline struct pairs
load_pairs(const uint8_t *pixels) {
    uint32x4_t first = vreinterpretq_u32_u8(vld1q_u8(pixels));
    uint32x4_t second = vreinterpretq_u32_u8(vld1q_u8(pixels + 16));
    return (struct pairs){ vreinterpretq_u8_u32(vuzp1q_u32(first, second)),
                           vreinterpretq_u8_u32(vuzp2q_u32(first, second)) };
}

/* Returns four pixels, each the mean of two neighbours in both rows. */
static inline uint8x16_t
halve_block(struct pairs upper, struct pairs lower) {
    uint16x8_t low =
        vaddq_u16(vaddl_u8(vget_low_u8(upper.even), vget_low_u8(upper.odd)),
                  vaddl_u8(vget_low_u8(lower.even), vget_low_u8(lower.odd)));
    uint16x8_t high = vaddq_u16(vaddl_high_u8(upper.even, upper.odd),
                                vaddl_high_u8(lower.even, lower.odd));
    return vcombine_u8(vrshrn_n_u16(low, 2), vrshrn_n_u16(high, 2));
}

static void
halve_neon(const uint8_t *upper, const uint8_t *lower, int width,
           uint8_t *out) {
    int i = 0;
    for (; i + 8 <= width; i += 8) {
        vst1q_u8(out + i / 2 * SQ_PIXEL_BYTES,
                 halve_block(load_pairs(upper + i * SQ_PIXEL_BYTES),
                             load_pairs(lower + i * SQ_PIXEL_BYTES)));
    }
    int done = i * SQ_PIXEL_BYTES;
    sq_halve_scalar(upper + done, lower + done, width - i, out + done / 2);
}

const struct sq_resampler sq_resampler_neon = { vertical_neon, horizontal_neon,
                                                halve_neon };
#else
typedef int sq_no_neon; /* ISO C requires a declaration in every file */
#endif
