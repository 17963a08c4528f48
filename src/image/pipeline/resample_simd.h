/* Declares the vector variants of resample.h; included only by resample.c. */
#ifndef SQ_IMAGE_PIPELINE_RESAMPLE_SIMD_H
#define SQ_IMAGE_PIPELINE_RESAMPLE_SIMD_H

#include "image/pipeline/cpu.h"
#include "image/pipeline/resample.h"

#if SQ_HAVE_X86
extern const struct sq_resampler sq_resampler_sse2;
extern const struct sq_resampler sq_resampler_avx2;
#endif
#if SQ_HAVE_NEON
extern const struct sq_resampler sq_resampler_neon;
#endif

#endif
