/* Marks horizontal changes of colour with NEON. */
#include "vision/edges_simd.h"

#if SQ_HAVE_NEON
#include <arm_neon.h>

/* The greatest difference of a channel around each of 64 pixels. */
struct ranges {
    uint8x16_t parts[4];
};

/* Returns the largest minus the smallest of three neighbours. */
static inline uint8x16_t
range_of_channel(uint8x16_t before, uint8x16_t here, uint8x16_t after) {
    uint8x16_t left = vextq_u8(before, here, 15);
    uint8x16_t right = vextq_u8(here, after, 1);
    uint8x16_t most = vmaxq_u8(vmaxq_u8(left, right), here);
    uint8x16_t least = vminq_u8(vminq_u8(left, right), here);
    return vsubq_u8(most, least);
}

static inline uint8x16_t
range_of_sixteen(const uint8x16x4_t *before, const uint8x16x4_t *here,
                 const uint8x16x4_t *after) {
    uint8x16_t red =
        range_of_channel(before->val[0], here->val[0], after->val[0]);
    uint8x16_t green =
        range_of_channel(before->val[1], here->val[1], after->val[1]);
    uint8x16_t blue =
        range_of_channel(before->val[2], here->val[2], after->val[2]);
    return vmaxq_u8(vmaxq_u8(red, green), blue);
}

/* Fills a register of each channel with one pixel. */
static inline uint8x16x4_t
repeat_pixel(const uint8_t *p) {
    return vld4q_dup_u8(p);
}

static inline struct ranges
ranges_of_word(const uint8_t *p) {
    struct ranges ranges;
    uint8x16x4_t before = repeat_pixel(p - 4);
    uint8x16x4_t here = vld4q_u8(p);
    for (int i = 0; i < 4; i++) {
        uint8x16x4_t after =
            i < 3 ? vld4q_u8(p + 64 * (i + 1)) : repeat_pixel(p + 256);
        ranges.parts[i] = range_of_sixteen(&before, &here, &after);
        before = here;
        here = after;
    }
    return ranges;
}

/* Returns one bit for each pixel whose range is at least the threshold. */
static inline uint64_t
bits_of_word(const struct ranges *ranges, uint8x16_t threshold) {
    static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128,
                                         1, 2, 4, 8, 16, 32, 64, 128 };
    const uint8x16_t weight = vld1q_u8(weights);
    uint8x16_t masks[4];
    for (int i = 0; i < 4; i++) {
        masks[i] = vandq_u8(vcgeq_u8(ranges->parts[i], threshold), weight);
    }
    uint8x16_t low = vpaddq_u8(masks[0], masks[1]);
    uint8x16_t high = vpaddq_u8(masks[2], masks[3]);
    uint8x16_t sums = vpaddq_u8(low, high);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u64(vreinterpretq_u64_u8(sums), 0);
}

void
sq_edges_words(const uint8_t *pixels, int words,
               const struct sq_edge_level *levels, int count) {
    for (int i = 0; i < words; i++) {
        struct ranges ranges = ranges_of_word(pixels + (size_t)i * 256);
        for (int k = 0; k < count; k++) {
            levels[k].bits[i] =
                bits_of_word(&ranges, vdupq_n_u8((uint8_t)levels[k].threshold));
        }
    }
}
#endif
