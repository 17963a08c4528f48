/* Scales in scalar loops, and chooses the variant for the machine. */
#include "image/pipeline/scale.h"

#include <math.h>
#include <string.h>

#include "image/pipeline/cpu.h"
#include "util/mem.h"

/* Computes the filter weights of one axis. */

/*
 * All machines round alike only without fused operations, which clang uses for
 * expressions by default and gcc with -std=c11 does not.
 */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static double
catmull_rom(double x) {
    x = fabs(x);
    if (x < 1) {
        return (1.5 * x - 2.5) * x * x + 1;
    }
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

/* Needs a sine, so the program on the phone does not have it. */
#if __STDC_HOSTED__
static double
sinc(double x) {
    const double pi = 3.14159265358979323846;
    return x == 0 ? 1 : sin(pi * x) / (pi * x);
}

static double
lanczos3(double x) {
    return fabs(x) < 3 ? sinc(x) * sinc(x / 3) : 0;
}
#endif

/*
 * Averaged over the width of one input instead of sampled at a point, so that
 * inputs partly inside the box count in proportion; see weigh().
 */
static double
box(double x) {
    return fabs(x) < 0.5 ? 1 : 0;
}

static const struct {
    double (*function)(double);
    double radius;
} kernels[SQ_KERNELS] = {
    [SQ_KERNEL_CATMULL_ROM] = { catmull_rom, 2 },
#if __STDC_HOSTED__
    [SQ_KERNEL_LANCZOS3] = { lanczos3, 3 },
#endif
    [SQ_KERNEL_AREA] = { box, 0.5 },
};

struct axis {
    double scale;   /* input samples per output sample */
    double stretch; /* how far the kernel is stretched, at least 1 */
    double support; /* kernel radius in input samples */
    int inputs;
    enum sq_kernel kernel;
};

/* Returns the weight of input i for an output centred at centre. */
static double
weigh(const struct axis *axis, double centre, int i) {
    if (axis->kernel == SQ_KERNEL_AREA) {
        double left = fmax(centre - axis->support, i);
        double right = fmin(centre + axis->support, i + 1);
        return fmax(right - left, 0);
    }
    return kernels[axis->kernel].function((i + 0.5 - centre) / axis->stretch);
}

/* Removes inputs with zero weight at both ends. */
static int
trim_zeros(int16_t *value, int *count) {
    int leading = 0;
    while (value[leading] == 0) {
        leading++;
    }
    while (value[*count - 1] == 0) {
        (*count)--;
    }
    *count -= leading;
    memmove(value, value + leading, (size_t)*count * sizeof(*value));
    memset(value + *count, 0, (size_t)leading * sizeof(*value));
    return leading;
}

static void
fill_output(struct sq_weights *weights, const struct axis *axis, int output,
            double *scratch) {
    double centre = (output + 0.5) * axis->scale;
    int first = (int)floor(centre - axis->support);
    int end = (int)ceil(centre + axis->support);
    first = first < 0 ? 0 : first;
    end = end > axis->inputs ? axis->inputs : end;

    double sum = 0;
    int count = 0;
    for (int i = first; i < end; i++) {
        scratch[count] = weigh(axis, centre, i);
        sum += scratch[count++];
    }
    int16_t *value = weights->value + (size_t)output * (size_t)weights->taps;
    /*
     * Rounds weights to integers. The rounding error is added to the largest.
     */
    int total = 0;
    int largest = 0;
    for (int i = 0; i < count; i++) {
        value[i] = (int16_t)lrint(scratch[i] / sum * SQ_WEIGHT_ONE);
        total += value[i];
        if (value[i] > value[largest]) {
            largest = i;
        }
    }
    value[largest] = (int16_t)(value[largest] + SQ_WEIGHT_ONE - total);
    weights->first[output] = first + trim_zeros(value, &count);
    weights->used[output] = count;
}

static int
greatest_divisor(int a, int b) {
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/*
 * If `period` outputs correspond to a whole number of inputs, the weights
 * repeat: copies those of one period before, if neither is cut by an edge.
 */
static bool
repeat_output(struct sq_weights *weights, const struct axis *axis, int output,
              int period) {
    int before = output - period;
    if (before < 0 || (before + 0.5) * axis->scale - axis->support < 0
        || (output + 0.5) * axis->scale + axis->support > axis->inputs) {
        return false;
    }
    size_t taps = (size_t)weights->taps;
    int moved = axis->inputs / (weights->outputs / period);
    weights->first[output] = weights->first[before] + moved;
    weights->used[output] = weights->used[before];
    memcpy(weights->value + (size_t)output * taps,
           weights->value + (size_t)before * taps,
           taps * sizeof(*weights->value));
    return true;
}

bool
sq_weights_init(struct sq_weights *weights, int inputs, double extent,
                int outputs, enum sq_kernel kernel, struct sq_err *err) {
    struct axis axis = { .scale = extent / outputs,
                         .inputs = inputs,
                         .kernel = kernel };
    axis.stretch = axis.scale > 1 ? axis.scale : 1;
    axis.support = kernels[kernel].radius * axis.stretch;
    int most = (int)ceil(axis.support * 2) + 2;
    int taps = (most + SQ_TAP_GROUP - 1) / SQ_TAP_GROUP * SQ_TAP_GROUP;

    struct sq_weights made = { .outputs = outputs, .taps = taps };
    made.first = sq_mem_alloc((size_t)outputs, sizeof(*made.first));
    made.used = sq_mem_alloc((size_t)outputs, sizeof(*made.used));
    made.value =
        sq_mem_zalloc((size_t)outputs * (size_t)taps, sizeof(*made.value));
    double *scratch = sq_mem_alloc((size_t)taps, sizeof(*scratch));
    bool ok = made.first && made.used && made.value && scratch;
    if (ok) {
        bool is_exact = extent >= inputs && extent <= inputs;
        int period = made.outputs;
        if (is_exact) {
            period /= greatest_divisor(axis.inputs, made.outputs);
        }
        for (int i = 0; i < made.outputs; i++) {
            if (!repeat_output(&made, &axis, i, period)) {
                fill_output(&made, &axis, i, scratch);
            }
            int groups = (made.used[i] + SQ_TAP_GROUP - 1) / SQ_TAP_GROUP;
            made.groups = groups > made.groups ? groups : made.groups;
        }
    }
    sq_mem_free(scratch);
    if (!ok) {
        sq_weights_finish(&made);
        return sq_fail_nomem(err);
    }
    *weights = made;
    return true;
}

void
sq_weights_finish(struct sq_weights *weights) {
    sq_mem_free(weights->first);
    sq_mem_free(weights->used);
    sq_mem_free(weights->value);
    *weights = (struct sq_weights){ 0 };
}

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

void
sq_halve_scalar(const uint8_t *upper, const uint8_t *lower, int width,
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

void
sq_compare_blocks(const uint8_t *before, const uint8_t *after, size_t blocks,
                  uint64_t *changed) {
    typedef uint64_t block __attribute__((vector_size(SQ_BLOCK_BYTES)));
    for (size_t first = 0; first < blocks; first += 64) {
        size_t count = blocks - first < 64 ? blocks - first : 64;
        uint64_t set = 0;
        for (size_t i = 0; i < count; i++) {
            block a;
            block b;
            memcpy(&a, before + (first + i) * SQ_BLOCK_BYTES, sizeof(a));
            memcpy(&b, after + (first + i) * SQ_BLOCK_BYTES, sizeof(b));
            a ^= b;
            set |= (uint64_t)((a[0] | a[1] | a[2] | a[3]) != 0) << i;
        }
        changed[first / 64] = set;
    }
}

const struct sq_resampler *
sq_resampler_get(void) {
    static const struct sq_resampler scalar = { vertical_scalar,
                                                horizontal_scalar,
                                                sq_halve_scalar };
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
