/* Conversions to sRGB, compared with lcms2's. */
#include "image/colour/colour.h"

#include "support/icc_maker.h"
#include "support/test.h"

#define PIXELS 20000
/* Pixels of every kind: the corners of the cube, greys, then random ones. */
static void
fill_pixels(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < 4; c++) {
            if (i < 16) {
                pixels[i * 4 + c] = i >> c & 1 ? 255 : 0;
            } else if (i < 16 + 256) {
                pixels[i * 4 + c] = (uint8_t)(i - 16);
            } else {
                pixels[i * 4 + c] = (uint8_t)t_random();
            }
        }
    }
}

static struct sq_colour *
from_kind(enum t_icc_kind kind, enum sq_pixels pixels) {
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    struct sq_colour *colour = NULL;
    t_icc_make(kind, &profile);
    T_OK(
        sq_colour_from_icc(profile.data, profile.len, pixels, &colour, &t_err));
    return colour;
}

/* No channel differs by more than `levels`. */
static void
check_like_lcms(enum t_icc_kind kind, int levels) {
    static uint8_t from[PIXELS * 4];
    static uint8_t to[PIXELS * 4];
    static uint8_t want[PIXELS * 4];
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    t_icc_make(kind, &profile);
    fill_pixels(from, PIXELS);
    struct sq_colour *colour = from_kind(kind, t_icc_pixels(kind));
    if (T(colour != NULL)) {
        t_icc_convert(&profile, t_icc_pixels(kind), from, want, PIXELS);
        sq_colour_apply(colour, from, to, PIXELS);
        /* The largest difference in a channel. */
        int most = 0;
        for (size_t i = 0; i < PIXELS * 4; i++) {
            int difference = i % 4 < 3 ? abs(to[i] - want[i]) : 0;
            most = difference > most ? difference : most;
        }
        if (!T(most <= levels)) {
            printf("# %s: %d levels\n", t_icc_names[kind], most);
        }
    }
    sq_colour_destroy(colour);
}

T_CASE(curves_and_matrices_match_lcms) {
    static const enum t_icc_kind kinds[] = { T_ICC_P3, T_ICC_P3_SAMPLED,
                                             T_ICC_ADOBE_RGB, T_ICC_PROPHOTO,
                                             T_ICC_LINEAR };
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        check_like_lcms(kinds[i], 1);
    }
}

T_CASE(grey_profiles_match_lcms) {
    check_like_lcms(T_ICC_GREY_18, 1);
    check_like_lcms(T_ICC_GREY_LAB, 1);
}

/* Values between nodes may be interpolated in Lab or in sRGB. */
T_CASE(tables_match_lcms) {
    check_like_lcms(T_ICC_RGB_TABLE, 3);
    check_like_lcms(T_ICC_CMYK, 3);
}

T_CASE(srgb_needs_no_conversion) {
    T(!from_kind(T_ICC_SRGB, SQ_PIXELS_RGB));
    T(!from_kind(T_ICC_SRGB_SAMPLED, SQ_PIXELS_RGB));
}

/* Compared with the values from which the table was made. */
T_CASE(cmyk_profile_is_applied) {
    uint8_t from[4 * 256];
    uint8_t to[4 * 256];
    fill_pixels(from, 256);
    struct sq_colour *colour = from_kind(T_ICC_CMYK, SQ_PIXELS_CMYK);
    if (!T(colour != NULL)) {
        return;
    }
    sq_colour_apply(colour, from, to, 256);
    for (int i = 0; i < 256; i++) {
        double ink[4];
        double rgb[3];
        for (int c = 0; c < 4; c++) {
            ink[c] = 1 - from[i * 4 + c] / 255.0; /* stored inverted */
        }
        t_icc_ink(ink, rgb);
        for (int c = 0; c < 3; c++) {
            T(abs(to[i * 4 + c] - (int)(rgb[c] * 255 + 0.5)) <= 4);
        }
    }
    sq_colour_destroy(colour);
}

T_CASE(red_and_blue_are_swapped_by_a_table) {
    uint8_t from[4 * 512];
    uint8_t to[4 * 512];
    fill_pixels(from, 512);
    struct sq_colour *colour = from_kind(T_ICC_RGB_TABLE, SQ_PIXELS_RGB);
    if (!T(colour != NULL)) {
        return;
    }
    sq_colour_apply(colour, from, to, 512);
    for (int i = 0; i < 512; i++) {
        for (int c = 0; c < 3; c++) {
            T(abs(to[i * 4 + c] - from[i * 4 + 2 - c]) <= 6);
        }
    }
    sq_colour_destroy(colour);
}

T_CASE(profile_for_other_pixels_is_ignored) {
    for (int kind = 0; kind < T_ICC_KINDS; kind++) {
        for (int pixels = SQ_PIXELS_RGB; pixels <= SQ_PIXELS_GREY; pixels++) {
            if (pixels != (int)t_icc_pixels((enum t_icc_kind)kind)) {
                T(!from_kind((enum t_icc_kind)kind, (enum sq_pixels)pixels));
            }
        }
    }
}

/*
 * The result of sharp 0.35.5 for the inks C, M, Y, K in per cent, measured with
 * bench/; its own profile describes offset prints on coated paper.
 */
static const struct {
    uint8_t ink[4];
    uint8_t rgb[3];
} prints[] = {
    { { 0, 0, 0, 0 }, { 255, 255, 255 } },
    { { 100, 0, 0, 0 }, { 0, 153, 227 } },
    { { 0, 100, 0, 0 }, { 234, 0, 128 } },
    { { 0, 0, 100, 0 }, { 255, 240, 0 } },
    { { 100, 100, 0, 0 }, { 32, 6, 117 } },
    { { 100, 0, 100, 0 }, { 0, 141, 45 } },
    { { 0, 100, 100, 0 }, { 232, 0, 0 } },
    { { 100, 100, 100, 0 }, { 33, 17, 31 } },
    { { 0, 0, 0, 100 }, { 20, 5, 0 } },
    { { 100, 100, 100, 100 }, { 0, 0, 0 } },
    { { 0, 0, 0, 20 }, { 198, 197, 196 } },
    { { 0, 0, 0, 40 }, { 155, 155, 154 } },
    { { 0, 0, 0, 60 }, { 115, 113, 112 } },
    { { 0, 0, 0, 80 }, { 71, 68, 66 } },
    { { 20, 0, 0, 0 }, { 186, 227, 250 } },
    { { 40, 0, 0, 0 }, { 126, 202, 241 } },
    { { 60, 0, 0, 0 }, { 40, 184, 235 } },
};

T_CASE(cmyk_without_a_profile_resembles_a_print) {
    static const uint8_t broken[200] = { 1, 2, 3 };
    for (int i = 0; i < 2; i++) {
        struct sq_colour *colour = NULL;
        T_OK(sq_colour_from_icc(broken, (size_t)i * sizeof(broken),
                                SQ_PIXELS_CMYK, &colour, &t_err));
        if (!T(colour != NULL)) {
            return;
        }
        double squares = 0;
        for (size_t k = 0; k < SQ_COUNT(prints); k++) {
            uint8_t pixel[4];
            for (int c = 0; c < 4; c++) {
                pixel[c] = (uint8_t)(255 - prints[k].ink[c] * 255 / 100);
            }
            sq_colour_apply(colour, pixel, pixel, 1);
            for (int c = 0; c < 3; c++) {
                int difference = pixel[c] - prints[k].rgb[c];
                squares += difference * difference;
                T(k > 0 || difference == 0); /* paper stays white */
            }
        }
        T(squares / (3 * SQ_COUNT(prints))
          < 65); /* 30 dB on the worst colours */
        sq_colour_destroy(colour);
    }
}

/* Applies a conversion, if there is one, to a few pixels. */
static void
try_colour(const uint8_t *bytes, size_t count, enum sq_pixels pixels) {
    struct sq_colour *colour = NULL;
    uint8_t row[4 * 32];
    fill_pixels(row, 32);
    if (T_OK(sq_colour_from_icc(bytes, count, pixels, &colour, &t_err))
        && colour) {
        sq_colour_apply(colour, row, row, 32);
    }
    sq_colour_destroy(colour);
}

T_CASE(damaged_profile_is_safe) {
    static const uint8_t damages[] = { 0x01, 0x10, 0x80, 0xff };
    for (int kind = 0; kind < T_ICC_KINDS; kind++) {
        T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
        t_icc_make((enum t_icc_kind)kind, &profile);
        enum sq_pixels pixels = t_icc_pixels((enum t_icc_kind)kind);
        bool is_large = profile.len > 8192;
        size_t limit = is_large ? 420 : profile.len;
        size_t step = is_large ? 7 : 1; /* tables take a while each */
        for (size_t at = 0; at < limit; at += step) {
            uint8_t *part = malloc(at ? at : 1);
            if (T(part != NULL)) {
                memcpy(part, profile.data, at);
                try_colour(part, at, pixels);
            }
            free(part);
            profile.data[at] ^= damages[at % sizeof(damages)];
            try_colour(profile.data, profile.len, pixels);
            profile.data[at] ^= damages[at % sizeof(damages)];
        }
    }
}

/* The offset of a tag's entry in the list, or 0. */
static size_t
find_tag(const struct sq_buf *profile, const char *name) {
    size_t count = (size_t)profile->data[130] << 8 | profile->data[131];
    for (size_t i = 0; i < count; i++) {
        if (memcmp(profile->data + 132 + i * 12, name, 4) == 0) {
            return 132 + i * 12;
        }
    }
    return 0;
}

/* Tags that may contain calculations of any length must not reach lcms2. */
T_CASE(tables_of_unknown_kinds_are_ignored) {
    T_FREED(sq_buf_finish) struct sq_buf profile = { 0 };
    struct sq_colour *colour = NULL;
    t_icc_make(T_ICC_RGB_TABLE, &profile);
    size_t entry = find_tag(&profile, "A2B0");
    if (T(entry > 0)) {
        memcpy(profile.data + entry, "D2B0", 4);
        T_OK(sq_colour_from_icc(profile.data, profile.len, SQ_PIXELS_RGB,
                                &colour, &t_err));
        T(!colour);
        memcpy(profile.data + entry, "A2B0", 4);
        size_t at =
            (size_t)profile.data[entry + 6] << 8 | profile.data[entry + 7];
        memcpy(profile.data + at, "mpet", 4);
        T_OK(sq_colour_from_icc(profile.data, profile.len, SQ_PIXELS_RGB,
                                &colour, &t_err));
        T(!colour);
    }
}

struct torture {
    struct sq_buf profile;
    enum sq_pixels pixels;
};

static bool
convert(void *context, struct sq_err *err) {
    struct torture *t = context;
    struct sq_colour *colour = NULL;
    uint8_t pixels[16] = { 9, 200, 31, 77, 9, 200, 31, 77 };
    bool ok = sq_colour_from_icc(t->profile.data, t->profile.len, t->pixels,
                                 &colour, err);
    if (ok && colour) {
        sq_colour_apply(colour, pixels, pixels, 4);
    }
    sq_colour_destroy(colour);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    static const enum t_icc_kind kinds[] = { T_ICC_P3, T_ICC_GREY_18,
                                             T_ICC_RGB_TABLE, T_ICC_CMYK };
    for (size_t i = 0; i < SQ_COUNT(kinds); i++) {
        struct torture t = { .pixels = t_icc_pixels(kinds[i]) };
        t_icc_make(kinds[i], &t.profile);
        T(t_alloc_torture(convert, &t) >= 1);
        sq_buf_finish(&t.profile);
    }
}
