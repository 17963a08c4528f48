/*
 * Finds scaled and compressed templates: correlation on a coarse level of a
 * pyramid for every size, then refinement of the best places.
 */
#include "vision/template.h"

#include <math.h>
#include <string.h>

#include "util/minmax.h"
#include "vision/template_private.h"

#define LEVELS 5      /* of the pyramid; each has half the size */
#define SCALE_SIDE 16 /* minimum side for refining the size, in pixels */
#define MAX_CANDIDATES 256
#define MIN_SCALED 12     /* candidates in other sizes that are kept */
#define COARSE_SCORE 0.35 /* minimum of a candidate on a coarse level */
#define SAME_SIZE 0.08 /* maximum difference of the scales of one candidate */
#define KERNELS 64     /* that are kept */
#define KEPT_PIXELS 40000 /* maximum of one */
#define SIZE_STEP 0.12    /* distance of two sizes that are tried */
#define SIZE_STEPS 4      /* maximum of sizes on each side of a candidate */
#define GOOD_SCORE 0.99   /* a hit this good ends the search for other sizes */
#define FAIR_SCORE 0.96   /* a hit this good ends the search in more detail */
#define MAYBE_SCORE 0.8   /* minimum of a hit before its size is exact */
#define SHAPE_SCORE 0.94  /* minimum of a hit in other colours */

#define SIZE_ERROR 0.01
/* A candidate may be refined a little beyond the sizes that are tried. */
#define MIN_SCALE 0.47
#define MAX_SCALE 2.1

/* Sizes tried, 0.5 to 2, a sixth of an octave apart, and those between. */
static const double own_size[] = { 1.0 };
static const double scales[] = { 1.122, 0.891, 1.26,  0.794, 1.414, 0.707,
                                 1.587, 0.63,  1.782, 0.561, 2.0,   0.5 };
static const double scales_between[] = { 1.059, 0.944, 1.189, 0.841,
                                         1.335, 0.749, 1.498, 0.667,
                                         1.682, 0.595, 1.888, 0.53 };
#define SCALES ((int)(sizeof(scales) / sizeof(scales[0])))

struct level {
    struct sq_grey grey;
    struct sq_sums sums;
};

struct candidate {
    double x; /* top left corner in pixels of the area */
    double y;
    double scale;
    double score;
    int level;     /* on which it was found */
    bool has_size; /* its size was improved */
};

struct finder {
    const struct sq_template_plan *plan;
    const struct sq_image *picture;
    const struct sq_image *whole_template; /* in its own size, in colours */
    struct sq_grey template;
    struct sq_grey mask; /* no pixels: all are compared */
    struct level levels[LEVELS];
    int level_count;
    struct candidate best[MAX_CANDIDATES]; /* sorted by score */
    int count;
    int limit;       /* maximum of count */
    int coarse_side; /* minimum side of the template on its coarse level */
    double noise;    /* see without_noise */
    bool is_own_size_only;
    bool any_colours;
    const struct sq_kernel_image *kernel;    /* that is used now */
    struct sq_kernel_image kernels[KERNELS]; /* by width */
};

static bool
start(struct finder *f, const struct sq_image *picture,
      const struct sq_image *template, struct sq_err *err) {
    const struct sq_rect whole = { 0, 0, template->width, template->height };
    bool ok = sq_grey_of(template, whole, SQ_GREY_LUMA, &f->template, err)
           && (!f->plan->has_alpha
               || sq_grey_of(template, whole, SQ_GREY_ALPHA, &f->mask, err))
           && sq_grey_of(picture, f->plan->area, SQ_GREY_LUMA,
                         &f->levels[0].grey, err);
    for (int i = 0; ok && i < LEVELS; i++) {
        struct level *level = &f->levels[i];
        ok = i == 0 || sq_grey_halve(&f->levels[i - 1].grey, &level->grey, err);
        f->level_count = ok ? i + 1 : f->level_count;
    }
    if (ok) {
        struct sq_variances variances = sq_variances_of(&f->template);
        f->noise = sq_variances_noise(&variances);
        f->is_own_size_only =
            f->plan->same_scale || sq_variances_striped(&variances);
        f->any_colours = f->plan->any_colours
                      && sq_details_has_outlines(&f->template, &f->mask);
    }
    return ok;
}

/* Returns a score as it would be without the noise of compression. */
static double
without_noise(const struct finder *f, double score) {
    double without = score * f->noise;
    return without < 1 ? without : 1;
}

/*
 * Prepares the template for a level and a scale, in f->kernel. Candidates of
 * similar sizes need the same ones, so small ones are kept.
 */
static bool
make_kernel(struct finder *f, double scale, int level, struct sq_err *err) {
    double factor = scale / (1 << level);
    int width = sq_max_int(1, (int)lround(f->template.width * factor));
    int height = sq_max_int(1, (int)lround(f->template.height * factor));
    bool is_small = width * height <= KEPT_PIXELS;
    struct sq_kernel_image *kernel =
        &f->kernels[is_small ? width % KERNELS : 0];
    f->kernel = kernel;
    if (kernel->weights && kernel->width == width && kernel->height == height) {
        return true;
    }
    sq_kernel_image_finish(kernel);
    SQ_FREED(sq_grey_finish) struct sq_grey picture = { 0 };
    SQ_FREED(sq_grey_finish) struct sq_grey mask = { 0 };
    return sq_grey_scale(&f->template, width, height, &picture, err)
        && (!f->mask.pixels
            || sq_grey_scale(&f->mask, width, height, &mask, err))
        && sq_kernel_image_init(kernel, &picture, f->mask.pixels ? &mask : NULL,
                                err);
}

/* The smaller side of the template on a level. */
static double
side_on(const struct finder *f, double scale, int level) {
    return sq_min_int(f->template.width, f->template.height) * scale
         / (1 << level);
}

/* The larger side of the template on a level. */
static double
large_side_on(const struct finder *f, double scale, int level) {
    return sq_max_int(f->template.width, f->template.height) * scale
         / (1 << level);
}

/* Returns the coarsest level on which the template can still be recognised. */
static int
coarse_level(const struct finder *f, double scale) {
    int level = 0;
    while (level + 1 < f->level_count
           && side_on(f, scale, level + 1) >= f->coarse_side) {
        level++;
    }
    return level;
}

/* Returns whether two candidates are the same place, found twice. */
static bool
are_near(const struct finder *f, const struct candidate *a,
         const struct candidate *b) {
    return (a->level == 0 || fabs(a->scale - b->scale) < SAME_SIZE * a->scale)
        && fabs(a->x - b->x) * 3 < f->template.width * a->scale
        && fabs(a->y - b->y) * 3 < f->template.height * a->scale;
}

/* Keeps the best candidates, sorted, one per place. */
static void
keep_candidate(struct finder *f, const struct candidate *candidate) {
    for (int i = 0; i < f->count; i++) {
        if (are_near(f, candidate, &f->best[i])) {
            if (candidate->score <= f->best[i].score) {
                return;
            }
            memmove(&f->best[i], &f->best[i + 1],
                    (size_t)(f->count - i - 1) * sizeof(f->best[0]));
            f->count--;
            i--;
        }
    }
    int at = f->count;
    while (at > 0 && f->best[at - 1].score < candidate->score) {
        at--;
    }
    if (at == f->limit) {
        return;
    }
    f->count = sq_min_int(f->count + 1, f->limit);
    memmove(&f->best[at + 1], &f->best[at],
            (size_t)(f->count - at - 1) * sizeof(f->best[0]));
    f->best[at] = *candidate;
}

/*
 * Compares the template with a place. If colours do not matter, light on dark
 * is as good as dark on light.
 */
static double
compare(const struct finder *f, const struct level *level, int x, int y) {
    double score = sq_correlate(f->kernel, &level->grey, &level->sums, x, y);
    return f->any_colours && score >= -1 ? fabs(score) : score;
}

/* Compares the template in one size with every place of a coarse level. */
static bool
search_scale(struct finder *f, double scale, const struct sq_deadline *deadline,
             struct sq_err *err) {
    int index = coarse_level(f, scale);
    struct level *level = &f->levels[index];
    bool ok = (level->sums.sum || sq_sums_init(&level->sums, &level->grey, err))
           && make_kernel(f, scale, index, err);
    const struct sq_kernel_image *kernel = f->kernel;
    int unit = 1 << index;
    for (int y = 0; ok && y + kernel->height <= level->grey.height; y++) {
        ok = y % 16 != 0 || sq_deadline_check(deadline, err);
        for (int x = 0; ok && x + kernel->width <= level->grey.width; x++) {
            double score = compare(f, level, x, y);
            bool is_full = f->count == f->limit;
            if (score >= COARSE_SCORE
                && (!is_full || score > f->best[f->count - 1].score)) {
                const struct candidate candidate = {
                    .x = (double)x * unit,
                    .y = (double)y * unit,
                    .scale = scale,
                    .score = score,
                    .level = index,
                };
                keep_candidate(f, &candidate);
            }
        }
    }
    return ok;
}

/* Tries the places around a candidate on a level, in one size. */
static bool
try_around(struct finder *f, struct candidate *candidate, double scale,
           int index, int reach, struct sq_err *err) {
    const struct level *level = &f->levels[index];
    if (!make_kernel(f, scale, index, err)) {
        return false;
    }
    double unit = 1 << index;
    /* The middle stays where it is when the size changes. */
    double change = candidate->scale - scale;
    int middle_x =
        (int)lround((candidate->x + f->template.width * change / 2) / unit);
    int middle_y =
        (int)lround((candidate->y + f->template.height * change / 2) / unit);
    struct candidate best = *candidate;
    for (int y = middle_y - reach; y <= middle_y + reach; y++) {
        for (int x = middle_x - reach; x <= middle_x + reach; x++) {
            if (x < 0 || y < 0 || x + f->kernel->width > level->grey.width
                || y + f->kernel->height > level->grey.height) {
                continue;
            }
            double score = compare(f, level, x, y);
            if (score > best.score) {
                best = (struct candidate){ x * unit, y * unit, scale,
                                           score,    index,    best.has_size };
            }
        }
    }
    *candidate = best;
    return true;
}

/* Returns whether a size may be tried. */
static bool
is_in_range(double scale) {
    return scale > MIN_SCALE && scale < MAX_SCALE;
}

/*
 * Tries sizes around that of a candidate on its level. The first time they
 * reach as far as the next size that was tried, later a few pixels.
 */
static bool
refine_scale(struct finder *f, struct candidate *candidate,
             struct sq_err *err) {
    const double middle = candidate->scale;
    double pixel = 1 / large_side_on(f, 1, candidate->level);
    double reach = candidate->has_size ? 2 * pixel : SIZE_STEP * middle;
    int steps =
        sq_max_int(1, sq_min_int(SIZE_STEPS, (int)lround(reach / pixel)));
    bool ok = true;
    for (int i = -steps; ok && i <= steps; i++) {
        double scale = middle + reach * i / steps;
        ok = i == 0 || !is_in_range(scale)
          || try_around(f, candidate, scale, candidate->level, 1, err);
    }
    candidate->has_size = true;
    return ok;
}

/* Places the candidates on the next finer level and keeps the best. */
static bool
descend(struct finder *f, int keep, bool is_own_size, struct sq_err *err) {
    struct candidate old[MAX_CANDIDATES];
    int count = f->count;
    memcpy(old, f->best, sizeof(old));
    f->count = 0;
    f->limit = keep;
    for (int i = 0; i < count; i++) {
        struct candidate candidate = old[i];
        int level = sq_max_int(0, candidate.level - 1);
        candidate.score = -1; /* scores of other levels are not comparable */
        if (!try_around(f, &candidate, candidate.scale, level, 2, err)) {
            return false;
        }
        bool can_tell = side_on(f, candidate.scale, level) >= SCALE_SIDE;
        if (candidate.score > 0 && can_tell && !is_own_size
            && !refine_scale(f, &candidate, err)) {
            return false;
        }
        if (candidate.score > 0) {
            keep_candidate(f, &candidate);
        }
    }
    return true;
}

static bool
is_finest(const struct finder *f) {
    for (int i = 0; i < f->count; i++) {
        if (f->best[i].level > 0) {
            return false;
        }
    }
    return true;
}

/* Returns the pixels from..to that begin at a place, inside first..last. */
static void
set_ends(double at, double size, int first, int last, int *from, int *to) {
    int start = first + (int)lround(at);
    /* A place may be half a pixel outside. */
    *from = sq_max_int(first, sq_min_int(start, last - 1));
    *to = sq_max_int(*from + 1, sq_min_int(start + (int)lround(size), last));
}

/* Returns the place of a candidate in the picture. */
static struct sq_rect
box_of(const struct finder *f, const struct candidate *candidate) {
    const struct sq_rect *area = &f->plan->area;
    struct sq_rect box;
    set_ends(candidate->x, f->template.width * candidate->scale, area->left,
             area->right, &box.left, &box.right);
    set_ends(candidate->y, f->template.height * candidate->scale, area->top,
             area->bottom, &box.top, &box.bottom);
    return box;
}

/* Returns whether a hit of this size is returned. It is known to about 1 %. */
static bool
is_promised(double scale) {
    return scale > SQ_MIN_HIT_SCALE - SIZE_ERROR
        && scale < SQ_MAX_HIT_SCALE + 2 * SIZE_ERROR;
}

/* Returns the least score of a hit. */
static double
least_score(const struct finder *f) {
    return f->plan->min_score > 0 ? f->plan->min_score : SQ_DEFAULT_HIT_SCORE;
}

/*
 * Replaces the score by that of the colours. If only those differ and do not
 * matter, the hit is one of outlines.
 */
static bool
judge_colours(const struct finder *f, const struct candidate *candidate,
              struct sq_image_hit *hit, struct sq_err *err) {
    double colours;
    double least = least_score(f);
    const struct sq_template_place place = {
        candidate->x + f->plan->area.left,
        candidate->y + f->plan->area.top,
        candidate->scale,
    };
    if (!sq_template_score_colours(f->picture, f->whole_template, &f->mask,
                                   &place, &colours, err)) {
        return false;
    }
    colours = without_noise(f, colours);
    double outlines = candidate->score;
    if (colours < least && f->any_colours && outlines >= SHAPE_SCORE) {
        if (!sq_template_score_outlines(f->picture, f->whole_template, &f->mask,
                                        &place, &outlines, err)) {
            return false;
        }
        hit->tier = outlines > colours ? SQ_IMAGE_HIT_SHAPE : hit->tier;
    }
    hit->score = hit->tier == SQ_IMAGE_HIT_SHAPE ? outlines : colours;
    return true;
}

/* Places a candidate to fractions of a pixel, where that matters. */
static bool
fit_candidate(const struct finder *f, struct candidate *candidate,
              struct sq_err *err) {
    struct sq_template_place place = { candidate->x, candidate->y,
                                       candidate->scale };
    if (candidate->score < MAYBE_SCORE) {
        return true;
    }
    const struct sq_fit fit = {
        .template = &f->template,
        .mask = &f->mask,
        .picture = &f->levels[0].grey,
        .any_sign = f->any_colours,
    };
    bool ok = sq_fit_improve(&fit, &place, &candidate->score, err);
    candidate->x = place.x;
    candidate->y = place.y;
    candidate->scale = place.scale;
    return ok;
}

/* Adds a candidate if it is good enough. */
static bool
accept_candidate(const struct finder *f, const struct candidate *candidate,
                 struct sq_image_hits *out, struct sq_err *err) {
    struct sq_image_hit hit = {
        .box = box_of(f, candidate),
        .scale = candidate->scale,
        .score = without_noise(f, candidate->score),
        .tier = SQ_IMAGE_HIT_ALIKE,
    };
    double least = least_score(f);
    if (!is_promised(hit.scale)) {
        return true;
    }
    hit.scale = fmin(SQ_MAX_HIT_SCALE, fmax(SQ_MIN_HIT_SCALE, hit.scale));
    if (hit.score >= least && !judge_colours(f, candidate, &hit, err)) {
        return false;
    }
    if (hit.score >= least) {
        sq_hits_add(out, &hit);
    } else if (hit.score > out->nearest) {
        out->nearest = hit.score;
    }
    return true;
}

/* Refines the candidates and adds those that are good enough. */
static bool
accept_candidates(struct finder *f, bool is_own_size, struct sq_image_hits *out,
                  struct sq_err *err) {
    /* Brings all candidates to the finest level. */
    int keep = f->limit;
    bool ok = true;
    for (int i = 0; ok && i < LEVELS && !is_finest(f); i++) {
        keep = sq_max_int(is_own_size ? SQ_MAX_HITS : MIN_SCALED, keep / 2);
        ok = descend(f, keep, is_own_size, err);
    }
    for (int i = 0; ok && i < f->count; i++) {
        ok = (is_own_size || fit_candidate(f, &f->best[i], err))
          && accept_candidate(f, &f->best[i], out, err);
    }
    f->count = 0;
    return ok;
}

/* One attempt: some sizes, on coarse levels of a certain detail. */
struct attempt {
    const double *scales;
    int count;
    int coarse_side;
    int limit; /* maximum of candidates */
};

/*
 * The size of the template itself is the most likely one. What is not found
 * quickly is looked for once more with more detail, and in sizes between those
 * that were tried.
 */
static const struct attempt attempts[] = {
    { own_size, 1, 12, 96 },
    { scales, SCALES, 8, MAX_CANDIDATES },
    { own_size, 1, 20, 96 },
    { scales_between, SCALES, 12, MAX_CANDIDATES },
};
#define ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

static bool
try_sizes(struct finder *f, const struct attempt *attempt,
          const struct sq_deadline *deadline, struct sq_image_hits *out,
          struct sq_err *err) {
    bool ok = true;
    f->limit = attempt->limit;
    f->coarse_side = attempt->coarse_side;
    for (int i = 0; ok && i < attempt->count; i++) {
        ok = search_scale(f, attempt->scales[i], deadline, err);
    }
    return ok && accept_candidates(f, attempt->scales == own_size, out, err);
}

static bool
find_alike(const struct sq_image *picture, const struct sq_image *template,
           const struct sq_template_plan *plan,
           const struct sq_deadline *deadline, struct sq_image_hits *out,
           struct sq_err *err) {
    struct finder f = { .plan = plan,
                        .picture = picture,
                        .whole_template = template };
    bool ok = start(&f, picture, template, err);
    for (size_t i = 0; ok && i < ATTEMPTS; i++) {
        bool is_own = attempts[i].scales == own_size;
        /* After a quick attempt only a nearly perfect hit is final. */
        bool is_done = out->count
                    && out->items[0].score >= (i < 2 ? GOOD_SCORE : FAIR_SCORE);
        if (!is_done && (is_own || !f.is_own_size_only)) {
            ok = try_sizes(&f, &attempts[i], deadline, out, err);
        }
    }
    sq_grey_finish(&f.template);
    sq_grey_finish(&f.mask);
    for (int i = 0; i < KERNELS; i++) {
        sq_kernel_image_finish(&f.kernels[i]);
    }
    for (int i = 0; i < LEVELS; i++) {
        sq_grey_finish(&f.levels[i].grey);
        sq_sums_finish(&f.levels[i].sums);
    }
    return ok;
}

static bool
check_size(const struct sq_image *template, struct sq_err *err) {
    int least = sq_min_int(template->width, template->height);
    int most = sq_max_int(template->width, template->height);
    if (least >= SQ_MIN_TEMPLATE_SIDE && most <= SQ_MAX_TEMPLATE_SIDE) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "the template has %dx%d pixels",
            template->width, template->height);
    return sq_fail_hint(err, "Use one with sides of %d to %d pixels.",
                        SQ_MIN_TEMPLATE_SIDE, SQ_MAX_TEMPLATE_SIDE);
}

const char *
sq_image_hit_tier_name(enum sq_image_hit_tier tier) {
    static const char *const names[] = {
        [SQ_IMAGE_HIT_EXACT] = "exact",
        [SQ_IMAGE_HIT_ALIKE] = "alike",
        [SQ_IMAGE_HIT_SHAPE] = "shape",
    };
    return names[tier];
}

bool
sq_template_find(struct sq_image *picture, const struct sq_image *template,
                 const struct sq_template_plan *plan,
                 const struct sq_deadline *deadline, struct sq_image_hits *out,
                 struct sq_err *err) {
    *out = (struct sq_image_hits){ 0 };
    if (!check_size(template, err)
        || !sq_template_find_exact(picture, template, plan, out, err)) {
        return false;
    }
    return out->count || plan->exact_only
        || find_alike(picture, template, plan, deadline, out, err);
}
