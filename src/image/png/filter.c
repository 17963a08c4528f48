/* Chooses and applies PNG row filters. */
#include "image/png/filter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "image/pipeline/cpu.h"

#if SQ_HAVE_X86
#include <immintrin.h>
#endif

enum filter {
    FILTER_NONE,
    FILTER_SUB,
    FILTER_UP,
};

/*
 * If differing neighbours differ by more than this on average, the row is drawn
 * (text, lines) and not shaded. Repetition then compresses better than
 * prediction. Found by experiments with settings, shop and small-print pages.
 */
#define DRAWN_CONTRAST 12

/* A count up to this many bytes fits into a byte. */
#define COUNT_BLOCK 240

static void
pack_scalar(const uint8_t *rgbx, int width, uint8_t *rgb) {
    for (int x = 0; x < width; x++) {
        rgb[0] = rgbx[0];
        rgb[1] = rgbx[1];
        rgb[2] = rgbx[2];
        rgb += SQ_RGB_BYTES;
        rgbx += SQ_PIXEL_BYTES;
    }
}

#if SQ_HAVE_X86
__attribute__((target("avx2"))) static void
pack_avx2(const uint8_t *rgbx, int width, uint8_t *rgb) {
    const __m128i drop_fourth =
        _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int x = 0;
    for (; x + 4 <= width; x += 4) {
        __m128i pixels = _mm_loadu_si128((const __m128i *)(const void *)rgbx);
        _mm_storeu_si128((__m128i *)(void *)rgb,
                         _mm_shuffle_epi8(pixels, drop_fourth));
        rgb += 4 * SQ_RGB_BYTES;
        rgbx += 4 * SQ_PIXEL_BYTES;
    }
    pack_scalar(rgbx, width - x, rgb);
}
#endif

void
sq_png_pack(const uint8_t *rgbx, int width, uint8_t *rgb) {
#if SQ_HAVE_X86
    if (sq_cpu_level() >= SQ_CPU_AVX2) {
        pack_avx2(rgbx, width, rgb);
        return;
    }
#endif
    pack_scalar(rgbx, width, rgb);
}

static unsigned int
total_difference(const uint8_t *a, const uint8_t *b, size_t bytes) {
    unsigned int total = 0;
    for (size_t i = 0; i < bytes; i++) {
        total += (unsigned int)abs(a[i] - b[i]);
    }
    return total;
}

static unsigned int
count_differing(const uint8_t *a, const uint8_t *b, size_t bytes) {
    unsigned int total = 0;
    for (size_t start = 0; start < bytes; start += COUNT_BLOCK) {
        size_t left = bytes - start;
        size_t end = start + (left < COUNT_BLOCK ? left : COUNT_BLOCK);
        uint8_t count = 0;
        for (size_t i = start; i < end; i++) {
            count = (uint8_t)(count + (a[i] != b[i]));
        }
        total += count;
    }
    return total;
}

static enum filter
choose_filter(const uint8_t *row, const uint8_t *left, const uint8_t *above,
              size_t bytes) {
    unsigned int up = total_difference(row, above, bytes);
    unsigned int sub = total_difference(row, left, bytes);
    bool up_is_better = up <= sub;
    unsigned int differing =
        count_differing(row, up_is_better ? above : left, bytes);
    if ((up_is_better ? up : sub) > DRAWN_CONTRAST * differing) {
        return FILTER_NONE;
    }
    return up_is_better ? FILTER_UP : FILTER_SUB;
}

static void
subtract(const uint8_t *a, const uint8_t *b, size_t bytes, uint8_t *out) {
    for (size_t i = 0; i < bytes; i++) {
        out[i] = (uint8_t)(a[i] - b[i]);
    }
}

void
sq_png_filter(const uint8_t *row, const uint8_t *above, size_t bytes,
              uint8_t *out) {
    if (memcmp(row, above, bytes) == 0) { /* most rows of a screen */
        *out++ = FILTER_UP;
        memset(out, 0, bytes);
        return;
    }
    const uint8_t *left = row - SQ_RGB_BYTES;
    enum filter filter = choose_filter(row, left, above, bytes);
    *out++ = (uint8_t)filter;
    if (filter == FILTER_NONE) {
        memcpy(out, row, bytes);
    } else {
        subtract(row, filter == FILTER_UP ? above : left, bytes, out);
    }
}
