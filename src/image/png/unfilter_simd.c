/* Reverses PNG filters with SSE2 and AVX2. */
#include "image/png/private.h"

#if SQ_HAVE_X86
#include <immintrin.h>
#include <string.h>

static inline __m128i
load_pixel(const uint8_t *p) {
    int32_t v;
    memcpy(&v, p, sizeof(v));
    return _mm_cvtsi32_si128(v);
}

static inline void
store_pixel(uint8_t *p, __m128i v) {
    int32_t word = _mm_cvtsi128_si32(v);
    memcpy(p, &word, sizeof(word));
}

static inline __m128i
load16(const uint8_t *p) {
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void
store16(uint8_t *p, __m128i v) {
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

/* Computes a running sum, four pixels at a time. */
static void
sub_sse2(const uint8_t *residual, const uint8_t *above, uint8_t *row,
         size_t pixels) {
    (void)above;
    __m128i left = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        __m128i x = load16(residual + i * 4);
        x = _mm_add_epi8(x, _mm_slli_si128(x, 4));
        x = _mm_add_epi8(x, _mm_slli_si128(x, 8));
        x = _mm_add_epi8(x, left);
        store16(row + i * 4, x);
        left = _mm_shuffle_epi32(x, 0xff);
    }
    for (; i < pixels; i++) {
        left = _mm_add_epi8(load_pixel(residual + i * 4), left);
        store_pixel(row + i * 4, left);
    }
}

static void
up_sse2(const uint8_t *residual, const uint8_t *above, uint8_t *row,
        size_t pixels) {
    size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        store16(row + i * 4,
                _mm_add_epi8(load16(residual + i * 4), load16(above + i * 4)));
    }
    for (; i < pixels; i++) {
        store_pixel(row + i * 4, _mm_add_epi8(load_pixel(residual + i * 4),
                                              load_pixel(above + i * 4)));
    }
}

static void
average_sse2(const uint8_t *residual, const uint8_t *above, uint8_t *row,
             size_t pixels) {
    const __m128i one = _mm_set1_epi8(1);
    __m128i left = _mm_setzero_si128();
    for (size_t i = 0; i < pixels; i++) {
        __m128i up = load_pixel(above + i * 4);
        /* pavgb rounds up, PNG rounds down: subtract the odd bit. */
        __m128i odd = _mm_and_si128(_mm_xor_si128(left, up), one);
        __m128i mean = _mm_sub_epi8(_mm_avg_epu8(left, up), odd);
        left = _mm_add_epi8(load_pixel(residual + i * 4), mean);
        store_pixel(row + i * 4, left);
    }
}

static inline __m128i
select128(__m128i mask, __m128i yes, __m128i no) {
    return _mm_or_si128(_mm_and_si128(mask, yes), _mm_andnot_si128(mask, no));
}

static inline __m128i
load_wide(const uint8_t *p) {
    return _mm_unpacklo_epi8(load_pixel(p), _mm_setzero_si128());
}

/*
 * If the left pixel equals the upper left one, Paeth predicts the upper pixel.
 * A run of zero residuals then copies the row above and leaves the state
 * unchanged. Most of a user interface is like that.
 */
#define COPY_PIXELS 8

static inline bool
copies_above(__m128i a, __m128i c, const uint8_t *residual) {
    __m128i any = _mm_or_si128(load16(residual), load16(residual + 16));
    any = _mm_or_si128(any, _mm_xor_si128(a, c));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128()))
        == 0xffff;
}

/*
 * The Paeth predictor as two comparisons: with t = 3c - a - b it is the
 * smaller neighbour where t >= max(a, b), the larger where t <= min(a, b),
 * and c in between.
 */
static inline __m128i
paeth_predict(__m128i a, __m128i b, __m128i c) {
    __m128i c3 = _mm_add_epi16(_mm_add_epi16(c, c), c);
    __m128i t = _mm_sub_epi16(_mm_sub_epi16(c3, b), a);
    __m128i low = _mm_min_epi16(a, b);
    __m128i high = _mm_max_epi16(a, b);
    __m128i p = select128(_mm_cmpgt_epi16(high, t), c, low);
    return select128(_mm_cmpgt_epi16(t, low), p, high);
}

/* Unfilters pixels from..to of a row; earlier pixels are done. */
static void
paeth_part(const uint8_t *residual, const uint8_t *above, uint8_t *row,
           size_t from, size_t to) {
    const __m128i zero = _mm_setzero_si128();
    const __m128i byte = _mm_set1_epi16(0xff);
    __m128i a = from ? load_wide(row + (from - 1) * 4) : zero;
    __m128i c = from ? load_wide(above + (from - 1) * 4) : zero;
    for (size_t i = from; i < to;) {
        size_t stop = i + COPY_PIXELS;
        if (stop <= to && copies_above(a, c, residual + i * 4)) {
            memcpy(row + i * 4, above + i * 4, COPY_PIXELS * 4);
            a = c = load_wide(above + (stop - 1) * 4);
            i = stop;
            continue;
        }
        for (stop = stop < to ? stop : to; i < stop; i++) {
            __m128i b = load_wide(above + i * 4);
            a = _mm_add_epi16(load_wide(residual + i * 4),
                              paeth_predict(a, b, c));
            a = _mm_and_si128(a, byte);
            store_pixel(row + i * 4, _mm_packus_epi16(a, a));
            c = b;
        }
    }
}

static void
paeth_sse2(const uint8_t *residual, const uint8_t *above, uint8_t *row,
           size_t pixels) {
    paeth_part(residual, above, row, 0, pixels);
}

const sq_unfilter_pixels sq_unfilter_sse2[SQ_PNG_FILTERS] = {
    [SQ_PNG_SUB] = sub_sse2,
    [SQ_PNG_UP] = up_sse2,
    [SQ_PNG_AVERAGE] = average_sse2,
    [SQ_PNG_PAETH] = paeth_sse2,
};

/*
 * In Paeth rows each pixel depends on the previous one, but row k can be
 * decoded two pixels after row k-1. So four rows are decoded together as a
 * wavefront, with row k at pixel x - 2k. Lane k of a register holds row k as
 * four 16-bit channels.
 *
 *   row 0   . . . . . . x          a: the pixel left of each
 *   row 1   . . . . x              b: above each = row k-1, two steps ago
 *   row 2   . . x                  c: b of the previous step
 *   row 3   x
 */
#define WAVE_LAG 2
#define WAVE_LEAD                                                              \
    (WAVE_LAG * (SQ_PAETH_ROWS - 1)) /* row 0's lead over row 3                \
                                      */

struct wave {
    __m256i a;
    __m256i c;
    __m256i last; /* output of the previous step, the next b */
};

__attribute__((target("avx2"))) static inline __m256i
wave_step(struct wave *w, __m128i residual, const uint8_t *above) {
    __m256i b = _mm256_permute4x64_epi64(w->last, 0x90);
    __m128i top = _mm_cvtepu8_epi16(load_pixel(above));
    b = _mm256_blend_epi32(b, _mm256_castsi128_si256(top), 0x03);
    w->last = w->a;

    __m256i x = _mm256_cvtepu8_epi16(residual);
    __m256i c3 = _mm256_add_epi16(_mm256_add_epi16(w->c, w->c), w->c);
    __m256i t = _mm256_sub_epi16(_mm256_sub_epi16(c3, b), w->a);
    __m256i low = _mm256_min_epi16(w->a, b);
    __m256i high = _mm256_max_epi16(w->a, b);
    __m256i p = _mm256_blendv_epi8(low, w->c, _mm256_cmpgt_epi16(high, t));
    p = _mm256_blendv_epi8(high, p, _mm256_cmpgt_epi16(t, low));
    w->a = _mm256_and_si256(_mm256_add_epi16(x, p), _mm256_set1_epi16(0xff));
    w->c = b;
    return w->a;
}

/* Transposes between four pixels per row and one pixel of each row. */
static inline void
transpose(__m128i v[4]) {
    __m128i ab_low = _mm_unpacklo_epi32(v[0], v[1]);
    __m128i cd_low = _mm_unpacklo_epi32(v[2], v[3]);
    __m128i ab_high = _mm_unpackhi_epi32(v[0], v[1]);
    __m128i cd_high = _mm_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm_unpacklo_epi64(ab_low, cd_low);
    v[1] = _mm_unpackhi_epi64(ab_low, cd_low);
    v[2] = _mm_unpacklo_epi64(ab_high, cd_high);
    v[3] = _mm_unpackhi_epi64(ab_high, cd_high);
}

__attribute__((target("avx2"))) static inline __m128i
pack_step(__m256i pixels) {
    __m256i packed = _mm256_packus_epi16(pixels, pixels);
    return _mm256_castsi256_si128(_mm256_permute4x64_epi64(packed, 0x08));
}

static inline int64_t
wide_pixel(const uint8_t *p) {
    return _mm_cvtsi128_si64(load_wide(p));
}

__attribute__((target("avx2"))) void
sq_unfilter_paeth_avx2(const uint8_t *const residual[SQ_PAETH_ROWS],
                       const uint8_t *above, uint8_t *const row[SQ_PAETH_ROWS],
                       size_t pixels) {
    const uint8_t *const over[SQ_PAETH_ROWS] = { above, row[0], row[1],
                                                 row[2] };
    for (size_t k = 0; k < SQ_PAETH_ROWS; k++) {
        paeth_part(residual[k], over[k], row[k], 0, WAVE_LEAD - WAVE_LAG * k);
    }
    struct wave w = {
        .a =
            _mm256_set_epi64x(0, wide_pixel(row[2] + 4),
                              wide_pixel(row[1] + 12), wide_pixel(row[0] + 20)),
        .c = _mm256_set_epi64x(0, wide_pixel(row[1] + 4),
                               wide_pixel(row[0] + 12), wide_pixel(above + 20)),
        .last = _mm256_set_epi64x(0, wide_pixel(row[2]), wide_pixel(row[1] + 8),
                                  wide_pixel(row[0] + 16)),
    };
    size_t x = WAVE_LEAD;
    for (; x + 4 <= pixels; x += 4) {
        __m128i v[4];
        for (size_t k = 0; k < 4; k++) {
            v[k] = load16(residual[k] + (x - WAVE_LAG * k) * 4);
        }
        transpose(v);
        for (size_t step = 0; step < 4; step++) {
            v[step] = pack_step(wave_step(&w, v[step], above + (x + step) * 4));
        }
        transpose(v);
        for (size_t k = 0; k < 4; k++) {
            store16(row[k] + (x - WAVE_LAG * k) * 4, v[k]);
        }
    }
    for (size_t k = 0; k < SQ_PAETH_ROWS; k++) {
        paeth_part(residual[k], over[k], row[k], x - WAVE_LAG * k, pixels);
    }
}
#else
typedef int sq_no_x86; /* ISO C requires a declaration in every file */
#endif
