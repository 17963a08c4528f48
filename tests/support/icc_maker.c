#include "support/icc_maker.h"

#include <lcms2.h>
#include <math.h>

#undef T_BYTES /* lcms2 defines it too */
#include "support/test.h"

#define SAMPLES 1024
#define CMYK_GRID 17
#define RGB_GRID 17

const char *const t_icc_names[T_ICC_KINDS] = {
    [T_ICC_SRGB] = "sRGB",
    [T_ICC_SRGB_SAMPLED] = "sRGB, sampled",
    [T_ICC_P3] = "Display P3",
    [T_ICC_P3_SAMPLED] = "Display P3, sampled",
    [T_ICC_ADOBE_RGB] = "Adobe RGB",
    [T_ICC_PROPHOTO] = "ProPhoto",
    [T_ICC_LINEAR] = "linear",
    [T_ICC_RGB_TABLE] = "RGB by a table",
    [T_ICC_GREY_18] = "grey, gamma 1.8",
    [T_ICC_GREY_LAB] = "grey, lightness",
    [T_ICC_CMYK] = "CMYK",
};

static const cmsCIExyY d65 = { 0.3127, 0.3290, 1 };
static const cmsCIExyY d50 = { 0.3457, 0.3585, 1 };

/* Describes an RGB device. */
struct device {
    cmsCIExyYTRIPLE primaries;
    double gamma; /* 0: sRGB's curve */
    bool is_sampled;
};

static const struct device devices[T_ICC_KINDS] = {
    [T_ICC_SRGB] = { { { .64, .33, 1 }, { .30, .60, 1 }, { .15, .06, 1 } },
                     0,
                     false },
    [T_ICC_SRGB_SAMPLED] = { { { .64, .33, 1 },
                               { .30, .60, 1 },
                               { .15, .06, 1 } },
                             0,
                             true },
    [T_ICC_P3] = { { { .68, .32, 1 }, { .265, .69, 1 }, { .15, .06, 1 } },
                   0,
                   false },
    [T_ICC_P3_SAMPLED] = { { { .68, .32, 1 },
                             { .265, .69, 1 },
                             { .15, .06, 1 } },
                           0,
                           true },
    [T_ICC_ADOBE_RGB] = { { { .64, .33, 1 }, { .21, .71, 1 }, { .15, .06, 1 } },
                          563 / 256.0,
                          false },
    [T_ICC_PROPHOTO] = { { { .7347, .2653, 1 },
                           { .1596, .8404, 1 },
                           { .0366, .0001, 1 } },
                         1.8,
                         false },
    [T_ICC_LINEAR] = { { { .64, .33, 1 }, { .30, .60, 1 }, { .15, .06, 1 } },
                       1,
                       false },
};

enum sq_pixels
t_icc_pixels(enum t_icc_kind kind) {
    if (kind == T_ICC_CMYK) {
        return SQ_PIXELS_CMYK;
    }
    return kind == T_ICC_GREY_18 || kind == T_ICC_GREY_LAB ? SQ_PIXELS_GREY
                                                           : SQ_PIXELS_RGB;
}

static cmsToneCurve *
make_curve(const struct device *device) {
    const double srgb[] = { 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045 };
    if (device->gamma > 0) {
        return cmsBuildGamma(NULL, device->gamma);
    }
    cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 4, srgb);
    if (!device->is_sampled) {
        return curve;
    }
    cmsUInt16Number values[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        float at = (float)i / (SAMPLES - 1);
        values[i] =
            (cmsUInt16Number)lrintf(cmsEvalToneCurveFloat(curve, at) * 65535);
    }
    cmsFreeToneCurve(curve);
    return cmsBuildTabulatedToneCurve16(NULL, SAMPLES, values);
}

static cmsHPROFILE
make_device(enum t_icc_kind kind) {
    cmsToneCurve *curve = make_curve(&devices[kind]);
    cmsToneCurve *curves[3] = { curve, curve, curve };
    cmsHPROFILE profile = cmsCreateRGBProfile(
        kind == T_ICC_PROPHOTO ? &d50 : &d65, &devices[kind].primaries, curves);
    cmsFreeToneCurve(curve);
    return profile;
}

static cmsHPROFILE
make_grey(enum t_icc_kind kind) {
    cmsToneCurve *curve =
        cmsBuildGamma(NULL, kind == T_ICC_GREY_18 ? 1.8 : 1.0);
    cmsHPROFILE profile = cmsCreateGrayProfile(&d50, curve);
    if (kind == T_ICC_GREY_LAB) {
        cmsSetPCS(profile, cmsSigLabData);
    }
    cmsFreeToneCurve(curve);
    return profile;
}

/* Converts an sRGB colour to Lab, as stored in tables. */
static void
srgb_to_lab(const double rgb[3], cmsUInt16Number out[3]) {
    static const double to_xyz[3][3] = {
        { 0.4360747, 0.3850649, 0.1430804 },
        { 0.2225045, 0.7168786, 0.0606169 },
        { 0.0139322, 0.0971045, 0.7141733 },
    };
    double light[3];
    double xyz[3] = { 0 };
    cmsCIELab lab;
    for (int i = 0; i < 3; i++) {
        light[i] = rgb[i] <= 0.04045 ? rgb[i] / 12.92
                                     : pow((rgb[i] + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            xyz[i] += to_xyz[i][k] * light[k];
        }
    }
    const cmsCIEXYZ colour = { xyz[0], xyz[1], xyz[2] };
    cmsXYZ2Lab(NULL, &lab, &colour);
    cmsFloat2LabEncodedV2(out, &lab);
}

void
t_icc_ink(const double ink[4], double rgb[3]) {
    for (int i = 0; i < 3; i++) {
        double others = ink[(i + 1) % 3] * ink[(i + 2) % 3];
        rgb[i] = (1 - 0.9 * ink[i]) * (1 - 0.2 * others) * (1 - ink[3]);
    }
}

static cmsInt32Number
sample_cmyk(const cmsUInt16Number in[], cmsUInt16Number out[], void *cargo) {
    (void)cargo;
    double ink[4];
    double rgb[3];
    for (int i = 0; i < 4; i++) {
        ink[i] = in[i] / 65535.0;
    }
    t_icc_ink(ink, rgb);
    srgb_to_lab(rgb, out);
    return TRUE;
}

static cmsInt32Number
sample_swapped(const cmsUInt16Number in[], cmsUInt16Number out[], void *cargo) {
    (void)cargo;
    const double rgb[3] = { in[2] / 65535.0, in[1] / 65535.0, in[0] / 65535.0 };
    srgb_to_lab(rgb, out);
    return TRUE;
}

static cmsHPROFILE
make_table(enum t_icc_kind kind) {
    bool is_cmyk = kind == T_ICC_CMYK;
    cmsUInt32Number inks = is_cmyk ? 4 : 3;
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(NULL);
    cmsPipeline *table = cmsPipelineAlloc(NULL, inks, 3);
    cmsStage *grid = cmsStageAllocCLut16bit(
        NULL, is_cmyk ? CMYK_GRID : RGB_GRID, inks, 3, NULL);
    T(cmsStageSampleCLut16bit(grid, is_cmyk ? sample_cmyk : sample_swapped,
                              NULL, 0));
    /* A table needs curves before and after it; these are identities. */
    T(cmsPipelineInsertStage(table, cmsAT_BEGIN,
                             cmsStageAllocToneCurves(NULL, inks, NULL)));
    T(cmsPipelineInsertStage(table, cmsAT_END, grid));
    T(cmsPipelineInsertStage(table, cmsAT_END,
                             cmsStageAllocToneCurves(NULL, 3, NULL)));
    cmsSetProfileVersion(profile, 2.4);
    cmsSetDeviceClass(profile, cmsSigOutputClass);
    cmsSetColorSpace(profile, is_cmyk ? cmsSigCmykData : cmsSigRgbData);
    cmsSetPCS(profile, cmsSigLabData);
    T(cmsWriteTag(profile, cmsSigAToB0Tag, table));
    T(cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ()));
    cmsPipelineFree(table);
    return profile;
}

void
t_icc_make(enum t_icc_kind kind, struct sq_buf *out) {
    cmsHPROFILE profile;
    cmsUInt32Number count = 0;
    uint8_t *room;
    if (kind == T_ICC_CMYK || kind == T_ICC_RGB_TABLE) {
        profile = make_table(kind);
    } else if (t_icc_pixels(kind) == SQ_PIXELS_GREY) {
        profile = make_grey(kind);
    } else {
        profile = make_device(kind);
    }
    sq_buf_init(out, SQ_MAX_ICC_BYTES);
    T(profile && cmsSaveProfileToMem(profile, NULL, &count));
    if (T_OK(sq_buf_reserve(out, count, &room, &t_err))
        && T(cmsSaveProfileToMem(profile, room, &count))) {
        sq_buf_commit(out, count);
    }
    cmsCloseProfile(profile);
}

void
t_icc_convert(const struct sq_buf *profile, enum sq_pixels pixels,
              const uint8_t *from, uint8_t *to, size_t count) {
    static const cmsUInt32Number formats[] = {
        [SQ_PIXELS_RGB] = TYPE_RGBA_8,
        [SQ_PIXELS_GREY] = TYPE_GRAY_8 | EXTRA_SH(3),
        [SQ_PIXELS_CMYK] = TYPE_CMYK_8_REV,
    };
    cmsHPROFILE in =
        cmsOpenProfileFromMem(profile->data, (cmsUInt32Number)profile->len);
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    /* Floating point for every pixel, independent of squint's method. */
    cmsHTRANSFORM transform =
        cmsCreateTransform(in, formats[pixels], srgb, TYPE_RGBA_8,
                           INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
    if (T(transform != NULL)) {
        cmsDoTransform(transform, from, to, (cmsUInt32Number)count);
        cmsDeleteTransform(transform);
    }
    cmsCloseProfile(srgb);
    cmsCloseProfile(in);
}
