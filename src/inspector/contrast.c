/*
 * Estimates the contrast of text from pixels: the most frequent colour is the
 * background, and the colour that differs most from it and is not rare is the
 * text. Edges of letters are mixtures of both and therefore count little.
 */
#include <math.h>
#include <string.h>

#include "inspector/private.h"
#include "util/mem.h"

/* Colours are counted by the upper four bits of each channel. */
#define BITS 4
#define BINS (1 << (3 * BITS))
#define RARE 200 /* a colour of fewer than 1/200 of the pixels is ignored */

struct bin {
    uint32_t count;
    uint32_t sum[3];
};

/* The relative luminance of WCAG 2: 0 black, 1 white. */
static double
luminance(const struct bin *bin) {
    static const double weights[] = { 0.2126, 0.7152, 0.0722 };
    double total = 0;
    for (int i = 0; i < 3; i++) {
        double share = (double)bin->sum[i] / bin->count / 255;
        total += weights[i]
               * (share <= 0.04045 ? share / 12.92
                                   : pow((share + 0.055) / 1.055, 2.4));
    }
    return total;
}

static void
count_colours(const struct sq_image *image, struct sq_region part,
              struct bin *bins) {
    for (int y = part.y; y < part.y + part.height; y++) {
        const uint8_t *pixel =
            sq_image_row(image, y) + (size_t)part.x * SQ_PIXEL_BYTES;
        for (int x = 0; x < part.width; x++, pixel += SQ_PIXEL_BYTES) {
            unsigned at = (unsigned)(pixel[0] >> BITS) << (2 * BITS)
                        | (unsigned)(pixel[1] >> BITS) << BITS
                        | (unsigned)(pixel[2] >> BITS);
            struct bin *bin = &bins[at];
            bin->count++;
            for (int i = 0; i < 3; i++) {
                bin->sum[i] += pixel[i];
            }
        }
    }
}

static double
greatest_contrast(const struct bin *bins, uint32_t pixels) {
    const struct bin *background = bins;
    double greatest = 0;
    for (int i = 0; i < BINS; i++) {
        background = bins[i].count > background->count ? &bins[i] : background;
    }
    double back = luminance(background);
    for (int i = 0; i < BINS; i++) {
        if (&bins[i] != background && bins[i].count > 0
            && bins[i].count >= pixels / RARE) {
            double front = luminance(&bins[i]);
            double ratio =
                (fmax(front, back) + 0.05) / (fmin(front, back) + 0.05);
            greatest = fmax(greatest, ratio);
        }
    }
    return greatest;
}

double
sq_inspector_contrast(const struct sq_image *image, struct sq_region part) {
    struct bin *bins = sq_mem_zalloc(BINS, sizeof(*bins));
    double contrast = 0;
    if (bins && part.width > 0 && part.height > 0) {
        count_colours(image, part, bins);
        contrast = greatest_contrast(bins, (uint32_t)part.width
                                               * (uint32_t)part.height);
    }
    sq_mem_free(bins);
    return contrast;
}
