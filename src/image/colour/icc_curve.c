/* Reads and evaluates ICC curves. */
#include "image/colour/icc_curve.h"

#include <math.h>
#include <string.h>

#include "image/colour/icc_load.h"

#define HEADER_BYTES 12
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool
sq_icc_curve_init_samples(struct sq_icc_curve *curve, const uint8_t *samples,
                          size_t count, int width) {
    *curve = (struct sq_icc_curve){ .samples = samples,
                                    .count = count,
                                    .width = width };
    return count >= 2;
}

/* Reads 'curv': the identity, one exponent, or samples. */
static bool
read_sampled(struct sq_icc_curve *curve, const uint8_t *bytes, size_t count,
             size_t *used) {
    size_t samples = sq_icc_load32(bytes + 8);
    const uint8_t *values = bytes + HEADER_BYTES;
    if (samples > (count - HEADER_BYTES) / 2) {
        return false;
    }
    *used = HEADER_BYTES + samples * 2;
    if (samples >= 2) {
        return sq_icc_curve_init_samples(curve, values, samples, 2);
    }
    *curve = (struct sq_icc_curve){ 0 };
    if (samples == 1) {
        curve->is_power = true;
        curve->a = 1;
        curve->g = sq_icc_load16(values) / 256.0;
    }
    return true;
}

/*
 * Reads 'para': all five types are the last one with some parameters missing.
 * The first two have no linear part; that of the third is constant.
 */
static bool
read_parametric(struct sq_icc_curve *curve, const uint8_t *bytes, size_t count,
                size_t *used) {
    static const size_t counts[] = { 1, 3, 4, 5, 7 };
    double v[7] = { 0 };
    unsigned kind = sq_icc_load16(bytes + 8);
    if (kind >= COUNT(counts) || (count - HEADER_BYTES) / 4 < counts[kind]) {
        return false;
    }
    for (size_t i = 0; i < counts[kind]; i++) {
        v[i] = sq_icc_load_fixed(bytes + HEADER_BYTES + i * 4);
    }
    *used = HEADER_BYTES + counts[kind] * 4;
    *curve = (struct sq_icc_curve){
        .is_power = true,
        .g = v[0],
        .a = v[1],
        .b = v[2],
        .c = v[3],
        .d = v[4],
        .e = v[5],
        .f = v[6],
    };
    if (kind == 0) {
        curve->a = 1;
    } else if (kind <= 2) {
        curve->e = curve->f = kind == 2 ? v[3] : 0;
        curve->c = 0;
        curve->d = v[1] != 0 ? -v[2] / v[1] : 0;
    }
    return true;
}

bool
sq_icc_curve_init(struct sq_icc_curve *curve, const uint8_t *bytes,
                  size_t count, size_t *used) {
    if (count < HEADER_BYTES) {
        return false;
    }
    uint32_t type = sq_icc_load32(bytes);
    if (type == SQ_ICC_NAME('c', 'u', 'r', 'v')) {
        return read_sampled(curve, bytes, count, used);
    }
    return type == SQ_ICC_NAME('p', 'a', 'r', 'a')
        && read_parametric(curve, bytes, count, used);
}

static double
sample_at(const struct sq_icc_curve *curve, size_t i) {
    return curve->width == 1 ? curve->samples[i] / 255.0
                             : sq_icc_load16(curve->samples + i * 2) / 65535.0;
}

static double
between_samples(const struct sq_icc_curve *curve, double x) {
    double place = x * (double)(curve->count - 1);
    size_t below = (size_t)place;
    size_t above = below + 1 < curve->count ? below + 1 : below;
    double low = sample_at(curve, below);
    return low + (sample_at(curve, above) - low) * (place - (double)below);
}

static double
by_parameters(const struct sq_icc_curve *curve, double x) {
    if (x < curve->d) {
        return curve->c * x + curve->f;
    }
    double base = curve->a * x + curve->b;
    return (base > 0 ? pow(base, curve->g) : 0) + curve->e;
}

static double
clamp(double value) {
    bool is_positive = value > 0; /* false for NaN */
    return is_positive ? fmin(value, 1) : 0;
}

double
sq_icc_curve_at(const struct sq_icc_curve *curve, double x) {
    double at = clamp(x);
    if (curve->samples) {
        at = between_samples(curve, at);
    } else if (curve->is_power) {
        at = by_parameters(curve, at);
    }
    return clamp(at);
}
