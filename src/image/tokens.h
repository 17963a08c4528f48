/*
 * What a picture costs the model that looks at it, and the largest picture
 * for a given price. Providers resize before they count, so a cost always
 * comes with the size that is really seen.
 */
#ifndef SQ_IMAGE_TOKENS_H
#define SQ_IMAGE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "geom/size.h"
#include "util/err.h"

struct sq_token_family;

/* One row per way of counting; constant, never freed. */
struct sq_token_profile {
    const char *name;  /* as configured: "claude" */
    const char *title; /* for people: which models count like this */
    const struct sq_token_family *family;
    int max_edge;    /* longest side left alone */
    int max_patches; /* most patches left alone */
    int base;        /* tokens of any picture */
    int unit;        /* tokens per tile; per 100 patches */
};

/* The profile of that name, or NULL. */
const struct sq_token_profile *sq_token_profile_find(const char *name);

/* The profiles in their order; NULL behind the last. */
const struct sq_token_profile *sq_token_profile_at(size_t index);

struct sq_token_cost {
    int tokens;
    struct sq_size seen; /* after the provider's own resizing */
};

/* The cost of a picture of any size; tokens stop at INT_MAX. */
struct sq_token_cost sq_token_cost(const struct sq_token_profile *profile,
                                   struct sq_size size);

/*
 * The largest size that costs at most budget_tokens, that the provider does
 * not shrink again, and that has the device's shape: a long side L no longer
 * than the device's (nor than SQ_MAX_SIDE), and a short side of
 * L * short / long with halves rounded up, at least 1. Fails with
 * SQ_ERR_ARGUMENT when a single pixel costs more already.
 */
bool sq_token_fit(const struct sq_token_profile *profile, struct sq_size device,
                  int budget_tokens, struct sq_size *out, struct sq_err *err);

#endif
