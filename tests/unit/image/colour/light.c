#include "image/colour/colour.h"

#include <math.h>

#include "support/test.h"

static bool
is_near(double a, double b, double most) {
    return fabs(a - b) <= most;
}

/* Display P3 under D50: the colorants of Apple's own profile. */
T_CASE(primaries_become_colorants) {
    static const double want[3][3] = { { 0.51512, 0.29198, 0.15710 },
                                       { 0.24120, 0.69225, 0.06657 },
                                       { -0.00105, 0.04189, 0.78407 } };
    static const uint8_t p3[4] = { 12, 13, 0, 1 };
    struct sq_light light;
    T(sq_light_from_cicp(&light, p3));
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            T(is_near(light.to_xyz[i][k], want[i][k], 0.0005));
        }
    }
}

T_CASE(primaries_without_area_are_refused) {
    static const struct sq_chromaticities wrong[] = {
        { { .3, .3 }, { .3, .3 }, { .3, .3 }, { .3, .3 } },
        { { .1, .1 }, { .2, .2 }, { .3, .3 }, { .3, .3 } },
        { { .64, 0 }, { .3, .6 }, { .15, .06 }, { .3127, .329 } },
        { { .64, .33 }, { .3, .6 }, { .15, .06 }, { .3127, 0 } },
    };
    struct sq_light light;
    for (size_t i = 0; i < SQ_COUNT(wrong); i++) {
        T(!sq_light_set_primaries(&light, &wrong[i]));
    }
    T(sq_light_set_primaries(&light, &sq_srgb_chromaticities));
}

T_CASE(srgb_round_trips) {
    static uint8_t encode[SQ_ENCODE_SIZE];
    sq_srgb_fill_encode(encode);
    for (int i = 0; i < SQ_LEVELS; i++) {
        double light = sq_srgb_decode(i / 255.0);
        T(is_near(sq_srgb_encode(light) * 255, i, 0.01));
        T_INT(encode[lrint(light * (SQ_ENCODE_SIZE - 1))], i);
    }
}

/*
 * Points of each curve from the standards: BT.709 at its joint, the powers, PQ
 * at 100 and 203 cd/m2 (BT.2408), HLG at its reference white.
 */
T_CASE(transfer_functions_match_the_standards) {
    static const struct {
        uint8_t code;
        int level;
        double light;
        double most;
    } points[] = {
        { 1, 255, 1, 0 },          { 1, 128, 0.2615, 0.002 },
        { 4, 128, 0.2195, 0.001 }, { 5, 128, 0.1451, 0.001 },
        { 8, 128, 0.50196, 1e-5 }, { 13, 128, 0.21586, 1e-4 },
        { 16, 0, 0, 0 },           { 16, 130, 100 / 203.0, 0.02 },
        { 16, 148, 1, 0.01 },      { 16, 255, 1, 0 },
        { 18, 0, 0, 0 },           { 18, 191, 1, 0.01 },
        { 18, 255, 1, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(points); i++) {
        const uint8_t code[4] = { 1, points[i].code, 0, 1 };
        struct sq_light light;
        T(sq_light_from_cicp(&light, code));
        if (!T(is_near(light.curve[1][points[i].level], points[i].light,
                       points[i].most))) {
            printf("# transfer %d, level %d: %f\n", points[i].code,
                   points[i].level, light.curve[1][points[i].level]);
        }
    }
}

T_CASE(all_known_curves_are_monotonic) {
    int known = 0;
    for (int code = 0; code < 256; code++) {
        const uint8_t points[4] = { 9, (uint8_t)code, 0, 1 };
        struct sq_light light;
        if (!sq_light_from_cicp(&light, points)) {
            continue;
        }
        known++;
        for (int i = 1; i < SQ_LEVELS; i++) {
            T(light.curve[0][i] >= light.curve[0][i - 1]);
            T(light.curve[0][i] >= 0 && light.curve[0][i] <= 1);
        }
    }
    T_INT(known, 10);
}
