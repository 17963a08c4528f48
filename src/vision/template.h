/*
 * Finds a small picture in a larger one: first to the bit, then scaled or
 * compressed, by correlation.
 */
#ifndef SQ_VISION_TEMPLATE_H
#define SQ_VISION_TEMPLATE_H

#include "geom/rect.h"
#include "image/image.h"
#include "sys/deadline.h"

/* How a hit was found. */
enum sq_image_hit_tier {
    SQ_IMAGE_HIT_EXACT, /* every pixel is equal */
    SQ_IMAGE_HIT_ALIKE, /* by correlation, in the same colours */
    SQ_IMAGE_HIT_SHAPE, /* the same outlines in other colours */
};

/* Returns "exact", "alike" or "shape". */
const char *sq_image_hit_tier_name(enum sq_image_hit_tier tier);

struct sq_image_hit {
    struct sq_rect box;
    double scale; /* size in the picture / size of the template */
    double score; /* 0 to 1; 1: equal */
    enum sq_image_hit_tier tier;
};

/* Smallest and largest scale of a hit. */
#define SQ_MIN_HIT_SCALE 0.5
#define SQ_MAX_HIT_SCALE 2.0

#define SQ_MAX_HITS 50
#define SQ_DEFAULT_HIT_SCORE 0.92

/* Smallest and largest side of a template in pixels. */
#define SQ_MIN_TEMPLATE_SIDE 8
#define SQ_MAX_TEMPLATE_SIDE 2048

struct sq_template_plan {
    struct sq_rect area; /* inside the picture */
    bool has_alpha;      /* the fourth byte of the template's pixels is alpha:
                            transparent pixels are not compared */
    bool exact_only;
    bool same_scale;  /* do not try other sizes */
    bool any_colours; /* also find its outlines in other colours, as after a
                         change of theme */
    double min_score; /* 0: SQ_DEFAULT_HIT_SCORE */
};

struct sq_image_hits {
    struct sq_image_hit
        items[SQ_MAX_HITS]; /* best first; they do not overlap */
    int count;
    double nearest; /* best score below the minimum; 0: none */
};

/*
 * Finds the template. Changes the ignored bytes of the picture's pixels. Fails
 * with SQ_ERR_ARGUMENT if the template has one colour only, or is too small or
 * too large.
 */
bool sq_template_find(struct sq_image *picture, const struct sq_image *template,
                      const struct sq_template_plan *plan,
                      const struct sq_deadline *deadline,
                      struct sq_image_hits *out, struct sq_err *err);

#endif
