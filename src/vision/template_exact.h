/* The first tier of vision/template.h: places that equal the template. */
#ifndef SQ_VISION_TEMPLATE_EXACT_H
#define SQ_VISION_TEMPLATE_EXACT_H

#include "vision/template.h"

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
