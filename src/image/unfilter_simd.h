/* The x86 variants behind image/unfilter.h; only unfilter.c includes this. */
#ifndef SQ_IMAGE_UNFILTER_SIMD_H
#define SQ_IMAGE_UNFILTER_SIMD_H

#include "image/unfilter.h"

#if defined(__x86_64__)
#define SQ_HAVE_X86 1

/* Indexed by filter; NONE has no entry. */
extern void (*const sq_unfilter_sse2[SQ_PNG_FILTERS])(const uint8_t *residual,
                                                      const uint8_t *above,
                                                      uint8_t *row,
                                                      size_t pixels);

#define SQ_PAETH_AVX2_MIN 16 /* pixels */

void sq_unfilter_paeth_avx2(const uint8_t *const residual[SQ_PAETH_ROWS],
                            const uint8_t *above,
                            uint8_t *const row[SQ_PAETH_ROWS], size_t pixels);
#else
#define SQ_HAVE_X86 0
#endif

#endif
