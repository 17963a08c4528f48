#include "image/jpeg_low.h"

#include <string.h>

#include "util/mem.h"

#define MAX_COMPONENTS_LOW 3
#define MAX_CODE 16    /* bits of the longest Huffman code */
#define LOOKUP_BITS 12 /* bits looked up at once */
#define MAX_DC_SYMBOL 15
#define MAX_AC_SYMBOL 255
#define MAX_DC_BITS 11 /* of a difference in an 8-bit picture */
#define MAX_DC 32767   /* far beyond what such a picture can hold */
#define MAX_QUANT 255  /* keeps all sums well inside an int */
#define SLACK_BYTES 16 /* zeros behind a segment, for reading ahead */
#define MARKER_EOI 0xd9
#define MARKER_RST 0xd0
#define RESTARTS 8

/*
 * What the next LOOKUP_BITS hold from a coefficient's code on, in 16 bits so
 * that the tables stay in the first cache: how many bits all complete
 * coefficients take (0: there is not even one), how many places these go
 * forward, and whether an end of block follows, which is then among the bits.
 */
#define STRIDE_BITS 0x000f
#define STRIDE_ADVANCE_SHIFT 8
#define STRIDE_ENDS 0x0010

struct table {
    const JHUFF_TBL *source;
    uint16_t single[1 << LOOKUP_BITS];  /* bits << 8 | symbol; 0: longer code */
    uint32_t limit[MAX_CODE + 1];       /* end of codes so long, in 16 bits */
    int32_t offset[MAX_CODE + 1];       /* from such a code to its symbol */
    uint16_t strides[1 << LOOKUP_BITS]; /* AC tables only */
};

/*
 * The bits of one segment, which goes from marker to marker. The next ones wait
 * left-aligned; behind the segment there are zeros without end.
 */
struct bits {
    const uint8_t *at;
    const uint8_t *limit; /* reached only by overrunning the segment */
    uint64_t bits;
    int count;  /* bits that wait, at least; those behind them are right too */
    bool wrong; /* an impossible code was seen */
};

struct component {
    const struct table *dc;
    const struct table *ac;
    int quant[1 + SQ_JPEG_MAX_LOW * SQ_JPEG_MAX_LOW]; /* by zigzag index */
    int across;                                       /* blocks in an MCU */
    int down;
    int last_dc;
};

struct sq_jpeg_low {
    const uint8_t *file; /* behind the segment's marker */
    const uint8_t *file_end;
    uint8_t *segment; /* without stuffing, and SLACK_BYTES of zeros */
    size_t segment_bytes;
    uint8_t marker; /* that ended it */
    struct bits bits;
    int n;
    int components;
    int mcus;    /* in a row */
    int restart; /* MCUs between restart markers, 0: none */
    int until_restart;
    int next_restart; /* its number, 0 to 7 */
    struct component component[MAX_COMPONENTS_LOW];
    struct table dc[NUM_HUFF_TBLS];
    struct table ac[NUM_HUFF_TBLS];
};

static bool
fail_irregular(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_FORMAT, "JPEG: irregular data");
}

static bool
component_fits(const struct jpeg_decompress_struct *cinfo,
               const jpeg_component_info *component) {
    const JQUANT_TBL *quant = NULL;
    if (component->quant_tbl_no < 0 || component->quant_tbl_no >= NUM_QUANT_TBLS
        || component->dc_tbl_no < 0 || component->dc_tbl_no >= NUM_HUFF_TBLS
        || component->ac_tbl_no < 0 || component->ac_tbl_no >= NUM_HUFF_TBLS) {
        return false;
    }
    quant = cinfo->quant_tbl_ptrs[component->quant_tbl_no];
    if (!quant || !cinfo->dc_huff_tbl_ptrs[component->dc_tbl_no]
        || !cinfo->ac_huff_tbl_ptrs[component->ac_tbl_no]) {
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
sq_jpeg_low_fits(const struct jpeg_decompress_struct *cinfo) {
    if (cinfo->progressive_mode || cinfo->arith_code
        || cinfo->data_precision != 8
        || cinfo->num_components > MAX_COMPONENTS_LOW
        || cinfo->comps_in_scan != cinfo->num_components) {
        return false;
    }
    for (int i = 0; i < cinfo->num_components; i++) {
        if (cinfo->cur_comp_info[i] != &cinfo->comp_info[i]
            || !component_fits(cinfo, &cinfo->comp_info[i])) {
            return false;
        }
    }
    return true;
}

/* Every window of bits that starts with the code. */
static void
fill_single(struct table *table, unsigned int code, int bits, uint8_t symbol) {
    unsigned int first = code << (LOOKUP_BITS - bits);
    unsigned int count = 1u << (LOOKUP_BITS - bits);
    for (unsigned int i = 0; i < count; i++) {
        table->single[first + i] = (uint16_t)(bits << 8 | symbol);
    }
}

/* False if the lengths overfill the tree or a symbol is too large. */
static bool
build_codes(const JHUFF_TBL *source, int max_symbol, struct table *table) {
    unsigned int code = 0;
    int index = 0;
    memset(table->single, 0, sizeof(table->single));
    table->source = source;
    for (int bits = 1; bits <= MAX_CODE; bits++) {
        unsigned int count = source->bits[bits];
        if (code + count > 1u << bits || index + (int)count > 256) {
            return false;
        }
        table->offset[bits] = index - (int32_t)code;
        for (unsigned int i = 0; i < count; i++, code++, index++) {
            if (source->huffval[index] > max_symbol) {
                return false;
            }
            if (bits <= LOOKUP_BITS) {
                fill_single(table, code, bits, source->huffval[index]);
            }
        }
        table->limit[bits] = code << (MAX_CODE - bits);
        code <<= 1;
    }
    return true;
}

static uint16_t
measure_stride(const struct table *table, unsigned int window) {
    unsigned int mask = (1u << LOOKUP_BITS) - 1;
    unsigned int used = 0;
    unsigned int advance = 0;
    unsigned int ends = 0;
    while (!ends) {
        unsigned int entry = table->single[window << used & mask];
        unsigned int run = entry >> 4 & 15;
        unsigned int value_bits = entry & 15;
        unsigned int bits = (entry >> 8) + value_bits;
        bool empty = value_bits == 0 && run != 15;
        if (entry == 0 || used + bits > LOOKUP_BITS || (empty && run != 0)) {
            break;
        }
        used += bits;
        ends = empty ? STRIDE_ENDS : 0;
        advance += empty ? 0 : run + 1;
    }
    return (uint16_t)(advance << STRIDE_ADVANCE_SHIFT | ends | used);
}

static void
build_strides(struct table *table) {
    for (unsigned int i = 0; i < 1u << LOOKUP_BITS; i++) {
        table->strides[i] = measure_stride(table, i);
    }
}

static bool
build_tables(struct sq_jpeg_low *self,
             const struct jpeg_decompress_struct *cinfo) {
    for (int i = 0; i < self->components; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[i];
        struct component *component = &self->component[i];
        struct table *dc = &self->dc[info->dc_tbl_no];
        struct table *ac = &self->ac[info->ac_tbl_no];
        if (!dc->source
            && !build_codes(cinfo->dc_huff_tbl_ptrs[info->dc_tbl_no],
                            MAX_DC_SYMBOL, dc)) {
            return false;
        }
        if (!ac->source) {
            if (!build_codes(cinfo->ac_huff_tbl_ptrs[info->ac_tbl_no],
                             MAX_AC_SYMBOL, ac)) {
                return false;
            }
            build_strides(ac);
        }
        component->dc = dc;
        component->ac = ac;
    }
    return true;
}

static void
set_up_components(struct sq_jpeg_low *self,
                  const struct jpeg_decompress_struct *cinfo) {
    /* A scan of one component is not interleaved: its MCU is one block. */
    bool alone = self->components == 1;
    int across = alone ? 1 : cinfo->max_h_samp_factor;
    int mcu_width = across * DCTSIZE;
    self->mcus = ((int)cinfo->image_width + mcu_width - 1) / mcu_width;
    for (int i = 0; i < self->components; i++) {
        const jpeg_component_info *info = &cinfo->comp_info[i];
        const UINT16 *quant =
            cinfo->quant_tbl_ptrs[info->quant_tbl_no]->quantval;
        struct component *component = &self->component[i];
        component->across = alone ? 1 : info->h_samp_factor;
        component->down = alone ? 1 : info->v_samp_factor;
        /* libjpeg keeps tables in natural order: rows of eight. */
        component->quant[0] = quant[0];
        component->quant[1] = quant[1];
        component->quant[2] = quant[DCTSIZE];
        component->quant[4] = quant[DCTSIZE + 1];
    }
}

/*
 * Copy the next segment: 0xff 0x00 stands for 0xff, and 0xff before anything
 * else is the marker that ends it. False if none does.
 */
static bool
read_segment(struct sq_jpeg_low *self) {
    uint8_t *to = self->segment;
    const uint8_t *from = self->file;
    for (;;) {
        size_t left = (size_t)(self->file_end - from);
        const uint8_t *ff = memchr(from, 0xff, left);
        if (!ff || self->file_end - ff < 2) {
            return false;
        }
        size_t plain = (size_t)(ff - from);
        memcpy(to, from, plain);
        to += plain;
        from = ff + 2;
        if (ff[1] != 0) {
            break;
        }
        *to++ = 0xff;
    }
    memset(to, 0, SLACK_BYTES);
    self->marker = from[-1];
    self->file = from;
    self->segment_bytes = (size_t)(to - self->segment);
    self->bits = (struct bits){
        .at = self->segment,
        .limit = to + sizeof(self->bits.bits),
        .wrong = self->bits.wrong,
    };
    return true;
}

bool
sq_jpeg_low_create(const struct jpeg_decompress_struct *cinfo, int n,
                   struct sq_jpeg_low **out, struct sq_err *err) {
    struct sq_jpeg_low *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    self->n = n;
    self->components = cinfo->num_components;
    self->restart = (int)cinfo->restart_interval;
    self->until_restart = self->restart;
    self->file = cinfo->src->next_input_byte;
    self->file_end = self->file + cinfo->src->bytes_in_buffer;
    set_up_components(self, cinfo);
    self->segment = sq_mem_alloc(cinfo->src->bytes_in_buffer + SLACK_BYTES, 1);
    bool ok = self->segment || sq_fail_nomem(err);
    if (ok && (!build_tables(self, cinfo) || !read_segment(self))) {
        ok = fail_irregular(err);
    }
    if (!ok) {
        sq_jpeg_low_destroy(self);
        return false;
    }
    *out = self;
    return true;
}

void
sq_jpeg_low_destroy(struct sq_jpeg_low *low) {
    if (low) {
        sq_mem_free(low->segment);
        sq_mem_free(low);
    }
}

static uint64_t
load_big_endian(const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/* At least 56 bits wait afterwards: a code with its value takes at most 31. */
static inline void
refill(struct bits *self) {
    self->bits |= load_big_endian(self->at) >> self->count;
    self->at += (63 - self->count) >> 3;
    self->at = self->at < self->limit ? self->at : self->limit;
    self->count |= 56;
}

static inline void
consume(struct bits *self, unsigned int count) {
    self->bits <<= count;
    self->count -= (int)count;
}

/* The next symbol, its code consumed. */
static unsigned int
next_symbol(struct bits *self, const struct table *table) {
    unsigned int entry = table->single[self->bits >> (64 - LOOKUP_BITS)];
    if (entry) {
        consume(self, entry >> 8);
        return entry & 0xff;
    }
    uint32_t window = (uint32_t)(self->bits >> (64 - MAX_CODE));
    for (int bits = LOOKUP_BITS + 1; bits <= MAX_CODE; bits++) {
        if (window < table->limit[bits]) {
            int32_t index =
                (int32_t)(window >> (MAX_CODE - bits)) + table->offset[bits];
            consume(self, (unsigned int)bits);
            return table->source->huffval[index];
        }
    }
    self->wrong = true;
    return 0;
}

/*
 * A value of so many bits (also none), the upper half of which is positive.
 * Without branches: which half it is cannot be foretold.
 */
static int
next_value(struct bits *self, unsigned int count) {
    int value = (int)(self->bits >> 1 >> (63 - count));
    int size = 1 << count;
    consume(self, count);
    return value - (value < size >> 1 ? size - 1 : 0);
}

static void
decode_dc(struct bits *self, struct component *component) {
    refill(self);
    unsigned int count = next_symbol(self, component->dc);
    if (count > MAX_DC_BITS) {
        self->wrong = true;
        return;
    }
    component->last_dc += next_value(self, count);
    if (component->last_dc > MAX_DC || component->last_dc < -MAX_DC) {
        self->wrong = true;
        component->last_dc = 0;
    }
}

/*
 * Step over one coefficient from place k of a block on, with its value if it
 * is wanted. Returns the place behind it, or DCTSIZE2 at the block's end.
 */
static int
step(struct bits *self, const struct table *table, int k, int *value) {
    refill(self);
    unsigned int symbol = next_symbol(self, table);
    unsigned int run = symbol >> 4;
    unsigned int count = symbol & 15;
    if (count == 0 && run != 15) {
        self->wrong = self->wrong || run != 0;
        return DCTSIZE2;
    }
    *value = next_value(self, count);
    k += (int)run + 1;
    self->wrong = self->wrong || k > DCTSIZE2;
    return k;
}

/* The innermost loop, on a copy that can stay in registers. */
static void
skip_rest(struct bits *self, const struct table *table, int k) {
    struct bits copy = *self;
    while (k < DCTSIZE2) {
        refill(&copy);
        unsigned int stride = table->strides[copy.bits >> (64 - LOOKUP_BITS)];
        unsigned int used = stride & STRIDE_BITS;
        int after = k + (int)(stride >> STRIDE_ADVANCE_SHIFT);
        int ends = (stride & STRIDE_ENDS) != 0;
        /* A block that is full needs no end; the one seen is the next's. */
        if (used == 0 || after + ends > DCTSIZE2) {
            int unused;
            *self = copy;
            k = step(self, table, k, &unused);
            copy = *self;
            continue;
        }
        consume(&copy, used);
        k = ends ? DCTSIZE2 : after;
    }
    *self = copy;
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
decode_one(struct bits *self, struct component *component, JSAMPARRAY rows,
           int x) {
    decode_dc(self, component);
    skip_rest(self, component->ac, 1);
    rows[0][x] = to_sample(component->last_dc * component->quant[0]);
}

/* The inverse transform of size two needs only sums and differences. */
static void
decode_four(struct bits *self, struct component *component, JSAMPARRAY rows,
            int x) {
    int low[1 + SQ_JPEG_MAX_LOW * SQ_JPEG_MAX_LOW] = { 0 };
    decode_dc(self, component);
    int k = 1;
    while (k <= 4) {
        int value = 0;
        int after = step(self, component->ac, k, &value);
        if (after <= 5) {
            low[after - 1] = value;
        }
        k = after;
    }
    skip_rest(self, component->ac, k);
    const int *quant = component->quant;
    int mean = component->last_dc * quant[0];
    int across = low[1] * quant[1];
    int down = low[2] * quant[2];
    int both = low[4] * quant[4];
    rows[0][x] = to_sample(mean + across + down + both);
    rows[0][x + 1] = to_sample(mean - across + down - both);
    rows[1][x] = to_sample(mean + across - down - both);
    rows[1][x + 1] = to_sample(mean - across - down + both);
}

/* Bits of the segment not yet used; negative if it was overrun. */
static ptrdiff_t
bits_left(const struct sq_jpeg_low *self) {
    ptrdiff_t read = (self->bits.at - self->segment) * 8 - self->bits.count;
    return (ptrdiff_t)self->segment_bytes * 8 - read;
}

static bool
is_sound(const struct sq_jpeg_low *self) {
    return !self->bits.wrong && bits_left(self) >= 0;
}

/* All decoded, with less than a byte of padding left, and this marker next? */
static bool
segment_ends_with(const struct sq_jpeg_low *self, uint8_t marker) {
    return is_sound(self) && bits_left(self) < 8 && self->marker == marker;
}

static bool
take_restart(struct sq_jpeg_low *self) {
    uint8_t marker = (uint8_t)(MARKER_RST + self->next_restart);
    if (!segment_ends_with(self, marker) || !read_segment(self)) {
        return false;
    }
    self->next_restart = (self->next_restart + 1) % RESTARTS;
    self->until_restart = self->restart;
    for (int i = 0; i < self->components; i++) {
        self->component[i].last_dc = 0;
    }
    return true;
}

static void
decode_mcu(struct sq_jpeg_low *self, JSAMPIMAGE planes, int mcu) {
    for (int i = 0; i < self->components; i++) {
        struct component *component = &self->component[i];
        JSAMPARRAY rows = planes[i];
        int first = mcu * component->across;
        for (int y = 0; y < component->down; y++, rows += self->n) {
            for (int x = first; x < first + component->across; x++) {
                if (self->n == 1) {
                    decode_one(&self->bits, component, rows, x);
                } else {
                    decode_four(&self->bits, component, rows, 2 * x);
                }
            }
        }
    }
}

bool
sq_jpeg_low_decode(struct sq_jpeg_low *low, JSAMPIMAGE planes,
                   struct sq_err *err) {
    for (int mcu = 0; mcu < low->mcus; mcu++) {
        if (low->restart > 0 && low->until_restart-- == 0) {
            if (!take_restart(low)) {
                return fail_irregular(err);
            }
            low->until_restart--;
        }
        decode_mcu(low, planes, mcu);
    }
    return is_sound(low) || fail_irregular(err);
}

bool
sq_jpeg_low_end(struct sq_jpeg_low *low, struct sq_err *err) {
    return segment_ends_with(low, MARKER_EOI) || fail_irregular(err);
}
