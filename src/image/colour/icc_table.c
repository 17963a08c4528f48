/* Reads and interpolates ICC lookup tables. */
#include "image/colour/icc_table.h"

#include <string.h>

#include "image/colour/icc_load.h"

#define OUTPUTS 3

/* Common header of 'mft1' and 'mft2', including the matrix. */
#define OLD_HEADER 48
#define NEW_HEADER 32
#define GRID_HEADER 20 /* header of a table in 'mAB ' */

/* Returns the number of channels of a profile's pixels. */
static int
inputs_of(const struct sq_icc *icc) {
    static const int counts[] = {
        [SQ_PIXELS_RGB] = 3, [SQ_PIXELS_GREY] = 1, [SQ_PIXELS_CMYK] = 4
    };
    return counts[icc->pixels];
}

/* Counts the nodes; false if there are too many, or too few to interpolate. */
static bool
count_nodes(struct sq_icc_table *table) {
    table->nodes = 1;
    for (int i = 0; i < table->inputs; i++) {
        if (table->grid[i] < 2) {
            return false;
        }
        table->nodes *= (size_t)table->grid[i];
        if (table->nodes > SQ_MAX_ICC_NODES) {
            return false;
        }
    }
    return true;
}

/* Reads sampled curves of equal length, stored one after the other. */
static bool
read_samples(struct sq_icc_curve *curves, int count, size_t samples, int width,
             const uint8_t **at) {
    for (int i = 0; i < count; i++) {
        if (!sq_icc_curve_init_samples(&curves[i], *at, samples, width)) {
            return false;
        }
        *at += samples * (size_t)width;
    }
    return true;
}

/*
 * Reads 'mft1' and 'mft2': curves, table, curves. The matrix is ignored: it
 * only applies to XYZ input, which no picture has.
 */
static bool
read_old(struct sq_icc_table *table, struct sq_icc_tag tag, int width) {
    size_t in_samples = 256;
    size_t out_samples = 256;
    size_t header = OLD_HEADER;
    if (width == 2) {
        header += 4;
        if (tag.length < header) {
            return false;
        }
        in_samples = sq_icc_load16(tag.data + OLD_HEADER);
        out_samples = sq_icc_load16(tag.data + OLD_HEADER + 2);
    }
    for (int i = 0; i < table->inputs; i++) {
        table->grid[i] = tag.data[10];
    }
    if (!count_nodes(table)) {
        return false;
    }
    size_t values = (size_t)table->inputs * in_samples + table->nodes * OUTPUTS
                  + OUTPUTS * out_samples;
    if (tag.length < header + values * (size_t)width) {
        return false;
    }
    const uint8_t *at = tag.data + header;
    bool ok = read_samples(table->in, table->inputs, in_samples, width, &at);
    table->values = at;
    at += table->nodes * OUTPUTS * (size_t)width;
    return ok && read_samples(table->out, OUTPUTS, out_samples, width, &at);
}

/* Reads curves of any type, each aligned to four bytes. */
static bool
read_curves(struct sq_icc_curve *curves, int count, struct sq_icc_tag tag,
            size_t at) {
    for (int i = 0; i < count; i++) {
        size_t used;
        if (at > tag.length
            || !sq_icc_curve_init(&curves[i], tag.data + at, tag.length - at,
                                  &used)) {
            return false;
        }
        at += (used + 3) & ~(size_t)3;
    }
    return true;
}

static bool
read_matrix(struct sq_icc_table *table, struct sq_icc_tag tag, size_t at) {
    if (at > tag.length || tag.length - at < 48) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        table->matrix[i / 3][i % 3] =
            sq_icc_load_fixed(tag.data + at + (size_t)i * 4);
    }
    for (int i = 0; i < 3; i++) {
        table->matrix[i][3] =
            sq_icc_load_fixed(tag.data + at + 36 + (size_t)i * 4);
    }
    return true;
}

static bool
read_grid(struct sq_icc_table *table, struct sq_icc_tag tag, size_t at) {
    if (at > tag.length || tag.length - at < GRID_HEADER) {
        return false;
    }
    const uint8_t *grid = tag.data + at;
    for (int i = 0; i < table->inputs; i++) {
        table->grid[i] = grid[i];
    }
    table->width = grid[16];
    table->values = grid + GRID_HEADER;
    return (table->width == 1 || table->width == 2) && count_nodes(table)
        && (tag.length - at - GRID_HEADER) / (size_t)table->width / OUTPUTS
               >= table->nodes;
}

/*
 * Reads 'mAB ': curves, table, curves, matrix, curves, each with an offset. The
 * second curves and the matrix are optional.
 */
static bool
read_new(struct sq_icc_table *table, struct sq_icc_tag tag) {
    if (tag.length < NEW_HEADER) {
        return false;
    }
    size_t last = sq_icc_load32(tag.data + 12);
    size_t matrix = sq_icc_load32(tag.data + 16);
    size_t middle = sq_icc_load32(tag.data + 20);
    size_t grid = sq_icc_load32(tag.data + 24);
    size_t first = sq_icc_load32(tag.data + 28);
    return grid && read_grid(table, tag, grid)
        && (!first || read_curves(table->in, table->inputs, tag, first))
        && (!middle || read_curves(table->middle, OUTPUTS, tag, middle))
        && (!matrix || read_matrix(table, tag, matrix))
        && (!last || read_curves(table->out, OUTPUTS, tag, last));
}

bool
sq_icc_table_init(struct sq_icc_table *table, const struct sq_icc *icc) {
    struct sq_icc_tag tag = sq_icc_find(icc, SQ_ICC_NAME('A', '2', 'B', '0'));
    *table = (struct sq_icc_table){ .inputs = inputs_of(icc) };
    for (int i = 0; i < OUTPUTS; i++) {
        table->matrix[i][i] = 1;
    }
    table->encoding = icc->is_lab ? SQ_ICC_LAB : SQ_ICC_XYZ;
    if (!tag.data || tag.length < OLD_HEADER - 16
        || tag.data[8] != table->inputs || tag.data[9] != OUTPUTS) {
        return false;
    }
    uint32_t type = sq_icc_load32(tag.data);
    if (type == SQ_ICC_NAME('m', 'A', 'B', ' ')) {
        return read_new(table, tag);
    }
    bool is_wide = type == SQ_ICC_NAME('m', 'f', 't', '2');
    if (is_wide && icc->is_lab) {
        table->encoding = SQ_ICC_LAB_OLD;
    }
    table->width = is_wide ? 2 : 1;
    return (is_wide || type == SQ_ICC_NAME('m', 'f', 't', '1'))
        && tag.length >= OLD_HEADER && read_old(table, tag, table->width);
}

static double
cube(double f) {
    return f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841;
}

/* Converts Lab to XYZ (D50). */
static void
lab_to_xyz(double lightness, double a, double b, double xyz[3]) {
    double f = (lightness + 16) / 116;
    xyz[0] = 0.9642 * cube(f + a / 500);
    xyz[1] = cube(f);
    xyz[2] = 0.8249 * cube(f - b / 200);
}

static void
decode(enum sq_icc_encoding encoding, const double v[3], double xyz[3]) {
    switch (encoding) {
    case SQ_ICC_XYZ:
        for (int i = 0; i < 3; i++) {
            xyz[i] = v[i] * (1 + 32767.0 / 32768);
        }
        break;
    case SQ_ICC_LAB:
        lab_to_xyz(v[0] * 100, v[1] * 255 - 128, v[2] * 255 - 128, xyz);
        break;
    case SQ_ICC_LAB_OLD:
        lab_to_xyz(v[0] * 6553500.0 / 65280, v[1] * 65535.0 / 256 - 128,
                   v[2] * 65535.0 / 256 - 128, xyz);
        break;
    }
}

/* Returns a value of the table, 0 to 1. */
static double
value_at(const struct sq_icc_table *table, size_t node, int output) {
    size_t i = node * OUTPUTS + (size_t)output;
    return table->width == 1 ? table->values[i] / 255.0
                             : sq_icc_load16(table->values + i * 2) / 65535.0;
}

/* Interpolates linearly between the nodes around a position. */
static void
between_nodes(const struct sq_icc_table *table, const double at[SQ_ICC_INPUTS],
              double out[OUTPUTS]) {
    size_t first = 0;
    size_t step[SQ_ICC_INPUTS];
    double share[SQ_ICC_INPUTS];
    size_t stride = 1;
    for (int i = table->inputs - 1; i >= 0; i--) {
        int most = table->grid[i] - 1;
        double place = at[i] * most;
        int below = (int)place < most ? (int)place : most - 1;
        first += (size_t)below * stride;
        share[i] = place - below;
        step[i] = stride;
        stride *= (size_t)table->grid[i];
    }
    memset(out, 0, OUTPUTS * sizeof(*out));
    for (int corner = 0; corner < 1 << table->inputs; corner++) {
        size_t node = first;
        double weight = 1;
        for (int i = 0; i < table->inputs; i++) {
            bool is_next = corner >> i & 1;
            node += is_next ? step[i] : 0;
            weight *= is_next ? share[i] : 1 - share[i];
        }
        for (int k = 0; weight > 0 && k < OUTPUTS; k++) {
            out[k] += weight * value_at(table, node, k);
        }
    }
}

void
sq_icc_table_at(const struct sq_icc_table *table,
                const double at[SQ_ICC_INPUTS], double xyz[3]) {
    double middle[OUTPUTS];
    double out[OUTPUTS];
    between_nodes(table, at, middle);
    for (int i = 0; i < OUTPUTS; i++) {
        middle[i] = sq_icc_curve_at(&table->middle[i], middle[i]);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        const double *m = table->matrix[i];
        double value =
            m[0] * middle[0] + m[1] * middle[1] + m[2] * middle[2] + m[3];
        out[i] = sq_icc_curve_at(&table->out[i], value);
    }
    decode(table->encoding, out, xyz);
}
