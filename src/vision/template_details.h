/*
 * Compares a template with a place pixel by pixel. Correlation of the whole
 * hardly notices another letter or digit; a few pixels around it do.
 */
#ifndef SQ_VISION_TEMPLATE_DETAILS_H
#define SQ_VISION_TEMPLATE_DETAILS_H

#include "vision/grey.h"

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

#endif
