/*
 * Declares the vector variants of expand.h; included only by expand.c. Each
 * function converts as many pixels as it can from the start and returns how
 * many.
 */
#ifndef SQ_IMAGE_PNG_EXPAND_SIMD_H
#define SQ_IMAGE_PNG_EXPAND_SIMD_H

#include <stddef.h>
#include <stdint.h>

struct sq_expand_variant {
    size_t (*spread_rgb)(const uint8_t *rgb, uint8_t *rgbx, size_t pixels);
    size_t (*split_rgb16)(const uint8_t *rgb, uint8_t *upper, uint8_t *lower,
                          size_t pixels);
    size_t (*round_rgba16)(const uint8_t *upper, const uint8_t *lower,
                           uint8_t *rgba, size_t pixels);
};

/* Returns the variant for this machine, or NULL. */
const struct sq_expand_variant *sq_expand_variant_get(void);

#endif
