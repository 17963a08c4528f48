/* Declares the vector variant of edges.h; included only by its files. */
#ifndef SQ_VISION_EDGES_SIMD_H
#define SQ_VISION_EDGES_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "image/pipeline/cpu.h"

#if SQ_HAVE_X86 || SQ_HAVE_NEON
/*
 * Sets the bits of whole words from pixel 64 on, while 65 pixels are left.
 * Returns the first pixel whose bit it did not set, a multiple of 64.
 */
int sq_edges_vector(const uint8_t *pixels, int width, int threshold,
                    uint64_t *bits);
#endif

#endif
