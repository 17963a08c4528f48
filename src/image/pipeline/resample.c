/* Scales in scalar loops, and chooses the variant for the machine. */
#include "image/pipeline/resample.h"

#include <string.h>

#include "image/pipeline/cpu.h"
#include "image/pipeline/resample_simd.h"

#define HALF (SQ_WEIGHT_ONE / 2)

static uint8_t
clamp_sum(int sum) {
    int value = (sum + HALF) >> SQ_WEIGHT_BITS;
    if (value < 0) {
        return 0;
    }
    return value > 255 ? 255 : (uint8_t)value;
}

static void
vertical_scalar(const uint8_t *const *rows, const int16_t *weights, int taps,
                int16_t *column, struct sq_range channels) {
    for (size_t i = channels.from; i < channels.to; i++) {
        int sum = 0;
        for (int k = 0; k < taps; k++) {
            sum += rows[k][i] * weights[k];
        }
        column[i] = clamp_sum(sum);
    }
}

static void
horizontal_scalar(const int16_t *column, const struct sq_weights *weights,
                  uint8_t *out, struct sq_range outputs) {
    for (size_t i = outputs.from; i < outputs.to; i++) {
        const int16_t *from =
            column + (size_t)weights->first[i] * SQ_PIXEL_BYTES;
        const int16_t *value = weights->value + i * (size_t)weights->taps;
        for (size_t channel = 0; channel < SQ_PIXEL_BYTES; channel++) {
            int sum = 0;
            for (int k = 0; k < weights->used[i]; k++) {
                sum += from[(size_t)k * SQ_PIXEL_BYTES + channel] * value[k];
            }
            out[i * SQ_PIXEL_BYTES + channel] = clamp_sum(sum);
        }
    }
}

static void
halve_scalar(const uint8_t *upper, const uint8_t *lower, int width,
             uint8_t *out) {
    for (int i = 0; i < (width + 1) / 2; i++) {
        int left = i * 2 * SQ_PIXEL_BYTES;
        int right = i * 2 + 1 < width ? left + SQ_PIXEL_BYTES : left;
        for (int channel = 0; channel < SQ_PIXEL_BYTES; channel++) {
            int sum = upper[left + channel] + upper[right + channel]
                    + lower[left + channel] + lower[right + channel];
            out[i * SQ_PIXEL_BYTES + channel] = (uint8_t)((sum + 2) / 4);
        }
    }
}

static void
compare_scalar(const uint8_t *before, const uint8_t *after, size_t blocks,
               uint64_t *changed) {
    for (size_t i = 0; i < blocks; i++) {
        size_t at = i * SQ_BLOCK_BYTES;
        uint64_t differs = memcmp(before + at, after + at, SQ_BLOCK_BYTES) != 0;
        uint64_t others = i % 64 ? changed[i / 64] : 0;
        changed[i / 64] = others | differs << i % 64;
    }
}

const struct sq_resampler *
sq_resampler_get(void) {
    static const struct sq_resampler scalar = { vertical_scalar,
                                                horizontal_scalar, halve_scalar,
                                                compare_scalar };
    static const struct sq_resampler *const by_level[SQ_CPU_LEVELS] = {
        [SQ_CPU_SCALAR] = &scalar,
#if SQ_HAVE_X86
        [SQ_CPU_SSE2] = &sq_resampler_sse2,
        [SQ_CPU_AVX2] = &sq_resampler_avx2,
#endif
#if SQ_HAVE_NEON
        [SQ_CPU_NEON] = &sq_resampler_neon,
#endif
    };
    return by_level[sq_cpu_level()];
}
