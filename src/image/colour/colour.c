/* Converts colours by curves and a matrix. */
#include "image/colour/colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "image/colour/icc.h"
#include "util/mem.h"

/* Light has 15 bits, matrix entries 13: three products fit in 32 bits. */
#define LIGHT_BITS 15
#define MATRIX_BITS 13
#define SUM_SHIFT (LIGHT_BITS + MATRIX_BITS - SQ_ENCODE_BITS)
#define MAX_ROW_SUM 7.5 /* maximum sum of a row's absolute values */

/*
 * A conversion that changes no channel by more than this is dropped: sRGB
 * profiles are rounded in many ways, and near black a level is little light.
 */
#define SAME_LEVELS 3
#define PROBE_STEP 17 /* divides 255 */

struct matrix_colour {
    struct sq_colour base;
    int32_t light[3][SQ_LEVELS];
    int32_t matrix[3][3];
    uint8_t encode[SQ_ENCODE_SIZE];
};

void
sq_colour_destroy(struct sq_colour *colour) {
    if (colour) {
        colour->ops->destroy(colour);
    }
}

static void
free_colour(struct sq_colour *colour) {
    sq_mem_free(colour);
}

static void
convert_pixel(const struct matrix_colour *self, const uint8_t *from,
              uint8_t *to) {
    const int32_t light[3] = { self->light[0][from[0]], self->light[1][from[1]],
                               self->light[2][from[2]] };
    for (int i = 0; i < 3; i++) {
        const int32_t *m = self->matrix[i];
        int32_t sum = m[0] * light[0] + m[1] * light[1] + m[2] * light[2]
                    + (1 << (SUM_SHIFT - 1));
        int32_t index = sum >> SUM_SHIFT;
        index = index < 0 ? 0 : index;
        to[i] =
            self->encode[index < SQ_ENCODE_SIZE ? index : SQ_ENCODE_SIZE - 1];
    }
}

/* Equal neighbours are common; each costs only one comparison. */
static void
apply_matrix(const struct sq_colour *colour, const uint8_t *from, uint8_t *to,
             size_t pixels) {
    const struct matrix_colour *self = (const struct matrix_colour *)colour;
    uint8_t last[4] = { 0 };
    uint8_t made[4] = { 0, 0, 0, 255 };
    convert_pixel(self, last, made);
    for (size_t i = 0; i < pixels * 4; i += 4) {
        if (memcmp(from + i, last, 3) != 0) {
            memcpy(last, from + i, 3);
            convert_pixel(self, last, made);
        }
        memcpy(to + i, made, 4);
    }
}

static const struct sq_colour_ops matrix_ops = { apply_matrix, free_colour };

/* Returns false if the colours are not plausible for any device. */
static bool
fill_matrix(const struct sq_light *light, int32_t matrix[3][3]) {
    double sum[3] = { 0 };
    for (int k = 0; k < 3; k++) {
        const double xyz[3] = { light->to_xyz[0][k], light->to_xyz[1][k],
                                light->to_xyz[2][k] };
        double share[3];
        sq_xyz_to_srgb_light(xyz, share);
        for (int i = 0; i < 3; i++) {
            sum[i] += fabs(share[i]);
            if (!(sum[i] < MAX_ROW_SUM)) {
                return false;
            }
            matrix[i][k] = (int32_t)lrint(share[i] * (1 << MATRIX_BITS));
        }
    }
    return true;
}

static bool
differs(const uint8_t *a, const uint8_t *b) {
    for (int i = 0; i < 3; i++) {
        int difference = a[i] - b[i];
        if (difference > SAME_LEVELS || difference < -SAME_LEVELS) {
            return true;
        }
    }
    return false;
}

/* Returns whether the conversion makes a visible difference. */
static bool
changes_colours(const struct matrix_colour *self) {
    for (int red = 0; red < SQ_LEVELS; red += PROBE_STEP) {
        for (int green = 0; green < SQ_LEVELS; green += PROBE_STEP) {
            for (int blue = 0; blue < SQ_LEVELS; blue += PROBE_STEP) {
                const uint8_t from[] = { (uint8_t)red, (uint8_t)green,
                                         (uint8_t)blue };
                uint8_t to[3];
                convert_pixel(self, from, to);
                if (differs(from, to)) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool
sq_colour_from_light(const struct sq_light *light, struct sq_colour **out,
                     struct sq_err *err) {
    struct matrix_colour *self = sq_mem_alloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->base.ops = &matrix_ops;
    bool usable = fill_matrix(light, self->matrix);
    for (int channel = 0; usable && channel < 3; channel++) {
        for (int i = 0; i < SQ_LEVELS; i++) {
            self->light[channel][i] =
                (int32_t)lrint(light->curve[channel][i] * (1 << LIGHT_BITS));
        }
    }
    if (usable) {
        sq_srgb_fill_encode(self->encode);
        usable = changes_colours(self);
    }
    if (!usable) {
        sq_mem_free(self);
        self = NULL;
    }
    *out = self ? &self->base : NULL;
    return true;
}

/* A conversion of grey values. */
struct grey_colour {
    struct sq_colour base;
    uint8_t level[SQ_LEVELS];
};

static void
apply_grey(const struct sq_colour *colour, const uint8_t *from, uint8_t *to,
           size_t pixels) {
    const struct grey_colour *self = (const struct grey_colour *)colour;
    for (size_t i = 0; i < pixels * 4; i += 4) {
        uint8_t level = self->level[from[i]];
        to[i] = to[i + 1] = to[i + 2] = level;
        to[i + 3] = 255;
    }
}

static const struct sq_colour_ops grey_ops = { apply_grey, free_colour };

static bool
from_grey(const double curve[SQ_LEVELS], struct sq_colour **out,
          struct sq_err *err) {
    struct grey_colour *self = sq_mem_alloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->base.ops = &grey_ops;
    bool changes = false;
    for (int i = 0; i < SQ_LEVELS; i++) {
        int level = (int)lrint(sq_srgb_encode(curve[i]) * (SQ_LEVELS - 1));
        self->level[i] = (uint8_t)level;
        changes = changes || abs(level - i) > SAME_LEVELS;
    }
    if (!changes) {
        sq_mem_free(self);
        self = NULL;
    }
    *out = self ? &self->base : NULL;
    return true;
}

static bool
from_profile(const struct sq_icc *icc, struct sq_colour **out,
             struct sq_err *err) {
    struct sq_light light;
    double curve[SQ_LEVELS];
    if (!sq_colour_from_table(icc, out, err)) {
        return false;
    }
    if (*out) {
        return true;
    }
    if (sq_icc_light(icc, &light)) {
        return sq_colour_from_light(&light, out, err);
    }
    if (sq_icc_grey(icc, curve)) {
        return from_grey(curve, out, err);
    }
    *out = NULL;
    return true;
}

bool
sq_colour_from_icc(const uint8_t *bytes, size_t count, enum sq_pixels pixels,
                   struct sq_colour **out, struct sq_err *err) {
    struct sq_icc icc;
    struct sq_colour *colour = NULL;
    if (sq_icc_init(&icc, bytes, count) && icc.pixels == pixels
        && !from_profile(&icc, &colour, err)) {
        return false;
    }
    if (!colour && pixels == SQ_PIXELS_CMYK
        && !sq_colour_from_cmyk(&colour, err)) {
        return false;
    }
    *out = colour;
    return true;
}
