/* Implements the scaling loops with SSE2 and AVX2. */
#include "image/pipeline/scale.h"

#if SQ_HAVE_X86
#include <immintrin.h>
#include <string.h>

#define HALF (SQ_WEIGHT_ONE / 2)
#define AVX2 __attribute__((target("avx2")))

static inline __m128i
load128(const uint8_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void
store128(uint8_t *p, __m128i v) {
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

AVX2 static inline __m256i
load256(const void *p) {
    return _mm256_loadu_si256((const __m256i *)p);
}

AVX2 static inline void
store256(void *p, __m256i v) {
    _mm256_storeu_si256((__m256i *)p, v);
}

/* Packs two weights for pmaddwd. */
static inline int
weight_pair(int16_t first, int16_t second) {
    return (int)((uint32_t)(uint16_t)first | (uint32_t)(uint16_t)second << 16);
}

static inline int
load_pair(const int16_t *weights) {
    int pair;
    memcpy(&pair, weights, sizeof(pair));
    return pair;
}

static inline __m128i
load_words(const int16_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void
store_words(int16_t *p, __m128i v) {
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

/* Shifts eight sums to words clamped to 0..255. */
static inline __m128i
shift_and_clamp(__m128i low, __m128i high) {
    __m128i words = _mm_packs_epi32(_mm_srai_epi32(low, SQ_WEIGHT_BITS),
                                    _mm_srai_epi32(high, SQ_WEIGHT_BITS));
    words = _mm_max_epi16(words, _mm_setzero_si128());
    return _mm_min_epi16(words, _mm_set1_epi16(255));
}

static void
vertical_sse2(const uint8_t *const *rows, const int16_t *weights, int taps,
              int16_t *column, struct sq_range channels) {
    const __m128i zero = _mm_setzero_si128();
    for (size_t i = channels.from; i < channels.to; i += 16) {
        __m128i sum[4];
        for (int q = 0; q < 4; q++) {
            sum[q] = _mm_set1_epi32(HALF);
        }
        for (int k = 0; k < taps; k += 2) {
            bool pair = k + 1 < taps;
            __m128i w = _mm_set1_epi32(
                weight_pair(weights[k], pair ? weights[k + 1] : 0));
            __m128i a = load128(rows[k] + i);
            __m128i b = pair ? load128(rows[k + 1] + i) : zero;
            __m128i low = _mm_unpacklo_epi8(a, b);
            __m128i high = _mm_unpackhi_epi8(a, b);
            __m128i v[4] = { _mm_unpacklo_epi8(low, zero),
                             _mm_unpackhi_epi8(low, zero),
                             _mm_unpacklo_epi8(high, zero),
                             _mm_unpackhi_epi8(high, zero) };
            for (int q = 0; q < 4; q++) {
                sum[q] = _mm_add_epi32(sum[q], _mm_madd_epi16(v[q], w));
            }
        }
        store_words(column + i, shift_and_clamp(sum[0], sum[1]));
        store_words(column + i + 8, shift_and_clamp(sum[2], sum[3]));
    }
}

static inline void
store_pixel(uint8_t *out, __m128i sum) {
    sum = _mm_add_epi32(sum, _mm_set1_epi32(HALF));
    sum = _mm_srai_epi32(sum, SQ_WEIGHT_BITS);
    sum = _mm_packs_epi32(sum, sum);
    int pixel = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
    memcpy(out, &pixel, sizeof(pixel));
}

static void
horizontal_sse2(const int16_t *column, const struct sq_weights *weights,
                uint8_t *out, struct sq_range outputs) {
    for (size_t i = outputs.from; i < outputs.to; i++) {
        const int16_t *from =
            column + (size_t)weights->first[i] * SQ_PIXEL_BYTES;
        const int16_t *value = weights->value + i * (size_t)weights->taps;
        __m128i sum = _mm_setzero_si128();
        for (int k = 0; k < weights->used[i]; k += 2) {
            __m128i p = load_words(from + k * SQ_PIXEL_BYTES);
            /* interleave the channels of two pixels */
            p = _mm_unpacklo_epi16(p, _mm_srli_si128(p, 8));
            __m128i w = _mm_set1_epi32(load_pair(value + k));
            sum = _mm_add_epi32(sum, _mm_madd_epi16(p, w));
        }
        store_pixel(out + i * SQ_PIXEL_BYTES, sum);
    }
}

/* Returns sums of eight pixels of two rows: four of 16 bits per channel. */
static inline __m128i
halve_block(__m128i upper, __m128i lower) {
    const __m128i zero = _mm_setzero_si128();
    __m128i low = _mm_add_epi16(_mm_unpacklo_epi8(upper, zero),
                                _mm_unpacklo_epi8(lower, zero));
    __m128i high = _mm_add_epi16(_mm_unpackhi_epi8(upper, zero),
                                 _mm_unpackhi_epi8(lower, zero));
    __m128i sum = _mm_add_epi16(_mm_unpacklo_epi64(low, high),
                                _mm_unpackhi_epi64(low, high));
    return _mm_srli_epi16(_mm_add_epi16(sum, _mm_set1_epi16(2)), 2);
}

static void
halve_sse2(const uint8_t *upper, const uint8_t *lower, int width,
           uint8_t *out) {
    int i = 0;
    for (; i + 8 <= width; i += 8) {
        const uint8_t *u = upper + i * SQ_PIXEL_BYTES;
        const uint8_t *l = lower + i * SQ_PIXEL_BYTES;
        __m128i first = halve_block(load128(u), load128(l));
        __m128i second = halve_block(load128(u + 16), load128(l + 16));
        store128(out + i / 2 * SQ_PIXEL_BYTES, _mm_packus_epi16(first, second));
    }
    int done = i * SQ_PIXEL_BYTES;
    sq_halve_scalar(upper + done, lower + done, width - i, out + done / 2);
}

const struct sq_resampler sq_resampler_sse2 = { vertical_sse2, horizontal_sse2,
                                                halve_sse2 };

struct sums256 {
    __m256i q[4];
};

AVX2 static inline void
add_rows(struct sums256 *sums, __m256i a, __m256i b, __m256i w) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_unpacklo_epi8(a, b);
    __m256i high = _mm256_unpackhi_epi8(a, b);
    sums->q[0] = _mm256_add_epi32(
        sums->q[0], _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), w));
    sums->q[1] = _mm256_add_epi32(
        sums->q[1], _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), w));
    sums->q[2] = _mm256_add_epi32(
        sums->q[2], _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), w));
    sums->q[3] = _mm256_add_epi32(
        sums->q[3], _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), w));
}

AVX2 static inline __m256i
shift_and_clamp256(__m256i low, __m256i high) {
    __m256i words = _mm256_packs_epi32(_mm256_srai_epi32(low, SQ_WEIGHT_BITS),
                                       _mm256_srai_epi32(high, SQ_WEIGHT_BITS));
    words = _mm256_max_epi16(words, _mm256_setzero_si256());
    return _mm256_min_epi16(words, _mm256_set1_epi16(255));
}

/* Compiled for each number of taps or groups, which keeps weights in registers.
 */
#define UNROLLED AVX2 static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")

UNROLLED void
vertical_pairs(const uint8_t *const *rows, const int16_t *weights, size_t taps,
               int16_t *column, struct sq_range channels, size_t pairs) {
    const __m256i half = _mm256_set1_epi32(HALF);
    for (size_t i = channels.from; i < channels.to; i += 32) {
        struct sums256 sums = { { half, half, half, half } };
        UNROLL for (size_t k = 0; k < pairs; k++) {
            add_rows(&sums, load256(rows[k * 2] + i),
                     load256(rows[k * 2 + 1] + i),
                     _mm256_set1_epi32(load_pair(weights + k * 2)));
        }
        if (pairs * 2 < taps) {
            add_rows(&sums, load256(rows[taps - 1] + i), _mm256_setzero_si256(),
                     _mm256_set1_epi32(weight_pair(weights[taps - 1], 0)));
        }
        /* unpacking works within 128-bit halves: restore the order */
        __m256i first = shift_and_clamp256(sums.q[0], sums.q[1]);
        __m256i second = shift_and_clamp256(sums.q[2], sums.q[3]);
        store256(column + i, _mm256_permute2x128_si256(first, second, 0x20));
        store256(column + i + 16,
                 _mm256_permute2x128_si256(first, second, 0x31));
    }
}

AVX2 static void
vertical_avx2(const uint8_t *const *rows, const int16_t *weights, int taps,
              int16_t *column, struct sq_range channels) {
    size_t count = (size_t)taps;
    switch (count / 2) {
    case 2:
        vertical_pairs(rows, weights, count, column, channels, 2);
        break;
    case 3:
        vertical_pairs(rows, weights, count, column, channels, 3);
        break;
    case 4:
        vertical_pairs(rows, weights, count, column, channels, 4);
        break;
    case 5:
        vertical_pairs(rows, weights, count, column, channels, 5);
        break;
    default:
        vertical_pairs(rows, weights, count, column, channels, count / 2);
        break;
    }
}

/* Returns the sums of an output's taps: the lower half has those of the first
 * two of each group, the upper half those of the others. */
UNROLLED __m256i
sum_groups(const int16_t *from, const int16_t *value, int groups) {
    /* In each half: interleaves the channels of two pixels. */
    const __m256i pairs = _mm256_setr_epi8(
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, /* pixels 0, 1 */
        0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    __m256i sum = _mm256_setzero_si256();
    UNROLL for (int k = 0; k < groups * SQ_TAP_GROUP; k += SQ_TAP_GROUP) {
        __m256i p = load256(from + k * SQ_PIXEL_BYTES);
        __m256i w = _mm256_blend_epi32(
            _mm256_set1_epi32(load_pair(value + k)),
            _mm256_set1_epi32(load_pair(value + k + 2)), 0xf0);
        p = _mm256_shuffle_epi8(p, pairs);
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(p, w));
    }
    return sum;
}

/* Adds both halves of two outputs' sums. */
AVX2 static inline __m256i
join_halves(__m256i first, __m256i second) {
    __m256i low = _mm256_permute2x128_si256(first, second, 0x20);
    __m256i high = _mm256_permute2x128_si256(first, second, 0x31);
    __m256i sum = _mm256_add_epi32(low, high);
    sum = _mm256_add_epi32(sum, _mm256_set1_epi32(HALF));
    return _mm256_srai_epi32(sum, SQ_WEIGHT_BITS);
}

/* Makes outputs from i on, four at a time; returns the first that is left. */
UNROLLED size_t
horizontal_fours(const int16_t *column, const struct sq_weights *weights,
                 uint8_t *out, struct sq_range outputs, int groups) {
    size_t i = outputs.from;
    const int16_t *value = weights->value + i * (size_t)weights->taps;
    for (; i + 4 <= outputs.to; i += 4) {
        __m256i sum[4];
        UNROLL for (size_t k = 0; k < 4; k++, value += weights->taps) {
            size_t first = (size_t)weights->first[i + k];
            sum[k] = sum_groups(column + first * SQ_PIXEL_BYTES, value, groups);
        }
        __m256i words = _mm256_packs_epi32(join_halves(sum[0], sum[1]),
                                           join_halves(sum[2], sum[3]));
        words = _mm256_permute4x64_epi64(words, _MM_SHUFFLE(3, 1, 2, 0));
        store128(out + i * SQ_PIXEL_BYTES,
                 _mm_packus_epi16(_mm256_castsi256_si128(words),
                                  _mm256_extracti128_si256(words, 1)));
    }
    return i;
}

AVX2 static void
horizontal_avx2(const int16_t *column, const struct sq_weights *weights,
                uint8_t *out, struct sq_range outputs) {
    size_t i = outputs.from;
    /* Weights that are padding may multiply values in the column's slack. */
    switch (weights->groups) {
    case 1:
        i = horizontal_fours(column, weights, out, outputs, 1);
        break;
    case 2:
        i = horizontal_fours(column, weights, out, outputs, 2);
        break;
    case 3:
        i = horizontal_fours(column, weights, out, outputs, 3);
        break;
    case 4:
        i = horizontal_fours(column, weights, out, outputs, 4);
        break;
    default:
        break;
    }
    for (; i < outputs.to; i++) {
        __m256i sum =
            sum_groups(column + (size_t)weights->first[i] * SQ_PIXEL_BYTES,
                       weights->value + i * (size_t)weights->taps,
                       (weights->used[i] + SQ_TAP_GROUP - 1) / SQ_TAP_GROUP);
        store_pixel(out + i * SQ_PIXEL_BYTES,
                    _mm_add_epi32(_mm256_castsi256_si128(sum),
                                  _mm256_extracti128_si256(sum, 1)));
    }
}

const struct sq_resampler sq_resampler_avx2 = { vertical_avx2, horizontal_avx2,
                                                halve_sse2 };
#else
typedef int sq_no_x86; /* ISO C requires a declaration in every file */
#endif
