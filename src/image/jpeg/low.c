/* Decodes 1x1, 2x2 or 4x4 pixels per JPEG block. */
#include "image/jpeg/private.h"

#include "image/jpeg/scan.h"
#include "util/mem.h"

/* Number of zigzag places up to the last one needed, for 4 and 16 pixels. */
#define COEFFICIENTS_OF_FOUR 5
#define COEFFICIENTS 25
#define NONE 16 /* a place outside the lowest 4x4 */

/* The index of each zigzag place in the lowest 4x4, row by row. */
static const uint8_t places[COEFFICIENTS] = {
    0, 1,    4,    8,    5,  2,  3,    6,    9,    12,   NONE, 13, 10,
    7, NONE, NONE, NONE, 11, 14, NONE, NONE, NONE, NONE, NONE, 15,
};

/* The same for libjpeg's order, which has rows of eight. */
static const uint8_t natural[COEFFICIENTS] = {
    0,  1, 8, 16, 9,  2,  3,  10, 17, 24, 32, 25, 18,
    11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27,
};

struct sq_jpeg_low {
    int n;
    int quant[SQ_JPEG_PARTS][COEFFICIENTS];
    struct sq_jpeg_scan scan;
};

static bool
fail_irregular(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT, "JPEG: invalid data");
}

bool
sq_jpeg_low_create(const struct jpeg_decompress_struct *cinfo, int n,
                   struct sq_jpeg_low **out, struct sq_err *err) {
    struct sq_jpeg_low *self = sq_mem_alloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->n = n;
    for (int i = 0; i < cinfo->num_components; i++) {
        int table = cinfo->comp_info[i].quant_tbl_no;
        const UINT16 *quant = cinfo->quant_tbl_ptrs[table]->quantval;
        for (int k = 0; k < COEFFICIENTS; k++) {
            self->quant[i][k] = quant[natural[k]];
        }
    }
    if (!sq_jpeg_scan_init(&self->scan, cinfo)) {
        sq_jpeg_low_destroy(self);
        return fail_irregular(err);
    }
    *out = self;
    return true;
}

void
sq_jpeg_low_destroy(struct sq_jpeg_low *low) {
    sq_mem_free(low);
}

static uint8_t
to_sample(int eightfold) {
    int shifted = eightfold + 128 * 8 + 4;
    if (shifted < 0) {
        return 0;
    }
    return shifted >= 256 * 8 ? 255 : (uint8_t)(shifted >> 3);
}

static void
decode_one(struct sq_jpeg_bits *bits, struct sq_jpeg_part *part,
           const int *quant, uint8_t *to) {
    sq_jpeg_next_dc(bits, part);
    sq_jpeg_skip_rest(bits, part, 1);
    *to = to_sample(part->last_dc * quant[0]);
}

/* cos(pi/4) / 2, cos(pi/8) / 2 and cos(3 pi/8) / 2 with COS_BITS bits. */
#define COS_BITS 12
#define COS_EVEN 1448
#define COS_NEAR 1892
#define COS_FAR 784
/* More than occurs in an 8-bit picture; keeps all sums within 32 bits. */
#define MAX_COEFFICIENT 4095
#define PASS_BITS 2 /* extra precision between the passes */

static int
clamp_coefficient(int value) {
    if (value > MAX_COEFFICIENT) {
        return MAX_COEFFICIENT;
    }
    return value < -MAX_COEFFICIENT ? -MAX_COEFFICIENT : value;
}

/* Inverse transform of size four, of values `step` apart. */
static inline void
transform_four(const int *in, int step, int out[4]) {
    int sum = (in[0] + in[2 * step]) * COS_EVEN;
    int difference = (in[0] - in[2 * step]) * COS_EVEN;
    int outer = in[step] * COS_NEAR + in[3 * step] * COS_FAR;
    int inner = in[step] * COS_FAR - in[3 * step] * COS_NEAR;
    out[0] = sum + outer;
    out[1] = difference + inner;
    out[2] = difference - inner;
    out[3] = sum - outer;
}

static void
transform_block(const int low[16], uint8_t *const to[4]) {
    const int half = 1 << (COS_BITS - PASS_BITS - 1);
    const int shift = COS_BITS + PASS_BITS;
    int middle[16];
    for (int x = 0; x < 4; x++) {
        int column[4];
        transform_four(low + x, 4, column);
        for (int y = 0; y < 4; y++) {
            middle[y * 4 + x] = (column[y] + half) >> (COS_BITS - PASS_BITS);
        }
    }
    for (int y = 0; y < 4; y++) {
        int row[4];
        transform_four(middle + y * 4, 1, row);
        for (int x = 0; x < 4; x++) {
            int level = ((row[x] + (1 << (shift - 1))) >> shift) + 128;
            level = level < 0 ? 0 : level;
            to[y][x] = (uint8_t)(level > 255 ? 255 : level);
        }
    }
}

static void
decode_sixteen(struct sq_jpeg_bits *bits, struct sq_jpeg_part *part,
               const int *quant, uint8_t *const to[4]) {
    int low[16 + 1] = { 0 }; /* the last one collects values outside */
    bool is_flat = true;
    sq_jpeg_next_dc(bits, part);
    int k = 1;
    while (k < COEFFICIENTS) {
        int value = 0;
        int after = sq_jpeg_next_ac(bits, part, k, &value);
        if (after <= COEFFICIENTS) {
            low[places[after - 1]] =
                clamp_coefficient(value * quant[after - 1]);
            is_flat = false;
        }
        k = after;
    }
    sq_jpeg_skip_rest(bits, part, k);
    if (is_flat) {
        uint8_t level = to_sample(part->last_dc * quant[0]);
        for (int y = 0; y < 4; y++) {
            memset(to[y], level, 4);
        }
        return;
    }
    low[0] = clamp_coefficient(part->last_dc * quant[0]);
    transform_block(low, to);
}

static void
decode_block(struct sq_jpeg_low *self, struct sq_jpeg_bits *bits, int i,
             JSAMPARRAY rows, int x) {
    struct sq_jpeg_part *part = &self->scan.part[i];
    const int *quant = self->quant[i];
    uint8_t *to[SQ_JPEG_MAX_LOW];
    for (int y = 0; y < self->n; y++) {
        to[y] = rows[y] + self->n * x;
    }
    if (self->n == 1) {
        decode_one(bits, part, quant, to[0]);
    } else if (self->n == 2) {
        /* The inverse transform of size two needs only sums and differences. */
        int low[COEFFICIENTS_OF_FOUR] = { 0 };
        sq_jpeg_next_dc(bits, part);
        int k = 1;
        while (k < COEFFICIENTS_OF_FOUR) {
            int value = 0;
            int after = sq_jpeg_next_ac(bits, part, k, &value);
            if (after <= COEFFICIENTS_OF_FOUR) {
                low[after - 1] = value;
            }
            k = after;
        }
        sq_jpeg_skip_rest(bits, part, k);
        int mean = part->last_dc * quant[0];
        int across = low[1] * quant[1];
        int down = low[2] * quant[2];
        int both = low[4] * quant[4];
        to[0][0] = to_sample(mean + across + down + both);
        to[0][1] = to_sample(mean - across + down - both);
        to[1][0] = to_sample(mean + across - down - both);
        to[1][1] = to_sample(mean - across - down + both);
    } else {
        decode_sixteen(bits, part, quant, to);
    }
}

static void
decode_mcu(struct sq_jpeg_low *self, JSAMPIMAGE planes, int mcu) {
    struct sq_jpeg_bits bits = self->scan.bits;
    for (int i = 0; i < self->scan.parts; i++) {
        struct sq_jpeg_part *part = &self->scan.part[i];
        JSAMPARRAY rows = planes[i];
        int first = mcu * part->across;
        for (int y = 0; y < part->down; y++, rows += self->n) {
            for (int x = first; x < first + part->across; x++) {
                decode_block(self, &bits, i, rows, x);
            }
        }
    }
    self->scan.bits = bits;
}

bool
sq_jpeg_low_decode(struct sq_jpeg_low *low, JSAMPIMAGE planes,
                   struct sq_err *err) {
    for (int mcu = 0; mcu < low->scan.mcus; mcu++) {
        if (!sq_jpeg_scan_next_mcu(&low->scan)) {
            return fail_irregular(err);
        }
        decode_mcu(low, planes, mcu);
    }
    return sq_jpeg_scan_is_valid(&low->scan) || fail_irregular(err);
}

bool
sq_jpeg_low_end(struct sq_jpeg_low *low, struct sq_err *err) {
    return sq_jpeg_scan_ends_with(&low->scan, SQ_JPEG_EOI)
        || fail_irregular(err);
}
