/* Converts transfer curves and primaries to XYZ. */
#include "image/colour/colour.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ITU-R BT.2408: the light of paper, of 10,000 cd/m2 and of HLG's peak. */
#define PQ_PEAK (10000.0 / 203.0)
#define HLG_WHITE 0.75

const struct sq_chromaticities sq_srgb_chromaticities = {
    { 0.640, 0.330 }, { 0.300, 0.600 }, { 0.150, 0.060 }, { 0.3127, 0.3290 }
};

double
sq_srgb_decode(double value) {
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

double
sq_srgb_encode(double light) {
    return light <= 0.0031308 ? light * 12.92
                              : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

void
sq_srgb_fill_encode(uint8_t encode[SQ_ENCODE_SIZE]) {
    int at = 0;
    for (int level = 0; level < SQ_LEVELS; level++) {
        double end = sq_srgb_decode((level + 0.5) / (SQ_LEVELS - 1));
        int stop = (int)ceil(end * (SQ_ENCODE_SIZE - 1));
        stop = level == SQ_LEVELS - 1 ? SQ_ENCODE_SIZE : stop;
        for (; at < stop; at++) {
            encode[at] = (uint8_t)level;
        }
    }
}

void
sq_xyz_to_srgb_light(const double xyz[3], double light[3]) {
    static const double matrix[3][3] = {
        { 3.1338561, -1.6168667, -0.4906146 },
        { -0.9787684, 1.9161415, 0.0334540 },
        { 0.0719453, -0.2289914, 1.4052427 },
    };
    for (int i = 0; i < 3; i++) {
        light[i] = matrix[i][0] * xyz[0] + matrix[i][1] * xyz[1]
                 + matrix[i][2] * xyz[2];
    }
}

static bool
invert(double m[3][3], double out[3][3]) {
    double all = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
               - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
               + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (!(fabs(all) > 1e-9)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3;
            int b = (k + 2) % 3;
            int c = (i + 1) % 3;
            int d = (i + 2) % 3;
            out[i][k] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / all;
        }
    }
    return true;
}

static void
multiply(double a[3][3], double b[3][3], double out[3][3]) {
    double product[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            product[i][k] =
                a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
        }
    }
    memcpy(out, product, sizeof(product));
}

static void
apply(double m[3][3], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
}

/* XYZ of a chromaticity at Y = 1; false where it has no light. */
static bool
to_xyz(const double xy[2], double out[3]) {
    if (!(xy[1] > 1e-4)) {
        return false;
    }
    out[0] = xy[0] / xy[1];
    out[1] = 1;
    out[2] = (1 - xy[0] - xy[1]) / xy[1];
    return true;
}

/* Bradford's way from one white to D50, profiles' own. */
static bool
adapt(double white[3], double out[3][3]) {
    double cone[3][3] = { { 0.8951, 0.2664, -0.1614 },
                          { -0.7502, 1.7135, 0.0367 },
                          { 0.0389, -0.0685, 1.0296 } };
    static const double d50[3] = { 0.96422, 1, 0.82521 };
    double back[3][3];
    double from[3];
    double to[3];
    if (!invert(cone, back)) {
        return false;
    }
    apply(cone, white, from);
    apply(cone, d50, to);
    for (int i = 0; i < 3; i++) {
        if (!(from[i] > 1e-6)) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            cone[i][k] *= to[i] / from[i];
        }
    }
    multiply(back, cone, out);
    return true;
}

bool
sq_light_set_primaries(struct sq_light *light,
                       const struct sq_chromaticities *primaries) {
    const double *const lights[3] = { primaries->red, primaries->green,
                                      primaries->blue };
    double white[3];
    double columns[3][3];
    double inverse[3][3];
    double adaptation[3][3];
    double share[3];
    for (int i = 0; i < 3; i++) {
        double xyz[3];
        if (!to_xyz(lights[i], xyz)) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            columns[k][i] = xyz[k];
        }
    }
    if (!to_xyz(primaries->white, white) || !invert(columns, inverse)
        || !adapt(white, adaptation)) {
        return false;
    }
    apply(inverse, white, share); /* of each light in white */
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            columns[k][i] *= share[i];
        }
    }
    multiply(adaptation, columns, light->to_xyz);
    return true;
}

static void
set_curve(struct sq_light *light, double (*decode)(double)) {
    for (int i = 0; i < SQ_LEVELS; i++) {
        double at = decode((double)i / (SQ_LEVELS - 1));
        for (int channel = 0; channel < 3; channel++) {
            light->curve[channel][i] = at > 1 ? 1 : at;
        }
    }
}

void
sq_light_set_srgb(struct sq_light *light) {
    set_curve(light, sq_srgb_decode);
}

void
sq_light_set_gamma(struct sq_light *light, double gamma) {
    for (int i = 0; i < SQ_LEVELS; i++) {
        double at = pow((double)i / (SQ_LEVELS - 1), gamma);
        for (int channel = 0; channel < 3; channel++) {
            light->curve[channel][i] = at;
        }
    }
}

static double
decode_video(double value) {
    return value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45);
}

static double
decode_gamma22(double value) {
    return pow(value, 2.2);
}

static double
decode_gamma28(double value) {
    return pow(value, 2.8);
}

static double
decode_linear(double value) {
    return value;
}

/* SMPTE ST 2084. */
static double
decode_pq(double value) {
    double power = pow(value, 32.0 / 2523);
    double low = power - 3424.0 / 4096;
    double high = 2413.0 / 128 - 2392.0 / 128 * power;
    return low <= 0 ? 0 : PQ_PEAK * pow(low / high, 8192.0 / 1305);
}

static double
hlg_scene(double value) {
    const double a = 0.17883277;
    const double b = 0.28466892;
    const double c = 0.55991073;
    return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12;
}

/* ARIB STD-B67 on a display of 1,000 cd/m2, channel by channel. */
static double
decode_hlg(double value) {
    return pow(hlg_scene(value) / hlg_scene(HLG_WHITE), 1.2);
}

/* What H.273 calls ColourPrimaries, and what TransferCharacteristics. */
static const struct {
    uint8_t code;
    struct sq_chromaticities xy;
} primaries[] = {
    { 1, { { .640, .330 }, { .300, .600 }, { .150, .060 }, { .3127, .3290 } } },
    { 4, { { .67, .33 }, { .21, .71 }, { .14, .08 }, { .310, .316 } } },
    { 5, { { .64, .33 }, { .29, .60 }, { .15, .06 }, { .3127, .3290 } } },
    { 6, { { .630, .340 }, { .310, .595 }, { .155, .070 }, { .3127, .3290 } } },
    { 7, { { .630, .340 }, { .310, .595 }, { .155, .070 }, { .3127, .3290 } } },
    { 9, { { .708, .292 }, { .170, .797 }, { .131, .046 }, { .3127, .3290 } } },
    { 11, { { .680, .320 }, { .265, .690 }, { .150, .060 }, { .314, .351 } } },
    { 12,
      { { .680, .320 }, { .265, .690 }, { .150, .060 }, { .3127, .3290 } } },
};

static const struct {
    uint8_t code;
    double (*decode)(double value);
} transfers[] = {
    { 1, decode_video },  { 4, decode_gamma22 }, { 5, decode_gamma28 },
    { 6, decode_video },  { 8, decode_linear },  { 13, sq_srgb_decode },
    { 14, decode_video }, { 15, decode_video },  { 16, decode_pq },
    { 18, decode_hlg },
};

bool
sq_light_from_cicp(struct sq_light *light, const uint8_t code_points[4]) {
    bool is_full_rgb = code_points[2] == 0 && code_points[3] == 1;
    bool has_primaries = false;
    bool has_transfer = false;
    for (size_t i = 0; i < COUNT(primaries); i++) {
        if (primaries[i].code == code_points[0]) {
            has_primaries = sq_light_set_primaries(light, &primaries[i].xy);
        }
    }
    for (size_t i = 0; i < COUNT(transfers); i++) {
        if (transfers[i].code == code_points[1]) {
            set_curve(light, transfers[i].decode);
            has_transfer = true;
        }
    }
    return is_full_rgb && has_primaries && has_transfer;
}
