/* Vector variants for image/resample.h; included only by resample.c. */
#ifndef SQ_IMAGE_RESAMPLE_SIMD_H
#define SQ_IMAGE_RESAMPLE_SIMD_H

#include "image/cpu.h"
#include "image/resample.h"

#if SQ_HAVE_X86
extern const struct sq_resampler sq_resampler_sse2;
extern const struct sq_resampler sq_resampler_avx2;
#endif
#if SQ_HAVE_NEON
extern const struct sq_resampler sq_resampler_neon;
#endif

#endif
