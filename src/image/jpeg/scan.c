/* Builds the lookup tables and fills the window of a JPEG scan. */
#include "image/jpeg/scan.h"

#define MAX_DC_SYMBOL 15
#define MAX_AC_SYMBOL 255
#define MAX_QUANT 255 /* keeps sums of dequantised values within an int */
#define MARKER_RST 0xd0
#define RESTARTS 8

static bool
part_fits(const struct jpeg_decompress_struct *cinfo,
          const jpeg_component_info *part) {
    const JQUANT_TBL *quant = NULL;
    if (part->quant_tbl_no < 0 || part->quant_tbl_no >= NUM_QUANT_TBLS
        || part->dc_tbl_no < 0 || part->dc_tbl_no >= NUM_HUFF_TBLS
        || part->ac_tbl_no < 0 || part->ac_tbl_no >= NUM_HUFF_TBLS) {
        return false;
    }
    quant = cinfo->quant_tbl_ptrs[part->quant_tbl_no];
    if (!quant || !cinfo->dc_huff_tbl_ptrs[part->dc_tbl_no]
        || !cinfo->ac_huff_tbl_ptrs[part->ac_tbl_no]) {
        return false;
    }
    for (int i = 0; i < DCTSIZE2; i++) {
        if (quant->quantval[i] > MAX_QUANT) {
            return false;
        }
    }
    return true;
}

bool
sq_jpeg_scan_fits(const struct jpeg_decompress_struct *cinfo) {
    int blocks = 0;
    if (cinfo->progressive_mode || cinfo->arith_code
        || cinfo->data_precision != 8 || cinfo->num_components > SQ_JPEG_PARTS
        || cinfo->comps_in_scan != cinfo->num_components) {
        return false;
    }
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *part = &cinfo->comp_info[i];
        if (cinfo->cur_comp_info[i] != part || !part_fits(cinfo, part)) {
            return false;
        }
        blocks += part->h_samp_factor * part->v_samp_factor;
    }
    return cinfo->num_components == 1 || blocks <= D_MAX_BLOCKS_IN_MCU;
}

/* Fills all entries whose index starts with the code. */
static void
fill_single(struct sq_jpeg_codes *codes, unsigned int code, int bits,
            uint8_t symbol) {
    unsigned int first = code << (SQ_JPEG_LOOKUP_BITS - bits);
    unsigned int count = 1u << (SQ_JPEG_LOOKUP_BITS - bits);
    for (unsigned int i = 0; i < count; i++) {
        codes->single[first + i] = (uint16_t)(bits << 8 | symbol);
    }
}

/*
 * Returns false if the code is over-subscribed or a symbol is too large. As in
 * libjpeg, no code may be all ones.
 */
static bool
build_codes(const JHUFF_TBL *source, int max_symbol,
            struct sq_jpeg_codes *codes) {
    unsigned int code = 0;
    int index = 0;
    memset(codes->single, 0, sizeof(codes->single));
    codes->source = source;
    for (int bits = 1; bits <= SQ_JPEG_CODE_BITS; bits++) {
        unsigned int count = source->bits[bits];
        if (code + count >= 1u << bits || index + (int)count > 256) {
            return false;
        }
        codes->offset[bits] = index - (int32_t)code;
        for (unsigned int i = 0; i < count; i++, code++, index++) {
            if (source->huffval[index] > max_symbol) {
                return false;
            }
            if (bits <= SQ_JPEG_LOOKUP_BITS) {
                fill_single(codes, code, bits, source->huffval[index]);
            }
        }
        codes->limit[bits] = code << (SQ_JPEG_CODE_BITS - bits);
        code <<= 1;
    }
    return true;
}

/*
 * Stride tables for lookups of 0, 1, 2, ... bits; the table for n bits starts
 * at 1 << n. Each is built from shorter ones, which takes only a few
 * microseconds.
 */
struct stride_tables {
    uint16_t entries[2 << SQ_JPEG_LOOKUP_BITS];
};

/*
 * Adds the strides of n bits that start with a code and continue after its
 * value with the strides of the remaining bits. The value may extend beyond the
 * n bits: only its length matters.
 */
static void
add_strides(struct stride_tables *stride_tables, int n, unsigned int entry,
            unsigned int at) {
    int code_bits = (int)(entry >> 8);
    int value_bits = (int)(entry & 15);
    unsigned int run = entry >> 4 & 15;
    unsigned int step = (run + 1) << SQ_JPEG_STRIDE_ADVANCE;
    int left = n - code_bits - value_bits;
    if (value_bits == 0 && run == 0) {
        step = SQ_JPEG_STRIDE_ENDS;
        left = 0;
    } else if (value_bits == 0 && run != 15) {
        return;
    }
    left = left > 0 ? left : 0;
    step |= (unsigned int)(code_bits + value_bits);
    const uint16_t *rest = &stride_tables->entries[1u << left];
    uint16_t *to = &stride_tables->entries[1u << n | at];
    size_t made = (size_t)1 << left;
    for (size_t i = 0; i < made; i++) {
        to[i] = (uint16_t)(rest[i] + step);
    }
    /* Repeat this for every value. */
    for (; made < (size_t)1 << (n - code_bits); made *= 2) {
        memcpy(to + made, to, made * sizeof(*to));
    }
}

static bool
build_part(struct sq_jpeg_scan *self,
           const struct jpeg_decompress_struct *cinfo, int i) {
    const jpeg_component_info *info = &cinfo->comp_info[i];
    struct sq_jpeg_part *part = &self->part[i];
    struct sq_jpeg_codes *dc = &self->dc[info->dc_tbl_no];
    struct sq_jpeg_codes *ac = &self->ac[info->ac_tbl_no];
    struct stride_tables stride_tables;
    part->dc = dc;
    part->ac = ac;
    part->strides = self->strides[info->ac_tbl_no];
    for (int other = 0; other < i; other++) {
        if (self->part[other].dc == dc && self->part[other].ac == ac) {
            return true;
        }
    }
    if (!build_codes(cinfo->dc_huff_tbl_ptrs[info->dc_tbl_no], MAX_DC_SYMBOL,
                     dc)
        || !build_codes(cinfo->ac_huff_tbl_ptrs[info->ac_tbl_no], MAX_AC_SYMBOL,
                        ac)) {
        return false;
    }
    memset(&stride_tables, 0, sizeof(stride_tables));
    for (int n = 1; n <= SQ_JPEG_LOOKUP_BITS; n++) {
        unsigned int at = 0;
        while (at < 1u << n) {
            unsigned int entry = ac->single[at << (SQ_JPEG_LOOKUP_BITS - n)];
            int code_bits = (int)(entry >> 8);
            if (entry == 0 || code_bits > n) {
                break; /* codes are sorted by length: no further one fits */
            }
            add_strides(&stride_tables, n, entry, at);
            at += 1u << (n - code_bits);
        }
    }
    memcpy(self->strides[info->ac_tbl_no],
           &stride_tables.entries[1 << SQ_JPEG_LOOKUP_BITS],
           sizeof(self->strides[0]));
    return true;
}

/* Ends the segment if this 0xff starts a marker or ends the file. */
static void
end_segment(struct sq_jpeg_scan *self, const uint8_t *ff) {
    bool is_marker = self->file_end - ff >= 2;
    self->ended = true;
    self->marker = is_marker ? ff[1] : 0;
    self->file = is_marker ? ff + 2 : self->file_end;
}

/*
 * Appends to the window: 0xff 0x00 becomes 0xff, and 0xff before any other byte
 * is the marker that ends the segment.
 */
static void
unstuff(struct sq_jpeg_scan *self, uint8_t *to) {
    uint8_t *full = self->window + SQ_JPEG_WINDOW;
    while (to < full && !self->ended) {
        size_t capacity = (size_t)(full - to);
        size_t left = (size_t)(self->file_end - self->file);
        size_t plain = capacity < left ? capacity : left;
        const uint8_t *ff = memchr(self->file, 0xff, plain);
        if (ff) {
            plain = (size_t)(ff - self->file);
        }
        memcpy(to, self->file, plain);
        to += plain;
        self->file += plain;
        if (ff && self->file_end - ff >= 2 && ff[1] == 0) {
            *to++ = 0xff;
            self->file += 2;
        } else if (ff || self->file == self->file_end) {
            end_segment(self, self->file);
        }
    }
    self->end = to;
    self->high = to - SQ_JPEG_MCU_BYTES;
    if (self->ended) {
        memset(to, 0, SQ_JPEG_MCU_BYTES);
        /* Bytes loaded but not used are fewer than this. */
        self->high = to + sizeof(self->bits.bits);
    }
}

bool
sq_jpeg_scan_fill(struct sq_jpeg_scan *scan) {
    if (scan->ended) {
        return false;
    }
    size_t kept = (size_t)(scan->end - scan->bits.at);
    memmove(scan->window, scan->bits.at, kept);
    scan->bits.at = scan->window;
    unstuff(scan, scan->window + kept);
    return true;
}

static void
begin_segment(struct sq_jpeg_scan *self) {
    self->ended = false;
    self->bits = (struct sq_jpeg_bits){
        .at = self->window,
        .is_corrupt = self->bits.is_corrupt,
    };
    unstuff(self, self->window);
}

bool
sq_jpeg_scan_init(struct sq_jpeg_scan *scan,
                  const struct jpeg_decompress_struct *cinfo) {
    scan->parts = cinfo->num_components;
    scan->restart = (int)cinfo->restart_interval;
    scan->until_restart = scan->restart;
    scan->next_restart = 0;
    scan->file = cinfo->src->next_input_byte;
    scan->file_end = scan->file + cinfo->src->bytes_in_buffer;
    scan->bits.is_corrupt = false;
    /* A scan of one component is not interleaved: an MCU is one block. */
    bool is_single = scan->parts == 1;
    int across = is_single ? 1 : cinfo->max_h_samp_factor;
    int mcu_width = across * DCTSIZE;
    scan->mcus = ((int)cinfo->image_width + mcu_width - 1) / mcu_width;
    for (int i = 0; i < scan->parts; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[i];
        scan->part[i].across = is_single ? 1 : info->h_samp_factor;
        scan->part[i].down = is_single ? 1 : info->v_samp_factor;
        scan->part[i].last_dc = 0;
    }
    for (int i = 0; i < scan->parts; i++) {
        if (!build_part(scan, cinfo, i)) {
            return false;
        }
    }
    begin_segment(scan);
    return true;
}

/* Returns the number of unused bits in the window; negative if overrun. */
static ptrdiff_t
bits_left(const struct sq_jpeg_scan *self) {
    return (self->end - self->bits.at) * 8 + self->bits.count;
}

bool
sq_jpeg_scan_is_valid(const struct sq_jpeg_scan *scan) {
    return !scan->bits.is_corrupt && bits_left(scan) >= 0;
}

bool
sq_jpeg_scan_ends_with(const struct sq_jpeg_scan *scan, uint8_t marker) {
    return sq_jpeg_scan_is_valid(scan) && scan->ended && bits_left(scan) < 8
        && scan->marker == marker;
}

bool
sq_jpeg_scan_restart(struct sq_jpeg_scan *scan) {
    uint8_t marker = (uint8_t)(MARKER_RST + scan->next_restart);
    if (!sq_jpeg_scan_ends_with(scan, marker)) {
        return false;
    }
    begin_segment(scan);
    scan->next_restart = (scan->next_restart + 1) % RESTARTS;
    scan->until_restart = scan->restart - 1;
    for (int i = 0; i < scan->parts; i++) {
        scan->part[i].last_dc = 0;
    }
    return true;
}
