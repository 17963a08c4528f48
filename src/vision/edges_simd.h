/* Declares the vector variant of edges.h; included only by its files. */
#ifndef SQ_VISION_EDGES_SIMD_H
#define SQ_VISION_EDGES_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include "image/pipeline/cpu.h"

#if SQ_HAVE_X86 || SQ_HAVE_NEON
/*
 * Sets whole words of bits, for 64 pixels each. Reads the pixel before the
 * first and the one after the last.
 */
void sq_edges_words(const uint8_t *pixels, int words, int threshold,
                    uint64_t *bits);
#endif

#endif
