/* Compares a template with a place, channel by channel. */
#include "vision/template_colours.h"

#include <math.h>
#include <stdlib.h>

#include "util/minmax.h"
#include "vision/correlate.h"
#include "vision/variances.h"

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

/* The place is divided into at most TILES x TILES tiles. */
#define TILES 4
#define TILE_SIDE 6     /* minimum, in pixels */
#define TILE_CONTRAST 8 /* standard deviation of tiles that are compared */
#define TILE_SHARE 0.01 /* minimum of all deviations */
#define TILE_NOISE 1.8  /* standard deviation that is ignored */
#define SAME_TILE 0.75  /* minimum correlation of the tiles of a copy */

/* A tile in which only one of both has something to see, such as a thin line of
   a light colour: standard deviation, and maximum share of the other's. */
#define FAINT_CONTRAST 4
#define FAINT_SHARE 0.25

/* The same without what the means of rows and columns explain. */
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

/* Squared deviations from the mean in a part of the place, of all channels. */
struct tile {
    double count; /* of values */
    double own;
    double there;
    double shared; /* products of both deviations */
};

/* Returns the correlation, with some noise on both sides. */
static double
correlation_of(const struct tile *tile) {
    double noise = tile->count * TILE_NOISE * TILE_NOISE;
    return tile->shared / sqrt((tile->own + noise) * (tile->there + noise));
}

/* Returns whether there is something to see in one of both. */
static bool
has_contrast(const struct tile *tile, double contrast) {
    return fmax(tile->own, tile->there) > tile->count * contrast * contrast;
}

/* A comparison of colours, and its sums over the channels. */
struct comparison {
    const struct sq_image *picture;
    const struct sq_image *template;
    struct sq_rect box;             /* pixels of the picture around the place */
    struct sq_template_place place; /* relative to the box */
    struct sq_grey mask; /* sampled like the template; no pixels: no mask */
    double sum;          /* of correlations, weighted by contrast */
    double weight;
    double difference;
    double shift;    /* sum of shifts of colour */
    double contrast; /* sum of ratios of contrasts, weighted by the larger */
    double contrast_weight;
    struct tile tiles[TILES * TILES];
    struct tile rest; /* all of it, without what rows or columns explain */
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

/* Sums of the products of two values. */
struct products {
    double count;
    double a;
    double b;
    double aa;
    double bb;
    double ab;
};

/* Sums over the compared pixels of one tile. */
static struct products
sum_tile(const struct sq_grey *a, const struct sq_grey *b,
         const struct sq_grey *mask, struct sq_rect tile) {
    struct products sums = { 0 };
    for (int y = tile.top; y < tile.bottom; y++) {
        for (int x = tile.left; x < tile.right; x++) {
            bool is_used = !mask->pixels || sq_grey_row(mask, y)[x] >= 128;
            double one = is_used ? sq_grey_row(a, y)[x] : 0;
            double two = is_used ? sq_grey_row(b, y)[x] : 0;
            sums.count += is_used;
            sums.a += one;
            sums.b += two;
            sums.aa += one * one;
            sums.bb += two * two;
            sums.ab += one * two;
        }
    }
    return sums;
}

/* Returns how many tiles there are along a side. */
static int
tiles_along(int side) {
    return sq_max_int(1, sq_min_int(TILES, side / TILE_SIDE));
}

/* Adds what a channel of both shares in each tile. */
static void
compare_tiles(struct comparison *c, const struct sq_grey *own,
              const struct sq_grey *there) {
    int across = tiles_along(own->width);
    int down = tiles_along(own->height);
    for (int i = 0; i < across * down; i++) {
        int x = i % across;
        int y = i / across;
        struct sq_rect box = {
            own->width * x / across,
            own->height * y / down,
            own->width * (x + 1) / across,
            own->height * (y + 1) / down,
        };
        struct products sums = sum_tile(own, there, &c->mask, box);
        struct tile *tile = &c->tiles[i];
        double count = sums.count > 0 ? sums.count : 1;
        tile->count += sums.count;
        tile->own += sums.aa - sums.a * sums.a / count;
        tile->there += sums.bb - sums.b * sums.b / count;
        tile->shared += sums.ab - sums.a * sums.b / count;
    }
}

/* Returns whether one of both has something to see and the other has not. */
static bool
is_missing(const struct tile *tile) {
    double least = fmin(tile->own, tile->there);
    double most = fmax(tile->own, tile->there);
    return has_contrast(tile, FAINT_CONTRAST)
        && least < most * FAINT_SHARE * FAINT_SHARE;
}

/*
 * Returns the least correlation of the tiles in which there is something to
 * see. Where a large edge is most of a picture, a missing word beside it
 * changes the correlation of the whole very little, but that of its own tile.
 */
static double
worst_tile(const struct comparison *c) {
    const int count = TILES * TILES;
    double all = 0;
    double worst = 1;
    for (int i = 0; i < count; i++) {
        all += fmax(c->tiles[i].own, c->tiles[i].there);
    }
    for (int i = 0; i < count; i++) {
        const struct tile *tile = &c->tiles[i];
        double most = fmax(tile->own, tile->there);
        bool is_seen =
            has_contrast(tile, TILE_CONTRAST) && most > all * TILE_SHARE;
        if (is_seen || is_missing(tile)) {
            worst = fmin(worst, correlation_of(tile));
        }
    }
    return worst;
}

/* Adds what a channel of both shares besides straight edges. */
static void
compare_rest(struct comparison *c, const struct sq_grey *own,
             const struct sq_grey *there) {
    if (!c->mask.pixels) {
        c->rest.count += own->width * own->height;
        c->rest.own += sq_variances_rest(own, own);
        c->rest.there += sq_variances_rest(there, there);
        c->rest.shared += sq_variances_rest(own, there);
    }
}

/*
 * Returns by how much parts of a place differ more than those of a copy. A
 * straight edge looks alike in every size and everywhere, so what is beside it
 * is compared as well.
 */
static double
loss_of_parts(const struct comparison *c) {
    double rest =
        has_contrast(&c->rest, REST_CONTRAST) ? correlation_of(&c->rest) : 1;
    return fmax(0, SAME_TILE - worst_tile(c)) + fmax(0, SAME_REST - rest);
}

static bool
compare_channel(struct comparison *c, enum sq_grey_channel channel,
                struct sq_err *err) {
    const struct sq_rect whole = { 0, 0, c->template->width,
                                   c->template->height };
    struct sq_grey own = { 0 };
    struct sq_grey scaled = { 0 };
    struct sq_grey around = { 0 };
    struct sq_grey there = { 0 };
    struct sq_sums sums = { 0 };
    struct sq_kernel_image kernel = { 0 };
    struct sq_kernel_image other = { 0 };
    const struct sq_grey *mask = c->mask.pixels ? &c->mask : NULL;
    bool ok = sq_grey_of(c->template, whole, channel, &own, err)
           && sq_fit_sample_template(&own, &c->place, &scaled, err)
           && sq_kernel_image_init(&kernel, &scaled, mask, err)
           && sq_grey_of(c->picture, c->box, channel, &around, err)
           && sq_fit_sample_picture(&around, own.width, own.height, &c->place,
                                    &there, err)
           && sq_kernel_image_init(&other, &there, mask, err)
           && sq_sums_init(&sums, &there, err);
    if (ok) {
        double one = sq_correlate(&kernel, &there, &sums, 0, 0);
        c->difference += mean_difference(&scaled, &there, &c->mask);
        c->sum += kernel.spread * (one > 0 ? one : 0);
        c->weight += kernel.spread;
        c->shift += shift_of(&kernel, &scaled, &there);
        compare_contrast(c, kernel.spread, other.spread);
        compare_tiles(c, &scaled, &there);
        compare_rest(c, &scaled, &there);
    }
    sq_kernel_image_finish(&other);
    sq_kernel_image_finish(&kernel);
    sq_sums_finish(&sums);
    sq_grey_finish(&there);
    sq_grey_finish(&around);
    sq_grey_finish(&scaled);
    sq_grey_finish(&own);
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

bool
sq_template_score_colours(const struct sq_image *picture,
                          const struct sq_image *template,
                          const struct sq_grey *mask,
                          const struct sq_template_place *place, double *score,
                          struct sq_err *err) {
    struct comparison c = { .picture = picture,
                            .template = template,
                            .box = box_around(picture, template, place) };
    c.place = (struct sq_template_place){ place->x - c.box.left,
                                          place->y - c.box.top, place->scale };
    bool ok =
        !mask->pixels || sq_fit_sample_template(mask, &c.place, &c.mask, err);
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
    bool is_own_size = fabs(place->scale - 1) < OWN_SIZE;
    double least = is_own_size ? SAME_CONTRAST : SCALED_CONTRAST;
    double most = is_own_size ? SAME_SHIFT : SCALED_SHIFT;
    loss += fmax(0, least - contrast);
    loss += fmax(0, c.shift / 3 - most) / FULL_DIFFERENCE;
    loss += loss_of_parts(&c);
    *score = c.weight > 0 && loss < 1 ? c.sum / c.weight * (1 - loss) : 0;
    return ok;
}
