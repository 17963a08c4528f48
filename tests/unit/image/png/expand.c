#include "image/png/private.h"

#include "image/pipeline/cpu.h"
#include "support/test.h"

T_CASE(expanding_rgb_adds_a_zero_byte) {
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        sq_cpu_limit((enum sq_cpu)level);
        for (size_t pixels = 1; pixels <= 100; pixels++) {
            uint8_t *rgb = malloc(pixels * 3);
            uint8_t *rgbx = malloc(pixels * 4);
            uint8_t *want = calloc(pixels, 4);
            if (!T(rgb && rgbx && want)) {
                return;
            }
            for (size_t i = 0; i < pixels * 3; i++) {
                rgb[i] = (uint8_t)t_random();
                want[i / 3 * 4 + i % 3] = rgb[i];
            }
            memset(rgbx, 0xaa, pixels * 4);
            sq_spread_rgb(rgb, rgbx, pixels);
            T_BYTES(rgbx, pixels * 4, want, pixels * 4);
            free(rgb);
            free(rgbx);
            free(want);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

/* In buffers of exactly the documented size. */
T_CASE(packing_removes_the_fourth_byte) {
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        sq_cpu_limit((enum sq_cpu)level);
        for (size_t pixels = 1; pixels <= 70; pixels++) {
            uint8_t *rgbx = malloc(pixels * 4);
            uint8_t *rgb = malloc(pixels * 3 + SQ_PACK_SLACK);
            uint8_t want[70 * 3];
            if (!T(rgbx && rgb)) {
                return;
            }
            for (size_t i = 0; i < pixels * 4; i++) {
                rgbx[i] = (uint8_t)t_random();
            }
            for (size_t i = 0; i < pixels * 3; i++) {
                want[i] = rgbx[i / 3 * 4 + i % 3];
            }
            sq_pack_rgb(rgbx, rgb, pixels);
            T_BYTES(rgb, pixels * 3, want, pixels * 3);
            free(rgbx);
            free(rgb);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

T_CASE(one_transparent_pixel_is_detected) {
    for (size_t pixels = 1; pixels <= 70; pixels++) {
        uint8_t *rgba = malloc(pixels * 4);
        if (!T(rgba != NULL)) {
            return;
        }
        for (size_t i = 0; i < pixels * 4; i++) {
            rgba[i] = i % 4 == 3 ? 255 : (uint8_t)t_random();
        }
        T(sq_row_is_opaque(rgba, pixels));
        for (size_t i = 0; i < pixels; i++) {
            rgba[i * 4 + 3] = (uint8_t)(255 ^ 1 << t_random() % 8);
            T(!sq_row_is_opaque(rgba, pixels));
            rgba[i * 4 + 3] = 255;
        }
        free(rgba);
    }
}

/* Every colour with every alpha. */
T_CASE(compositing_over_black_is_rounded_correctly) {
    for (unsigned alpha = 0; alpha < 256; alpha++) {
        uint8_t rgba[256 * 4];
        uint8_t rgbx[256 * 4];
        for (unsigned i = 0; i < 256; i++) {
            uint8_t pixel[4] = { (uint8_t)i, (uint8_t)(255 - i), (uint8_t)i,
                                 (uint8_t)alpha };
            memcpy(rgba + i * 4, pixel, 4);
        }
        sq_row_over_black(rgba, rgbx, 256);
        long wrong = 0;
        for (unsigned i = 0; i < 256 * 4; i++) {
            double exact = rgba[i] * alpha / 255.0;
            wrong += i % 4 < 3 && rgbx[i] != (int)(exact + 0.5);
        }
        T_INT(wrong, 0);
    }
}

static bool
expand(const struct sq_png *png, const uint8_t *row, int width,
       uint8_t *pixels) {
    struct sq_png_expander expander;
    struct sq_err err = { 0 };
    sq_png_expander_init(&expander, png);
    bool ok = sq_png_expand(&expander, row, width, pixels, &err);
    T_INT(err.code, ok ? SQ_ERR_NONE : SQ_ERR_FORMAT);
    return ok;
}

static void
expand_grey(int depth, unsigned sample, uint8_t pixel[4]) {
    struct sq_png png = {
        .header = { .depth = depth, .colour = SQ_PNG_GREY, .channels = 1 }
    };
    uint8_t row[2] = { (uint8_t)(sample >> 8), (uint8_t)sample };
    if (depth <= 8) {
        row[0] = (uint8_t)(sample << (8 - depth));
    }
    T(expand(&png, row, 1, pixel));
}

/* The nearest of 256 steps, for every value of every depth. */
T_CASE(samples_of_every_depth_are_expanded) {
    static const int depths[] = { 1, 2, 4, 8, 16 };
    for (int d = 0; d < 5; d++) {
        unsigned most = (1u << depths[d]) - 1;
        long wrong = 0;
        for (unsigned sample = 0; sample <= most; sample++) {
            uint8_t pixel[4] = { 0 };
            expand_grey(depths[d], sample, pixel);
            double exact = sample * 255.0 / most;
            wrong += pixel[0] != (int)(exact + 0.5) || pixel[0] != pixel[1]
                  || pixel[0] != pixel[2];
        }
        T_INT(wrong, 0);
    }
}

/* Rows of any length, in buffers of exactly their size. */
T_CASE(palettes_are_looked_up_at_every_cpu_level) {
    struct sq_png png = {
        .header = { .depth = 8, .colour = SQ_PNG_PALETTE, .channels = 1 },
        .palette_size = 256
    };
    for (int i = 0; i < 256; i++) {
        const uint8_t entry[4] = { (uint8_t)i, (uint8_t)(255 - i),
                                   (uint8_t)(i * 3), 255 };
        memcpy(png.palette[i], entry, sizeof(entry));
    }
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        sq_cpu_limit((enum sq_cpu)level);
        for (size_t width = 1; width <= 70; width++) {
            uint8_t *row = malloc(width);
            uint8_t *pixels = malloc(width * 4);
            for (size_t i = 0; T(row && pixels) && i < width; i++) {
                row[i] = (uint8_t)t_random();
            }
            T(expand(&png, row, (int)width, pixels));
            for (size_t i = 0; i < width; i++) {
                T_BYTES(pixels + i * 4, 4, png.palette[row[i]], 4);
            }
            free(row);
            free(pixels);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

/* Every sample of 16 bits, split and joined, at all CPU levels. */
T_CASE(split_16_bit_samples_are_rounded_correctly) {
    enum { SAMPLES = 65536 };
    static uint8_t samples[SAMPLES * 2];
    static uint8_t upper[SAMPLES / 3 * 4 + 8];
    static uint8_t lower[SAMPLES / 3 * 4 + 8];
    static uint8_t pixels[SAMPLES / 3 * 4 + 8];
    for (int i = 0; i < SAMPLES; i++) {
        samples[i * 2] = (uint8_t)(i >> 8);
        samples[i * 2 + 1] = (uint8_t)i;
    }
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        sq_cpu_limit((enum sq_cpu)level);
        for (int channels = 3; channels <= 4; channels++) {
            /*
             * An odd start and any length, to cover the ends of vector loops.
             */
            size_t count = (size_t)(SAMPLES / channels) - t_random() % 40;
            if (channels == 3) {
                sq_split_rgb16(samples, upper, lower, count);
            } else {
                sq_split_rgba16(samples, upper, lower, count);
            }
            sq_round_rgba16(upper, lower, pixels, count);
            long wrong = 0;
            for (size_t i = 0; i < count * 4; i++) {
                size_t sample = i / 4 * (size_t)channels + i % 4;
                bool is_none = i % 4 == 3 && channels == 3;
                double exact = is_none ? 0 : (double)sample / 257;
                wrong += pixels[i] != (int)(exact + 0.5);
            }
            T_INT(wrong, 0);
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

/* If one bit of a 16-bit sample differs, the colour is not the key. */
T_CASE(keys_are_compared_exactly) {
    struct sq_png png = {
        .header = { .depth = 16, .colour = SQ_PNG_RGB, .channels = 3 },
        .has_key = true,
        .key = { 0x8001, 0x4002, 0xffff },
    };
    const uint8_t key[6] = { 0x80, 0x01, 0x40, 0x02, 0xff, 0xff };
    uint8_t pixel[4];
    T(expand(&png, key, 1, pixel));
    T_BYTES(pixel, 3, "\0\0\0", 3);
    for (int bit = 0; bit < 48; bit++) {
        uint8_t row[6];
        memcpy(row, key, sizeof(row));
        row[bit / 8] ^= (uint8_t)(1 << bit % 8);
        T(expand(&png, row, 1, pixel));
        T(pixel[2] >= 127);
    }
}

T_CASE(colours_beyond_the_palette_are_refused) {
    struct sq_png png = {
        .header = { .depth = 4, .colour = SQ_PNG_PALETTE, .channels = 1 },
        .palette = { { 1, 2, 3, 255 }, { 40, 50, 60, 255 } },
        .palette_size = 2,
    };
    uint8_t pixels[8];
    T(expand(&png, (const uint8_t *)"\x10", 2, pixels));
    T_BYTES(pixels, 3, "\x28\x32\x3c", 3);
    T_BYTES(pixels + 4, 3, "\1\2\3", 3);
    T(!expand(&png, (const uint8_t *)"\x12", 2, pixels));
    T(expand(&png, (const uint8_t *)"\x12", 1, pixels));
}
