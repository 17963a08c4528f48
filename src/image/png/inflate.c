/* Inflates a stream, a part at a time. */
#include "image/png/inflate.h"

#include <string.h>

#include "image/pipeline/cpu.h"
#include "util/bytes.h"

#define HUFF_DROP_BITS(entry) ((unsigned)(entry)&0xff)
#define HUFF_LITERAL_BYTES(entry)                                              \
    ((unsigned)((entry) >> SQ_HUFF_LITERAL_SHIFT) & 0xffff)

#define LITLEN_CODES 288
#define DIST_CODES 32
#define PRECODES 19
#define PRECODE_BITS 7

void
sq_inflate_init(struct sq_inflate *z, const uint8_t *in, size_t in_len) {
    z->in = in;
    z->in_end = in + in_len;
    z->bits = 0;
    z->bit_count = 0;
    z->state = SQ_INFLATE_HEADER;
    z->last_block = false;
    z->stored_left = 0;
}

const uint8_t *
sq_inflate_rest(const struct sq_inflate *z) {
    return z->in - z->bit_count / 8;
}

static bool
truncated(const struct sq_inflate *z) {
    return sq_inflate_rest(z) > z->in_end;
}

static bool
fail_truncated(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_TRUNCATED, "compressed data end too early");
}

static bool
fail_corrupt(struct sq_err *err, const char *what) {
    return sq_fail(err, SQ_ERR_FORMAT, "compressed data are corrupt: %s", what);
}

static inline void
store16(uint8_t *p, uint32_t value) {
    uint16_t v = (uint16_t)value;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap16(v);
#endif
    memcpy(p, &v, sizeof(v));
}

/*
 * Refills to at least 56 bits. Bits above bit_count are already the next bits
 * of the stream, so setting them again changes nothing.
 */
#define REFILL(bits, count, in)                                                \
    do {                                                                       \
        (bits) |= sq_load_le64(in) << (count);                                 \
        (in) += (63 - (count)) >> 3;                                           \
        (count) |= 56;                                                         \
    } while (0)

/* Reads stay within the padding while `in` is not beyond this. */
static inline const uint8_t *
input_stop(const struct sq_inflate *z) {
    return z->in_end + 8;
}

/* Ensures at least 56 bits; false once the padding is used up as well. */
static bool
fill_bits(struct sq_inflate *z) {
    if (z->in > input_stop(z)) {
        return false;
    }
    REFILL(z->bits, z->bit_count, z->in);
    return true;
}

/*
 * Reads bits of a header. Returns zeros after the end; truncated() detects it.
 */
static unsigned
take_bits(struct sq_inflate *z, unsigned count) {
    if (z->bit_count < count && !fill_bits(z)) {
        return 0;
    }
    unsigned value = (unsigned)(z->bits & ((1u << count) - 1));
    z->bits >>= count;
    z->bit_count -= count;
    return value;
}

static bool
start_stored(struct sq_inflate *z, struct sq_err *err) {
    take_bits(z, z->bit_count & 7);
    z->in = sq_inflate_rest(z);
    z->bits = 0;
    z->bit_count = 0;
    if (z->in > z->in_end || z->in_end - z->in < 4) {
        return fail_truncated(err);
    }
    unsigned length = sq_load_le16(z->in);
    unsigned check = sq_load_le16(z->in + 2);
    if (length != (check ^ 0xffff)) {
        return fail_corrupt(err, "stored length");
    }
    z->in += 4;
    z->stored_left = length;
    z->state = SQ_INFLATE_STORED;
    return true;
}

static bool
start_codes(struct sq_inflate *z, const uint8_t *lengths, unsigned litlens,
            unsigned dists, struct sq_err *err) {
    const struct sq_huff_table litlen = { z->litlen, SQ_INFLATE_LITLEN_SIZE,
                                          SQ_INFLATE_LITLEN_BITS };
    const struct sq_huff_table dist = { z->dist, SQ_INFLATE_DIST_SIZE,
                                        SQ_INFLATE_DIST_BITS };
    if (lengths[256] == 0
        || !sq_huff_build(&litlen, lengths, litlens, sq_huff_litlen)
        || !sq_huff_build(&dist, lengths + litlens, dists, sq_huff_dist)) {
        return fail_corrupt(err, "code lengths");
    }
    sq_huff_join(&litlen);
    z->state = SQ_INFLATE_CODES;
    return true;
}

static bool
start_fixed(struct sq_inflate *z, struct sq_err *err) {
    uint8_t lengths[LITLEN_CODES + DIST_CODES];
    memset(lengths, 8, 144);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    memset(lengths + 280, 8, 8);
    memset(lengths + LITLEN_CODES, 5, DIST_CODES);
    return start_codes(z, lengths, LITLEN_CODES, DIST_CODES, err);
}

/* Reads the run-length coded code lengths of a dynamic block. */
static bool
read_lengths(struct sq_inflate *z, const uint64_t *precode, uint8_t *lengths,
             unsigned total, struct sq_err *err) {
    static const struct {
        uint8_t base, bits;
    } repeats[] = { { 3, 2 }, { 3, 3 }, { 11, 7 } };

    for (unsigned i = 0; i < total;) {
        if (z->bit_count < PRECODE_BITS && !fill_bits(z)) {
            return fail_truncated(err);
        }
        uint64_t entry = precode[z->bits & ((1u << PRECODE_BITS) - 1)];
        if (!entry) {
            return fail_corrupt(err, "code length code");
        }
        take_bits(z, HUFF_DROP_BITS(entry));
        unsigned symbol = HUFF_LITERAL_BYTES(entry);
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        unsigned run =
            repeats[symbol - 16].base + take_bits(z, repeats[symbol - 16].bits);
        if (run > total - i || (symbol == 16 && i == 0)) {
            return fail_corrupt(err, "code length repeat");
        }
        memset(lengths + i, symbol == 16 ? lengths[i - 1] : 0, run);
        i += run;
    }
    return true;
}

static bool
start_dynamic(struct sq_inflate *z, struct sq_err *err) {
    static const uint8_t order[PRECODES] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                             11, 4,  12, 3, 13, 2, 14, 1, 15 };
    unsigned litlens = take_bits(z, 5) + 257;
    unsigned dists = take_bits(z, 5) + 1;
    unsigned precodes = take_bits(z, 4) + 4;
    if (litlens > 286 || dists > 30) {
        return fail_corrupt(err, "too many codes");
    }
    uint8_t pre_lengths[PRECODES] = { 0 };
    for (unsigned i = 0; i < precodes; i++) {
        pre_lengths[order[i]] = (uint8_t)take_bits(z, 3);
    }
    uint64_t entries[1 << PRECODE_BITS];
    const struct sq_huff_table precode = { entries, 1 << PRECODE_BITS,
                                           PRECODE_BITS };
    if (!sq_huff_build(&precode, pre_lengths, PRECODES, sq_huff_literal)) {
        return fail_corrupt(err, "code length code");
    }
    uint8_t lengths[LITLEN_CODES + DIST_CODES] = { 0 };
    return read_lengths(z, entries, lengths, litlens + dists, err)
        && start_codes(z, lengths, litlens, dists, err);
}

static bool
start_block(struct sq_inflate *z, struct sq_err *err) {
    static bool (*const starts[])(struct sq_inflate *, struct sq_err *) = {
        start_stored,
        start_fixed,
        start_dynamic,
    };
    z->last_block = take_bits(z, 1);
    unsigned type = take_bits(z, 2);
    if (truncated(z)) {
        return fail_truncated(err);
    }
    return type < 3 ? starts[type](z, err)
                    : fail_corrupt(err, "unknown block type");
}

static void
end_block(struct sq_inflate *z) {
    z->state = z->last_block ? SQ_INFLATE_DONE : SQ_INFLATE_HEADER;
}

static bool
run_stored(struct sq_inflate *z, uint8_t **out, const uint8_t *limit,
           struct sq_err *err) {
    size_t count = (size_t)(limit - *out);
    if (count > z->stored_left) {
        count = z->stored_left;
    }
    if (count > (size_t)(z->in_end - z->in)) {
        return fail_truncated(err);
    }
    memcpy(*out, z->in, count);
    *out += count;
    z->in += count;
    z->stored_left -= count;
    if (z->stored_left == 0) {
        end_block(z);
    }
    return true;
}

/* By pattern length: how many bytes of a 16-byte block are whole patterns. */
static const uint8_t pattern_step[16] = { 16, 16, 16, 15, 16, 15, 12, 14,
                                          16, 9,  10, 11, 12, 13, 14, 15 };

/* Writes length bytes of the match, and up to 32 bytes after them. */
static inline void
copy_match(uint8_t *out, size_t distance, size_t length) {
    const uint8_t *from = out - distance;
    const uint8_t *end = out + length;
    if (distance >= 32) {
        do {
            memcpy(out, from, 32);
            out += 32;
            from += 32;
        } while (out < end);
        return;
    }
    if (distance >= 16) {
        do {
            memcpy(out, from, 16);
            out += 16;
            from += 16;
        } while (out < end);
        return;
    }
    uint8_t pattern[16];
    if (distance == 1) {
        memset(pattern, from[0], sizeof(pattern));
    } else {
        for (size_t i = 0; i < sizeof(pattern); i++) {
            pattern[i] = from[i % distance];
        }
    }
    size_t step = pattern_step[distance];
    do {
        memcpy(out, pattern, sizeof(pattern));
        out += step;
    } while (out < end);
}

#define DROP(bits, count, entry)                                               \
    do {                                                                       \
        (bits) >>= HUFF_DROP_BITS(entry) & 63;                                 \
        (count) -= HUFF_DROP_BITS(entry);                                      \
    } while (0)

/* Returns the entry's value plus the extra bits that follow its codes. */
static inline size_t
entry_value(uint64_t entry, uint64_t bits) {
    uint64_t all = bits & ((UINT64_C(1) << (HUFF_DROP_BITS(entry) & 63)) - 1);
    return SQ_HUFF_VALUE(entry)
         + (size_t)(all >> (SQ_HUFF_CODE_BITS(entry) & 63));
}

static inline uint64_t
follow_link(const uint64_t *table, uint64_t link, uint64_t bits,
            unsigned root_bits) {
    unsigned mask = (1u << (SQ_HUFF_MAX_BITS - root_bits)) - 1;
    return table[SQ_HUFF_VALUE(link) + (bits & mask)];
}

enum codes_end { CODES_LIMIT, CODES_BLOCK_END, CODES_TRUNCATED, CODES_CORRUPT };

/*
 * The hot loop: decodes the content of a compressed block. One refill (56 bits)
 * is enough for a lookup with only literals (11 bits) and one with a length (16
 * bits) and its distance (28 bits).
 */
static inline __attribute__((always_inline)) enum codes_end
run_codes(struct sq_inflate *z, const uint8_t *start, uint8_t **out_position,
          const uint8_t *limit) {
    const unsigned lit_mask = (1u << SQ_INFLATE_LITLEN_BITS) - 1;
    const unsigned dist_mask = (1u << SQ_INFLATE_DIST_BITS) - 1;
    const uint8_t *stop = input_stop(z);
    const uint8_t *in = z->in;
    uint64_t bits = z->bits;
    unsigned count = z->bit_count;
    uint8_t *out = *out_position;
    enum codes_end end = CODES_LIMIT;

    while (out < limit) {
        if (in > stop) {
            end = CODES_TRUNCATED;
            break;
        }
        REFILL(bits, count, in);
        uint64_t entry = z->litlen[bits & lit_mask];
        store16(out, HUFF_LITERAL_BYTES(entry));
        out += SQ_HUFF_LITERAL_COUNT(entry);
        if (entry & SQ_HUFF_LITERALS) {
            DROP(bits, count, entry);
            entry = z->litlen[bits & lit_mask];
            store16(out, HUFF_LITERAL_BYTES(entry));
            out += SQ_HUFF_LITERAL_COUNT(entry);
        }
        if (!(entry & SQ_HUFF_MATCH)) {
            DROP(bits, count, entry);
            if (entry & SQ_HUFF_SUBTABLE) {
                REFILL(bits, count, in);
                entry =
                    follow_link(z->litlen, entry, bits, SQ_INFLATE_LITLEN_BITS);
                store16(out, HUFF_LITERAL_BYTES(entry));
                out += SQ_HUFF_LITERAL_COUNT(entry);
                DROP(bits, count, entry & SQ_HUFF_MATCH ? 0 : entry);
            }
            if (entry & SQ_HUFF_LITERALS) {
                continue;
            }
            if (!(entry & SQ_HUFF_MATCH)) {
                end = entry & SQ_HUFF_END ? CODES_BLOCK_END : CODES_CORRUPT;
                break;
            }
        }
        size_t length = entry_value(entry, bits);
        DROP(bits, count, entry);

        uint64_t far = z->dist[bits & dist_mask];
        if (far & SQ_HUFF_SUBTABLE) {
            DROP(bits, count, far);
            far = follow_link(z->dist, far, bits, SQ_INFLATE_DIST_BITS);
        }
        size_t distance = entry_value(far, bits);
        DROP(bits, count, far);
        if (!far || distance > (size_t)(out - start)) {
            end = CODES_CORRUPT;
            break;
        }
        copy_match(out, distance, length);
        out += length;
    }
    z->in = in;
    z->bits = bits;
    z->bit_count = count;
    *out_position = out;
    return end;
}

#if SQ_HAVE_X86
__attribute__((target("bmi,bmi2"))) static enum codes_end
run_codes_bmi2(struct sq_inflate *z, const uint8_t *start, uint8_t **out,
               const uint8_t *limit) {
    return run_codes(z, start, out, limit);
}
#endif

static enum codes_end
run_codes_plain(struct sq_inflate *z, const uint8_t *start, uint8_t **out,
                const uint8_t *limit) {
    return run_codes(z, start, out, limit);
}

static bool
run_compressed(struct sq_inflate *z, const uint8_t *start, uint8_t **out,
               const uint8_t *limit, struct sq_err *err) {
    enum codes_end end;
#if SQ_HAVE_X86
    if (sq_cpu_level() > SQ_CPU_SCALAR && __builtin_cpu_supports("bmi2")) {
        end = run_codes_bmi2(z, start, out, limit);
    } else {
        end = run_codes_plain(z, start, out, limit);
    }
#else
    end = run_codes_plain(z, start, out, limit);
#endif
    if (end == CODES_TRUNCATED || truncated(z)) {
        return fail_truncated(err);
    }
    if (end == CODES_CORRUPT) {
        return fail_corrupt(err, "impossible match");
    }
    if (end == CODES_BLOCK_END) {
        end_block(z);
    }
    return true;
}

bool
sq_inflate_run(struct sq_inflate *z, const uint8_t *start, uint8_t **out,
               const uint8_t *limit, struct sq_err *err) {
    bool ok = true;
    while (ok && *out < limit && z->state != SQ_INFLATE_DONE) {
        switch (z->state) {
        case SQ_INFLATE_HEADER:
            ok = start_block(z, err);
            break;
        case SQ_INFLATE_STORED:
            ok = run_stored(z, out, limit, err);
            break;
        case SQ_INFLATE_CODES:
            ok = run_compressed(z, start, out, limit, err);
            break;
        case SQ_INFLATE_DONE:
            break;
        }
    }
    return ok;
}
