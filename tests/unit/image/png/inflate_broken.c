/* Streams that are truncated, damaged or invalid: they are refused. */
#include "image/png/inflate.h"

#include <libdeflate.h>

#include "unit/image/png/deflate_maker.h"

#define FRESH 4096

static enum sq_err_code
refusal_of(const uint8_t *stream, size_t length, const uint8_t *padding) {
    struct inflation how = { stream, length, padding, FRESH, 0 };
    struct inflated got = inflate_stream(&how);
    enum sq_err_code code = got.ok ? SQ_ERR_NONE : got.code;
    sq_buf_finish(&got.bytes);
    return code;
}

static void
check_refused(struct maker *m, enum sq_err_code code) {
    maker_align(m);
    for (int i = 0; i < 40; i++) {
        maker_put_byte(&m->stream, 0); /* so that it is not only truncated */
    }
    T_INT(refusal_of(m->stream.data, m->stream.len, NULL), code);
    maker_finish(m);
}

static bool
is_refusal(enum sq_err_code code) {
    return code == SQ_ERR_TRUNCATED || code == SQ_ERR_FORMAT;
}

/* The bytes after the truncation are zeros, ones, or the rest of the stream. */
static void
check_cuts(const uint8_t *stream, size_t length) {
    static const uint8_t zeros[SQ_INFLATE_PADDING];
    uint8_t *longer = calloc(length + SQ_INFLATE_PADDING, 1);
    if (!T(longer != NULL)) {
        return;
    }
    memcpy(longer, stream, length);
    for (size_t cut = 0; cut < length; cut++) {
        T(is_refusal(refusal_of(stream, cut, NULL)));
        T(is_refusal(refusal_of(stream, cut, zeros)));
        T_INT(refusal_of(stream, cut, longer + cut), SQ_ERR_TRUNCATED);
    }
    T_INT(refusal_of(stream, length, longer + length), SQ_ERR_NONE);
    free(longer);
}

static void
fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bool copy = i > 50 && t_random() % 8;
        bytes[i] = copy ? bytes[i - 50] : (uint8_t)(t_random() % 40);
    }
}

T_CASE(truncated_streams_of_libdeflate) {
    static const int levels[] = { 0, 1, 6, 12 };
    for (int i = 0; i < 4; i++) {
        uint8_t bytes[700];
        uint8_t stream[2000];
        struct libdeflate_compressor *c =
            libdeflate_alloc_compressor(levels[i]);
        fill(bytes, sizeof(bytes));
        size_t length = libdeflate_deflate_compress(c, bytes, sizeof(bytes),
                                                    stream, sizeof(stream));
        T(length > 0);
        check_cuts(stream, length);
        libdeflate_free_compressor(c);
    }
}

T_CASE(truncated_streams_of_all_block_types) {
    struct maker m;
    maker_init(&m);
    maker_stored(&m, false, (const uint8_t *)"stored", 6);
    maker_stored(&m, false, NULL, 0);
    maker_start_fixed(&m, false);
    maker_literal(&m, 'a');
    maker_match(&m, 200, 7);
    maker_end_block(&m);
    memset(m.lengths, 0, sizeof(m.lengths));
    m.lengths['b'] = 1;
    m.lengths[256] = 2;
    m.lengths[285] = 2;
    m.lengths[MAKER_LITLENS + 3] = 1;
    maker_start_dynamic(&m, false);
    for (int i = 0; i < 60; i++) {
        maker_literal(&m, 'b');
        maker_match(&m, 258, 4);
    }
    maker_end_block(&m);
    maker_stored(&m, true, (const uint8_t *)"end", 3);
    check_cuts(m.stream.data, m.stream.len);
    maker_finish(&m);
}

/* Codes of up to 15 bits need two lookups, also after the end. */
T_CASE(truncated_streams_of_long_codes) {
    for (int round = 0; round < 20; round++) {
        struct maker m;
        maker_init(&m);
        maker_random_lengths(&m, 0, 286, 286, true);
        maker_random_lengths(&m, MAKER_LITLENS, 30, 30, true);
        maker_start_dynamic(&m, true);
        maker_random_symbols(&m, 60);
        maker_end_block(&m);
        maker_align(&m);
        check_cuts(m.stream.data, m.stream.len);
        maker_finish(&m);
    }
}

/* If we accept a stream, libdeflate decodes it to the same bytes. */
static void
check_against_libdeflate(const uint8_t *stream, size_t length) {
    static uint8_t room[1 << 20];
    struct inflation how = { stream, length, NULL, FRESH, 0 };
    struct inflated got = inflate_stream(&how);
    if (got.ok && got.bytes.len <= sizeof(room)) {
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        size_t used;
        size_t made;
        T_INT(libdeflate_deflate_decompress_ex(d, stream, length, room,
                                               sizeof(room), &used, &made),
              LIBDEFLATE_SUCCESS);
        T_BYTES(got.bytes.data, got.bytes.len, room, made);
        T_INT(got.rest, used);
        libdeflate_free_decompressor(d);
    } else if (!got.ok) {
        T(is_refusal(got.code));
    }
    sq_buf_finish(&got.bytes);
}

T_CASE(damaged_streams) {
    for (int round = 0; round < 8; round++) {
        uint8_t bytes[600];
        uint8_t stream[1000];
        struct libdeflate_compressor *c =
            libdeflate_alloc_compressor(1 + round % 12);
        fill(bytes, sizeof(bytes));
        size_t length = libdeflate_deflate_compress(c, bytes, sizeof(bytes),
                                                    stream, sizeof(stream));
        libdeflate_free_compressor(c);
        for (int i = 0; i < 1500; i++) {
            uint8_t damaged[1000];
            memcpy(damaged, stream, length);
            for (int64_t flips = t_random_between(1, 3); flips > 0; flips--) {
                damaged[t_random() % length] ^= (uint8_t)(1 << t_random() % 8);
            }
            check_against_libdeflate(damaged, length);
        }
    }
}

T_CASE(random_streams) {
    for (int i = 0; i < 6000; i++) {
        uint8_t stream[200];
        for (size_t k = 0; k < sizeof(stream); k++) {
            stream[k] = (uint8_t)t_random();
        }
        stream[0] = (uint8_t)(stream[0] << 3 | (i % 2 ? 3 : 5));
        check_against_libdeflate(stream, sizeof(stream));
    }
}

T_CASE(reserved_block_type) {
    struct maker m;
    maker_init(&m);
    maker_bits(&m, 1, 1);
    maker_bits(&m, 3, 2);
    check_refused(&m, SQ_ERR_FORMAT);
}

T_CASE(stored_length_mismatch) {
    for (unsigned bit = 0; bit < 16; bit++) {
        struct maker m;
        maker_init(&m);
        maker_bits(&m, 1, 1);
        maker_bits(&m, 0, 2);
        maker_align(&m);
        maker_bits(&m, 5, 16);
        maker_bits(&m, (5 ^ 0xffff) ^ 1u << bit, 16);
        check_refused(&m, SQ_ERR_FORMAT);
    }
}

static void
start_dynamic_header(struct maker *m, unsigned litlens, unsigned dists) {
    maker_init(m);
    maker_bits(m, 1, 1);
    maker_bits(m, 2, 2);
    maker_bits(m, litlens - 257, 5);
    maker_bits(m, dists - 1, 5);
    maker_bits(m, 19 - 4, 4);
}

/* A block that is valid except for its number of codes. */
T_CASE(too_many_codes) {
    static const unsigned counts[][2] = {
        { 286, 30 }, { 287, 30 }, { 288, 30 }, { 286, 31 }, { 286, 32 },
    };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct maker m;
        start_dynamic_header(&m, counts[i][0], counts[i][1]);
        m.lengths['a'] = 1;
        m.lengths[256] = 1;
        m.lengths[MAKER_LITLENS] = 1;
        maker_assign_all(&m);
        for (int k = 0; k < 19; k++) {
            maker_bits(&m, k < 3 ? 0 : 4, 3);
        }
        maker_put_lengths(&m, 0, counts[i][0]);
        maker_put_lengths(&m, MAKER_LITLENS, counts[i][1]);
        maker_literal(&m, 'a');
        maker_end_block(&m);
        check_refused(&m, i ? SQ_ERR_FORMAT : SQ_ERR_NONE);
    }
}

/* Lengths of the codes for lengths: too many, too few, none. */
T_CASE(impossible_length_codes) {
    static const uint8_t lengths[][19] = {
        { 1, 1, 1 },
        { 0, 0, 0, 2, 2, 2, 2, 7 },
        { 0, 0, 0, 2, 2, 2 },
        { 0, 0, 0, 2 },
        { 0 },
    };
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        struct maker m;
        start_dynamic_header(&m, 257, 1);
        for (int k = 0; k < 19; k++) {
            maker_bits(&m, lengths[i][k], 3);
        }
        check_refused(&m, SQ_ERR_FORMAT);
    }
}

/*
 * Codes for lengths: 16 (repeat), 17 and 18 (zeros), 0 in two bits each, in
 * the order in which equal lengths get their codes.
 */
enum { CODE_ZERO, CODE_REPEAT, CODE_ZEROS, CODE_MANY_ZEROS };

static void
start_repeats(struct maker *m) {
    start_dynamic_header(m, 257, 1);
    for (int k = 0; k < 19; k++) {
        maker_bits(m, k < 4 ? 2 : 0, 3);
    }
}

T_CASE(repeat_of_nothing) {
    struct maker m;
    start_repeats(&m);
    maker_code(&m, CODE_REPEAT, 2);
    maker_bits(&m, 0, 2);
    check_refused(&m, SQ_ERR_FORMAT);
}

/* 258 lengths are expected; each kind of repeat exceeds them by one. */
T_CASE(repeat_beyond_the_last_code) {
    static const struct {
        unsigned code, extra, bits;
    } last[] = { { CODE_REPEAT, 0, 2 },
                 { CODE_ZEROS, 0, 3 },
                 { CODE_MANY_ZEROS, 0, 7 } };
    static const unsigned reach[] = { 3, 3, 11 };
    for (int i = 0; i < 3; i++) {
        struct maker m;
        start_repeats(&m);
        for (unsigned k = 0; k < 258 - reach[i] + 1; k++) {
            maker_code(&m, CODE_ZERO, 2);
        }
        maker_code(&m, last[i].code, 2);
        maker_bits(&m, last[i].extra, last[i].bits);
        check_refused(&m, SQ_ERR_FORMAT);
    }
}

/* By one length, in a block that is valid otherwise. */
T_CASE(repeat_beyond_by_one) {
    for (unsigned dists = 1; dists <= 2; dists++) {
        struct maker m;
        start_dynamic_header(&m, 257, dists);
        for (int k = 0; k < 19; k++) {
            bool used = k == 0 || k == 2 || k == 3 || k == 17;
            maker_bits(&m, used ? 2 : 0, 3); /* 16, 18, 0 and 1 */
        }
        maker_code(&m, 3, 2);
        maker_bits(&m, 138 - 11, 7);
        maker_code(&m, 3, 2);
        maker_bits(&m, 255 - 138 - 11, 7);
        maker_code(&m, 1, 2); /* literal 255 and, repeated, all after it */
        maker_code(&m, 2, 2);
        maker_bits(&m, 0, 2);
        maker_bits(&m, 1, 1); /* the end of the block */
        check_refused(&m, dists == 1 ? SQ_ERR_FORMAT : SQ_ERR_NONE);
    }
}

/* The lengths of a block before a test makes them invalid. */
static void
start_good_lengths(struct maker *m) {
    maker_init(m);
    m->lengths['a'] = 2;
    m->lengths['b'] = 2;
    m->lengths[256] = 2;
    m->lengths[257] = 2;
    m->lengths[MAKER_LITLENS] = 1;
    m->lengths[MAKER_LITLENS + 1] = 1;
}

T_CASE(impossible_code_lengths) {
    static const struct {
        unsigned symbol;
        uint8_t length;
    } spoilers[] = {
        { 256, 0 },                /* the block would never end */
        { 256, 1 },                /* over-full */
        { 'c', 15 },               /* over-full by the least */
        { 'a', 3 },                /* incomplete */
        { 'a', 0 },                /* incomplete */
        { MAKER_LITLENS + 2, 15 }, /* distances: over-full by the least */
        { MAKER_LITLENS, 2 },      /* incomplete */
    };
    for (size_t i = 0; i < sizeof(spoilers) / sizeof(spoilers[0]); i++) {
        struct maker m;
        start_good_lengths(&m);
        m.lengths[spoilers[i].symbol] = spoilers[i].length;
        maker_start_dynamic(&m, true);
        maker_literal(&m, 'a');
        maker_symbol(&m, 256);
        check_refused(&m, SQ_ERR_FORMAT);
    }
}

/* A single code is valid only if it has one bit. */
T_CASE(single_codes_of_many_bits) {
    for (uint8_t length = 1; length <= 15; length++) {
        struct maker m;
        start_good_lengths(&m);
        m.lengths[MAKER_LITLENS] = length;
        m.lengths[MAKER_LITLENS + 1] = 0;
        maker_start_dynamic(&m, true);
        maker_literal(&m, 'a');
        maker_end_block(&m);
        check_refused(&m, length > 1 ? SQ_ERR_FORMAT : SQ_ERR_NONE);

        maker_init(&m);
        m.lengths[256] = length;
        maker_start_dynamic(&m, true);
        maker_end_block(&m);
        check_refused(&m, length > 1 ? SQ_ERR_FORMAT : SQ_ERR_NONE);
    }
}

/* A full set of codes, none of which ends the block. */
T_CASE(missing_end_of_block) {
    struct maker m;
    start_good_lengths(&m);
    m.lengths[256] = 0;
    m.lengths['c'] = 2;
    maker_start_dynamic(&m, true);
    maker_literal(&m, 'a');
    check_refused(&m, SQ_ERR_FORMAT);
}

T_CASE(distances_before_the_beginning) {
    static const unsigned counts[] = { 0, 1, 2, 5, 40, 300 };
    for (int i = 0; i < 6; i++) {
        struct maker m;
        maker_init(&m);
        maker_start_fixed(&m, true);
        for (unsigned k = 0; k < counts[i]; k++) {
            maker_literal(&m, k & 255);
        }
        maker_match(&m, 3, counts[i] + 1);
        maker_end_block(&m);
        check_refused(&m, SQ_ERR_FORMAT);
    }
}

T_CASE(symbols_that_must_not_occur) {
    static const unsigned symbols[] = { 286, 287, MAKER_LITLENS + 30,
                                        MAKER_LITLENS + 31 };
    for (int i = 0; i < 4; i++) {
        struct maker m;
        maker_init(&m);
        maker_start_fixed(&m, true);
        for (int k = 0; k < 400; k++) {
            maker_literal(&m, 'a');
        }
        if (symbols[i] >= MAKER_LITLENS) {
            maker_symbol(&m, 257);
        }
        maker_symbol(&m, symbols[i]);
        check_refused(&m, SQ_ERR_FORMAT);
    }
}

/* The other bit of a single distance code, and a match without any. */
T_CASE(distances_without_a_code) {
    for (uint8_t length = 0; length <= 1; length++) {
        struct maker m;
        start_good_lengths(&m);
        m.lengths[MAKER_LITLENS] = length;
        m.lengths[MAKER_LITLENS + 1] = 0;
        maker_start_dynamic(&m, true);
        maker_literal(&m, 'a');
        maker_symbol(&m, 257);
        maker_bits(&m, length, 1);
        maker_end_block(&m);
        check_refused(&m, SQ_ERR_FORMAT);
    }
}
