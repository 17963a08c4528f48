/* Declares the vector variant of edges.h; included only by its files. */
#ifndef SQ_VISION_EDGES_SIMD_H
#define SQ_VISION_EDGES_SIMD_H

#include "image/pipeline/cpu.h"
#include "vision/edges.h"

#if SQ_HAVE_X86 || SQ_HAVE_NEON
/*
 * Sets whole words of the bits of all levels, for 64 pixels each. Reads the
 * pixel before the first and the one after the last.
 */
void sq_edges_words(const uint8_t *pixels, int words,
                    const struct sq_edge_level *levels, int count);
#endif

#endif
