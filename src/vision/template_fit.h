/*
 * Places a template on a picture where neither its corner nor its size is a
 * whole number of pixels.
 *
 * Both are compared in the coarser of their two resolutions: what is lost in
 * the smaller one cannot be compared.
 */
#ifndef SQ_VISION_TEMPLATE_FIT_H
#define SQ_VISION_TEMPLATE_FIT_H

#include "vision/grey.h"

/* Scales that can be sampled. */
#define SQ_FIT_MIN_SCALE 0.45
#define SQ_FIT_MAX_SCALE 2.2

struct sq_template_place {
    double x; /* top left corner in pixels of the picture */
    double y;
    double scale; /* size in the picture / size of the template */
};

/*
 * Pixels of the template, or of its mask, in the common resolution. Free `out`
 * with sq_grey_finish, also on failure.
 */
bool sq_fit_sample_template(const struct sq_grey *template,
                            const struct sq_template_place *place,
                            struct sq_grey *out, struct sq_err *err);

/* The same of the picture, for a template of width x height pixels. */
bool sq_fit_sample_picture(const struct sq_grey *picture, int width, int height,
                           const struct sq_template_place *place,
                           struct sq_grey *out, struct sq_err *err);

/* What is compared. */
struct sq_fit {
    const struct sq_grey *template;
    const struct sq_grey *mask; /* without pixels: all are compared */
    const struct sq_grey *picture;
    bool any_sign; /* light on dark is as good as dark on light */
};

/*
 * Moves and scales the place by fractions of a pixel to where the correlation
 * is best, which is stored in *score.
 */
bool sq_fit_improve(const struct sq_fit *fit, struct sq_template_place *place,
                    double *score, struct sq_err *err);

#endif
