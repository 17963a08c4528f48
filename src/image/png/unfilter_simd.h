/* Declares the vector variants of unfilter.h; included only by unfilter.c. */
#ifndef SQ_IMAGE_PNG_UNFILTER_SIMD_H
#define SQ_IMAGE_PNG_UNFILTER_SIMD_H

#include "image/pipeline/cpu.h"
#include "image/png/unfilter.h"

/*
 * Unfilters four-byte pixels. The tables are indexed by filter and have no
 * entry for SQ_PNG_NONE.
 */
typedef void (*sq_unfilter_pixels)(const uint8_t *residual,
                                   const uint8_t *above, uint8_t *row,
                                   size_t pixels);

#define SQ_PAETH_ROWS_MIN 16 /* minimum row width for four rows together */

#if SQ_HAVE_X86
extern const sq_unfilter_pixels sq_unfilter_sse2[SQ_PNG_FILTERS];

void sq_unfilter_paeth_avx2(const uint8_t *const residual[SQ_PAETH_ROWS],
                            const uint8_t *above,
                            uint8_t *const row[SQ_PAETH_ROWS], size_t pixels);
#endif
#if SQ_HAVE_NEON
extern const sq_unfilter_pixels sq_unfilter_neon[SQ_PNG_FILTERS];

void sq_unfilter_paeth_neon(const uint8_t *const residual[SQ_PAETH_ROWS],
                            const uint8_t *above,
                            uint8_t *const row[SQ_PAETH_ROWS], size_t pixels);
#endif

#endif
