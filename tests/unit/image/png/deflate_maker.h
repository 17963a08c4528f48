/*
 * Writes deflate streams symbol by symbol, with any codes, and the bytes they
 * decode to. Also runs the code under test on them.
 */
#ifndef SQ_TEST_DEFLATE_MAKER_H
#define SQ_TEST_DEFLATE_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "image/pipeline/cpu.h"
#include "image/png/inflate.h"
#include "support/test.h"
#include "util/buf.h"

#define MAKER_LITLENS 288
#define MAKER_DISTS 32
#define MAKER_MAX_BYTES ((size_t)16 << 20)

struct maker {
    struct sq_buf stream;
    struct sq_buf bytes; /* the decoded bytes */
    unsigned bits;       /* fewer than eight, not yet in stream */
    unsigned bit_count;
    uint8_t lengths[MAKER_LITLENS + MAKER_DISTS];
    unsigned codes[MAKER_LITLENS + MAKER_DISTS];
};

static inline void
maker_init(struct maker *m) {
    *m = (struct maker){ 0 };
    sq_buf_init(&m->stream, MAKER_MAX_BYTES);
    sq_buf_init(&m->bytes, MAKER_MAX_BYTES);
}

static inline void
maker_finish(struct maker *m) {
    sq_buf_finish(&m->stream);
    sq_buf_finish(&m->bytes);
}

static inline void
maker_put_byte(struct sq_buf *buf, unsigned value) {
    struct sq_err err = { 0 };
    uint8_t byte = (uint8_t)value;
    T_OK(sq_buf_append(buf, &byte, 1, &err), &err);
}

/* Low bit first, like headers and extra bits. */
static inline void
maker_bits(struct maker *m, unsigned value, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        m->bits |= (value >> i & 1) << m->bit_count;
        if (++m->bit_count == 8) {
            maker_put_byte(&m->stream, m->bits);
            m->bits = 0;
            m->bit_count = 0;
        }
    }
}

/* High bit first, like codes. */
static inline void
maker_code(struct maker *m, unsigned code, unsigned length) {
    for (unsigned i = length; i-- > 0;) {
        maker_bits(m, code >> i & 1, 1);
    }
}

static inline void
maker_align(struct maker *m) {
    maker_bits(m, 0, (8 - m->bit_count) % 8);
}

/* Canonical codes from the lengths of one alphabet. */
static inline void
maker_assign(struct maker *m, size_t from, size_t count) {
    unsigned code = 0;
    for (unsigned length = 1; length <= 15; length++) {
        for (size_t i = from; i < from + count; i++) {
            if (m->lengths[i] == length) {
                m->codes[i] = code++;
            }
        }
        code <<= 1;
    }
}

static inline void
maker_assign_all(struct maker *m) {
    maker_assign(m, 0, MAKER_LITLENS);
    maker_assign(m, MAKER_LITLENS, MAKER_DISTS);
}

static inline void
maker_start_fixed(struct maker *m, bool last) {
    memset(m->lengths, 8, 144);
    memset(m->lengths + 144, 9, 112);
    memset(m->lengths + 256, 7, 24);
    memset(m->lengths + 280, 8, 8);
    memset(m->lengths + MAKER_LITLENS, 5, MAKER_DISTS);
    maker_assign_all(m);
    maker_bits(m, last, 1);
    maker_bits(m, 1, 2);
}

/* Lengths are written as they are, in four bits each: no repeats. */
static inline void
maker_put_lengths(struct maker *m, size_t from, size_t count) {
    for (size_t i = from; i < from + count; i++) {
        maker_code(m, m->lengths[i], 4);
    }
}

/* A dynamic block with the maker's lengths, even invalid ones. */
static inline void
maker_start_dynamic(struct maker *m, bool last) {
    maker_assign_all(m);
    maker_bits(m, last, 1);
    maker_bits(m, 2, 2);
    maker_bits(m, 286 - 257, 5);
    maker_bits(m, 30 - 1, 5);
    maker_bits(m, 19 - 4, 4);
    for (int i = 0; i < 19; i++) {
        maker_bits(m, i < 3 ? 0 : 4, 3); /* 16, 17 and 18 are not used */
    }
    maker_put_lengths(m, 0, 286);
    maker_put_lengths(m, MAKER_LITLENS, 30);
}

static inline void
maker_symbol(struct maker *m, size_t index) {
    maker_code(m, m->codes[index], m->lengths[index]);
}

static inline void
maker_end_block(struct maker *m) {
    maker_symbol(m, 256);
}

static inline void
maker_literal(struct maker *m, unsigned byte) {
    maker_symbol(m, byte);
    maker_put_byte(&m->bytes, byte);
}

static inline unsigned
maker_extra_bits(unsigned symbol, unsigned fan) {
    return symbol < 2 * fan ? 0 : symbol / fan - 1;
}

/* Symbol, and the difference of the value from the first one it represents. */
static inline unsigned
maker_find(unsigned value, unsigned first, unsigned fan, unsigned *rest) {
    unsigned symbol = 0;
    unsigned base = first;
    while (value - base >= 1u << maker_extra_bits(symbol, fan)) {
        base += 1u << maker_extra_bits(symbol, fan);
        symbol++;
    }
    *rest = value - base;
    return symbol;
}

static inline unsigned
maker_length_symbol(unsigned length, unsigned *rest) {
    unsigned symbol = maker_find(length, 3, 4, rest);
    if (length == 258) {
        *rest = 0;
        return 28;
    }
    return symbol;
}

static inline void
maker_match(struct maker *m, unsigned length, unsigned distance) {
    unsigned rest;
    unsigned symbol = maker_length_symbol(length, &rest);
    maker_symbol(m, 257 + symbol);
    maker_bits(m, rest, symbol == 28 ? 0 : maker_extra_bits(symbol, 4));
    symbol = maker_find(distance, 1, 2, &rest);
    maker_symbol(m, MAKER_LITLENS + symbol);
    maker_bits(m, rest, maker_extra_bits(symbol, 2));
    for (unsigned i = 0; i < length && distance <= m->bytes.len; i++) {
        maker_put_byte(&m->bytes, m->bytes.data[m->bytes.len - distance]);
    }
}

static inline void
maker_stored(struct maker *m, bool last, const uint8_t *bytes, size_t count) {
    maker_bits(m, last, 1);
    maker_bits(m, 0, 2);
    maker_align(m);
    maker_bits(m, (unsigned)count, 16);
    maker_bits(m, (unsigned)count ^ 0xffff, 16);
    for (size_t i = 0; i < count; i++) {
        maker_put_byte(&m->stream, bytes[i]);
        maker_put_byte(&m->bytes, bytes[i]);
    }
}

/*
 * Code lengths of a random full tree over `count` symbols of an alphabet. If
 * steep, more of them are long.
 */
static inline void
maker_random_lengths(struct maker *m, size_t from, size_t alphabet,
                     size_t count, bool steep) {
    uint8_t depth[MAKER_LITLENS] = { 0 };
    for (size_t leaves = 1; leaves < count;) {
        size_t leaf = (size_t)t_random_between(0, (int64_t)leaves - 1);
        if (steep && t_random() % 4) {
            leaf = leaves - 1;
        }
        if (depth[leaf] < 15) {
            depth[leaf]++;
            depth[leaves++] = depth[leaf];
        }
    }
    if (count == 1) {
        depth[0] = 1;
    }
    memset(m->lengths + from, 0, from ? MAKER_DISTS : MAKER_LITLENS);
    for (size_t i = 0; i < count;) {
        size_t at = from + (size_t)t_random_between(0, (int64_t)alphabet - 1);
        if (i == 0 && from == 0) {
            at = 256;
        }
        if (m->lengths[at] == 0) {
            m->lengths[at] = depth[i++];
        }
    }
}

static inline void
maker_random_match(struct maker *m, unsigned symbol) {
    unsigned rest;
    unsigned length;
    do {
        length = (unsigned)t_random_between(3, 258);
    } while (maker_length_symbol(length, &rest) != symbol);
    for (int tries = 0; tries < 20; tries++) {
        size_t most = m->bytes.len < 32768 ? m->bytes.len : 32768;
        unsigned shift = (unsigned)t_random_between(0, 15);
        unsigned distance = (unsigned)t_random_between(1, 1 << shift);
        unsigned code = maker_find(distance, 1, 2, &rest);
        if (distance <= most && m->lengths[MAKER_LITLENS + code]) {
            maker_match(m, length, distance);
            return;
        }
    }
}

static inline void
maker_random_symbols(struct maker *m, int count) {
    while (count > 0) {
        unsigned symbol = (unsigned)t_random_between(0, 285);
        if (m->lengths[symbol] == 0 || symbol == 256) {
            count -= t_random() % 64 == 0; /* there may be no other symbol */
            continue;
        }
        if (symbol < 256) {
            maker_literal(m, symbol);
        } else {
            maker_random_match(m, symbol - 257);
        }
        count--;
    }
}

/* How a test inflates its stream. */
struct inflation {
    const uint8_t *stream;
    size_t length;
    const uint8_t *padding; /* content of the padding; NULL: 0xff */
    size_t fresh;           /* window beyond the history, slid when full */
    int64_t most_step;      /* maximum bytes per request; 0: all */
};

struct inflated {
    bool ok;
    enum sq_err_code code;
    struct sq_buf bytes;
    size_t rest; /* offset of the first byte after the stream */
};

static inline void
inflate_keep(struct inflated *result, const uint8_t *from, const uint8_t *to) {
    struct sq_err err = { 0 };
    T_OK(sq_buf_append(&result->bytes, from, (size_t)(to - from), &err), &err);
}

/* Like png_read: fill the window, keep the history, slide, continue. */
static inline void
inflate_in_window(struct sq_inflate *z, const struct inflation *how,
                  uint8_t *window, struct inflated *result) {
    const uint8_t *window_limit = window + SQ_INFLATE_WINDOW + how->fresh;
    uint8_t *out = window;
    struct sq_err err = { 0 };
    result->ok = true;
    while (result->ok && z->state != SQ_INFLATE_DONE) {
        if (out >= window_limit) {
            uint8_t *keep = out - SQ_INFLATE_WINDOW;
            memmove(window, keep, SQ_INFLATE_WINDOW);
            out = window + SQ_INFLATE_WINDOW;
        }
        const uint8_t *limit = window_limit;
        if (how->most_step) {
            int64_t step = t_random_between(1, how->most_step);
            limit = step < limit - out ? out + step : limit;
        }
        const uint8_t *before = out;
        result->ok = sq_inflate_run(z, window, &out, limit, &err);
        inflate_keep(result, before, out);
        T(!result->ok || out >= limit || z->state == SQ_INFLATE_DONE);
        T(out - limit < SQ_INFLATE_OVERRUN);
    }
    result->code = err.code;
}

/*
 * In blocks of the exact size, so that the sanitizer sees an overrun, and at
 * different CPU levels.
 */
static inline struct inflated
inflate_stream(const struct inflation *how) {
    struct inflated result = { 0 };
    sq_buf_init(&result.bytes, MAKER_MAX_BYTES);
    struct sq_inflate *z = malloc(sizeof(*z));
    uint8_t *in = malloc(how->length + SQ_INFLATE_PADDING);
    uint8_t *window =
        malloc(SQ_INFLATE_WINDOW + how->fresh + SQ_INFLATE_OVERRUN);
    if (T(z != NULL) && T(in != NULL) && T(window != NULL)) {
        memset(z, 0xa5, sizeof(*z)); /* init does not rely on zeros */
        memcpy(in, how->stream, how->length);
        memset(in + how->length, 0xff, SQ_INFLATE_PADDING);
        if (how->padding) {
            memcpy(in + how->length, how->padding, SQ_INFLATE_PADDING);
        }
        sq_cpu_limit(t_random() % 2 ? SQ_CPU_SCALAR : SQ_CPU_BEST);
        sq_inflate_init(z, in, how->length);
        inflate_in_window(z, how, window, &result);
        result.rest = (size_t)(sq_inflate_rest(z) - in);
    }
    free(window);
    free(in);
    free(z);
    return result;
}

#endif
