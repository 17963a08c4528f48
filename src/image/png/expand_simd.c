/* Implements the PNG sample conversions with AVX2 and NEON. */
#include "image/png/expand_simd.h"

#include "image/pipeline/cpu.h"

#if SQ_HAVE_X86
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

static inline __m128i
load128(const uint8_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

AVX2 static size_t
spread_rgb_avx2(const uint8_t *rgb, uint8_t *rgbx, size_t pixels) {
    const __m256i spread = _mm256_setr_epi8(
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, /* low half */
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    size_t i = 0;
    /*
     * Eight pixels are 24 bytes; the second load reads four bytes beyond them.
     */
    for (; i + 10 <= pixels; i += 8) {
        const uint8_t *p = rgb + i * 3;
        __m256i v = _mm256_inserti128_si256(_mm256_castsi128_si256(load128(p)),
                                            load128(p + 12), 1);
        _mm256_storeu_si256((__m256i *)(void *)(rgbx + i * 4),
                            _mm256_shuffle_epi8(v, spread));
    }
    return i;
}

/*
 * Two pixels are twelve bytes. Upper bytes go to one half, lower bytes to the
 * other.
 */
AVX2 static size_t
split_rgb16_avx2(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
                 size_t pixels) {
    const __m128i split = _mm_setr_epi8(0, 2, 4, -1, 6, 8, 10, -1, /* upper */
                                        1, 3, 5, -1, 7, 9, 11, -1);
    size_t i = 0;
    /*
     * Four pixels are 24 bytes; the second load reads four bytes beyond them.
     */
    for (; i + 5 <= pixels; i += 4) {
        __m128i first = _mm_shuffle_epi8(load128(rgb + i * 6), split);
        __m128i second = _mm_shuffle_epi8(load128(rgb + i * 6 + 12), split);
        _mm_storeu_si128((__m128i *)(void *)(upper + i * 4),
                         _mm_unpacklo_epi64(first, second));
        _mm_storeu_si128((__m128i *)(void *)(lower + i * 4),
                         _mm_unpackhi_epi64(first, second));
    }
    return i;
}

/* All ones where a - b is more than 128. */
AVX2 static inline __m256i
exceeds(__m256i a, __m256i b) {
    __m256i more = _mm256_subs_epu8(a, b);
    __m256i least = _mm256_set1_epi8((char)129);
    return _mm256_cmpeq_epi8(_mm256_max_epu8(more, least), more);
}

AVX2 static size_t
round_rgba16_avx2(const uint8_t *upper, const uint8_t *lower, uint8_t *rgba,
                  size_t pixels) {
    size_t i = 0;
    for (; i + 8 <= pixels; i += 8) {
        __m256i u =
            _mm256_loadu_si256((const __m256i *)(const void *)(upper + i * 4));
        __m256i l =
            _mm256_loadu_si256((const __m256i *)(const void *)(lower + i * 4));
        __m256i sum = _mm256_sub_epi8(u, exceeds(l, u));
        _mm256_storeu_si256((__m256i *)(void *)(rgba + i * 4),
                            _mm256_add_epi8(sum, exceeds(u, l)));
    }
    return i;
}

const struct sq_expand_variant *
sq_expand_variant_get(void) {
    static const struct sq_expand_variant avx2 = { spread_rgb_avx2,
                                                   split_rgb16_avx2,
                                                   round_rgba16_avx2 };
    return sq_cpu_level() >= SQ_CPU_AVX2 ? &avx2 : NULL;
}

#elif SQ_HAVE_NEON
#include <arm_neon.h>

static size_t
spread_rgb_neon(const uint8_t *rgb, uint8_t *rgbx, size_t pixels) {
    size_t i = 0;
    for (; i + 16 <= pixels; i += 16) {
        uint8x16x3_t from = vld3q_u8(rgb + i * 3);
        uint8x16x4_t to = { { from.val[0], from.val[1], from.val[2],
                              vdupq_n_u8(0) } };
        vst4q_u8(rgbx + i * 4, to);
    }
    return i;
}

/* Converts the big-endian words of the file to this machine's byte order. */
static size_t
split_rgb16_neon(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
                 size_t pixels) {
    size_t i = 0;
    for (; i + 16 <= pixels; i += 16) {
        uint8x16x3_t a = vld3q_u8(rgb + i * 6);
        uint8x16x3_t b = vld3q_u8(rgb + i * 6 + 48);
        /* Of each pixel's six bytes, every third: 0 and 3, 1 and 4, 2 and 5. */
        uint8x16x4_t high = {
            { vuzp1q_u8(a.val[0], b.val[0]), vuzp1q_u8(a.val[2], b.val[2]),
              vuzp2q_u8(a.val[1], b.val[1]), vdupq_n_u8(0) }
        };
        uint8x16x4_t low = { { vuzp1q_u8(a.val[1], b.val[1]),
                               vuzp2q_u8(a.val[0], b.val[0]),
                               vuzp2q_u8(a.val[2], b.val[2]), vdupq_n_u8(0) } };
        vst4q_u8(upper + i * 4, high);
        vst4q_u8(lower + i * 4, low);
    }
    return i;
}

/* All ones where a - b is more than 128. */
static inline uint8x16_t
exceeds(uint8x16_t a, uint8x16_t b) {
    return vcgtq_u8(vqsubq_u8(a, b), vdupq_n_u8(128));
}

static size_t
round_rgba16_neon(const uint8_t *upper, const uint8_t *lower, uint8_t *rgba,
                  size_t pixels) {
    size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        uint8x16_t u = vld1q_u8(upper + i * 4);
        uint8x16_t l = vld1q_u8(lower + i * 4);
        uint8x16_t sum = vsubq_u8(u, exceeds(l, u));
        vst1q_u8(rgba + i * 4, vaddq_u8(sum, exceeds(u, l)));
    }
    return i;
}

const struct sq_expand_variant *
sq_expand_variant_get(void) {
    static const struct sq_expand_variant neon = { spread_rgb_neon,
                                                   split_rgb16_neon,
                                                   round_rgba16_neon };
    return sq_cpu_level() == SQ_CPU_NEON ? &neon : NULL;
}

#else

const struct sq_expand_variant *
sq_expand_variant_get(void) {
    return NULL;
}

#endif
