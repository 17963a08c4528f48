/* Compares a template with a place, channel by channel. */
#include "vision/template_private.h"

#include <math.h>
#include <stdlib.h>

#include "util/minmax.h"

#define SAME_COLOUR 8       /* mean difference of a compressed copy */
#define FULL_DIFFERENCE 128 /* beyond that: the score is 0 */

/* Minimum ratio of the contrasts of a copy in its own size, which may be
   compressed, and of a scaled one. */
#define SAME_CONTRAST 0.78
#define SCALED_CONTRAST 0.88

/* Maximum shift of colour of such copies. */
#define SAME_SHIFT 22
#define SCALED_SHIFT 12

#define OWN_SIZE 0.02 /* maximum difference of the scale from 1 */

/* Colours are compared as means of areas of up to CELL x CELL pixels, because
   JPEG keeps them in less detail than brightness. There are at least MIN_CELLS
   along a side. */
#define CELL 4
#define MIN_CELLS 8

#define NOISE 1.8 /* standard deviation that is ignored */

/* Standard deviation besides what the means of rows and columns explain, from
   which on it is compared, and least correlation of it. */
#define REST_CONTRAST 4
#define SAME_REST 0.5

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

/* Squared deviations from the mean. */
struct spreads {
    double count; /* of values */
    double own;
    double there;
    double shared; /* products of both deviations */
};

/* Returns the correlation, with some noise on both sides. */
static double
correlation_of(const struct spreads *spreads) {
    double noise = spreads->count * NOISE * NOISE;
    return spreads->shared
         / sqrt((spreads->own + noise) * (spreads->there + noise));
}

/* Returns whether there is something to see in one of both. */
static bool
has_contrast(const struct spreads *spreads, double contrast) {
    return fmax(spreads->own, spreads->there)
         > spreads->count * contrast * contrast;
}

/* One channel of both, in the same resolution. */
struct channel {
    struct sq_grey own;
    struct sq_grey there;
};

/* A comparison of colours, and its sums over the channels. */
struct comparison {
    const struct sq_image *picture;
    const struct sq_image *template;
    struct sq_rect box;             /* pixels of the picture around the place */
    struct sq_template_place place; /* relative to the box */
    struct sq_grey mask; /* sampled like the template; no pixels: no mask */
    struct sq_grey cells_mask; /* the same in cells */
    struct channel luma;       /* the same */
    double sum;                /* of correlations, weighted by contrast */
    double weight;
    double difference;
    double shift;    /* sum of shifts of colour */
    double contrast; /* sum of ratios of contrasts, weighted by the larger */
    double contrast_weight;
    double details;      /* the largest of all channels */
    struct spreads rest; /* of the brightness, without what rows or columns
                            explain */
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

/*
 * Returns by how much a place differs more than a copy besides its straight
 * edges, which look alike in every size and everywhere.
 */
static double
loss_of_rest(const struct comparison *c) {
    double rest =
        has_contrast(&c->rest, REST_CONTRAST) ? correlation_of(&c->rest) : 1;
    return fmax(0, SAME_REST - rest);
}

static void
finish_channel(struct channel *channel) {
    sq_grey_finish(&channel->own);
    sq_grey_finish(&channel->there);
}

static bool
sample_channel(const struct comparison *c, enum sq_grey_channel which,
               struct channel *out, struct sq_err *err) {
    const struct sq_rect whole = { 0, 0, c->template->width,
                                   c->template->height };
    SQ_FREED(sq_grey_finish) struct sq_grey own = { 0 };
    SQ_FREED(sq_grey_finish) struct sq_grey around = { 0 };
    return sq_grey_of(c->template, whole, which, &own, err)
        && sq_fit_sample_template(&own, &c->place, &out->own, err)
        && sq_grey_of(c->picture, c->box, which, &around, err)
        && sq_fit_sample_picture(&around, own.width, own.height, &c->place,
                                 &out->there, err);
}

/* Replaces the pixels by the means of cells. */
static bool
join_cells(struct sq_grey *grey, struct sq_err *err) {
    struct sq_grey cells = { 0 };
    int side = sq_min_int(grey->width, grey->height);
    int cell = sq_max_int(1, sq_min_int(CELL, side / MIN_CELLS));
    bool ok = sq_grey_scale(grey, grey->width / cell, grey->height / cell,
                            &cells, err);
    sq_grey_finish(grey);
    *grey = cells;
    return ok;
}

static bool
compare_details(struct comparison *c, const struct channel *channel,
                const struct sq_grey *mask, struct sq_err *err) {
    double details;
    bool ok =
        sq_details_compare(&channel->own, &channel->there, mask, &details, err);
    c->details = fmax(c->details, ok ? details : 0);
    return ok;
}

/* Adds the correlation of one channel. */
static bool
correlate_channel(struct comparison *c, const struct channel *channel,
                  const struct sq_kernel_image *kernel, struct sq_err *err) {
    SQ_FREED(sq_sums_finish) struct sq_sums sums = { 0 };
    bool ok = sq_sums_init(&sums, &channel->there, err);
    if (ok) {
        double one = sq_correlate(kernel, &channel->there, &sums, 0, 0);
        c->sum += kernel->spread * (one > 0 ? one : 0);
        c->weight += kernel->spread;
    }
    return ok;
}

/* Compares the brightness of each pixel; keeps its cells. */
static bool
compare_luma(struct comparison *c, struct sq_err *err) {
    struct channel *luma = &c->luma;
    SQ_FREED(sq_kernel_image_finish) struct sq_kernel_image kernel = { 0 };
    bool ok = sample_channel(c, SQ_GREY_LUMA, luma, err)
           && sq_kernel_image_init(&kernel, &luma->own,
                                   c->mask.pixels ? &c->mask : NULL, err)
           && correlate_channel(c, luma, &kernel, err)
           && compare_details(c, luma, &c->mask, err);
    if (ok) {
        /* Compares the brightness besides straight edges. */
        if (!c->mask.pixels) {
            c->rest.count += luma->own.width * luma->own.height;
            c->rest.own += sq_variances_rest(&luma->own, &luma->own);
            c->rest.there += sq_variances_rest(&luma->there, &luma->there);
            c->rest.shared += sq_variances_rest(&luma->own, &luma->there);
        }
    }
    return ok && join_cells(&luma->own, err) && join_cells(&luma->there, err);
}

/* Replaces a colour by half of its difference from the brightness. */
static void
subtract_luma(struct sq_grey *colour, const struct sq_grey *luma) {
    size_t size = (size_t)colour->width * (size_t)colour->height;
    for (size_t i = 0; i < size; i++) {
        int difference = colour->pixels[i] - luma->pixels[i];
        colour->pixels[i] = (uint8_t)(128 + difference / 2);
    }
}

/* Compares the cells of one colour. */
static bool
compare_colour(struct comparison *c, enum sq_grey_channel which,
               struct sq_err *err) {
    const struct sq_grey *mask = &c->cells_mask;
    const struct sq_grey *excluded = mask->pixels ? mask : NULL;
    struct channel cells = { 0 };
    SQ_FREED(sq_kernel_image_finish) struct sq_kernel_image kernel = { 0 };
    SQ_FREED(sq_kernel_image_finish) struct sq_kernel_image other = { 0 };
    bool ok = sample_channel(c, which, &cells, err)
           && join_cells(&cells.own, err) && join_cells(&cells.there, err)
           && sq_kernel_image_init(&kernel, &cells.own, excluded, err)
           && sq_kernel_image_init(&other, &cells.there, excluded, err)
           && correlate_channel(c, &cells, &kernel, err);
    if (ok) {
        c->difference += mean_difference(&cells.own, &cells.there, mask);
        c->shift += shift_of(&kernel, &cells.own, &cells.there);
        compare_contrast(c, kernel.spread, other.spread);
        subtract_luma(&cells.own, &c->luma.own);
        subtract_luma(&cells.there, &c->luma.there);
        ok = compare_details(c, &cells, mask, err);
    }
    finish_channel(&cells);
    return ok;
}

/* Returns the pixels of the picture around a place. */
static struct sq_rect
box_around(const struct sq_image *picture, const struct sq_image *template,
           const struct sq_template_place *place) {
    double right = place->x + template->width * place->scale;
    double bottom = place->y + template->height * place->scale;
    return (struct sq_rect){
        sq_max_int(0, (int)floor(place->x) - 1),
        sq_max_int(0, (int)floor(place->y) - 1),
        sq_min_int(picture->width, (int)ceil(right) + 1),
        sq_min_int(picture->height, (int)ceil(bottom) + 1),
    };
}

static bool
start(struct comparison *c, const struct sq_grey *mask, struct sq_err *err) {
    return !mask->pixels
        || (sq_fit_sample_template(mask, &c->place, &c->mask, err)
            && sq_fit_sample_template(mask, &c->place, &c->cells_mask, err)
            && join_cells(&c->cells_mask, err));
}

static void
finish(struct comparison *c) {
    finish_channel(&c->luma);
    sq_grey_finish(&c->cells_mask);
    sq_grey_finish(&c->mask);
}

static double
score_of(const struct comparison *c) {
    double difference = c->difference / 3;
    double loss = difference > SAME_COLOUR
                    ? (difference - SAME_COLOUR) / FULL_DIFFERENCE
                    : 0;
    double contrast =
        c->contrast_weight > 0 ? c->contrast / c->contrast_weight : 1;
    bool is_own_size = fabs(c->place.scale - 1) < OWN_SIZE;
    double least = is_own_size ? SAME_CONTRAST : SCALED_CONTRAST;
    double most = is_own_size ? SAME_SHIFT : SCALED_SHIFT;
    loss += fmax(0, least - contrast);
    loss += fmax(0, c->shift / 3 - most) / FULL_DIFFERENCE;
    loss += loss_of_rest(c);
    return c->weight > 0 && loss < 1 ? c->sum / c->weight * (1 - loss) : 0;
}

static struct comparison
comparison_at(const struct sq_image *picture, const struct sq_image *template,
              const struct sq_template_place *place) {
    struct comparison c = { .picture = picture,
                            .template = template,
                            .box = box_around(picture, template, place) };
    c.place = (struct sq_template_place){ place->x - c.box.left,
                                          place->y - c.box.top, place->scale };
    return c;
}

bool
sq_template_score_colours(const struct sq_image *picture,
                          const struct sq_image *template,
                          const struct sq_grey *mask,
                          const struct sq_template_place *place, double *score,
                          struct sq_err *err) {
    struct comparison c = comparison_at(picture, template, place);
    bool ok = start(&c, mask, err) && compare_luma(&c, err);
    for (int i = SQ_GREY_RED; ok && i <= SQ_GREY_BLUE; i++) {
        ok = compare_colour(&c, (enum sq_grey_channel)i, err);
    }
    *score = sq_details_limit(score_of(&c), c.details);
    finish(&c);
    return ok;
}

bool
sq_template_score_outlines(const struct sq_image *picture,
                           const struct sq_image *template,
                           const struct sq_grey *mask,
                           const struct sq_template_place *place, double *score,
                           struct sq_err *err) {
    struct comparison c = comparison_at(picture, template, place);
    double details = 0;
    bool ok = start(&c, mask, err)
           && sample_channel(&c, SQ_GREY_LUMA, &c.luma, err)
           && sq_details_compare_outlines(&c.luma.own, &c.luma.there, &c.mask,
                                          &details, err);
    *score = sq_details_limit(*score, details);
    finish(&c);
    return ok;
}
