/* Converts colours by interpolation in a table. */
#include "image/colour/icc.h"

#include <math.h>
#include <string.h>

#include "util/mem.h"

#define CMYK_INKS 4
#define CMYK_GRID 3
#define CMYK_NODES (3 * 3 * 3 * 3)

/* Defines the colours of CMYK without a profile. */

/*
 * Offset print on coated paper. Fitted to the results of sharp 0.35's built-in
 * profile for 1,296 ink mixtures and for the inks of 4,913 sRGB colours. The
 * difference is 39 dB on 6,561 other mixtures, and 37 to 38 dB on three pages.
 */
static const double cmyk_exponents[CMYK_INKS] = { 0.84, 0.81, 0.76, 0.78 };

/*
 * sRGB of ink mixtures in which each ink covers none, half or all of the paper.
 * Black varies fastest, then yellow, magenta and cyan. Values are outside 0 to
 * 255 where the print colour is outside sRGB.
 */
static const int16_t cmyk_nodes[CMYK_NODES][3] = {
    { 255, 255, 255 },  { 114, 114, 112 }, { 18, 6, 4 },
    { 255, 239, 111 },  { 120, 111, 71 },  { 15, 8, -5 },
    { 253, 231, -49 },  { 122, 111, -8 },  { 22, 11, -17 },
    { 237, 123, 166 },  { 117, 74, 94 },   { 22, 0, 3 },
    { 240, 117, 95 },   { 115, 71, 51 },   { 16, -6, -13 },
    { 241, 117, 1 },    { 115, 67, -9 },   { 21, 0, -15 },
    { 228, 5, 124 },    { 113, 3, 72 },    { 16, -8, -4 },
    { 228, 6, 73 },     { 115, 7, 39 },    { 10, -18, -24 },
    { 229, 6, 0 },      { 112, 10, -5 },   { 25, -26, -19 },
    { 73, 184, 233 },   { 63, 96, 112 },   { -6, 6, 5 },
    { 97, 176, 122 },   { 64, 93, 66 },    { -7, 2, -3 },
    { 106, 173, 21 },   { 67, 90, 4 },     { -3, 6, -28 },
    { 126, 104, 162 },  { 71, 65, 86 },    { -5, -8, 0 },
    { 124, 99, 92 },    { 73, 62, 53 },    { 0, -1, -8 },
    { 125, 97, 30 },    { 74, 60, 1 },     { -8, -8, -2 },
    { 123, 18, 118 },   { 74, -4, 67 },    { -4, 0, -2 },
    { 123, 29, 77 },    { 73, -2, 36 },    { -4, 0, -16 },
    { 121, 26, 28 },    { 72, -1, -3 },    { -8, 0, -11 },
    { -180, 148, 220 }, { -93, 81, 113 },  { 1, 2, 3 },
    { -140, 143, 117 }, { -65, 76, 66 },   { -3, 1, 0 },
    { -124, 133, 56 },  { -48, 74, 17 },   { -19, 1, -22 },
    { -22, 86, 154 },   { -12, 48, 84 },   { -20, -18, 0 },
    { 0, 86, 95 },      { -4, 44, 50 },    { -1, -4, -5 },
    { 4, 82, 34 },      { -8, 41, 9 },     { 0, -1, -10 },
    { 39, 11, 114 },    { 3, -7, 64 },     { -4, -23, -7 },
    { 30, 10, 71 },     { 2, -4, 34 },     { 0, -2, -1 },
    { 34, 18, 30 },     { 11, 3, 11 },     { -1, -5, -9 },
};

#define LEVEL_SCALE 64 /* node value of one channel level */
#define MAX_LEVEL 511  /* above 255: interpolation stays linear there */
#define SHARE_BITS 12
#define CORNERS (1 << SQ_ICC_INPUTS)
#define MAX_COARSE 9 /* steps per axis up to which nodes are added */

#define LIGHTEST_BLACK 0.18418652 /* linear light of L = 50 */

/* Version 4 profiles share one black point for perceptual tables. */
static const double darkest_of_version_4[3] = { 0.00336, 0.0034731, 0.00287 };

/* A position between two nodes: the lower node, and the fraction after it. */
struct place {
    uint32_t offset; /* of the node, in nodes from the start of the table */
    uint32_t share;
};

/* Interpolates linearly: in light for XYZ profiles, in levels for Lab. */
struct table_colour {
    struct sq_colour base;
    int inputs;
    bool is_light;              /* nodes are light; otherwise levels */
    size_t step[SQ_ICC_INPUTS]; /* nodes between neighbours, per input */
    struct place place[SQ_ICC_INPUTS][SQ_LEVELS];
    int16_t (*nodes)[3];
    uint8_t encode[SQ_ENCODE_SIZE]; /* from light to levels */
};

static uint8_t
to_level(const struct table_colour *self, int32_t node) {
    if (node < 0) {
        return 0;
    }
    if (self->is_light) {
        return self->encode[node < SQ_ENCODE_SIZE ? node : SQ_ENCODE_SIZE - 1];
    }
    int32_t level = (node + LEVEL_SCALE / 2) / LEVEL_SCALE;
    return (uint8_t)(level > 255 ? 255 : level);
}

/* Interpolates between the nodes around a pixel, one input after the other. */
static void
look_up(const struct table_colour *self, const uint8_t *from, uint8_t *to) {
    int32_t corner[CORNERS][3] = { 0 };
    size_t first = 0;
    for (int i = 0; i < self->inputs; i++) {
        first += self->place[i][from[i]].offset;
    }
    int corners = 1 << self->inputs;
    for (int k = 0; k < corners; k++) {
        size_t node = first;
        for (int i = 0; i < self->inputs; i++) {
            node += k >> i & 1 ? self->step[i] : 0;
        }
        for (int c = 0; c < 3; c++) {
            corner[k][c] = self->nodes[node][c];
        }
    }
    for (int i = self->inputs - 1; i >= 0; i--) {
        int32_t share = (int32_t)self->place[i][from[i]].share;
        int half = 1 << i;
        for (int k = 0; k < half; k++) {
            for (int c = 0; c < 3; c++) {
                int32_t delta = corner[half + k][c] - corner[k][c];
                corner[k][c] += (delta * share) >> SHARE_BITS;
            }
        }
    }
    for (int c = 0; c < 3; c++) {
        to[c] = to_level(self, corner[0][c]);
    }
}

static void
apply_table(const struct sq_colour *colour, const uint8_t *from, uint8_t *to,
            size_t pixels) {
    const struct table_colour *self = (const struct table_colour *)colour;
    size_t bytes = (size_t)self->inputs;
    uint8_t last[4] = { 0 };
    uint8_t made[4] = { 0, 0, 0, 255 };
    look_up(self, last, made);
    for (size_t i = 0; i < pixels * 4; i += 4) {
        if (memcmp(from + i, last, bytes) != 0) {
            memcpy(last, from + i, bytes);
            look_up(self, last, made);
        }
        memcpy(to + i, made, 4);
    }
}

static void
destroy_table(struct sq_colour *colour) {
    struct table_colour *self = (struct table_colour *)colour;
    sq_mem_free(self->nodes);
    sq_mem_free(self);
}

static const struct sq_colour_ops table_ops = { apply_table, destroy_table };

/* Sets the position of a level of input i: `at` steps of `most`. */
static void
set_place(struct table_colour *self, int i, int level, double at, int most) {
    int below = (int)at < most ? (int)at : most - 1;
    self->place[i][level] = (struct place){
        .offset = (uint32_t)((size_t)below * self->step[i]),
        .share = (uint32_t)lrint((at - below) * (1 << SHARE_BITS)),
    };
}

static bool
create(int inputs, const int *grid, struct table_colour **out,
       struct sq_err *err) {
    struct table_colour *self = sq_mem_zalloc(1, sizeof(*self));
    size_t nodes = 1;
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->base.ops = &table_ops;
    self->inputs = inputs;
    for (int i = inputs - 1; i >= 0; i--) {
        self->step[i] = nodes;
        nodes *= (size_t)grid[i];
    }
    self->nodes = sq_mem_alloc(nodes, sizeof(*self->nodes));
    if (!self->nodes) {
        destroy_table(&self->base);
        return sq_fail_nomem(err);
    }
    *out = self;
    return true;
}

/*
 * Gets the darkest colour, which is then mapped to black as sharp does ("black
 * point compensation"). lcms2 up to 2.14 uses a grey of the same darkness;
 * 2.19, which sharp uses, takes the colour itself.
 */
static void
find_darkest(const struct sq_icc *icc, const struct sq_icc_table *table,
             double xyz[3]) {
    double end = icc->pixels == SQ_PIXELS_CMYK ? 1 : 0;
    const double at[SQ_ICC_INPUTS] = { end, end, end, end };
    if (icc->version >= 4) {
        memcpy(xyz, darkest_of_version_4, sizeof(darkest_of_version_4));
        return;
    }
    sq_icc_table_at(table, at, xyz);
    for (int i = 0; i < 3; i++) {
        xyz[i] = fmin(xyz[i], LIGHTEST_BLACK);
    }
}

static int16_t
to_node(const struct table_colour *self, double light) {
    if (self->is_light) {
        double steps = light * (SQ_ENCODE_SIZE - 1);
        return (int16_t)lrint(fmin(fmax(steps, INT16_MIN), INT16_MAX));
    }
    double level = light < 0 ? -sq_srgb_encode(-light) : sq_srgb_encode(light);
    level *= SQ_LEVELS - 1;
    level = fmin(fmax(level, -MAX_LEVEL), MAX_LEVEL);
    return (int16_t)lrint(level * LEVEL_SCALE);
}

static void
fill_nodes(struct table_colour *self, const struct sq_icc_table *table,
           const int *grid, const double darkest[3]) {
    static const double white[3] = { 0.9642, 1, 0.8249 };
    size_t nodes = self->step[0] * (size_t)grid[0];
    for (size_t i = 0; i < nodes; i++) {
        double at[SQ_ICC_INPUTS];
        double xyz[3];
        double light[3];
        /* Converts node i of our grid to a position in the profile's grid. */
        for (int k = 0; k < self->inputs; k++) {
            size_t place = i / self->step[k] % (size_t)grid[k];
            at[k] = (double)place / (grid[k] - 1);
        }
        sq_icc_table_at(table, at, xyz);
        for (int c = 0; c < 3; c++) {
            xyz[c] = (xyz[c] - darkest[c]) * white[c] / (white[c] - darkest[c]);
        }
        sq_xyz_to_srgb_light(xyz, light);
        for (int c = 0; c < 3; c++) {
            self->nodes[i][c] = to_node(self, light[c]);
        }
    }
}

bool
sq_colour_from_table(const struct sq_icc *icc, struct sq_colour **out,
                     struct sq_err *err) {
    struct sq_icc_table table;
    struct table_colour *self;
    int grid[SQ_ICC_INPUTS];
    double darkest[3];
    if (!sq_icc_table_init(&table, icc)) {
        *out = NULL;
        return true;
    }
    /* More nodes for coarse grids: a line in Lab is curved in sRGB. */
    for (int i = 0; i < table.inputs; i++) {
        bool is_coarse = table.grid[i] <= MAX_COARSE;
        grid[i] = is_coarse ? table.grid[i] * 2 - 1 : table.grid[i];
    }
    if (!create(table.inputs, grid, &self, err)) {
        return false;
    }
    self->is_light = !icc->is_lab;
    sq_srgb_fill_encode(self->encode);
    /* Stored ink values are inverted: 255 is no ink. */
    bool is_ink = icc->pixels == SQ_PIXELS_CMYK;
    for (int i = 0; i < self->inputs; i++) {
        int most = grid[i] - 1;
        for (int level = 0; level < SQ_LEVELS; level++) {
            int value = is_ink ? SQ_LEVELS - 1 - level : level;
            double at =
                sq_icc_curve_at(&table.in[i], (double)value / (SQ_LEVELS - 1));
            set_place(self, i, level, at * most, most);
        }
    }
    find_darkest(icc, &table, darkest);
    fill_nodes(self, &table, grid, darkest);
    *out = &self->base;
    return true;
}

bool
sq_colour_from_cmyk(struct sq_colour **out, struct sq_err *err) {
    static const int grid[CMYK_INKS] = { CMYK_GRID, CMYK_GRID, CMYK_GRID,
                                         CMYK_GRID };
    struct table_colour *self;
    if (!create(CMYK_INKS, grid, &self, err)) {
        return false;
    }
    for (int i = 0; i < CMYK_INKS; i++) {
        for (int level = 0; level < SQ_LEVELS; level++) {
            double paper =
                pow((double)level / (SQ_LEVELS - 1), cmyk_exponents[i]);
            set_place(self, i, level, (1 - paper) * (CMYK_GRID - 1),
                      CMYK_GRID - 1);
        }
    }
    for (size_t i = 0; i < CMYK_NODES; i++) {
        for (int c = 0; c < 3; c++) {
            self->nodes[i][c] = (int16_t)(cmyk_nodes[i][c] * LEVEL_SCALE);
        }
    }
    *out = &self->base;
    return true;
}
