#include "image/colour_table.h"

#include <math.h>
#include <string.h>

#include "image/icc_table.h"
#include "util/mem.h"

#define LEVEL_SCALE 64 /* a level of a channel, in nodes */
#define MAX_LEVEL 511  /* beyond 255, so that steps across it stay straight */
#define SHARE_BITS 12
#define CORNERS (1 << SQ_ICC_INPUTS)

/* Version 4 has one darkest colour for all tables of pictures. */
#define DARKEST_OF_VERSION_4 0.0034731
#define LIGHTEST_BLACK 0.18418652 /* light of L 50 */

/* Where a value lies: in front of which node, and which share behind it. */
struct place {
    uint32_t offset; /* of the node, in nodes of the whole table */
    uint32_t share;
};

/* Between nodes it goes in a straight line: of XYZ in light, of Lab in levels.
 */
struct table_colour {
    struct sq_colour base;
    int inputs;
    bool is_inverted;
    bool is_light;              /* nodes are, of SQ_ENCODE_BITS; else levels */
    size_t step[SQ_ICC_INPUTS]; /* from one node to the next, per input */
    struct place place[SQ_ICC_INPUTS][SQ_LEVELS];
    int16_t (*nodes)[3];
    uint8_t encode[SQ_ENCODE_SIZE]; /* of light */
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

/* What lies between the nodes around a pixel: one input after the other. */
static void
look_up(const struct table_colour *self, const uint8_t *from, uint8_t *to) {
    int32_t corner[CORNERS][3];
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
                int32_t way = corner[half + k][c] - corner[k][c];
                corner[k][c] += (way * share) >> SHARE_BITS;
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

/* Stored values are inks upside down: no ink is 255. */
static void
fill_places(struct table_colour *self, const struct sq_icc_table *table) {
    size_t step = 1;
    for (int i = self->inputs - 1; i >= 0; i--) {
        int most = table->grid[i] - 1;
        self->step[i] = step;
        for (int level = 0; level < SQ_LEVELS; level++) {
            int value = self->is_inverted ? SQ_LEVELS - 1 - level : level;
            double at = most
                      * sq_icc_curve_at(&table->in[i],
                                        (double)value / (SQ_LEVELS - 1));
            int below = (int)at < most ? (int)at : most - 1;
            self->place[i][level] = (struct place){
                .offset = (uint32_t)((size_t)below * step),
                .share = (uint32_t)lrint((at - below) * (1 << SHARE_BITS)),
            };
        }
        step *= (size_t)table->grid[i];
    }
}

/*
 * How much light the darkest colour has. It becomes a screen's black, as lcms2
 * and sharp have it ("black point compensation").
 */
static double
find_darkest(const struct sq_icc *icc, const struct sq_icc_table *table) {
    double xyz[3];
    if (icc->version >= 4) {
        return DARKEST_OF_VERSION_4;
    }
    bool is_ink = icc->pixels == SQ_PIXELS_CMYK;
    sq_icc_table_node(table, is_ink ? table->nodes - 1 : 0, xyz);
    return xyz[1] < LIGHTEST_BLACK ? xyz[1] : LIGHTEST_BLACK;
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
           double darkest) {
    static const double white[3] = { 0.9642, 1, 0.8249 };
    for (size_t i = 0; i < table->nodes; i++) {
        double xyz[3];
        double light[3];
        sq_icc_table_node(table, i, xyz);
        for (int c = 0; c < 3; c++) {
            xyz[c] = (xyz[c] - darkest * white[c]) / (1 - darkest);
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
    if (!sq_icc_table_init(&table, icc)) {
        *out = NULL;
        return true;
    }
    struct table_colour *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->base.ops = &table_ops;
    self->inputs = table.inputs;
    self->is_inverted = icc->pixels == SQ_PIXELS_CMYK;
    self->is_light = !icc->is_lab;
    sq_srgb_fill_encode(self->encode);
    self->nodes = sq_mem_alloc(table.nodes, sizeof(*self->nodes));
    if (!self->nodes) {
        destroy_table(&self->base);
        return sq_fail_nomem(err);
    }
    fill_places(self, &table);
    fill_nodes(self, &table, find_darkest(icc, &table));
    *out = &self->base;
    return true;
}
