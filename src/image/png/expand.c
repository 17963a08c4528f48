/* Converts PNG samples of all types and depths to pixels. */
#include "image/png/private.h"

#include <string.h>

#include "image/image.h"
#include "image/pipeline/cpu.h"

#if SQ_HAVE_X86
#include <immintrin.h>
#endif

typedef uint8_t bytes16 __attribute__((vector_size(16)));

/* Compilers vectorise the loops over whole rows. */

bool
sq_row_is_opaque(const uint8_t *rgba, size_t pixels) {
    uint32_t all = UINT32_MAX;
    for (size_t i = 0; i < pixels; i++) {
        uint32_t pixel;
        memcpy(&pixel, rgba + i * 4, sizeof(pixel));
        all &= pixel;
    }
    const uint8_t *bytes = (const uint8_t *)&all;
    return bytes[3] == 255;
}

void
sq_row_over_black(const uint8_t *rgba, uint8_t *rgbx, size_t pixels) {
    for (size_t i = 0; i < pixels * 4; i += 4) {
        unsigned alpha = rgba[i + 3];
        for (size_t k = 0; k < 3; k++) {
            rgbx[i + k] = sq_over_black(rgba[i + k], alpha);
        }
        rgbx[i + 3] = (uint8_t)alpha;
    }
}

/* Vector instructions move bytes anywhere; SSE2 has none that does. */
#if SQ_HAVE_X86
#define SHUFFLES __attribute__((target("avx2")))
#else
#define SHUFFLES
#endif

static bool
can_shuffle(void) {
    return sq_cpu_level() == SQ_CPU_AVX2 || sq_cpu_level() == SQ_CPU_NEON;
}

/*
 * Spreads four pixels at a time, as long as 16 bytes can be read; returns how
 * many pixels were done.
 */
SHUFFLES static size_t
spread_vectors(const uint8_t *rgb, uint8_t *rgbx, size_t pixels) {
    size_t i = 0;
    for (; i * 3 + 16 <= pixels * 3; i += 4) {
        const bytes16 zero = { 0 };
        bytes16 v;
        memcpy(&v, rgb + i * 3, sizeof(v));
        v = __builtin_shufflevector(v, zero, 0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8,
                                    16, 9, 10, 11, 16);
        memcpy(rgbx + i * 4, &v, sizeof(v));
    }
    return i;
}

/* The reverse; writes four bytes more than it makes. */
SHUFFLES static size_t
pack_vectors(const uint8_t *rgbx, uint8_t *rgb, size_t pixels) {
    size_t i = 0;
    for (; i + 4 <= pixels; i += 4) {
        bytes16 v;
        memcpy(&v, rgbx + i * 4, sizeof(v));
        v = __builtin_shufflevector(v, v, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13,
                                    14, 3, 7, 11, 15);
        memcpy(rgb + i * 3, &v, sizeof(v));
    }
    return i;
}

/* Splits two pixels at a time in the same way. */
SHUFFLES static size_t
split_vectors(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
              size_t pixels) {
    size_t i = 0;
    for (; i * 6 + 16 <= pixels * 6; i += 2) {
        const bytes16 zero = { 0 };
        bytes16 v;
        memcpy(&v, rgb + i * 6, sizeof(v));
        v = __builtin_shufflevector(v, zero, 0, 2, 4, 16, 6, 8, 10, 16, 1, 3, 5,
                                    16, 7, 9, 11, 16);
        memcpy(upper + i * 4, &v, 8);
        memcpy(lower + i * 4, (const uint8_t *)&v + 8, 8);
    }
    return i;
}

void
sq_spread_rgb(const uint8_t *rgb, uint8_t *rgbx, size_t pixels) {
    size_t i = can_shuffle() ? spread_vectors(rgb, rgbx, pixels) : 0;
    /* Four bytes at a time, except for the last pixel. */
    for (; i + 1 < pixels; i++) {
        memcpy(rgbx + i * 4, rgb + i * 3, 4);
        rgbx[i * 4 + 3] = 0;
    }
    memcpy(rgbx + (pixels - 1) * 4, rgb + (pixels - 1) * 3, 3);
    rgbx[pixels * 4 - 1] = 0;
}

void
sq_pack_rgb(const uint8_t *rgbx, uint8_t *rgb, size_t pixels) {
    size_t i = can_shuffle() ? pack_vectors(rgbx, rgb, pixels) : 0;
    for (; i < pixels; i++) { /* the next pixel overwrites the fourth byte */
        memcpy(rgb + i * 3, rgbx + i * 4, 4);
    }
}

void
sq_split_rgb16(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
               size_t pixels) {
    size_t i = can_shuffle() ? split_vectors(rgb, upper, lower, pixels) : 0;
    for (; i < pixels; i++) {
        for (size_t c = 0; c < 3; c++) {
            upper[i * 4 + c] = rgb[i * 6 + c * 2];
            lower[i * 4 + c] = rgb[i * 6 + c * 2 + 1];
        }
        upper[i * 4 + 3] = 0;
        lower[i * 4 + 3] = 0;
    }
}

void
sq_split_rgba16(const uint8_t *rgba, uint8_t *upper, uint8_t *lower,
                size_t pixels) {
    for (size_t i = 0; i < pixels * 4; i++) {
        upper[i] = rgba[i * 2];
        lower[i] = rgba[i * 2 + 1];
    }
}

/*
 * A sample is 257 * upper + (lower - upper). So it rounds to the upper byte, or
 * to the next one if lower and upper differ by more than half of 257.
 */
void
sq_round_rgba16(const uint8_t *upper, const uint8_t *lower, uint8_t *rgba,
                size_t pixels) {
    for (size_t i = 0; i < pixels * 4; i++) {
        uint8_t apart = (uint8_t)(upper[i] > lower[i] ? upper[i] - lower[i]
                                                      : lower[i] - upper[i]);
        uint8_t step = apart > 128;
        rgba[i] =
            (uint8_t)(upper[i] > lower[i] ? upper[i] - step : upper[i] + step);
    }
}

/* Scales a sample of any depth to eight bits, rounded. */
static uint8_t
to_byte(unsigned sample, int depth) {
    unsigned most = (1u << depth) - 1;
    return (uint8_t)((sample * 255u + most / 2) / most);
}

static void
put_pixel(uint8_t *pixel, uint8_t r, uint8_t g, uint8_t b, unsigned alpha) {
    pixel[0] = sq_over_black(r, alpha);
    pixel[1] = sq_over_black(g, alpha);
    pixel[2] = sq_over_black(b, alpha);
    pixel[3] = (uint8_t)alpha;
}

static void
fill_greys(struct sq_png_expander *expander) {
    const struct sq_png *png = expander->png;
    for (unsigned i = 0; i < 1u << png->header.depth; i++) {
        uint8_t grey = to_byte(i, png->header.depth);
        bool is_key = png->has_key && i == png->key[0];
        put_pixel(expander->pixel[i], grey, grey, grey, is_key ? 0 : 255);
    }
}

void
sq_png_expander_init(struct sq_png_expander *expander,
                     const struct sq_png *png) {
    *expander = (struct sq_png_expander){ .png = png };
    if (png->header.colour == SQ_PNG_PALETTE) {
        for (int i = 0; i < expander->png->palette_size; i++) {
            const uint8_t *entry = expander->png->palette[i];
            put_pixel(expander->pixel[i], entry[0], entry[1], entry[2],
                      entry[3]);
            expander->pixel[i][3] = 255; /* marks a colour that exists */
        }
    } else if (png->header.colour == SQ_PNG_GREY && png->header.depth <= 8) {
        fill_greys(expander);
    }
}

/* Expands pixels of one sample with fewer than 8 bits by table lookup. */
static inline __attribute__((always_inline)) void
look_up_bits(const struct sq_png_expander *expander, const uint8_t *row,
             size_t width, uint8_t *pixels, size_t depth) {
    size_t per_byte = 8 / depth;
    for (size_t i = 0; i < width; i++) {
        size_t shift = 8 - depth * (i % per_byte + 1);
        unsigned byte = row[i / per_byte];
        unsigned sample = byte >> shift & ((1u << depth) - 1);
        memcpy(pixels + i * 4, expander->pixel[sample], 4);
    }
}

#if SQ_HAVE_X86
/* Looks up eight pixels at a time; returns how many were done. */
SHUFFLES static size_t
look_up_avx2(const struct sq_png_expander *expander, const uint8_t *row,
             size_t width, uint8_t *pixels) {
    size_t i = 0;
    for (; i + 8 <= width; i += 8) {
        __m256i at = _mm256_cvtepu8_epi32(
            _mm_loadl_epi64((const __m128i *)(const void *)(row + i)));
        __m256i v = _mm256_i32gather_epi32(
            (const int *)(const void *)expander->pixel, at, 4);
        _mm256_storeu_si256((__m256i *)(void *)(pixels + i * 4), v);
    }
    return i;
}
#endif

static void
look_up_bytes(const struct sq_png_expander *expander, const uint8_t *row,
              size_t width, uint8_t *pixels) {
    size_t i = 0;
#if SQ_HAVE_X86
    if (sq_cpu_level() == SQ_CPU_AVX2) {
        i = look_up_avx2(expander, row, width, pixels);
    }
#endif
    for (; i < width; i++) {
        memcpy(pixels + i * 4, expander->pixel[row[i]], 4);
    }
}

static void
expand_small(const struct sq_png_expander *expander, const uint8_t *row,
             size_t width, uint8_t *pixels) {
    switch (expander->png->header.depth) {
    case 1:
        look_up_bits(expander, row, width, pixels, 1);
        break;
    case 2:
        look_up_bits(expander, row, width, pixels, 2);
        break;
    case 4:
        look_up_bits(expander, row, width, pixels, 4);
        break;
    default:
        look_up_bytes(expander, row, width, pixels);
        break;
    }
}

/* Fails if a colour is not in the palette: its fourth byte is then 0. */
static bool
check_colours(const struct sq_png *png, const uint8_t *row, size_t width,
              const uint8_t *pixels, struct sq_err *err) {
    uint8_t most = 0;
    bool ok = true;
    if (png->palette_size >= 1 << png->header.depth) {
        return true;
    }
    if (png->header.depth == 8) {
        for (size_t i = 0; i < width; i++) {
            most = row[i] > most ? row[i] : most;
        }
        ok = most < png->palette_size;
    } else {
        ok = sq_row_is_opaque(pixels, width);
    }
    return ok
        || sq_fail(err, SQ_ERR_FORMAT,
                   "PNG: a pixel is outside the palette of %d colours",
                   png->palette_size);
}

/* Returns a sample of one or two bytes. */
static unsigned
sample_at(const uint8_t *row, int depth, size_t i) {
    return depth == 16 ? (unsigned)row[i * 2] << 8 | row[i * 2 + 1] : row[i];
}

static void
expand_grey(const struct sq_png *png, const uint8_t *row, size_t width,
            uint8_t *pixels) {
    int depth = png->header.depth;
    bool alpha_follows = png->header.colour == SQ_PNG_GREY_ALPHA;
    size_t step = alpha_follows ? 2 : 1;
    for (size_t i = 0; i < width; i++) {
        unsigned sample = sample_at(row, depth, i * step);
        unsigned alpha = 255;
        if (alpha_follows) {
            alpha = to_byte(sample_at(row, depth, i * 2 + 1), depth);
        } else if (png->has_key && sample == png->key[0]) {
            alpha = 0;
        }
        uint8_t grey = to_byte(sample, depth);
        put_pixel(pixels + i * 4, grey, grey, grey, alpha);
    }
}

static void
expand_rgb(const struct sq_png *png, const uint8_t *row, size_t width,
           uint8_t *pixels) {
    int depth = png->header.depth;
    bool alpha_follows = png->header.colour == SQ_PNG_RGBA;
    size_t step = alpha_follows ? 4 : 3;
    for (size_t i = 0; i < width; i++) {
        unsigned r = sample_at(row, depth, i * step);
        unsigned g = sample_at(row, depth, i * step + 1);
        unsigned b = sample_at(row, depth, i * step + 2);
        unsigned alpha = 255;
        if (alpha_follows) {
            alpha = to_byte(sample_at(row, depth, i * step + 3), depth);
        } else if (png->has_key && r == png->key[0] && g == png->key[1]
                   && b == png->key[2]) {
            alpha = 0;
        }
        put_pixel(pixels + i * 4, to_byte(r, depth), to_byte(g, depth),
                  to_byte(b, depth), alpha);
    }
}

bool
sq_png_expand(const struct sq_png_expander *expander, const uint8_t *row,
              int width, uint8_t *pixels, struct sq_err *err) {
    const struct sq_png *png = expander->png;
    if (png->header.channels == 1 && png->header.depth <= 8) {
        expand_small(expander, row, (size_t)width, pixels);
        return png->header.colour != SQ_PNG_PALETTE
            || check_colours(png, row, (size_t)width, pixels, err);
    }
    if (png->header.channels <= 2) {
        expand_grey(png, row, (size_t)width, pixels);
    } else {
        expand_rgb(png, row, (size_t)width, pixels);
    }
    return true;
}
