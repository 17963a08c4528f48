/* Compares a template with a place, channel by channel. */
#include "vision/template_colours.h"

#include <math.h>
#include <stdlib.h>

#include "vision/correlate.h"

#define SAME_COLOUR 8       /* mean difference of a compressed copy */
#define FULL_DIFFERENCE 128 /* beyond that: the score is 0 */

/* Minimum ratio of the contrasts of a copy in its own size, and of a scaled
   one: scaling blurs. */
#define SAME_CONTRAST 0.92
#define SCALED_CONTRAST 0.75

/* Maximum shift of colour of such copies; scaling lightens thin strokes. */
#define SAME_SHIFT 12
#define SCALED_SHIFT 26

/* Returns the mean difference of the compared pixels. */
static double
mean_difference(const struct sq_grey *a, const struct sq_grey *b,
                const struct sq_grey *mask) {
    int64_t sum = 0;
    int64_t count = 0;
    size_t size = (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < size; i++) {
        bool is_used = !mask->pixels || mask->pixels[i] >= 128;
        sum += is_used ? abs(a->pixels[i] - b->pixels[i]) : 0;
        count += is_used;
    }
    return count ? (double)sum / (double)count : 0;
}

/* A comparison of colours, and its sums over the channels. */
struct comparison {
    const struct sq_image *picture;
    const struct sq_image *template;
    struct sq_rect box;
    struct sq_grey mask; /* in the size of the box; no pixels: no mask */
    double sum;          /* of correlations, weighted by contrast */
    double weight;
    double difference;
    double shift;    /* sum of shifts of colour */
    double contrast; /* sum of ratios of contrasts, weighted by the larger */
    double contrast_weight;
};

/*
 * Returns how much the light or the dark part of a channel differs in level. An
 * edge between two colours correlates with any other edge; this tells them
 * apart.
 */
static double
shift_of(const struct sq_kernel_image *kernel, const struct sq_grey *template,
         const struct sq_grey *there) {
    double sums[2] = { 0 };
    double weights[2] = { 0 };
    for (int y = 0; y < kernel->height; y++) {
        const int16_t *w = kernel->weights + (size_t)y * (size_t)kernel->stride;
        const uint8_t *a = sq_grey_row(template, y);
        const uint8_t *b = sq_grey_row(there, y);
        for (int x = 0; x < kernel->width; x++) {
            int part = w[x] < 0;
            sums[part] += abs(w[x]) * (a[x] - b[x]);
            weights[part] += abs(w[x]);
        }
    }
    double light = weights[0] > 0 ? fabs(sums[0] / weights[0]) : 0;
    double dark = weights[1] > 0 ? fabs(sums[1] / weights[1]) : 0;
    return light > dark ? light : dark;
}

/* Adds the ratio of the contrasts of a channel: 1 if they are equal. */
static void
compare_contrast(struct comparison *c, double own, double other) {
    double larger = own > other ? own : other;
    c->contrast += own + other - larger;
    c->contrast_weight += larger;
}

static bool
compare_channel(struct comparison *c, enum sq_grey_channel channel,
                struct sq_err *err) {
    const struct sq_rect whole = { 0, 0, c->template->width,
                                   c->template->height };
    struct sq_grey own = { 0 };
    struct sq_grey scaled = { 0 };
    struct sq_grey there = { 0 };
    struct sq_sums sums = { 0 };
    struct sq_kernel_image kernel = { 0 };
    struct sq_kernel_image other = { 0 };
    const struct sq_grey *mask = c->mask.pixels ? &c->mask : NULL;
    bool ok = sq_grey_of(c->template, whole, channel, &own, err)
           && sq_grey_scale(&own, c->box.right - c->box.left,
                            c->box.bottom - c->box.top, &scaled, err)
           && sq_kernel_image_init(&kernel, &scaled, mask, err)
           && sq_grey_of(c->picture, c->box, channel, &there, err)
           && sq_kernel_image_init(&other, &there, mask, err)
           && sq_sums_init(&sums, &there, err);
    if (ok) {
        double one = sq_correlate(&kernel, &there, &sums, 0, 0);
        c->difference += mean_difference(&scaled, &there, &c->mask);
        c->sum += kernel.spread * (one > 0 ? one : 0);
        c->weight += kernel.spread;
        c->shift += shift_of(&kernel, &scaled, &there);
        compare_contrast(c, kernel.spread, other.spread);
    }
    sq_kernel_image_finish(&other);
    sq_kernel_image_finish(&kernel);
    sq_sums_finish(&sums);
    sq_grey_finish(&there);
    sq_grey_finish(&scaled);
    sq_grey_finish(&own);
    return ok;
}

bool
sq_template_score_colours(const struct sq_image *picture,
                          const struct sq_image *template,
                          const struct sq_grey *mask, struct sq_rect box,
                          double *score, struct sq_err *err) {
    struct comparison c = { .picture = picture,
                            .template = template,
                            .box = box };
    int width = box.right - box.left;
    int height = box.bottom - box.top;
    bool ok = !mask->pixels || sq_grey_scale(mask, width, height, &c.mask, err);
    for (int i = SQ_GREY_RED; ok && i <= SQ_GREY_BLUE; i++) {
        ok = compare_channel(&c, (enum sq_grey_channel)i, err);
    }
    sq_grey_finish(&c.mask);
    double difference = c.difference / 3;
    double loss = difference > SAME_COLOUR
                    ? (difference - SAME_COLOUR) / FULL_DIFFERENCE
                    : 0;
    double contrast =
        c.contrast_weight > 0 ? c.contrast / c.contrast_weight : 1;
    bool is_scaled = width != template->width || height != template->height;
    double least = is_scaled ? SCALED_CONTRAST : SAME_CONTRAST;
    double shift = c.shift / 3 - (is_scaled ? SCALED_SHIFT : SAME_SHIFT);
    loss += contrast < least ? least - contrast : 0;
    loss += shift > 0 ? shift / FULL_DIFFERENCE : 0;
    *score = c.weight > 0 && loss < 1 ? c.sum / c.weight * (1 - loss) : 0;
    return ok;
}
