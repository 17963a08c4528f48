#include "image/png_expand.h"

#include <string.h>

#include "image/cpu.h"
#include "image/image.h"

#if SQ_HAVE_X86
#include <immintrin.h>
#endif

bool
sq_row_is_opaque(const uint8_t *rgba, size_t pixels) {
    uint32_t all = UINT32_MAX;
    for (size_t i = 0; i < pixels; i++) {
        uint32_t pixel;
        memcpy(&pixel, rgba + i * 4, sizeof(pixel));
        all &= pixel;
    }
    uint8_t bytes[4];
    memcpy(bytes, &all, sizeof(bytes));
    return bytes[3] == 255;
}

void
sq_row_over_black(const uint8_t *rgba, uint8_t *rgbx, size_t pixels) {
    for (size_t i = 0; i < pixels * 4; i += 4) {
        unsigned alpha = rgba[i + 3];
        for (size_t k = 0; k < 3; k++) {
            rgbx[i + k] = sq_over_black(rgba[i + k], alpha);
        }
        rgbx[i + 3] = 255;
    }
}

#if SQ_HAVE_X86
__attribute__((target("avx2"))) static size_t
spread_rgb_avx2(const uint8_t *rgb, uint8_t *rgbx, size_t pixels) {
    const __m256i spread = _mm256_setr_epi8(
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1, /* low half */
        0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
    size_t i = 0;
    /* Eight pixels are 24 bytes; the second load takes four beyond them. */
    for (; i + 10 <= pixels; i += 8) {
        const uint8_t *p = rgb + i * 3;
        __m256i v = _mm256_inserti128_si256(
            _mm256_castsi128_si256(
                _mm_loadu_si128((const __m128i *)(const void *)p)),
            _mm_loadu_si128((const __m128i *)(const void *)(p + 12)), 1);
        _mm256_storeu_si256((__m256i *)(void *)(rgbx + i * 4),
                            _mm256_shuffle_epi8(v, spread));
    }
    return i;
}
#endif

void
sq_spread_rgb(const uint8_t *rgb, uint8_t *rgbx, size_t pixels) {
    size_t i = 0;
#if SQ_HAVE_X86
    if (sq_cpu_level() >= SQ_CPU_AVX2) {
        i = spread_rgb_avx2(rgb, rgbx, pixels);
    }
#endif
    for (; i < pixels; i++) {
        memcpy(rgbx + i * 4, rgb + i * 3, 3);
        rgbx[i * 4 + 3] = 0;
    }
}

struct samples {
    const uint8_t *row;
    int depth;
};

static unsigned
sample_at(const struct samples *s, size_t i) {
    if (s->depth == 16) {
        return (unsigned)s->row[i * 2] << 8 | s->row[i * 2 + 1];
    }
    if (s->depth == 8) {
        return s->row[i];
    }
    size_t per_byte = 8 / (size_t)s->depth;
    size_t shift = 8 - (size_t)s->depth * (i % per_byte + 1);
    return ((unsigned)s->row[i / per_byte] >> shift) & ((1u << s->depth) - 1);
}

/* To eight bits, rounded: 16-bit samples shrink, small ones spread. */
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
    pixel[3] = 255;
}

static bool
expand_grey(const struct sq_png *png, const struct samples *s, int width,
            uint8_t *pixels, struct sq_err *err) {
    (void)err;
    bool alpha_follows = png->header.colour == SQ_PNG_GREY_ALPHA;
    size_t step = alpha_follows ? 2 : 1;
    for (size_t i = 0; i < (size_t)width; i++) {
        unsigned sample = sample_at(s, i * step);
        unsigned alpha = 255;
        if (alpha_follows) {
            alpha = to_byte(sample_at(s, i * 2 + 1), s->depth);
        } else if (png->has_key && sample == png->key[0]) {
            alpha = 0;
        }
        uint8_t grey = to_byte(sample, s->depth);
        put_pixel(pixels + i * 4, grey, grey, grey, alpha);
    }
    return true;
}

static bool
expand_rgb(const struct sq_png *png, const struct samples *s, int width,
           uint8_t *pixels, struct sq_err *err) {
    (void)err;
    bool alpha_follows = png->header.colour == SQ_PNG_RGBA;
    size_t step = alpha_follows ? 4 : 3;
    for (size_t i = 0; i < (size_t)width; i++) {
        unsigned r = sample_at(s, i * step);
        unsigned g = sample_at(s, i * step + 1);
        unsigned b = sample_at(s, i * step + 2);
        unsigned alpha = 255;
        if (alpha_follows) {
            alpha = to_byte(sample_at(s, i * step + 3), s->depth);
        } else if (png->has_key && r == png->key[0] && g == png->key[1]
                   && b == png->key[2]) {
            alpha = 0;
        }
        put_pixel(pixels + i * 4, to_byte(r, s->depth), to_byte(g, s->depth),
                  to_byte(b, s->depth), alpha);
    }
    return true;
}

static bool
expand_palette(const struct sq_png *png, const struct samples *s, int width,
               uint8_t *pixels, struct sq_err *err) {
    for (size_t i = 0; i < (size_t)width; i++) {
        unsigned index = sample_at(s, i);
        if (index >= (unsigned)png->palette_size) {
            return sq_fail(err, SQ_ERR_FORMAT,
                           "PNG: colour %u of a palette of %d", index,
                           png->palette_size);
        }
        const uint8_t *entry = png->palette[index];
        put_pixel(pixels + i * 4, entry[0], entry[1], entry[2], entry[3]);
    }
    return true;
}

bool
sq_png_expand(const struct sq_png *png, const uint8_t *row, int width,
              uint8_t *pixels, struct sq_err *err) {
    static bool (*const expand[])(const struct sq_png *, const struct samples *,
                                  int, uint8_t *, struct sq_err *) = {
        [SQ_PNG_GREY] = expand_grey,       [SQ_PNG_RGB] = expand_rgb,
        [SQ_PNG_PALETTE] = expand_palette, [SQ_PNG_GREY_ALPHA] = expand_grey,
        [SQ_PNG_RGBA] = expand_rgb,
    };
    const struct samples samples = { row, png->header.depth };
    return expand[png->header.colour](png, &samples, width, pixels, err);
}
