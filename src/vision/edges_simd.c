/* Marks horizontal changes of colour with SSE2. */
#include "vision/edges_simd.h"

#if SQ_HAVE_X86
#include <emmintrin.h>

static inline __m128i
load(const uint8_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/* Returns all ones for each of four pixels that is not an edge. */
static inline __m128i
flat_of_four(const uint8_t *p, __m128i below) {
    const __m128i colours = _mm_set1_epi32(0x00ffffff);
    __m128i left = load(p - 4);
    __m128i here = load(p);
    __m128i right = load(p + 4);
    __m128i most = _mm_max_epu8(_mm_max_epu8(left, right), here);
    __m128i least = _mm_min_epu8(_mm_min_epu8(left, right), here);
    /* Saturates to 0 where the range is less than the threshold. */
    __m128i excess = _mm_subs_epu8(_mm_sub_epi8(most, least), below);
    return _mm_cmpeq_epi32(_mm_and_si128(excess, colours), _mm_setzero_si128());
}

static inline uint64_t
edges_of_sixteen(const uint8_t *p, __m128i below) {
    __m128i low =
        _mm_packs_epi32(flat_of_four(p, below), flat_of_four(p + 16, below));
    __m128i high = _mm_packs_epi32(flat_of_four(p + 32, below),
                                   flat_of_four(p + 48, below));
    unsigned flat = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high));
    return ~flat & 0xffffu;
}

void
sq_edges_words(const uint8_t *pixels, int words, int threshold,
               uint64_t *bits) {
    const __m128i below = _mm_set1_epi8((char)(threshold - 1));
    for (int i = 0; i < words; i++) {
        const uint8_t *p = pixels + (size_t)i * 256;
        bits[i] = edges_of_sixteen(p, below)
                | edges_of_sixteen(p + 64, below) << 16
                | edges_of_sixteen(p + 128, below) << 32
                | edges_of_sixteen(p + 192, below) << 48;
    }
}
#endif
