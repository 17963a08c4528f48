/*
 * All loops of all CPU levels, compared with plain sums, in buffers of exactly
 * the documented size, so that sanitizers see an overrun.
 */
#include "image/pipeline/scale.h"

#include "image/pipeline/cpu.h"
#include "image/pipeline/rows.h"
#include "support/test.h"

#define MAX_TAPS 13
#define MAX_PIXELS 70
#define MAX_CHANNELS (MAX_PIXELS * SQ_PIXEL_BYTES)

typedef void level_check(const struct sq_resampler *resampler);

/* Levels that this machine does not have repeat the best one. */
static void
on_every_level(level_check *check) {
    for (int level = 0; level < SQ_CPU_LEVELS; level++) {
        sq_cpu_limit((enum sq_cpu)level);
        if (sq_cpu_level() == (enum sq_cpu)level) {
            check(sq_resampler_get());
        }
    }
    sq_cpu_limit(SQ_CPU_BEST);
}

static int
settle(int sum) {
    int value = (sum + SQ_WEIGHT_ONE / 2) >> SQ_WEIGHT_BITS;
    return value < 0 ? 0 : (value > 255 ? 255 : value);
}

/* Weights that overshoot both ends of a byte. */
static void
random_weights(int16_t *weights, int count) {
    int sum = 0;
    for (int k = 0; k + 1 < count; k++) {
        weights[k] = (int16_t)t_random_between(-3000, 3000);
        sum += weights[k];
    }
    weights[count - 1] = (int16_t)(SQ_WEIGHT_ONE - sum);
}

static uint8_t
random_sample(void) {
    int kind = (int)t_random_between(0, 3);
    return kind == 0 ? 0 : (kind == 1 ? 255 : (uint8_t)t_random());
}

static uint8_t *
random_row(size_t channels) {
    uint8_t *row = malloc(channels + SQ_ROW_SLACK);
    for (size_t i = 0; row && i < channels + SQ_ROW_SLACK; i++) {
        row[i] = random_sample();
    }
    return row;
}

static void
check_one_vertical(const struct sq_resampler *resampler, int taps, int pixels) {
    size_t channels = (size_t)pixels * SQ_PIXEL_BYTES;
    const uint8_t *rows[MAX_TAPS];
    int16_t weights[MAX_TAPS];
    int16_t *column = malloc((channels + SQ_ROW_SLACK) * sizeof(*column));
    for (int k = 0; k < taps; k++) {
        rows[k] = random_row(channels);
    }
    random_weights(weights, taps);
    /* In two ranges, as when a block between others has not changed. */
    size_t blocks = channels / SQ_BLOCK_BYTES;
    size_t middle =
        (size_t)t_random_between(0, (int64_t)blocks) * SQ_BLOCK_BYTES;
    resampler->vertical(rows, weights, taps, column,
                        (struct sq_range){ middle, channels });
    resampler->vertical(rows, weights, taps, column,
                        (struct sq_range){ 0, middle });
    for (size_t i = 0; i < channels; i++) {
        int sum = 0;
        for (int k = 0; k < taps; k++) {
            sum += rows[k][i] * weights[k];
        }
        T_INT(column[i], settle(sum));
    }
    for (int k = 0; k < taps; k++) {
        free((void *)(uintptr_t)rows[k]);
    }
    free(column);
}

static void
check_vertical(const struct sq_resampler *resampler) {
    for (int taps = 1; taps <= MAX_TAPS; taps++) {
        for (int pixels = 1; pixels <= MAX_PIXELS; pixels += 3) {
            check_one_vertical(resampler, taps, pixels);
        }
    }
}

T_CASE(columns_are_weighted_sums) {
    on_every_level(check_vertical);
}

static void
check_one_horizontal(const struct sq_resampler *resampler, int inputs,
                     int outputs, enum sq_kernel kernel) {
    struct sq_weights w = { 0 };
    size_t words = (size_t)inputs * SQ_PIXEL_BYTES + SQ_ROW_SLACK;
    int16_t *column = malloc(words * sizeof(*column));
    uint8_t *out = malloc((size_t)outputs * SQ_PIXEL_BYTES);
    if (!T(column && out)
        || !T_OK(
            sq_weights_init(&w, inputs, inputs, outputs, kernel, &t_err))) {
        return;
    }
    for (size_t i = 0; i < words; i++) {
        column[i] = random_sample();
    }
    size_t middle = (size_t)t_random_between(0, outputs);
    resampler->horizontal(column, &w, out,
                          (struct sq_range){ middle, (size_t)outputs });
    resampler->horizontal(column, &w, out, (struct sq_range){ 0, middle });
    for (int i = 0; i < outputs * SQ_PIXEL_BYTES; i++) {
        int o = i / SQ_PIXEL_BYTES;
        int sum = 0;
        for (int k = 0; k < w.used[o]; k++) {
            sum +=
                column[(w.first[o] + k) * SQ_PIXEL_BYTES + i % SQ_PIXEL_BYTES]
                * w.value[o * w.taps + k];
        }
        T_INT(out[i], settle(sum));
    }
    sq_weights_finish(&w);
    free(out);
    free(column);
}

static void
check_horizontal(const struct sq_resampler *resampler) {
    for (int n = 0; n < 150; n++) {
        check_one_horizontal(resampler, (int)t_random_between(1, MAX_PIXELS),
                             (int)t_random_between(1, MAX_PIXELS),
                             (enum sq_kernel)(n % SQ_KERNELS));
    }
}

T_CASE(rows_are_weighted_sums) {
    on_every_level(check_horizontal);
}

static void
check_halve(const struct sq_resampler *resampler) {
    for (int width = 1; width <= MAX_PIXELS; width++) {
        size_t halved = (size_t)(width + 1) / 2 * SQ_PIXEL_BYTES;
        uint8_t *upper = random_row((size_t)width * SQ_PIXEL_BYTES);
        uint8_t *lower = random_row((size_t)width * SQ_PIXEL_BYTES);
        uint8_t *out = malloc(halved);
        if (T(upper && lower && out)) {
            resampler->halve(upper, lower, width, out);
        }
        for (int i = 0; out && i < (int)halved; i++) {
            int left =
                i / SQ_PIXEL_BYTES * 2 * SQ_PIXEL_BYTES + i % SQ_PIXEL_BYTES;
            bool paired = i / SQ_PIXEL_BYTES * 2 + 1 < width;
            int right = paired ? left + SQ_PIXEL_BYTES : left;
            int sum = upper[left] + upper[right] + lower[left] + lower[right];
            T_INT(out[i], (sum + 2) / 4);
        }
        free(upper);
        free(lower);
        free(out);
    }
}

T_CASE(blocks_are_averaged) {
    on_every_level(check_halve);
}

/* White with the sharpest weights must not wrap around. */
static void
check_extremes(const struct sq_resampler *resampler) {
    uint8_t white[16 + SQ_ROW_SLACK];
    uint8_t black[16 + SQ_ROW_SLACK] = { 0 };
    int16_t column[16 + SQ_ROW_SLACK];
    const struct sq_range all = { 0, 16 };
    memset(white, 255, sizeof(white));
    static const int16_t weights[3] = { -8000, 32000, -7616 };
    const uint8_t *const over[3] = { black, white, black };
    const uint8_t *const under[3] = { white, black, white };
    resampler->vertical(over, weights, 3, column, all);
    T_INT(column[0], 255);
    T_INT(column[15], 255);
    resampler->vertical(under, weights, 3, column, all);
    T_INT(column[0], 0);
    T_INT(column[15], 0);
}

T_CASE(overshoot_is_clamped) {
    on_every_level(check_extremes);
}

/* With any previous content, bits are set exactly where a block differs. */
T_CASE(changes_are_found_by_block) {
    for (size_t blocks = 2; blocks <= 140; blocks += 13) {
        uint8_t *before = random_row(blocks * SQ_BLOCK_BYTES - SQ_ROW_SLACK);
        uint8_t *after = malloc(blocks * SQ_BLOCK_BYTES);
        uint64_t changed[3] = { 0 };
        uint64_t want[3] = { 0 };
        if (T(before && after)) {
            memcpy(after, before, blocks * SQ_BLOCK_BYTES);
            for (size_t i = 0; i < blocks; i += 3) {
                after[i * SQ_BLOCK_BYTES + i % SQ_BLOCK_BYTES] ^= 1;
                want[i / 64] |= UINT64_C(1) << i % 64;
            }
            changed[0] = UINT64_C(2);
            sq_compare_blocks(before, after, blocks, changed);
            T_BYTES(changed, sizeof(changed), want, sizeof(want));
        }
        free(before);
        free(after);
    }
}

T_CASE(limit_only_lowers_the_cpu_level) {
    sq_cpu_limit(SQ_CPU_SCALAR);
    T_INT(sq_cpu_level(), SQ_CPU_SCALAR);
    T_STR(sq_cpu_name(sq_cpu_level()), "scalar");
    sq_cpu_limit(SQ_CPU_BEST);
    T(sq_cpu_level() <= SQ_CPU_BEST);
    T_STR(sq_cpu_name(SQ_CPU_SSE2), "sse2");
    T_STR(sq_cpu_name(SQ_CPU_AVX2), "avx2");
}
