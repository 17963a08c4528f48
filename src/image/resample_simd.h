/* The x86 variants behind image/resample.h; only resample.c includes this. */
#ifndef SQ_IMAGE_RESAMPLE_SIMD_H
#define SQ_IMAGE_RESAMPLE_SIMD_H

#include "image/resample.h"

#if defined(__x86_64__)
extern const struct sq_resampler sq_resampler_sse2;
extern const struct sq_resampler sq_resampler_avx2;
#endif

#endif
