/*
 * Computes how many tokens a picture costs a model, and the largest picture for
 * a token budget. Providers resize before they count, so a cost always includes
 * the size after that resizing.
 */
#ifndef SQ_IMAGE_MEASURE_TOKENS_H
#define SQ_IMAGE_MEASURE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "geom/size.h"
#include "util/err.h"

struct sq_token_family;

/* One entry per counting method; constant, never freed. */
struct sq_token_profile {
    const char *name;  /* in the configuration: "claude" */
    const char *title; /* for display: the models that count like this */
    const struct sq_token_family *family;
    int max_edge;    /* longest side that is not resized */
    int max_patches; /* maximum number of patches that is not resized */
    int base;        /* fixed tokens per picture */
    int unit;        /* tokens per tile, or per 100 patches */
};

/* Returns the profile with that name, or NULL. */
const struct sq_token_profile *sq_token_profile_find(const char *name);

/* Returns the profile at index; NULL after the last. */
const struct sq_token_profile *sq_token_profile_at(size_t index);

struct sq_token_cost {
    int tokens;
    struct sq_size resized; /* size after the provider's resizing */
};

/* Returns the cost of a picture of any size; tokens saturate at INT_MAX. */
struct sq_token_cost sq_token_cost(const struct sq_token_profile *profile,
                                   struct sq_size size);

/*
 * Finds the largest size that costs at most budget_tokens, is not resized by
 * the provider, and has the device's aspect ratio: a long side L not longer
 * than the device's (nor SQ_MAX_SIDE), and a short side of L * short / long,
 * halves rounded up, at least 1. Fails with SQ_ERR_ARGUMENT if even a single
 * pixel costs more.
 */
bool sq_token_fit(const struct sq_token_profile *profile, struct sq_size device,
                  int budget_tokens, struct sq_size *out, struct sq_err *err);

#endif
