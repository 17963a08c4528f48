/* Reads ICC profiles: the tags, their curves and their tables of colours. */
#include "image/colour/icc.h"

#include <math.h>
#include <string.h>

/* The data of a tag, at least eight bytes; data is NULL if it is missing. */
struct icc_tag {
    const uint8_t *data;
    size_t length;
};

/* A four-letter signature as a number. */
#define ICC_NAME(a, b, c, d)                                                   \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8            \
     | (uint32_t)(d))

static inline uint32_t
icc_load32(const uint8_t *p) {
    return ICC_NAME(p[0], p[1], p[2], p[3]);
}

static inline unsigned
icc_load16(const uint8_t *p) {
    return (unsigned)p[0] << 8 | p[1];
}

static inline double
icc_load_fixed(const uint8_t *p) {
    return (int32_t)icc_load32(p) / 65536.0;
}

/* Reads and evaluates ICC curves. */

#define CURVE_HEADER_BYTES 12
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Makes a curve of `count` equidistant samples; false if fewer than two. */
static bool
icc_curve_init_samples(struct sq_icc_curve *curve, const uint8_t *samples,
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
    size_t samples = icc_load32(bytes + 8);
    const uint8_t *values = bytes + CURVE_HEADER_BYTES;
    if (samples > (count - CURVE_HEADER_BYTES) / 2) {
        return false;
    }
    *used = CURVE_HEADER_BYTES + samples * 2;
    if (samples >= 2) {
        return icc_curve_init_samples(curve, values, samples, 2);
    }
    *curve = (struct sq_icc_curve){ 0 };
    if (samples == 1) {
        curve->is_power = true;
        curve->a = 1;
        curve->g = icc_load16(values) / 256.0;
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
    unsigned kind = icc_load16(bytes + 8);
    if (kind >= COUNT(counts)
        || (count - CURVE_HEADER_BYTES) / 4 < counts[kind]) {
        return false;
    }
    for (size_t i = 0; i < counts[kind]; i++) {
        v[i] = icc_load_fixed(bytes + CURVE_HEADER_BYTES + i * 4);
    }
    *used = CURVE_HEADER_BYTES + counts[kind] * 4;
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

/*
 * Reads a curve of type 'curv' or 'para'. *used is its length in bytes, because
 * curves may follow one another. Returns false if it is damaged.
 */
static bool
icc_curve_init(struct sq_icc_curve *curve, const uint8_t *bytes, size_t count,
               size_t *used) {
    if (count < CURVE_HEADER_BYTES) {
        return false;
    }
    uint32_t type = icc_load32(bytes);
    if (type == ICC_NAME('c', 'u', 'r', 'v')) {
        return read_sampled(curve, bytes, count, used);
    }
    return type == ICC_NAME('p', 'a', 'r', 'a')
        && read_parametric(curve, bytes, count, used);
}

static double
sample_at(const struct sq_icc_curve *curve, size_t i) {
    return curve->width == 1 ? curve->samples[i] / 255.0
                             : icc_load16(curve->samples + i * 2) / 65535.0;
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
        double place = at * (double)(curve->count - 1);
        size_t below = (size_t)place;
        size_t above = below + 1 < curve->count ? below + 1 : below;
        double low = sample_at(curve, below);
        at = low + (sample_at(curve, above) - low) * (place - (double)below);
    } else if (curve->is_power) {
        at = by_parameters(curve, at);
    }
    return clamp(at);
}

#define HEADER_BYTES 128
#define TAG_BYTES 12
#define MAX_TAGS 100

static struct icc_tag
icc_find(const struct sq_icc *icc, uint32_t name) {
    uint32_t count = icc_load32(icc->bytes + HEADER_BYTES);
    const uint8_t *entry = icc->bytes + HEADER_BYTES + 4;
    for (uint32_t i = 0; i < count; i++, entry += TAG_BYTES) {
        if (icc_load32(entry) == name) {
            return (struct icc_tag){ icc->bytes + icc_load32(entry + 4),
                                     icc_load32(entry + 8) };
        }
    }
    return (struct icc_tag){ 0 };
}

static bool
tags_lie_inside(const struct sq_icc *icc) {
    uint32_t count = icc_load32(icc->bytes + HEADER_BYTES);
    const uint8_t *entry = icc->bytes + HEADER_BYTES + 4;
    if (count > MAX_TAGS
        || icc->count - HEADER_BYTES - 4 < (size_t)count * TAG_BYTES) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++, entry += TAG_BYTES) {
        size_t at = icc_load32(entry + 4);
        size_t length = icc_load32(entry + 8);
        if (length < 8 || at > icc->count || length > icc->count - at) {
            return false;
        }
    }
    return true;
}

static bool
find_pixels(uint32_t space, enum sq_pixels *out) {
    static const struct {
        uint32_t space;
        enum sq_pixels pixels;
    } known[] = {
        { ICC_NAME('R', 'G', 'B', ' '), SQ_PIXELS_RGB },
        { ICC_NAME('G', 'R', 'A', 'Y'), SQ_PIXELS_GREY },
        { ICC_NAME('C', 'M', 'Y', 'K'), SQ_PIXELS_CMYK },
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        if (known[i].space == space) {
            *out = known[i].pixels;
            return true;
        }
    }
    return false;
}

/* Accepts profiles of devices and spaces, not links or named colours. */
static bool
is_class_of_pictures(uint32_t class) {
    return class == ICC_NAME('s', 'c', 'n', 'r')
        || class == ICC_NAME('m', 'n', 't', 'r')
        || class == ICC_NAME('p', 'r', 't', 'r')
        || class == ICC_NAME('s', 'p', 'a', 'c');
}

bool
sq_icc_init(struct sq_icc *icc, const uint8_t *bytes, size_t count) {
    *icc = (struct sq_icc){ .bytes = bytes, .count = count };
    if (count < HEADER_BYTES + 4 || count > SQ_MAX_ICC_BYTES
        || icc_load32(bytes) > count || icc_load32(bytes) < HEADER_BYTES + 4
        || icc_load32(bytes + 36) != ICC_NAME('a', 'c', 's', 'p')
        || !is_class_of_pictures(icc_load32(bytes + 12))) {
        return false;
    }
    uint32_t connection = icc_load32(bytes + 20);
    icc->count = icc_load32(bytes); /* some writers add padding */
    icc->version = bytes[8];
    icc->is_lab = connection == ICC_NAME('L', 'a', 'b', ' ');
    return (icc->is_lab || connection == ICC_NAME('X', 'Y', 'Z', ' '))
        && find_pixels(icc_load32(bytes + 16), &icc->pixels)
        && tags_lie_inside(icc);
}

static bool
read_curve(struct icc_tag tag, double values[SQ_LEVELS]) {
    struct sq_icc_curve curve;
    size_t used;
    if (!tag.data || !icc_curve_init(&curve, tag.data, tag.length, &used)) {
        return false;
    }
    for (int i = 0; i < SQ_LEVELS; i++) {
        values[i] = sq_icc_curve_at(&curve, (double)i / (SQ_LEVELS - 1));
    }
    return true;
}

static bool
read_xyz(struct icc_tag tag, int column, double to_xyz[3][3]) {
    if (!tag.data || tag.length < 20
        || icc_load32(tag.data) != ICC_NAME('X', 'Y', 'Z', ' ')) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        to_xyz[i][column] = icc_load_fixed(tag.data + 8 + i * 4);
    }
    return true;
}

bool
sq_icc_light(const struct sq_icc *icc, struct sq_light *out) {
    static const char names[] = "rgb";
    for (int i = 0; i < 3; i++) {
        struct icc_tag curve = icc_find(icc, ICC_NAME(names[i], 'T', 'R', 'C'));
        struct icc_tag xyz = icc_find(icc, ICC_NAME(names[i], 'X', 'Y', 'Z'));
        if (!read_curve(curve, out->curve[i])
            || !read_xyz(xyz, i, out->to_xyz)) {
            return false;
        }
    }
    return icc->pixels == SQ_PIXELS_RGB;
}

bool
sq_icc_grey(const struct sq_icc *icc, double curve[SQ_LEVELS]) {
    struct icc_tag tag = icc_find(icc, ICC_NAME('k', 'T', 'R', 'C'));
    if (icc->pixels != SQ_PIXELS_GREY || !read_curve(tag, curve)) {
        return false;
    }
    for (int i = 0; icc->is_lab && i < SQ_LEVELS; i++) {
        double lightness = curve[i];
        double f = (lightness * 100 + 16) / 116;
        curve[i] = f > 6.0 / 29 ? f * f * f : (f - 4.0 / 29) * 108 / 841;
    }
    return true;
}

/* Reads and interpolates ICC lookup tables. */

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
        if (!icc_curve_init_samples(&curves[i], *at, samples, width)) {
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
read_old(struct sq_icc_table *table, struct icc_tag tag, int width) {
    size_t in_samples = 256;
    size_t out_samples = 256;
    size_t header = OLD_HEADER;
    if (width == 2) {
        header += 4;
        if (tag.length < header) {
            return false;
        }
        in_samples = icc_load16(tag.data + OLD_HEADER);
        out_samples = icc_load16(tag.data + OLD_HEADER + 2);
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
read_curves(struct sq_icc_curve *curves, int count, struct icc_tag tag,
            size_t at) {
    for (int i = 0; i < count; i++) {
        size_t used;
        if (at > tag.length
            || !icc_curve_init(&curves[i], tag.data + at, tag.length - at,
                               &used)) {
            return false;
        }
        at += (used + 3) & ~(size_t)3;
    }
    return true;
}

static bool
read_matrix(struct sq_icc_table *table, struct icc_tag tag, size_t at) {
    if (at > tag.length || tag.length - at < 48) {
        return false;
    }
    for (int i = 0; i < 9; i++) {
        table->matrix[i / 3][i % 3] =
            icc_load_fixed(tag.data + at + (size_t)i * 4);
    }
    for (int i = 0; i < 3; i++) {
        table->matrix[i][3] =
            icc_load_fixed(tag.data + at + 36 + (size_t)i * 4);
    }
    return true;
}

static bool
read_grid(struct sq_icc_table *table, struct icc_tag tag, size_t at) {
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
read_new(struct sq_icc_table *table, struct icc_tag tag) {
    if (tag.length < NEW_HEADER) {
        return false;
    }
    size_t last = icc_load32(tag.data + 12);
    size_t matrix = icc_load32(tag.data + 16);
    size_t middle = icc_load32(tag.data + 20);
    size_t grid = icc_load32(tag.data + 24);
    size_t first = icc_load32(tag.data + 28);
    return grid && read_grid(table, tag, grid)
        && (!first || read_curves(table->in, table->inputs, tag, first))
        && (!middle || read_curves(table->middle, OUTPUTS, tag, middle))
        && (!matrix || read_matrix(table, tag, matrix))
        && (!last || read_curves(table->out, OUTPUTS, tag, last));
}

bool
sq_icc_table_init(struct sq_icc_table *table, const struct sq_icc *icc) {
    struct icc_tag tag = icc_find(icc, ICC_NAME('A', '2', 'B', '0'));
    *table = (struct sq_icc_table){ .inputs = inputs_of(icc) };
    for (int i = 0; i < OUTPUTS; i++) {
        table->matrix[i][i] = 1;
    }
    table->encoding = icc->is_lab ? SQ_ICC_LAB : SQ_ICC_XYZ;
    if (!tag.data || tag.length < OLD_HEADER - 16
        || tag.data[8] != table->inputs || tag.data[9] != OUTPUTS) {
        return false;
    }
    uint32_t type = icc_load32(tag.data);
    if (type == ICC_NAME('m', 'A', 'B', ' ')) {
        return read_new(table, tag);
    }
    bool is_wide = type == ICC_NAME('m', 'f', 't', '2');
    if (is_wide && icc->is_lab) {
        table->encoding = SQ_ICC_LAB_OLD;
    }
    table->width = is_wide ? 2 : 1;
    return (is_wide || type == ICC_NAME('m', 'f', 't', '1'))
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

/* Returns a value of the table, 0 to 1. */
static double
value_at(const struct sq_icc_table *table, size_t node, int output) {
    size_t i = node * OUTPUTS + (size_t)output;
    return table->width == 1 ? table->values[i] / 255.0
                             : icc_load16(table->values + i * 2) / 65535.0;
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
    enum sq_icc_encoding encoding = table->encoding;
    switch (encoding) {
    case SQ_ICC_XYZ:
        for (int i = 0; i < 3; i++) {
            xyz[i] = out[i] * (1 + 32767.0 / 32768);
        }
        break;
    case SQ_ICC_LAB:
        lab_to_xyz(out[0] * 100, out[1] * 255 - 128, out[2] * 255 - 128, xyz);
        break;
    case SQ_ICC_LAB_OLD:
        lab_to_xyz(out[0] * 6553500.0 / 65280, out[1] * 65535.0 / 256 - 128,
                   out[2] * 65535.0 / 256 - 128, xyz);
        break;
    }
}
