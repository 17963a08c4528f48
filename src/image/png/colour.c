/* Chooses the colour conversion of a PNG file from its chunks. */
#include "image/png/colour.h"

#include <libdeflate.h>
#include <math.h>

#include "util/mem.h"

#define FIXED 100000.0 /* PNG stores fractions as integers, times this */
/* Profiles of screens have 0.5 to 20 KB: one attempt is mostly enough. */
#define FIRST_PROFILE_BYTES ((size_t)8 << 10)

/*
 * sRGB is written as a gamma of 1/2.2 or a value close to it; libpng has the
 * same tolerance. Primaries are rounded to two or three digits.
 */
#define SRGB_GAMMA (1 / 2.2)
#define GAMMA_TOLERANCE 0.05
#define SAME_PRIMARY 0.01

/*
 * Inflates a profile. The caller frees *bytes with sq_mem_free; it is NULL if
 * the profile is damaged or too large.
 */
static bool
inflate_profile(const struct sq_png_tags *tags, uint8_t **bytes, size_t *count,
                struct sq_err *err) {
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
    uint8_t *block = NULL;
    bool ok = inflate != NULL;
    for (size_t size = FIRST_PROFILE_BYTES;
         ok && result == LIBDEFLATE_INSUFFICIENT_SPACE
         && size <= SQ_MAX_ICC_BYTES;
         size *= 8) {
        sq_mem_free(block);
        block = sq_mem_alloc(size, 1);
        ok = block != NULL;
        if (ok) {
            result = libdeflate_zlib_decompress(
                inflate, tags->profile, tags->profile_len, block, size, count);
        }
    }
    libdeflate_free_decompressor(inflate);
    if (!ok || result != LIBDEFLATE_SUCCESS) {
        sq_mem_free(block);
        block = NULL;
    }
    *bytes = block;
    return ok || sq_fail_nomem(err);
}

static bool
from_profile(const struct sq_png *png, struct sq_colour **out,
             struct sq_err *err) {
    bool is_grey = png->header.colour == SQ_PNG_GREY
                || png->header.colour == SQ_PNG_GREY_ALPHA;
    uint8_t *bytes;
    size_t count = 0;
    if (!inflate_profile(&png->tags, &bytes, &count, err)) {
        return false;
    }
    bool ok = true;
    if (bytes) {
        ok = sq_colour_from_icc(
            bytes, count, is_grey ? SQ_PIXELS_GREY : SQ_PIXELS_RGB, out, err);
    }
    sq_mem_free(bytes);
    return ok;
}

static void
load_chromaticity(const uint32_t *from, double to[2]) {
    to[0] = from[0] / FIXED;
    to[1] = from[1] / FIXED;
}

static bool
is_near(const double a[2], const double b[2]) {
    return fabs(a[0] - b[0]) < SAME_PRIMARY && fabs(a[1] - b[1]) < SAME_PRIMARY;
}

static bool
are_srgb(const struct sq_chromaticities *xy) {
    const struct sq_chromaticities *srgb = &sq_srgb_chromaticities;
    return is_near(xy->red, srgb->red) && is_near(xy->green, srgb->green)
        && is_near(xy->blue, srgb->blue) && is_near(xy->white, srgb->white);
}

/* cHRM without gAMA is ignored; gAMA without cHRM means sRGB primaries. */
static bool
from_gamma(const struct sq_png_tags *tags, struct sq_colour **out,
           struct sq_err *err) {
    struct sq_chromaticities xy = sq_srgb_chromaticities;
    struct sq_light light;
    if (tags->has_chromaticities) {
        load_chromaticity(tags->chromaticities, xy.white);
        load_chromaticity(tags->chromaticities + 2, xy.red);
        load_chromaticity(tags->chromaticities + 4, xy.green);
        load_chromaticity(tags->chromaticities + 6, xy.blue);
    }
    double gamma = tags->gamma / FIXED;
    bool is_srgb_gamma = fabs(gamma / SRGB_GAMMA - 1) < GAMMA_TOLERANCE;
    if ((is_srgb_gamma && are_srgb(&xy))
        || !sq_light_set_primaries(&light, &xy)) {
        return true;
    }
    if (is_srgb_gamma) {
        sq_light_set_srgb(&light);
    } else {
        sq_light_set_gamma(&light, 1 / gamma);
    }
    return sq_colour_from_light(&light, out, err);
}

bool
sq_png_colour(const struct sq_png *png, struct sq_colour **out,
              struct sq_err *err) {
    const struct sq_png_tags *tags = &png->tags;
    struct sq_light light;
    *out = NULL;
    if (tags->has_code_points
        && sq_light_from_cicp(&light, tags->code_points)) {
        return sq_colour_from_light(&light, out, err);
    }
    if (tags->profile) {
        return from_profile(png, out, err);
    }
    if (tags->is_srgb || tags->gamma == 0) {
        return true;
    }
    return from_gamma(tags, out, err);
}
