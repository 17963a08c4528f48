/* Copies the MCUs of a region to a new JPEG file. */
#include "image/jpeg/private.h"

#include "image/jpeg/scan.h"
#include "util/mem.h"
#include "util/minmax.h"

#define DC_CATEGORIES (SQ_JPEG_DC_BITS + 1)
/* Bits copied at a time. With seven pending bits they must fit in a word. */
#define COPY_BITS 56
/*
 * Space for an MCU in which every byte is stuffed and the DC codes are longer
 * than before.
 */
#define MCU_ROOM (2 * SQ_JPEG_MCU_BYTES)
/*
 * libjpeg uses a slow decoder near the end of its input. This many bytes per
 * block after the end marker prevent that.
 */
#define SLACK_PER_BLOCK 512

/*
 * The minimum number of skipped pixels for which building the tables pays off,
 * and the maximum share of the scanned pixels to keep, in percent, because the
 * kept part is read twice.
 */
#define MIN_DROPPED 60000
#define MAX_KEPT_PERCENT 40

struct range {
    int first;
    int end;
};

struct plan {
    int mcu_width; /* in pixels */
    int mcu_height;
    int mcus; /* MCUs per row of the picture */
    int mcu_rows;
    struct range columns; /* in MCUs */
    struct range rows;
};

struct dc_code {
    unsigned int code;
    unsigned int bits; /* 0: no such code */
};

struct cutter {
    struct sq_buf *out;
    struct plan plan;
    uint64_t pending; /* the lowest bits are not yet written */
    int pending_bits;
    int written_dc[SQ_JPEG_PARTS]; /* DC value of the last block written */
    JHUFF_TBL dc[SQ_JPEG_PARTS];   /* the picture's tables with added codes */
    struct dc_code dc_codes[SQ_JPEG_PARTS][DC_CATEGORIES];
    struct sq_jpeg_scan scan;
};

static bool
fail_irregular(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT, "JPEG: invalid data");
}

/*
 * Returns the MCUs that cover the pixels and one chroma sample on either side,
 * which smoothing reads and which is margin pixels wide.
 */
static struct range
cover(int first, int count, int margin, int mcu, int mcus) {
    int start = first > margin ? (first - margin) / mcu : 0;
    int end = (first + count + margin + mcu - 1) / mcu;
    return (struct range){ start, sq_min_int(end, mcus) };
}

static struct plan
make_plan(const struct jpeg_decompress_struct *cinfo, struct sq_region region) {
    bool is_single = cinfo->num_components == 1;
    int h = cinfo->max_h_samp_factor;
    int v = cinfo->max_v_samp_factor;
    int width = (int)cinfo->image_width;
    int height = (int)cinfo->image_height;
    struct plan plan;
    plan.mcu_width = is_single ? DCTSIZE : h * DCTSIZE;
    plan.mcu_height = is_single ? DCTSIZE : v * DCTSIZE;
    plan.mcus = (width + plan.mcu_width - 1) / plan.mcu_width;
    plan.mcu_rows = (height + plan.mcu_height - 1) / plan.mcu_height;
    plan.columns = cover(region.x, region.width, h, plan.mcu_width, plan.mcus);
    plan.rows =
        cover(region.y, region.height, v, plan.mcu_height, plan.mcu_rows);
    /* libjpeg does not smooth planes of only a few samples. */
    if (plan.columns.first > 0
        && width - plan.columns.first * plan.mcu_width < plan.mcu_width) {
        plan.columns.first--;
    }
    return plan;
}

static int
count_of(struct range range) {
    return range.end - range.first;
}

bool
sq_jpeg_cut_pays(const struct jpeg_decompress_struct *cinfo,
                 struct sq_region region) {
    if (!sq_jpeg_scan_fits(cinfo)) {
        return false;
    }
    struct plan plan = make_plan(cinfo, region);
    int64_t pixels = plan.mcu_width * plan.mcu_height;
    int64_t decoded = pixels * plan.mcus * plan.rows.end;
    int64_t kept = pixels * count_of(plan.columns) * count_of(plan.rows);
    return decoded - kept >= MIN_DROPPED
        && kept * 100 <= decoded * MAX_KEPT_PERCENT;
}

static bool
has_symbol(const JHUFF_TBL *table, int count, int symbol) {
    for (int i = 0; i < count; i++) {
        if (table->huffval[i] == symbol) {
            return true;
        }
    }
    return false;
}

/*
 * Adds codes that the table lacks. Optimised tables have codes only for the
 * differences that occur, but the first difference of a cut row may be any. The
 * code of all ones is never used: missing codes are added after it, each one
 * bit longer than the last, and all existing codes stay the same.
 */
static void
add_missing_codes(JHUFF_TBL *table) {
    int count = 0;
    int longest = 0;
    for (int bits = 1; bits <= SQ_JPEG_CODE_BITS; bits++) {
        count += table->bits[bits];
        longest = table->bits[bits] ? bits : longest;
    }
    for (int i = 0; i < DC_CATEGORIES && longest < SQ_JPEG_CODE_BITS; i++) {
        if (!has_symbol(table, count, i)) {
            table->bits[++longest] = 1;
            table->huffval[count++] = (UINT8)i;
        }
    }
}

static void
list_codes(const JHUFF_TBL *table, struct dc_code *codes) {
    unsigned int code = 0;
    int index = 0;
    for (unsigned int bits = 1; bits <= SQ_JPEG_CODE_BITS; bits++, code <<= 1) {
        for (int i = 0; i < table->bits[bits]; i++, code++, index++) {
            int category = table->huffval[index];
            if (category < DC_CATEGORIES) {
                codes[category] = (struct dc_code){ code, bits };
            }
        }
    }
}

static void
set_up_dc(struct cutter *self) {
    for (int i = 0; i < self->scan.parts; i++) {
        self->dc[i] = *self->scan.part[i].dc->source;
        add_missing_codes(&self->dc[i]);
        list_codes(&self->dc[i], self->dc_codes[i]);
    }
}

/*
 * Writes the lowest count bits of value, at most COPY_BITS. The caller has
 * reserved MCU_ROOM.
 */
static void
put_bits(struct cutter *self, uint64_t value, int count) {
    uint8_t *to = self->out->data + self->out->len;
    size_t used = 0;
    self->pending = self->pending << count | value;
    self->pending_bits += count;
    while (self->pending_bits >= 8) {
        self->pending_bits -= 8;
        uint8_t byte = (uint8_t)(self->pending >> self->pending_bits);
        to[used++] = byte;
        if (byte == 0xff) {
            to[used++] = 0;
        }
    }
    sq_buf_commit(self->out, used);
}

/* Returns the number of bits used in the window. */
static ptrdiff_t
position(const struct sq_jpeg_scan *scan) {
    return (scan->bits.at - scan->window) * 8 - scan->bits.count;
}

/* Copies the bits that were read since the window was at this position. */
static void
copy_from(struct cutter *self, ptrdiff_t from) {
    ptrdiff_t end = position(&self->scan);
    while (from < end) {
        uint64_t word = sq_load_be64(self->scan.window + from / 8)
                     << (from % 8);
        int count = end - from < COPY_BITS ? (int)(end - from) : COPY_BITS;
        put_bits(self, word >> (64 - count), count);
        from += count;
    }
}

/* Returns false if the table has no code for the difference. */
static bool
put_dc(struct cutter *self, int i) {
    int difference = self->scan.part[i].last_dc - self->written_dc[i];
    int magnitude = difference < 0 ? -difference : difference;
    int category = 0;
    while (magnitude >> category) {
        category++;
    }
    if (category > SQ_JPEG_DC_BITS || !self->dc_codes[i][category].bits) {
        return false;
    }
    int value = difference < 0 ? difference + (1 << category) - 1 : difference;
    const struct dc_code *code = &self->dc_codes[i][category];
    put_bits(self, code->code, (int)code->bits);
    put_bits(self, (uint64_t)value, category);
    return true;
}

/*
 * Copies the first MCU of a row. DC values are stored as differences to the
 * previous block, which is another one in the cut.
 */
static bool
copy_first_mcu(struct cutter *self) {
    struct sq_jpeg_scan *scan = &self->scan;
    for (int i = 0; i < scan->parts; i++) {
        struct sq_jpeg_part *part = &scan->part[i];
        sq_jpeg_next_dc(&scan->bits, part);
        if (!put_dc(self, i)) {
            return false;
        }
        ptrdiff_t from = position(scan);
        sq_jpeg_skip_rest(&scan->bits, part, 1);
        for (int block = 1; block < part->across * part->down; block++) {
            sq_jpeg_skip_block(&scan->bits, part);
        }
        copy_from(self, from);
    }
    return true;
}

static void
skip_mcu(struct sq_jpeg_scan *scan) {
    struct sq_jpeg_bits bits = scan->bits;
    for (int i = 0; i < scan->parts; i++) {
        struct sq_jpeg_part *part = &scan->part[i];
        for (int block = part->across * part->down; block > 0; block--) {
            sq_jpeg_skip_block(&bits, part);
        }
    }
    scan->bits = bits;
}

static bool
skip_mcus(struct sq_jpeg_scan *scan, int count) {
    for (; count > 0; count--) {
        if (!sq_jpeg_scan_next_mcu(scan)) {
            return false;
        }
        skip_mcu(scan);
    }
    return true;
}

/* Returns whether the next DC differences are the same in the cut. */
static bool
follows(const struct cutter *self) {
    for (int i = 0; i < self->scan.parts; i++) {
        if (self->scan.part[i].last_dc != self->written_dc[i]) {
            return false;
        }
    }
    return true;
}

static bool
copy_mcu(struct cutter *self, struct sq_err *err) {
    uint8_t *space;
    if (!sq_jpeg_scan_next_mcu(&self->scan)) {
        return fail_irregular(err);
    }
    if (!sq_buf_reserve(self->out, MCU_ROOM, &space, err)) {
        return false;
    }
    if (follows(self)) {
        ptrdiff_t from = position(&self->scan);
        skip_mcu(&self->scan);
        copy_from(self, from);
    } else if (!copy_first_mcu(self)) {
        return fail_irregular(err);
    }
    for (int i = 0; i < self->scan.parts; i++) {
        self->written_dc[i] = self->scan.part[i].last_dc;
    }
    return true;
}

static bool
copy_row(struct cutter *self, struct sq_err *err) {
    for (int mcu = self->plan.columns.first; mcu < self->plan.columns.end;
         mcu++) {
        if (!copy_mcu(self, err)) {
            return false;
        }
    }
    return true;
}

static bool
copy_rows(struct cutter *self, struct sq_err *err) {
    struct sq_jpeg_scan *scan = &self->scan;
    const struct plan *plan = &self->plan;
    int ahead = plan->rows.first * plan->mcus + plan->columns.first;
    for (int row = plan->rows.first; row < plan->rows.end; row++) {
        if (!skip_mcus(scan, ahead)) {
            return fail_irregular(err);
        }
        if (!copy_row(self, err)) {
            return false;
        }
        ahead = plan->mcus - count_of(plan->columns);
    }
    bool is_valid = sq_jpeg_scan_is_valid(scan);
    if (plan->rows.end == plan->mcu_rows) {
        /* The cut includes the last row: check that the file is complete. */
        is_valid = skip_mcus(scan, plan->mcus - plan->columns.end)
                && sq_jpeg_scan_ends_with(scan, SQ_JPEG_EOI);
    }
    return is_valid || fail_irregular(err);
}

/* Returns the size of the cut in pixels on an axis of length side. */
static int
extent(struct range range, int mcu, int side) {
    return sq_min_int(range.end * mcu, side) - range.first * mcu;
}

static bool
append_start(struct cutter *self, const struct jpeg_decompress_struct *cinfo,
             struct sq_err *err) {
    /* Adobe marker with the colour space, wherever libjpeg got it from. */
    uint8_t bytes[] = { 0xff, 0xd8, 0xff, 0xee, 0, 14, 'A', 'd', 'o',
                        'b',  'e',  0,    100,  0, 0,  0,   0,   1 };
    if (cinfo->jpeg_color_space == JCS_RGB) {
        bytes[sizeof(bytes) - 1] = 0;
    }
    return sq_buf_append(self->out, bytes, sizeof(bytes), err);
}

static bool
append_quant(struct cutter *self, const JQUANT_TBL *table, int number,
             struct sq_err *err) {
    /* Zigzag order: the index in libjpeg's row order of each value. */
    static const uint8_t natural[DCTSIZE2] = {
        0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
        12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
        35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
        58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    };
    uint8_t bytes[5 + DCTSIZE2] = { 0xff, 0xdb, 0, 3 + DCTSIZE2,
                                    (uint8_t)number };
    for (int i = 0; i < DCTSIZE2; i++) {
        bytes[5 + i] = (uint8_t)table->quantval[natural[i]];
    }
    return sq_buf_append(self->out, bytes, sizeof(bytes), err);
}

static bool
append_codes(struct cutter *self, const JHUFF_TBL *table, int class_and_number,
             struct sq_err *err) {
    size_t count = 0;
    for (int bits = 1; bits <= SQ_JPEG_CODE_BITS; bits++) {
        count += table->bits[bits];
    }
    size_t length = 3 + SQ_JPEG_CODE_BITS + count;
    const uint8_t bytes[] = { 0xff, 0xc4, (uint8_t)(length >> 8),
                              (uint8_t)length, (uint8_t)class_and_number };
    return sq_buf_append(self->out, bytes, sizeof(bytes), err)
        && sq_buf_append(self->out, table->bits + 1, SQ_JPEG_CODE_BITS, err)
        && sq_buf_append(self->out, table->huffval, count, err);
}

/* Tables shared by components are written again, which costs little. */
static bool
append_tables(struct cutter *self, const struct jpeg_decompress_struct *cinfo,
              struct sq_err *err) {
    for (int i = 0; i < self->scan.parts; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[i];
        int quant = info->quant_tbl_no;
        if (!append_quant(self, cinfo->quant_tbl_ptrs[quant], quant, err)
            || !append_codes(self, &self->dc[i], info->dc_tbl_no, err)
            || !append_codes(self, self->scan.part[i].ac->source,
                             0x10 | info->ac_tbl_no, err)) {
            return false;
        }
    }
    return true;
}

static bool
append_frame(struct cutter *self, const struct jpeg_decompress_struct *cinfo,
             struct sq_err *err) {
    int parts = self->scan.parts;
    int width = extent(self->plan.columns, self->plan.mcu_width,
                       (int)cinfo->image_width);
    int height = extent(self->plan.rows, self->plan.mcu_height,
                        (int)cinfo->image_height);
    uint8_t frame[10 + 3 * SQ_JPEG_PARTS] = {
        0xff,
        0xc1, /* extended sequential, which allows four tables */
        0,
        (uint8_t)(8 + 3 * parts),
        8, /* bits per sample */
        (uint8_t)(height >> 8),
        (uint8_t)height,
        (uint8_t)(width >> 8),
        (uint8_t)width,
        (uint8_t)parts,
    };
    uint8_t scan[8 + 2 * SQ_JPEG_PARTS] = { 0xff, 0xda, 0,
                                            (uint8_t)(6 + 2 * parts),
                                            (uint8_t)parts };
    for (int i = 0; i < parts; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[i];
        frame[10 + 3 * i] = (uint8_t)(i + 1);
        frame[11 + 3 * i] =
            (uint8_t)(info->h_samp_factor << 4 | info->v_samp_factor);
        frame[12 + 3 * i] = (uint8_t)info->quant_tbl_no;
        scan[5 + 2 * i] = (uint8_t)(i + 1);
        scan[6 + 2 * i] = (uint8_t)(info->dc_tbl_no << 4 | info->ac_tbl_no);
    }
    scan[6 + 2 * parts] = DCTSIZE2 - 1;
    return sq_buf_append(self->out, frame, 10 + 3 * (size_t)parts, err)
        && sq_buf_append(self->out, scan, 8 + 2 * (size_t)parts, err);
}

static bool
append_end(struct cutter *self, struct sq_err *err) {
    size_t slack = SLACK_PER_BLOCK * D_MAX_BLOCKS_IN_MCU;
    uint8_t *space;
    if (!sq_buf_reserve(self->out, MCU_ROOM + 2 + slack, &space, err)) {
        return false;
    }
    int padding = -self->pending_bits & 7;
    put_bits(self, (1u << padding) - 1, padding);
    space = self->out->data + self->out->len;
    memset(space, 0, 2 + slack);
    space[0] = 0xff;
    space[1] = SQ_JPEG_EOI;
    sq_buf_commit(self->out, 2 + slack);
    return true;
}

static bool
cut(struct cutter *self, const struct jpeg_decompress_struct *cinfo,
    struct sq_err *err) {
    if (!sq_jpeg_scan_init(&self->scan, cinfo)) {
        return fail_irregular(err);
    }
    set_up_dc(self);
    return append_start(self, cinfo, err) && append_tables(self, cinfo, err)
        && append_frame(self, cinfo, err) && copy_rows(self, err)
        && append_end(self, err);
}

bool
sq_jpeg_cut(const struct jpeg_decompress_struct *cinfo, struct sq_region region,
            struct sq_buf *out, struct sq_region *inside, struct sq_err *err) {
    struct cutter *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->out = out;
    self->plan = make_plan(cinfo, region);
    bool ok = cut(self, cinfo, err);
    if (ok) {
        *inside = region;
        inside->x -= self->plan.columns.first * self->plan.mcu_width;
        inside->y -= self->plan.rows.first * self->plan.mcu_height;
    } else {
        sq_buf_clear(out);
    }
    sq_mem_free(self);
    return ok;
}
