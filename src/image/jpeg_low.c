#include "image/jpeg_low.h"

#include "image/jpeg_scan.h"
#include "util/mem.h"

/* By zigzag index, of which the third is not needed. */
#define COEFFICIENTS (1 + SQ_JPEG_MAX_LOW * SQ_JPEG_MAX_LOW)

struct sq_jpeg_low {
    int n;
    int quant[SQ_JPEG_PARTS][COEFFICIENTS];
    struct sq_jpeg_scan scan;
};

static bool
fail_irregular(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT, "JPEG: irregular data");
}

bool
sq_jpeg_low_fits(const struct jpeg_decompress_struct *cinfo) {
    return sq_jpeg_scan_fits(cinfo);
}

static void
copy_quant(struct sq_jpeg_low *self,
           const struct jpeg_decompress_struct *cinfo) {
    for (int i = 0; i < cinfo->num_components; i++) {
        int table = cinfo->comp_info[i].quant_tbl_no;
        const UINT16 *quant = cinfo->quant_tbl_ptrs[table]->quantval;
        /* libjpeg keeps tables in natural order: rows of eight. */
        self->quant[i][0] = quant[0];
        self->quant[i][1] = quant[1];
        self->quant[i][2] = quant[DCTSIZE];
        self->quant[i][4] = quant[DCTSIZE + 1];
    }
}

bool
sq_jpeg_low_create(const struct jpeg_decompress_struct *cinfo, int n,
                   struct sq_jpeg_low **out, struct sq_err *err) {
    struct sq_jpeg_low *self = sq_mem_alloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->n = n;
    copy_quant(self, cinfo);
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
    sq_jpeg_skip_block(bits, part);
    *to = to_sample(part->last_dc * quant[0]);
}

/* The inverse transform of size two needs only sums and differences. */
static void
decode_four(struct sq_jpeg_bits *bits, struct sq_jpeg_part *part,
            const int *quant, uint8_t *const to[2]) {
    int low[COEFFICIENTS] = { 0 };
    sq_jpeg_next_dc(bits, part);
    int k = 1;
    while (k < COEFFICIENTS) {
        int value = 0;
        int after = sq_jpeg_next_ac(bits, part, k, &value);
        if (after <= COEFFICIENTS) {
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
                if (self->n == 1) {
                    decode_one(&bits, part, self->quant[i], rows[0] + x);
                } else {
                    uint8_t *to[2] = { rows[0] + 2 * x, rows[1] + 2 * x };
                    decode_four(&bits, part, self->quant[i], to);
                }
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
    return sq_jpeg_scan_is_sound(&low->scan) || fail_irregular(err);
}

bool
sq_jpeg_low_end(struct sq_jpeg_low *low, struct sq_err *err) {
    return sq_jpeg_scan_ends_with(&low->scan, SQ_JPEG_EOI)
        || fail_irregular(err);
}
