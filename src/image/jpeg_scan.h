/*
 * The entropy-coded data of a baseline JPEG, walked by ourselves. Whoever needs
 * little of a block steps over the rest, several coefficients at a time, which
 * is several times faster than decoding them. The functions that run once per
 * coefficient or block are here, to become part of their caller's loops.
 */
#ifndef SQ_IMAGE_JPEG_SCAN_H
#define SQ_IMAGE_JPEG_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "image/jpeg_error.h"

#define SQ_JPEG_PARTS 3        /* colour components we can walk */
#define SQ_JPEG_CODE_BITS 16   /* of the longest Huffman code */
#define SQ_JPEG_LOOKUP_BITS 12 /* looked up at once */
#define SQ_JPEG_LOOKUPS (1 << SQ_JPEG_LOOKUP_BITS)
#define SQ_JPEG_DC_BITS 11   /* of a difference in an 8-bit picture */
#define SQ_JPEG_MAX_DC 32767 /* far beyond what such a picture can hold */
#define SQ_JPEG_EOI 0xd9

/* Unstuffed bytes held at a time, enough to stay in the first cache. */
#define SQ_JPEG_WINDOW 8192
/*
 * More than one MCU can take: ten blocks of 64 codes, each with its value in
 * 31 bits. So many bytes lie ahead of every MCU, zeros where the data ends.
 */
#define SQ_JPEG_MCU_BYTES 2560

/*
 * What the next bits hold from a coefficient's code on, in 16 bits so that the
 * tables stay in the first cache: how many bits all coefficients take whose
 * codes are complete (0: not even one is; at most 12 and the 15 of a value that
 * lies ahead), how many places these go forward, and whether an end of block
 * follows, which is then among the bits. A start is the same from a block's
 * beginning on, with the difference of the DC value above the rest.
 */
#define SQ_JPEG_STRIDE_BITS 0x001f
#define SQ_JPEG_STRIDE_ENDS 0x0020
#define SQ_JPEG_STRIDE_ADVANCE 8
#define SQ_JPEG_START_DC 16

struct sq_jpeg_codes {
    const JHUFF_TBL *source;
    uint16_t single[SQ_JPEG_LOOKUPS]; /* bits << 8 | symbol; 0: longer */
    /* By length: where such codes end, in 16 bits, and the way to a symbol. */
    uint32_t limit[SQ_JPEG_CODE_BITS + 1];
    int32_t offset[SQ_JPEG_CODE_BITS + 1];
};

/* The next bits wait left-aligned. Loops want a copy, for their registers. */
struct sq_jpeg_bits {
    const uint8_t *at;
    uint64_t bits;
    int count;  /* bits that wait, at least; those behind them are right too */
    bool wrong; /* an impossible code was seen */
};

/* One colour component. */
struct sq_jpeg_part {
    const struct sq_jpeg_codes *dc;
    const struct sq_jpeg_codes *ac;
    const uint16_t *strides;
    const uint32_t *starts;
    int across; /* blocks in an MCU */
    int down;
    int last_dc;
};

/* Large: belongs on the heap. Must not move: parts point into it. */
struct sq_jpeg_scan {
    struct sq_jpeg_bits bits; /* taken from the window */
    const uint8_t *end;       /* of the window's data */
    const uint8_t *high;      /* an MCU begins at or below this */
    const uint8_t *file;      /* behind what the window has seen */
    const uint8_t *file_end;
    bool ended;     /* the window holds the rest of a segment */
    uint8_t marker; /* that ended it, 0: the file did */
    int parts;
    int mcus;    /* in a row */
    int restart; /* MCUs between restart markers, 0: none */
    int until_restart;
    int next_restart; /* its number, 0 to 7 */
    struct sq_jpeg_part part[SQ_JPEG_PARTS];
    uint8_t window[SQ_JPEG_WINDOW + SQ_JPEG_MCU_BYTES];
    struct sq_jpeg_codes dc[NUM_HUFF_TBLS];
    struct sq_jpeg_codes ac[NUM_HUFF_TBLS];
    uint16_t strides[NUM_HUFF_TBLS][SQ_JPEG_LOOKUPS];
    uint32_t starts[SQ_JPEG_PARTS][SQ_JPEG_LOOKUPS];
};

/* Whether we can walk this picture; cinfo has read its header. */
bool sq_jpeg_scan_fits(const struct jpeg_decompress_struct *cinfo);

/*
 * Go before the first MCU. Allocates nothing and leaves cinfo alone, which must
 * outlive the scan. False if the Huffman tables are irregular.
 */
bool sq_jpeg_scan_init(struct sq_jpeg_scan *scan,
                       const struct jpeg_decompress_struct *cinfo);

/* Behind sq_jpeg_scan_next_mcu: what is not needed for every MCU. */
bool sq_jpeg_scan_fill(struct sq_jpeg_scan *scan);
bool sq_jpeg_scan_restart(struct sq_jpeg_scan *scan);

/* Whether all that was walked so far was there and regular. */
bool sq_jpeg_scan_is_sound(const struct sq_jpeg_scan *scan);

/* Also: less than a byte of padding is left, and this marker is next. */
bool sq_jpeg_scan_ends_with(const struct sq_jpeg_scan *scan, uint8_t marker);

/*
 * To be called before every MCU: take a restart marker if one is due. False if
 * it is not there, or if the data has ended long ago.
 */
static inline bool
sq_jpeg_scan_next_mcu(struct sq_jpeg_scan *scan) {
    if (scan->bits.at > scan->high && !sq_jpeg_scan_fill(scan)) {
        return false;
    }
    return scan->restart == 0 || scan->until_restart-- > 0
        || sq_jpeg_scan_restart(scan);
}

static inline uint64_t
sq_jpeg_load_big_endian(const uint8_t *at) {
    uint64_t value;
    memcpy(&value, at, sizeof(value));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/* At least 56 bits wait afterwards: a code with its value, or two strides. */
static inline void
sq_jpeg_refill(struct sq_jpeg_bits *self) {
    self->bits |= sq_jpeg_load_big_endian(self->at) >> self->count;
    self->at += (63 - self->count) >> 3;
    self->count |= 56;
}

static inline void
sq_jpeg_consume(struct sq_jpeg_bits *self, unsigned int count) {
    self->bits <<= count;
    self->count -= (int)count;
}

/* The next symbol, its code consumed. */
static inline unsigned int
sq_jpeg_next_symbol(struct sq_jpeg_bits *self,
                    const struct sq_jpeg_codes *codes) {
    unsigned int entry =
        codes->single[self->bits >> (64 - SQ_JPEG_LOOKUP_BITS)];
    if (entry) {
        sq_jpeg_consume(self, entry >> 8);
        return entry & 0xff;
    }
    uint32_t ahead = (uint32_t)(self->bits >> (64 - SQ_JPEG_CODE_BITS));
    for (int bits = SQ_JPEG_LOOKUP_BITS + 1; bits <= SQ_JPEG_CODE_BITS;
         bits++) {
        if (ahead < codes->limit[bits]) {
            int32_t index = (int32_t)(ahead >> (SQ_JPEG_CODE_BITS - bits))
                          + codes->offset[bits];
            sq_jpeg_consume(self, (unsigned int)bits);
            return codes->source->huffval[index];
        }
    }
    self->wrong = true;
    return 0;
}

/*
 * A value of so many bits (also none), the upper half of which is positive.
 * Without branches: which half it is cannot be foretold.
 */
static inline int
sq_jpeg_next_value(struct sq_jpeg_bits *self, unsigned int count) {
    int value = (int)(self->bits >> 1 >> (63 - count));
    int size = 1 << count;
    sq_jpeg_consume(self, count);
    return value - (value < size >> 1 ? size - 1 : 0);
}

static inline void
sq_jpeg_add_dc(struct sq_jpeg_bits *self, struct sq_jpeg_part *part,
               int difference) {
    part->last_dc += difference;
    if (part->last_dc > SQ_JPEG_MAX_DC || part->last_dc < -SQ_JPEG_MAX_DC) {
        self->wrong = true;
        part->last_dc = 0;
    }
}

/* Decode a block's DC value into last_dc. */
static inline void
sq_jpeg_next_dc(struct sq_jpeg_bits *self, struct sq_jpeg_part *part) {
    sq_jpeg_refill(self);
    unsigned int count = sq_jpeg_next_symbol(self, part->dc);
    if (count > SQ_JPEG_DC_BITS) {
        self->wrong = true;
        return;
    }
    sq_jpeg_add_dc(self, part, sq_jpeg_next_value(self, count));
}

/*
 * Decode one coefficient from place k of a block on. Returns the place behind
 * it, or DCTSIZE2 at the block's end, where *value is untouched.
 */
static inline int
sq_jpeg_next_ac(struct sq_jpeg_bits *self, const struct sq_jpeg_part *part,
                int k, int *value) {
    sq_jpeg_refill(self);
    unsigned int symbol = sq_jpeg_next_symbol(self, part->ac);
    unsigned int run = symbol >> 4;
    unsigned int count = symbol & 15;
    if (count == 0 && run != 15) {
        self->wrong = self->wrong || run != 0;
        return DCTSIZE2;
    }
    *value = sq_jpeg_next_value(self, count);
    k += (int)run + 1;
    self->wrong = self->wrong || k > DCTSIZE2;
    return k;
}

/* Step over what one look shows; false if that must be done code by code. */
static inline bool
sq_jpeg_take_stride(struct sq_jpeg_bits *self, const struct sq_jpeg_part *part,
                    int *k) {
    unsigned int stride =
        part->strides[self->bits >> (64 - SQ_JPEG_LOOKUP_BITS)];
    unsigned int used = stride & SQ_JPEG_STRIDE_BITS;
    int after = *k + (int)(stride >> SQ_JPEG_STRIDE_ADVANCE);
    int ends = (stride & SQ_JPEG_STRIDE_ENDS) != 0;
    /* A block that is full needs no end; the one seen is the next's. */
    if (used == 0 || after + ends > DCTSIZE2) {
        return false;
    }
    sq_jpeg_consume(self, used);
    *k = ends ? DCTSIZE2 : after;
    return true;
}

/* Step over a block from place k on: the innermost loop. */
static inline void
sq_jpeg_skip_rest(struct sq_jpeg_bits *self, const struct sq_jpeg_part *part,
                  int k) {
    while (k < DCTSIZE2) {
        sq_jpeg_refill(self);
        if (!sq_jpeg_take_stride(self, part, &k)
            || (k < DCTSIZE2 && !sq_jpeg_take_stride(self, part, &k))) {
            int unused;
            k = sq_jpeg_next_ac(self, part, k, &unused);
        }
    }
}

/* Step over a whole block, but for its DC value. */
static inline void
sq_jpeg_skip_block(struct sq_jpeg_bits *self, struct sq_jpeg_part *part) {
    sq_jpeg_refill(self);
    uint32_t start = part->starts[self->bits >> (64 - SQ_JPEG_LOOKUP_BITS)];
    if (start == 0) {
        sq_jpeg_next_dc(self, part);
        sq_jpeg_skip_rest(self, part, 1);
        return;
    }
    sq_jpeg_consume(self, start & SQ_JPEG_STRIDE_BITS);
    sq_jpeg_add_dc(self, part, (int32_t)start >> SQ_JPEG_START_DC);
    if (!(start & SQ_JPEG_STRIDE_ENDS)) {
        sq_jpeg_skip_rest(self, part,
                          1 + (int)(start >> SQ_JPEG_STRIDE_ADVANCE & 0xff));
    }
}

#endif
