/* The steps of finding a template; see template.h. */
#ifndef SQ_VISION_TEMPLATE_PRIVATE_H
#define SQ_VISION_TEMPLATE_PRIVATE_H

#include "geom/rect.h"
#include "image/image.h"
#include "vision/grey.h"
#include "vision/template.h"

/*
 * Normalised cross-correlation: how alike two grey pictures are, independent of
 * brightness and contrast. 1: the same; 0: unrelated; -1: inverted.
 */

/* A template prepared for comparisons. Start zeroed. */
struct sq_kernel_image {
    int16_t *weights; /* pixel minus mean; 0 where the mask excludes it */
    uint8_t *mask;    /* 1: compared; NULL: all are */
    int width;
    int height;
    int stride;    /* items per row: width rounded up; the rest is 0 */
    int count;     /* compared pixels */
    double excess; /* sum of the weights: the mean is rounded */
    double spread; /* root of the sum of squared weights; 0: flat */
};

/*
 * Prepares a template. mask may be NULL, or has the same size: pixels below 128
 * are not compared. Free with sq_kernel_image_finish, also on failure.
 */
bool sq_kernel_image_init(struct sq_kernel_image *kernel,
                          const struct sq_grey *picture,
                          const struct sq_grey *mask, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_kernel_image_finish(struct sq_kernel_image *kernel);

/* Sums over the pixels above and left of each one. Start zeroed. */
struct sq_sums {
    uint32_t *sum; /* modulo 2^32; (width + 1) * (height + 1) entries */
    uint64_t *squares;
    int width;
    int height;
};

bool sq_sums_init(struct sq_sums *sums, const struct sq_grey *picture,
                  struct sq_err *err);

/* Safe on a zeroed value. */
void sq_sums_finish(struct sq_sums *sums);

/*
 * Compares the template with the picture at x, y, where it fits. sums are those
 * of the picture; zeroed ones are not used, which is slower for many places.
 * Returns -2 without comparing if the contrast there is less
 * than a third or more than three times that of the template.
 */
double sq_correlate(const struct sq_kernel_image *kernel,
                    const struct sq_grey *picture, const struct sq_sums *sums,
                    int x, int y);

/*
 * How much contrast a picture has, and in which direction: a straight edge has
 * it only from row to row, or from column to column.
 */

/* The variance of the pixels, and of the means of the rows and columns. */
struct sq_variances {
    double pixels;
    double rows;
    double columns;
};

struct sq_variances sq_variances_of(const struct sq_grey *grey);

/*
 * Returns by how much compression lowers the correlation of a copy. Only
 * pictures of low contrast are affected: they have little more of it than the
 * noise.
 */
double sq_variances_noise(const struct sq_variances *v);

/* Returns whether there are only stripes, which look alike in many sizes. */
bool sq_variances_striped(const struct sq_variances *v);

/*
 * Returns the sum of products of two pictures of the same size, after the means
 * of each row and column have been subtracted.
 */
double sq_variances_rest(const struct sq_grey *a, const struct sq_grey *b);

/*
 * Places a template on a picture where neither its corner nor its size is a
 * whole number of pixels.
 *
 * Both are compared in the coarser of their two resolutions: what is lost in
 * the smaller one cannot be compared.
 */

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

/*
 * Compares a template with a place pixel by pixel. Correlation of the whole
 * hardly notices another letter or digit; a few pixels around it do.
 */

/*
 * Stores in *out how much the two differ in the few pixels where they differ
 * most: the mean square of the difference there, divided by the variance around
 * it. 0: nowhere; about 1: something else is there. Differences that a shift by
 * a quarter of a pixel explains are not counted. Both have the same size;
 * pixels of the mask below 128 are not compared; a mask without pixels excludes
 * none.
 */
bool sq_details_compare(const struct sq_grey *a, const struct sq_grey *b,
                        const struct sq_grey *mask, double *out,
                        struct sq_err *err);

/* Lowers the score of a place whose details differ by more than those of a
   copy, to less than any hit has unless another limit was asked for. */
double sq_details_limit(double score, double details);

/* Does so after the brightness and contrast of `a` are made those of `b`, also
   if light and dark are exchanged. */
bool sq_details_compare_outlines(const struct sq_grey *a,
                                 const struct sq_grey *b,
                                 const struct sq_grey *mask, double *out,
                                 struct sq_err *err);

/*
 * Returns whether a template has enough corners to be recognised by its
 * outlines alone. A line or the corner of a box is on every screen.
 */
bool sq_details_has_outlines(const struct sq_grey *template,
                             const struct sq_grey *mask);

/*
 * Computes the correlation of brightness and colours at a place, less if the
 * colours or contrasts themselves differ, or if a detail does: correlation
 * alone finds any edge alike, whatever its colours, and hardly notices another
 * letter. Pixels of the mask below 128 are not compared; a mask without pixels
 * excludes none.
 */
bool sq_template_score_colours(const struct sq_image *picture,
                               const struct sq_image *template,
                               const struct sq_grey *mask,
                               const struct sq_template_place *place,
                               double *score, struct sq_err *err);

/* Lowers the score of a place in other colours if a detail of its outlines
   differs. */
bool sq_template_score_outlines(const struct sq_image *picture,
                                const struct sq_image *template,
                                const struct sq_grey *mask,
                                const struct sq_template_place *place,
                                double *score, struct sq_err *err);

/*
 * Finds all places where every compared pixel is equal. The ignored bytes of
 * the picture become 0. Fails if all compared pixels have one colour.
 */
bool sq_template_find_exact(struct sq_image *picture,
                            const struct sq_image *template,
                            const struct sq_template_plan *plan,
                            struct sq_image_hits *out, struct sq_err *err);

/* Adds a hit, unless a better one overlaps it; removes worse ones. */
void sq_hits_add(struct sq_image_hits *hits, const struct sq_image_hit *hit);

#endif
