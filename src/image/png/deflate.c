/*
 * Compresses the rows of a PNG, faster than libdeflate on those of a user
 * interface: most of their bytes are in long runs, which it skips. Each
 * position is compared with one earlier place, and a block has codes of its
 * own.
 */
#include "image/png/private.h"

#include <assert.h>
#include <string.h>

#include <libdeflate.h>

#include "util/mem.h"

#define WINDOW 32768 /* the largest distance */
#define SHORTEST 4   /* matches that are looked for */
#define LONGEST 258
#define HASH_BITS 14
#define TOKENS 65536  /* per block; more than bytes in a row */
#define TOKEN_BYTES 6 /* at most */

#define LITERALS 286
#define END_OF_BLOCK 256
#define FIRST_LENGTH 257
#define DISTANCES 30
#define LENGTHS (LITERALS + DISTANCES)
#define CODE_BITS 15
/* The code for the lengths of the other two codes. */
#define META 19
#define META_BITS 7
#define META_REPEAT 16
#define META_ZEROS 17
#define META_MANY_ZEROS 18

struct code {
    uint32_t count[LITERALS]; /* how often each symbol occurs */
    uint8_t length[LITERALS];
    uint16_t bits[LITERALS]; /* first bit lowest */
};

struct sq_deflate {
    struct sq_buf *out;
    uint8_t *window; /* at least WINDOW bytes before the row, then the row */
    size_t size;
    size_t at;      /* of the row in the window */
    uint32_t moved; /* number of the byte at the start of the window */
    size_t line;
    uint32_t adler;
    uint64_t pending; /* bits that are not yet a byte */
    unsigned pending_bits;
    struct code literals;
    struct code distances;
    size_t tokens;
    /* The block that is written: its codes take less than 1 KB. */
    uint8_t block[TOKENS * TOKEN_BYTES + 1024];
    /* A literal byte, or length << 15 | distance - 1. */
    uint32_t token[TOKENS];
    uint32_t last[1 << HASH_BITS]; /* number of the last byte with a hash */
};

/* A length or distance is coded as a symbol and some of its lower bits. */
struct part {
    unsigned symbol;
    unsigned extra;
    unsigned extra_bits;
};

static inline unsigned
log2_of(unsigned value) {
    return 31u - (unsigned)__builtin_clz(value);
}

static inline struct part
length_part(unsigned length) {
    unsigned x = length - 3;
    if (x < 8 || length == LONGEST) {
        return (struct part){ FIRST_LENGTH + (x < 8 ? x : 28), 0, 0 };
    }
    unsigned bits = log2_of(x) - 2;
    return (struct part){ FIRST_LENGTH + 4 * bits + (x >> bits),
                          x & ((1u << bits) - 1), bits };
}

static inline struct part
distance_part(unsigned distance) {
    unsigned x = distance - 1;
    if (x < 4) {
        return (struct part){ x, 0, 0 };
    }
    unsigned bits = log2_of(x) - 1;
    return (struct part){ 2 * bits + (x >> bits), x & ((1u << bits) - 1),
                          bits };
}

/* Sorts the used symbols by how often they occur; returns how many there are.
 */
static int
sort_symbols(const struct code *code, int symbols, uint32_t *sorted) {
    int used = 0;
    for (int i = 0; i < symbols; i++) {
        if (code->count[i] == 0) {
            continue;
        }
        uint32_t key = code->count[i] << 9 | (uint32_t)i;
        int k = used++;
        for (; k > 0 && sorted[k - 1] > key; k--) {
            sorted[k] = sorted[k - 1];
        }
        sorted[k] = key;
    }
    return used;
}

/*
 * Counts how many of `used` sorted symbols get codes of each length. Joins the
 * two rarest of symbols and joined nodes again and again; nodes are made in the
 * order of their counts, so that two queues suffice.
 */
static void
count_lengths(const uint32_t *sorted, int used, int most, int *of_length) {
    uint32_t node[LITERALS];
    int parent[2 * LITERALS]; /* symbols first, then nodes */
    int depth[2 * LITERALS];
    int leaf = 0;
    int first = 0;
    for (int made = 0; made < used - 1; made++) {
        node[made] = 0;
        for (int side = 0; side < 2; side++) {
            bool take_leaf =
                leaf < used
                && (first == made || sorted[leaf] >> 9 <= node[first]);
            node[made] += take_leaf ? sorted[leaf] >> 9 : node[first];
            parent[take_leaf ? leaf++ : used + first++] = used + made;
        }
    }
    depth[2 * used - 2] = 0;
    for (int i = 2 * used - 3; i >= 0; i--) {
        depth[i] = depth[parent[i]] + 1;
        if (i < used) {
            of_length[depth[i] < most ? depth[i] : most]++;
        }
    }
    /* Codes that were cut leave too little room: make others longer. */
    long room = 1L << most;
    for (int i = 1; i <= most; i++) {
        room -= (long)of_length[i] << (most - i);
    }
    for (; room < 0; room++) {
        int shorter = most - 1;
        while (of_length[shorter] == 0) {
            shorter--;
        }
        of_length[shorter]--;
        of_length[shorter + 1] += 2;
        of_length[most]--;
    }
}

static uint16_t
reversed(unsigned bits, int count) {
    unsigned result = 0;
    for (int i = 0; i < count; i++) {
        result = result << 1 | (bits >> i & 1);
    }
    return (uint16_t)result;
}

/* Makes the codes from the counts. At least two symbols always have a code. */
static void
make_code(struct code *code, int symbols, int most) {
    uint32_t sorted[LITERALS];
    int of_length[CODE_BITS + 1] = { 0 };
    code->count[0] += code->count[0] == 0;
    code->count[1] += code->count[1] == 0;
    memset(code->length, 0, sizeof(code->length));
    int used = sort_symbols(code, symbols, sorted);
    count_lengths(sorted, used, most, of_length);
    unsigned next[CODE_BITS + 1];
    unsigned bits = 0;
    for (int length = 1; length <= most; length++) {
        next[length] = bits;
        bits = (bits + (unsigned)of_length[length]) << 1;
    }
    for (int i = 0, length = most; i < used; i++) { /* the rarest first */
        while (of_length[length] == 0) {
            length--;
        }
        of_length[length]--;
        code->length[sorted[i] & 511] = (uint8_t)length;
    }
    for (int i = 0; i < symbols; i++) {
        int length = code->length[i];
        code->bits[i] = length ? reversed(next[length]++, length) : 0;
    }
}

/* Where bits are written, the first one lowest. */
struct writer {
    uint8_t *to;
    uint64_t pending; /* bits that are not yet a byte */
    unsigned count;
};

/* Adds at most 48 bits; writes eight bytes, of which only the first may count.
 */
static inline void
put_bits(struct writer *w, uint64_t bits, unsigned count) {
    w->pending |= bits << w->count;
    w->count += count;
    uint64_t bytes = w->pending;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(w->to, &bytes, sizeof(bytes));
    w->to += w->count / 8;
    w->pending >>= w->count & ~7u;
    w->count &= 7;
}

/* Returns the part that codes lengths from i on, and how many these are. */
static struct part
repeat_part(const uint8_t *length, int i, int *run) {
    int same = 1;
    while (i + same < LENGTHS && length[i + same] == length[i]) {
        same++;
    }
    if (length[i] == 0 && same > 10) {
        *run = same < 138 ? same : 138;
        return (struct part){ META_MANY_ZEROS, (unsigned)*run - 11, 7 };
    }
    if (length[i] == 0 && same >= 3) {
        *run = same;
        return (struct part){ META_ZEROS, (unsigned)*run - 3, 3 };
    }
    if (i > 0 && length[i] == length[i - 1] && same >= 3) {
        *run = same < 6 ? same : 6;
        return (struct part){ META_REPEAT, (unsigned)*run - 3, 2 };
    }
    *run = 1;
    return (struct part){ length[i], 0, 0 };
}

/* Puts the lengths of both codes: first how their own lengths are coded. */
static void
put_codes(const struct sq_deflate *d, struct writer *w) {
    static const uint8_t order[META] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                         11, 4,  12, 3, 13, 2, 14, 1, 15 };
    uint8_t length[LENGTHS];
    struct part parts[LENGTHS];
    int count = 0;
    struct code meta = { { 0 }, { 0 }, { 0 } };
    memcpy(length, d->literals.length, LITERALS);
    memcpy(length + LITERALS, d->distances.length, DISTANCES);
    for (int i = 0, run; i < LENGTHS; i += run) {
        parts[count] = repeat_part(length, i, &run);
        meta.count[parts[count++].symbol]++;
    }
    make_code(&meta, META, META_BITS);
    put_bits(w, LITERALS - 257, 5);
    put_bits(w, DISTANCES - 1, 5);
    put_bits(w, META - 4, 4);
    for (int i = 0; i < META; i++) {
        put_bits(w, meta.length[order[i]], 3);
    }
    for (int i = 0; i < count; i++) {
        unsigned symbol = parts[i].symbol;
        put_bits(w, meta.bits[symbol], meta.length[symbol]);
        put_bits(w, parts[i].extra, parts[i].extra_bits);
    }
}

static inline uint64_t
add_part(const struct code *code, struct part part, unsigned *count) {
    uint64_t bits = code->bits[part.symbol]
                  | (uint64_t)part.extra << code->length[part.symbol];
    *count = code->length[part.symbol] + part.extra_bits;
    return bits;
}

static void
put_tokens(const struct sq_deflate *d, struct writer *to) {
    struct writer w = *to;
    for (size_t i = 0; i < d->tokens; i++) {
        uint32_t token = d->token[i];
        if (token < WINDOW) {
            put_bits(&w, d->literals.bits[token], d->literals.length[token]);
            continue;
        }
        unsigned first;
        unsigned second;
        uint64_t length =
            add_part(&d->literals, length_part(token >> 15), &first);
        uint64_t distance = add_part(
            &d->distances, distance_part((token & (WINDOW - 1)) + 1), &second);
        put_bits(&w, length | distance << first, first + second);
    }
    put_bits(&w, d->literals.bits[END_OF_BLOCK],
             d->literals.length[END_OF_BLOCK]);
    *to = w;
}

static bool
put_block(struct sq_deflate *d, bool is_last, struct sq_err *err) {
    d->literals.count[END_OF_BLOCK] = 1;
    make_code(&d->literals, LITERALS, CODE_BITS);
    make_code(&d->distances, DISTANCES, CODE_BITS);
    struct writer w = { d->block, d->pending, d->pending_bits };
    put_bits(&w, is_last, 1);
    put_bits(&w, 2, 2); /* with codes of its own */
    put_codes(d, &w);
    put_tokens(d, &w);
    if (is_last) {
        put_bits(&w, 0, -w.count & 7);
    }
    d->pending = w.pending;
    d->pending_bits = w.count;
    d->tokens = 0;
    memset(d->literals.count, 0, sizeof(d->literals.count));
    memset(d->distances.count, 0, sizeof(d->distances.count));
    return sq_buf_append(d->out, d->block, (size_t)(w.to - d->block), err);
}

static inline void
put_literal(struct sq_deflate *d, uint8_t byte) {
    d->literals.count[byte]++;
    d->token[d->tokens++] = byte;
}

static inline void
put_match(struct sq_deflate *d, size_t length, size_t distance) {
    d->literals.count[length_part((unsigned)length).symbol]++;
    d->distances.count[distance_part((unsigned)distance).symbol]++;
    d->token[d->tokens++] = (uint32_t)(length << 15 | (distance - 1));
}

/* Puts bytes that repeat earlier ones as matches; returns how many are left. */
static inline size_t
put_matches(struct sq_deflate *d, size_t count, size_t distance) {
    for (; count > LONGEST; count -= LONGEST) {
        put_match(d, LONGEST, distance);
    }
    if (count < SHORTEST) {
        return count;
    }
    put_match(d, count, distance);
    return 0;
}

static inline uint32_t
load4(const uint8_t *at) {
    uint32_t v;
    memcpy(&v, at, sizeof(v));
    return v;
}

/* Returns how many bytes are equal, at most `most`. */
static inline size_t
count_equal(const uint8_t *a, const uint8_t *b, size_t most) {
    size_t n = SHORTEST;
    for (; n + 8 <= most; n += 8) {
        uint64_t x;
        uint64_t y;
        memcpy(&x, a + n, sizeof(x));
        memcpy(&y, b + n, sizeof(y));
        if (x != y) {
            break;
        }
    }
    while (n < most && a[n] == b[n]) {
        n++;
    }
    return n;
}

/* Exchanges the number of the last byte with the hash of this one's place. */
static inline uint32_t
exchange(struct sq_deflate *d, size_t at) {
    uint32_t *last =
        &d->last[load4(d->window + at) * 0x9e3779b1u >> (32 - HASH_BITS)];
    uint32_t before = *last;
    *last = d->moved + (uint32_t)at;
    return before;
}

static void
put_row(struct sq_deflate *d) {
    const uint8_t *window = d->window;
    size_t end = d->at + d->line;
    size_t at = d->at;
    while (at + SHORTEST <= end) {
        size_t distance = d->moved + (uint32_t)at - exchange(d, at);
        if (distance > WINDOW
            || load4(window + at - distance) != load4(window + at)) {
            put_literal(d, window[at++]);
            continue;
        }
        size_t most = end - at < LONGEST ? end - at : LONGEST;
        size_t length = count_equal(window + at - distance, window + at, most);
        put_match(d, length, distance);
        at += length;
        /* More of the earlier places would take longer and save 1 %. */
        for (size_t k = SHORTEST; k > 0; k--) {
            exchange(d, at - k);
        }
    }
    for (; at < end; at++) {
        put_literal(d, window[at]);
    }
}

bool
sq_deflate_row(struct sq_deflate *d, bool is_zero, struct sq_err *err) {
    d->adler = libdeflate_adler32(d->adler, d->window + d->at, d->line);
    if (d->tokens + d->line > TOKENS && !put_block(d, false, err)) {
        return false;
    }
    if (is_zero) {
        put_literal(d, d->window[d->at]);
        put_literal(d, 0);
        for (size_t left = put_matches(d, d->line - 2, 1); left > 0; left--) {
            put_literal(d, 0);
        }
    } else {
        put_row(d);
    }
    d->at += d->line;
    if (d->at + d->line > d->size) {
        memmove(d->window, d->window + d->at - WINDOW, WINDOW);
        d->moved += (uint32_t)(d->at - WINDOW);
        d->at = WINDOW;
    }
    return true;
}

uint8_t *
sq_deflate_space(const struct sq_deflate *d) {
    return d->window + d->at;
}

struct sq_deflate *
sq_deflate_begin(struct sq_buf *out, size_t line, struct sq_err *err) {
    assert(line >= 4 && line <= TOKENS);
    static const uint8_t header[2] = { 0x78, 0x01 };
    struct sq_deflate *d = sq_mem_zalloc(1, sizeof(*d));
    if (!d) {
        sq_fail_nomem(err);
        return NULL;
    }
    d->out = out;
    d->line = line;
    d->size = 8 * WINDOW; /* the longest row, and not moved too often */
    d->at = WINDOW;
    d->moved = WINDOW; /* so that none is near number 0 */
    d->adler = 1;
    d->window = sq_mem_zalloc(d->size + SHORTEST, 1);
    if ((!d->window && !sq_fail_nomem(err))
        || !sq_buf_append(out, header, sizeof(header), err)) {
        sq_deflate_finish(d);
        return NULL;
    }
    return d;
}

bool
sq_deflate_end(struct sq_deflate *d, struct sq_err *err) {
    const uint8_t sum[4] = { (uint8_t)(d->adler >> 24),
                             (uint8_t)(d->adler >> 16),
                             (uint8_t)(d->adler >> 8), (uint8_t)d->adler };
    return put_block(d, true, err)
        && sq_buf_append(d->out, sum, sizeof(sum), err);
}

void
sq_deflate_finish(struct sq_deflate *d) {
    if (d) {
        sq_mem_free(d->window);
        sq_mem_free(d);
    }
}
