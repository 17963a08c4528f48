/*
 * Reads the entropy-coded data of a baseline JPEG. Callers that need only a
 * part of each block skip the rest, several coefficients at a time, which is
 * several times faster than decoding. Functions that run once per coefficient
 * or block are inline.
 */
#ifndef SQ_IMAGE_JPEG_SCAN_H
#define SQ_IMAGE_JPEG_SCAN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "image/jpeg/private.h"
#include "util/bytes.h"

#define SQ_JPEG_PARTS 3        /* maximum number of colour components */
#define SQ_JPEG_CODE_BITS 16   /* length of the longest Huffman code */
#define SQ_JPEG_LOOKUP_BITS 12 /* index size of the lookup tables */
#define SQ_JPEG_LOOKUPS (1 << SQ_JPEG_LOOKUP_BITS)
#define SQ_JPEG_DC_BITS 11   /* bits of a DC difference in an 8-bit picture */
#define SQ_JPEG_MAX_DC 32767 /* more than any valid picture contains */
#define SQ_JPEG_EOI 0xd9

/* Unstuffed bytes in the window; small enough for the L1 cache. */
#define SQ_JPEG_WINDOW 8192
/*
 * More bytes than one MCU can take: ten blocks of 64 codes, each with a value,
 * in 31 bits. The window has at least this many readable bytes at the start of
 * every MCU; zeros where the data ends.
 */
#define SQ_JPEG_MCU_BYTES 2560

/*
 * A stride entry describes the coefficients in the next bits. It has 16 bits so
 * that the tables fit in the L1 cache. It contains the number of bits of all
 * coefficients with complete codes (0: none; at most 12, plus the 15 of a value
 * that follows), the number of places they advance, and whether an end of block
 * follows, which is then included in the bits.
 */
#define SQ_JPEG_STRIDE_BITS 0x001f
#define SQ_JPEG_STRIDE_ENDS 0x0020
#define SQ_JPEG_STRIDE_ADVANCE 8

struct sq_jpeg_codes {
    const JHUFF_TBL *source;
    uint16_t single[SQ_JPEG_LOOKUPS]; /* bits << 8 | symbol; 0: longer code */
    /*
     * By code length: the limit of such codes, left-aligned in 16 bits, and the
     * offset from a code to its symbol.
     */
    uint32_t limit[SQ_JPEG_CODE_BITS + 1];
    int32_t offset[SQ_JPEG_CODE_BITS + 1];
};

/* The bit reader, left-aligned. Loops copy it, so it stays in registers. */
struct sq_jpeg_bits {
    const uint8_t *at;
    uint64_t bits;
    int count; /* minimum number of valid bits; further bits are valid too */
    bool is_corrupt; /* an invalid code was read */
};

/* One colour component. */
struct sq_jpeg_part {
    const struct sq_jpeg_codes *dc;
    const struct sq_jpeg_codes *ac;
    const uint16_t *strides;
    int across; /* blocks in an MCU */
    int down;
    int last_dc;
};

/* Large: allocate it on the heap. Must not move: parts point into it. */
struct sq_jpeg_scan {
    struct sq_jpeg_bits bits; /* reads from the window */
    const uint8_t *end;       /* end of the data in the window */
    const uint8_t *high;      /* last position at which an MCU may begin */
    const uint8_t *file;      /* next byte of the file */
    const uint8_t *file_end;
    bool ended;     /* the window contains the rest of a segment */
    uint8_t marker; /* marker that ended the segment, 0: end of file */
    int parts;
    int mcus;    /* MCUs per row */
    int restart; /* MCUs between restart markers, 0: none */
    int until_restart;
    int next_restart; /* number of the next marker, 0 to 7 */
    struct sq_jpeg_part part[SQ_JPEG_PARTS];
    uint8_t window[SQ_JPEG_WINDOW + SQ_JPEG_MCU_BYTES];
    struct sq_jpeg_codes dc[NUM_HUFF_TBLS];
    struct sq_jpeg_codes ac[NUM_HUFF_TBLS];
    uint16_t strides[NUM_HUFF_TBLS][SQ_JPEG_LOOKUPS];
};

/* Returns whether the picture is supported. cinfo must have read its header. */
bool sq_jpeg_scan_fits(const struct jpeg_decompress_struct *cinfo);

/*
 * Starts before the first MCU. Allocates nothing and does not change cinfo,
 * which must outlive the scan. Returns false if the Huffman tables are invalid.
 */
bool sq_jpeg_scan_init(struct sq_jpeg_scan *scan,
                       const struct jpeg_decompress_struct *cinfo);

/* The slow paths of sq_jpeg_scan_next_mcu. */
bool sq_jpeg_scan_fill(struct sq_jpeg_scan *scan);
bool sq_jpeg_scan_restart(struct sq_jpeg_scan *scan);

/* Returns whether all data so far was present and valid. */
bool sq_jpeg_scan_is_valid(const struct sq_jpeg_scan *scan);

/*
 * Like sq_jpeg_scan_is_valid; also less than a byte of padding must be left and
 * this marker must be next.
 */
bool sq_jpeg_scan_ends_with(const struct sq_jpeg_scan *scan, uint8_t marker);

/*
 * Must be called before every MCU. Reads a restart marker if one is due.
 * Returns false if it is missing, or if reading is far beyond the end of the
 * data.
 */
static inline bool
sq_jpeg_scan_next_mcu(struct sq_jpeg_scan *scan) {
    if (scan->bits.at > scan->high && !sq_jpeg_scan_fill(scan)) {
        return false;
    }
    return scan->restart == 0 || scan->until_restart-- > 0
        || sq_jpeg_scan_restart(scan);
}

/* Ensures at least 56 bits: a code with its value, or two strides. */
static inline void
sq_jpeg_refill(struct sq_jpeg_bits *self) {
    self->bits |= sq_load_be64(self->at) >> self->count;
    self->at += (63 - self->count) >> 3;
    self->count |= 56;
}

static inline void
sq_jpeg_consume(struct sq_jpeg_bits *self, unsigned int count) {
    self->bits <<= count;
    self->count -= (int)count;
}

/* Reads the next symbol and consumes its code. */
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
    self->is_corrupt = true;
    return 0;
}

/*
 * Reads a value of count bits (may be 0); the upper half of the range is
 * positive. Branchless, because the sign is unpredictable.
 */
static inline int
sq_jpeg_next_value(struct sq_jpeg_bits *self, unsigned int count) {
    int value = (int)(self->bits >> 1 >> (63 - count));
    int size = 1 << count;
    sq_jpeg_consume(self, count);
    return value - (value < size >> 1 ? size - 1 : 0);
}

/* Decodes a block's DC value into last_dc. */
static inline void
sq_jpeg_next_dc(struct sq_jpeg_bits *self, struct sq_jpeg_part *part) {
    sq_jpeg_refill(self);
    unsigned int count = sq_jpeg_next_symbol(self, part->dc);
    if (count > SQ_JPEG_DC_BITS) {
        self->is_corrupt = true;
        return;
    }
    part->last_dc += sq_jpeg_next_value(self, count);
    if (part->last_dc > SQ_JPEG_MAX_DC || part->last_dc < -SQ_JPEG_MAX_DC) {
        self->is_corrupt = true;
        part->last_dc = 0;
    }
}

/*
 * Decodes one coefficient at place k or later. Returns the place after it, or
 * DCTSIZE2 at the end of the block, with *value unchanged.
 */
static inline int
sq_jpeg_next_ac(struct sq_jpeg_bits *self, const struct sq_jpeg_part *part,
                int k, int *value) {
    sq_jpeg_refill(self);
    unsigned int symbol = sq_jpeg_next_symbol(self, part->ac);
    unsigned int run = symbol >> 4;
    unsigned int count = symbol & 15;
    if (count == 0 && run != 15) {
        self->is_corrupt = self->is_corrupt || run != 0;
        return DCTSIZE2;
    }
    *value = sq_jpeg_next_value(self, count);
    k += (int)run + 1;
    self->is_corrupt = self->is_corrupt || k > DCTSIZE2;
    return k;
}

/* Skips the coefficients of one lookup; false: decode them one by one. */
static inline bool
sq_jpeg_take_stride(struct sq_jpeg_bits *self, const struct sq_jpeg_part *part,
                    int *k) {
    unsigned int stride =
        part->strides[self->bits >> (64 - SQ_JPEG_LOOKUP_BITS)];
    unsigned int used = stride & SQ_JPEG_STRIDE_BITS;
    int after = *k + (int)(stride >> SQ_JPEG_STRIDE_ADVANCE);
    int ends = (stride & SQ_JPEG_STRIDE_ENDS) != 0;
    /* A full block has no end code; the one found is the next block's. */
    if (used == 0 || after + ends > DCTSIZE2) {
        return false;
    }
    sq_jpeg_consume(self, used);
    *k = ends ? DCTSIZE2 : after;
    return true;
}

/* Skips the rest of a block from place k. This is the innermost loop. */
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

#endif
