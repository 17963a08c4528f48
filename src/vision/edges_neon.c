/* Marks horizontal changes of colour with NEON. */
#include "vision/edges_simd.h"

#if SQ_HAVE_NEON
#include <arm_neon.h>

/* Returns all ones for each of four pixels that is an edge. */
static inline uint32x4_t
edges_of_four(const uint8_t *p, uint8x16_t threshold) {
    const uint32x4_t colours = vdupq_n_u32(0x00ffffff);
    uint8x16_t left = vld1q_u8(p - 4);
    uint8x16_t here = vld1q_u8(p);
    uint8x16_t right = vld1q_u8(p + 4);
    uint8x16_t most = vmaxq_u8(vmaxq_u8(left, right), here);
    uint8x16_t least = vminq_u8(vminq_u8(left, right), here);
    uint8x16_t is_edge = vcgeq_u8(vsubq_u8(most, least), threshold);
    return vtstq_u32(vreinterpretq_u32_u8(is_edge), colours);
}

static inline uint64_t
edges_of_sixteen(const uint8_t *p, uint8x16_t threshold) {
    static const uint8_t weights[16] = { 1, 2, 4, 8, 16, 32, 64, 128,
                                         1, 2, 4, 8, 16, 32, 64, 128 };
    uint16x8_t low = vcombine_u16(vmovn_u32(edges_of_four(p, threshold)),
                                  vmovn_u32(edges_of_four(p + 16, threshold)));
    uint16x8_t high = vcombine_u16(vmovn_u32(edges_of_four(p + 32, threshold)),
                                   vmovn_u32(edges_of_four(p + 48, threshold)));
    uint8x16_t all = vcombine_u8(vmovn_u16(low), vmovn_u16(high));
    uint8x16_t weighted = vandq_u8(all, vld1q_u8(weights));
    return vaddv_u8(vget_low_u8(weighted))
         | (uint64_t)vaddv_u8(vget_high_u8(weighted)) << 8;
}

void
sq_edges_words(const uint8_t *pixels, int words, int threshold,
               uint64_t *bits) {
    const uint8x16_t limit = vdupq_n_u8((uint8_t)threshold);
    for (int i = 0; i < words; i++) {
        const uint8_t *p = pixels + (size_t)i * 256;
        bits[i] = edges_of_sixteen(p, limit)
                | edges_of_sixteen(p + 64, limit) << 16
                | edges_of_sixteen(p + 128, limit) << 32
                | edges_of_sixteen(p + 192, limit) << 48;
    }
}
#endif
