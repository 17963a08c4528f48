/* Marks horizontal changes of colour with SSE2. */
#include "vision/edges_simd.h"

#if SQ_HAVE_X86
#include <emmintrin.h>

/* The greatest difference of a channel around each of 64 pixels. */
struct ranges {
    __m128i parts[4];
};

static inline __m128i
load(const uint8_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Returns the range of each of four pixels as 32 bits. */
static inline __m128i
range_of_four(const uint8_t *p) {
    __m128i left = load(p - 4);
    __m128i here = load(p);
    __m128i right = load(p + 4);
    __m128i most = _mm_max_epu8(_mm_max_epu8(left, right), here);
    __m128i least = _mm_min_epu8(_mm_min_epu8(left, right), here);
    __m128i ranges = _mm_sub_epi8(most, least);
    __m128i green = _mm_srli_epi32(ranges, 8);
    __m128i blue = _mm_srli_epi32(ranges, 16);
    return _mm_and_si128(_mm_max_epu8(_mm_max_epu8(ranges, green), blue),
                         _mm_set1_epi32(0xff));
}

static inline __m128i
range_of_sixteen(const uint8_t *p) {
    __m128i low = _mm_packs_epi32(range_of_four(p), range_of_four(p + 16));
    __m128i high =
        _mm_packs_epi32(range_of_four(p + 32), range_of_four(p + 48));
    return _mm_packus_epi16(low, high);
}

/* Returns one bit for each pixel whose range is more than `below`. */
static inline uint64_t
bits_of_word(const struct ranges *ranges, __m128i below) {
    uint64_t flat = 0;
    for (int i = 0; i < 4; i++) {
        /* Saturates to 0 where the range is less than the threshold. */
        __m128i excess = _mm_subs_epu8(ranges->parts[i], below);
        __m128i is_flat = _mm_cmpeq_epi8(excess, _mm_setzero_si128());
        flat |= (uint64_t)(unsigned)_mm_movemask_epi8(is_flat) << (16 * i);
    }
    return ~flat;
}

void
sq_edges_words(const uint8_t *pixels, int words,
               const struct sq_edge_level *levels, int count) {
    for (int i = 0; i < words; i++) {
        const uint8_t *p = pixels + (size_t)i * 256;
        const struct ranges ranges = {
            { range_of_sixteen(p), range_of_sixteen(p + 64),
              range_of_sixteen(p + 128), range_of_sixteen(p + 192) },
        };
        for (int k = 0; k < count; k++) {
            __m128i below = _mm_set1_epi8((char)(levels[k].threshold - 1));
            levels[k].bits[i] = bits_of_word(&ranges, below);
        }
    }
}
#endif
