/* Samples a template and a picture in a common resolution. */
#include "vision/template_private.h"

#include <math.h>

#include "util/mem.h"
#include "util/minmax.h"

#define TAPS 4    /* pixels that a sample touches: its side is below 2.3 */
#define ONE 256   /* sum of the weights of a sample in one direction */
#define EDGE 0.1  /* a pixel that misses this much of its side counts */
#define FIRST 0.5 /* first and last step of a search, in pixels */
#define LAST 0.125
#define MAX_ROUNDS 8 /* with one step */

/* Squares of `step` pixels of a picture, from left, top on. */
struct grid {
    double left;
    double top;
    double step; /* at least 1 */
    int width;   /* in samples */
    int height;
};

/* The pixels of one sample in one direction. */
struct taps {
    int at[TAPS];
    int weights[TAPS];
};

/* The picture has more detail: its pixels are joined to those of the template.
 */
static bool
is_enlarged(const struct sq_template_place *place) {
    return place->scale >= 1;
}

/* Whole pixels of the picture that the template covers in one direction. */
static void
covered(double from, double size, int *first, int *count) {
    *first = (int)ceil(from - EDGE);
    *count = sq_max_int(1, (int)floor(from + size + EDGE) - *first);
}

/* Returns the samples in pixels of the picture. */
static struct grid
grid_on_picture(int width, int height, const struct sq_template_place *place) {
    int left, top;
    struct grid grid = { place->x, place->y, place->scale, width, height };
    if (!is_enlarged(place)) {
        covered(place->x, width * place->scale, &left, &grid.width);
        covered(place->y, height * place->scale, &top, &grid.height);
        grid.left = left;
        grid.top = top;
        grid.step = 1;
    }
    return grid;
}

/* Returns the same samples in pixels of the template. */
static struct grid
grid_on_template(int width, int height, const struct sq_template_place *place) {
    struct grid there = grid_on_picture(width, height, place);
    return (struct grid){
        (there.left - place->x) / place->scale,
        (there.top - place->y) / place->scale,
        there.step / place->scale,
        there.width,
        there.height,
    };
}

/* Weighs pixels by how much of each is in from..from + step. Those beyond the
 * picture are those at its edge.
 */
static struct taps
make_taps(double from, double step, int size) {
    struct taps taps = { 0 };
    int first = (int)floor(from);
    int left = ONE;
    for (int i = 0; i < TAPS; i++) {
        double begin = fmax(from, first + i);
        double end = fmin(from + step, first + i + 1);
        int weight = (int)lround(ONE * fmax(0, end - begin) / step);
        taps.at[i] = sq_max_int(0, sq_min_int(size - 1, first + i));
        taps.weights[i] = sq_min_int(left, weight);
        left -= taps.weights[i];
    }
    taps.weights[0] += left;
    return taps;
}

/* Joins the rows of one sample from column `from` to `to`, each value times
 * ONE.
 */
static void
join_rows(const struct sq_grey *in, const struct taps *taps, int from, int to,
          int *out) {
    const uint8_t *rows[TAPS];
    for (int i = 0; i < TAPS; i++) {
        rows[i] = sq_grey_row(in, taps->at[i]);
    }
    for (int x = from; x <= to; x++) {
        int sum = 0;
        for (int i = 0; i < TAPS; i++) {
            sum += taps->weights[i] * rows[i][x];
        }
        out[x] = sum;
    }
}

static void
join_columns(const int *row, const struct taps *taps, int count, uint8_t *out) {
    for (int x = 0; x < count; x++) {
        int sum = ONE * ONE / 2;
        for (int i = 0; i < TAPS; i++) {
            sum += taps[x].weights[i] * row[taps[x].at[i]];
        }
        out[x] = (uint8_t)(sum / (ONE * ONE));
    }
}

static bool
sample(const struct sq_grey *in, const struct grid *grid, struct sq_grey *out,
       struct sq_err *err) {
    struct taps *taps = sq_mem_alloc((size_t)grid->width, sizeof(*taps));
    int *row = sq_mem_alloc((size_t)in->width, sizeof(*row));
    bool ok = (taps && row) || sq_fail_nomem(err);
    ok = ok && sq_grey_init(out, grid->width, grid->height, err);
    for (int x = 0; ok && x < grid->width; x++) {
        taps[x] = make_taps(grid->left + x * grid->step, grid->step, in->width);
    }
    for (int y = 0; ok && y < grid->height; y++) {
        struct taps rows =
            make_taps(grid->top + y * grid->step, grid->step, in->height);
        join_rows(in, &rows, taps[0].at[0], taps[grid->width - 1].at[TAPS - 1],
                  row);
        join_columns(row, taps, grid->width, sq_grey_row(out, y));
    }
    sq_mem_free(row);
    sq_mem_free(taps);
    return ok;
}

bool
sq_fit_sample_template(const struct sq_grey *template,
                       const struct sq_template_place *place,
                       struct sq_grey *out, struct sq_err *err) {
    struct grid grid =
        grid_on_template(template->width, template->height, place);
    return sample(template, &grid, out, err);
}

bool
sq_fit_sample_picture(const struct sq_grey *picture, int width, int height,
                      const struct sq_template_place *place,
                      struct sq_grey *out, struct sq_err *err) {
    struct grid grid = grid_on_picture(width, height, place);
    return sample(picture, &grid, out, err);
}

/* Returns the correlation of two pictures of the same size. */
static double
correlation(const struct sq_grey *a, const struct sq_grey *b,
            const struct sq_grey *mask) {
    int64_t count = 0;
    int64_t sum_a = 0;
    int64_t sum_b = 0;
    int64_t squares_a = 0;
    int64_t squares_b = 0;
    int64_t products = 0;
    size_t size = (size_t)a->width * (size_t)a->height;
    for (size_t i = 0; i < size; i++) {
        bool is_used = !mask->pixels || mask->pixels[i] >= 128;
        int one = is_used ? a->pixels[i] : 0;
        int two = is_used ? b->pixels[i] : 0;
        count += is_used;
        sum_a += one;
        sum_b += two;
        squares_a += one * one;
        squares_b += two * two;
        products += one * two;
    }
    double n = count ? (double)count : 1;
    double spread_a = (double)squares_a - (double)sum_a * (double)sum_a / n;
    double spread_b = (double)squares_b - (double)sum_b * (double)sum_b / n;
    double shared = (double)products - (double)sum_a * (double)sum_b / n;
    return spread_a > 0 && spread_b > 0 ? shared / sqrt(spread_a * spread_b)
                                        : 0;
}

/* The best place so far. */
struct best {
    struct sq_template_place place;
    double score;
};

static bool
score_at(const struct sq_fit *fit, const struct sq_template_place *place,
         double *score, struct sq_err *err) {
    SQ_FREED(sq_grey_finish) struct sq_grey own = { 0 };
    SQ_FREED(sq_grey_finish) struct sq_grey mask = { 0 };
    SQ_FREED(sq_grey_finish) struct sq_grey there = { 0 };
    bool ok = sq_fit_sample_template(fit->template, place, &own, err)
           && (!fit->mask->pixels
               || sq_fit_sample_template(fit->mask, place, &mask, err))
           && sq_fit_sample_picture(fit->picture, fit->template->width,
                                    fit->template->height, place, &there, err);
    *score = ok ? correlation(&own, &there, &mask) : 0;
    *score = fit->any_sign ? fabs(*score) : *score;
    return ok;
}

/* Returns whether the template still covers the picture there. */
static bool
is_inside(const struct sq_fit *fit, const struct sq_template_place *place) {
    double right = place->x + fit->template->width * place->scale;
    double bottom = place->y + fit->template->height * place->scale;
    return place->x >= -FIRST && place->y >= -FIRST
        && right <= fit->picture->width + FIRST
        && bottom <= fit->picture->height + FIRST
        && place->scale >= SQ_FIT_MIN_SCALE && place->scale <= SQ_FIT_MAX_SCALE;
}

/* Moves the middle by x, y and changes the scale, if that is better. */
static bool
try_place(const struct sq_fit *fit, struct best *best, double x, double y,
          double scale, struct sq_err *err) {
    double change = best->place.scale - scale;
    const struct sq_template_place place = {
        best->place.x + x + fit->template->width * change / 2,
        best->place.y + y + fit->template->height * change / 2,
        scale,
    };
    double score;
    if (!is_inside(fit, &place)) {
        return true;
    }
    if (!score_at(fit, &place, &score, err)) {
        return false;
    }
    if (score > best->score) {
        *best = (struct best){ place, score };
    }
    return true;
}

/* Tries the places that differ by one step. */
static bool
try_steps(const struct sq_fit *fit, struct best *best, double step,
          struct sq_err *err) {
    int side = sq_max_int(fit->template->width, fit->template->height);
    bool ok = true;
    for (int sign = -1; ok && sign <= 1; sign += 2) {
        double by = sign * step;
        double scale = best->place.scale + 2 * by / side;
        ok = try_place(fit, best, 0, 0, scale, err)
          && try_place(fit, best, by, 0, best->place.scale, err)
          && try_place(fit, best, 0, by, best->place.scale, err);
    }
    return ok;
}

bool
sq_fit_improve(const struct sq_fit *fit, struct sq_template_place *place,
               double *score, struct sq_err *err) {
    struct best best = { *place, 0 };
    bool ok = score_at(fit, place, &best.score, err);
    double step = FIRST;
    while (ok && step >= LAST) {
        double before = -1;
        for (int i = 0; ok && i < MAX_ROUNDS && best.score > before; i++) {
            before = best.score;
            ok = try_steps(fit, &best, step, err);
        }
        step /= 2;
    }
    *place = best.place;
    *score = best.score;
    return ok;
}
